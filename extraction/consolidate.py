"""What becomes of each hit before anything is written: gate, anchoring, budget (P3, design §6.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from extraction.echo import echoes
from extraction.findings import Extractor, Reading
from extraction.rules import Hit, Span
from ledger.actions.anchoring import Quote
from ledger.actions.propose import Draft
from ledger.rules.rank import rank

LONGEST = {"key": 200, "topic": 200, "assignee": 200, "value_type": 20, "rule": 60}
LONGEST_TAG = 60


@dataclass(frozen=True, slots=True)
class Fate:
    """A hit and its draft. Without a `why` it is proposed; otherwise `fate` is held_back, dropped or note."""

    hit: Hit
    draft: Draft | None
    fate: str = ""
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """What the run's report keeps: enough to admit the hit later, offsets included."""
        span = (self.hit.spans or self.hit.places)[0]
        quotes = self.draft.quotes if self.draft else ()
        return {
            "rule": self.hit.rule,
            "kind": self.hit.kind,
            "key": self.hit.key,
            "topic": self.hit.topic,
            "tags": list(self.hit.tags),
            "value_type": self.hit.value_type,
            "value": self.hit.value,
            "assignee": self.hit.assignee,
            "statement": self.hit.statement,
            "confidence": self.hit.confidence,
            "explicit": self.hit.explicit,
            "supersedes": list(self.hit.supersedes),
            "start": span.start,
            "end": span.end,
            "quote": quotes[0].text if quotes else "",
        }


def consolidate(hits: Sequence[Hit], reading: Reading, extractor: Extractor, version: str) -> list[Fate]:
    """One fate a hit, in their order. What an author labelled is never capped; of what was inferred only the best by
    rank are proposed, the rest is held back and can be admitted from the run's report."""
    packs = reading.packs
    threshold = float(packs.setting("gates", extractor.stage, extractor.threshold))
    budget = int(packs.setting("budgets", "inferred_per_pass", 50))
    echoed = echoes(reading.source.text)

    def ours(hit: Hit) -> bool:
        return any(echoed(span.start) for span in (hit.spans or hit.places) if span.source_id == 0)

    within = _within_budget([hit for hit in hits if not ours(hit)], budget, threshold)
    fates = []
    for hit in hits:
        draft = draft_of(hit, reading, extractor=extractor.name, extractor_version=version)
        if draft is None:
            fates.append(Fate(hit, None, "note", "a word in it is longer than its column holds"))
        elif ours(hit):
            fates.append(Fate(hit, draft, "dropped", "our own words, out of a context pack"))
        elif hit.confidence < threshold:
            fates.append(Fate(hit, draft, "dropped", f"score {hit.confidence:.2f} is below {threshold:.2f}"))
        elif not hit.anchored:
            speaker = draft.quotes[0].speaker
            fates.append(Fate(hit, draft, "held_back", f"words of {speaker} cannot anchor a {hit.kind}"))
        elif not hit.explicit and id(hit) not in within:
            fates.append(Fate(hit, draft, "held_back", f"beyond the {budget} inferred ones of a pass"))
        else:
            fates.append(Fate(hit, draft))
    return fates


def _within_budget(hits: Sequence[Hit], budget: int, threshold: float) -> set[int]:
    """The inferred hits (by identity) that are worth a place: first by rank, then by their order in the text."""
    inferred = [hit for hit in hits if not hit.explicit and hit.anchored and hit.confidence >= threshold]
    return {id(hit) for hit in sorted(inferred, key=_rank, reverse=True)[:budget]}


def _rank(hit: Hit) -> float:
    return rank(confidence=hit.confidence, words=len(hit.statement.split()))


def draft_of(hit: Hit, reading: Reading, *, extractor: str, extractor_version: str) -> Draft | None:
    """The hit as a proposal whose quotes are the sources' own words; None where it does not fit into a claim."""
    if any(len(getattr(hit, name)) > most for name, most in LONGEST.items()):
        return None
    if any(len(tag) > LONGEST_TAG for tag in hit.tags) or any(len(ref) > 200 for ref in hit.supersedes):
        return None
    return Draft(
        kind=hit.kind,
        statement=hit.statement,
        quotes=tuple(_quote(span, reading) for span in hit.spans),
        key=hit.key,
        topic=hit.topic,
        tags=hit.tags,
        value_type=hit.value_type,
        value=hit.value,
        assignee=hit.assignee,
        confidence=hit.confidence,
        confidence_word=hit.confidence_word,
        rule=hit.rule,
        extractor=extractor,
        extractor_version=extractor_version,
        needs_review=hit.needs_review,
        summary=hit.summary,
        names_replaced=hit.supersedes,
        valid_from=hit.valid_from,
        valid_to=hit.valid_to,
        expires_at=hit.expires_at,
        downstream=hit.downstream,
        anchors_to_choose=tuple(_place(span, reading) for span in hit.places),
    )


def _quote(span: Span, reading: Reading) -> Quote:
    source, sections = reading.text_of(span.source_id)
    section = sections[span.section_index]
    return Quote(
        source_id=source.pk,
        section_id=section.pk,
        speaker=section.speaker,
        start=span.start,
        end=span.end,
        text=source.text[span.start : span.end],
        stance=span.stance,
        anchor=span.anchor,
    )


def _place(span: Span, reading: Reading) -> dict[str, int]:
    source, _ = reading.text_of(span.source_id)
    return {"source": source.pk, "start": span.start, "end": span.end}
