"""What becomes of each hit before anything is written: gate, anchoring, novelty, budget (P3, C5, design §6.5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from extraction.extractors.documents import Hit, Span
from extraction.extractors.echo import echoes
from extraction.extractors.findings import Extractor, Reading
from ledger.actions.anchoring import Quote
from ledger.actions.propose import Draft, Novelty, novelty_of
from ledger.journal import plain
from ledger.models import Scope, SourceKind
from ledger.packs import PackSet
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
        """What the run's report keeps: enough to admit the hit later. `start`, `end` and `quote` are those of the first span;
        of the words of another source only the offsets are kept, so that its purge leaves nothing here."""
        hit = self.hit
        first = (hit.spans or hit.places)[0]
        quotes = self.draft.quotes if self.draft else ()
        told: dict[str, Any] = {
            "rule": hit.rule,
            "kind": hit.kind,
            "key": hit.key,
            "topic": hit.topic,
            "tags": list(hit.tags),
            "value_type": hit.value_type,
            "value": hit.value,
            "assignee": hit.assignee,
            "statement": hit.statement,
            "confidence": hit.confidence,
            "explicit": hit.explicit,
            "supersedes": list(hit.supersedes),
            "start": first.start,
            "end": first.end,
            "quote": quotes[0].text if quotes and first.source_id == 0 else "",
        }
        if len(hit.spans) > 1 or first.source_id:
            told["spans"] = [
                {"source": q.source_id, "start": q.start, "end": q.end, "stance": q.stance, "anchor": q.anchor}
                for q in quotes
            ]
        if self.draft is not None and self.draft.anchors_to_choose:
            told["places"] = list(self.draft.anchors_to_choose)
        more = {
            "confidence_word": hit.confidence_word,
            "needs_review": hit.needs_review,
            "summary": hit.summary,
            "valid_from": plain(hit.valid_from),
            "valid_to": plain(hit.valid_to),
            "expires_at": plain(hit.expires_at),
            "downstream": list(hit.downstream),
            "scope_id": hit.scope_id,
        }
        return told | {name: value for name, value in more.items() if value}


def consolidate(hits: Sequence[Hit], reading: Reading, extractor: Extractor, version: str) -> list[Fate]:
    """One fate a hit, in their order. What an author labelled is never capped; of what was inferred only the best by
    rank are proposed, the rest is held back and can be admitted from the run's report."""
    threshold = float(reading.packs.setting("gates", extractor.stage, extractor.threshold))
    echoed = echoes(reading.source.text, reading.sections)
    fates: list[Fate] = []
    for hit in hits:
        draft = draft_of(hit, reading, extractor=extractor.name, extractor_version=version)
        if draft is None:
            fates.append(Fate(hit, None, "note", "a word in it is longer than its column holds"))
        elif any(echoed(span.start) for span in (hit.spans or hit.places) if span.source_id == 0):
            fates.append(Fate(hit, draft, "dropped", "our own words, out of a context pack"))
        elif hit.confidence < threshold:
            fates.append(Fate(hit, draft, "dropped", f"score {hit.confidence:.2f} is below {threshold:.2f}"))
        elif not hit.anchored:
            speaker = draft.quotes[0].speaker if draft.quotes else "whoever speaks there"
            fates.append(Fate(hit, draft, "held_back", f"words of {speaker} cannot anchor a {hit.kind}"))
        else:
            fates.append(Fate(hit, draft))
    return _within_budget(fates, reading)


def budget_of(kind: str, packs: PackSet) -> int:
    """How many inferred candidates of one pass over a source of this kind may wait at once (P3); of an episode perhaps
    fewer (C5)."""
    most = int(packs.setting("budgets", "inferred_per_pass", 50))
    if kind == SourceKind.EPISODE:
        most = min(most, int(packs.setting("budgets", "per_episode", most)))
    return most


def _within_budget(fates: list[Fate], reading: Reading) -> list[Fate]:
    """Of the inferred hits for each scope the best by confidence × length × novelty, and then by their order in the text
    (P3). What says the same as one that is held back is held back with it, not written in its stead."""
    proposed: dict[int, list[tuple[int, Draft]]] = {}
    for at, fate in enumerate(fates):
        if fate.draft is not None and not fate.why:
            proposed.setdefault(fate.hit.scope_id or reading.scope.pk, []).append((at, fate.draft))
    inferring = {pk for pk, group in proposed.items() if any(draft.inferred for _, draft in group)}
    places = {reading.scope.pk: reading.scope} | Scope.objects.in_bulk(inferring - {reading.scope.pk})
    for pk in inferring:
        group = proposed[pk]
        new = novelty_of([draft for _, draft in group], places[pk], reading.packs)
        held = _held_back([draft for _, draft in group], new, reading)
        for (at, _), one in zip(group, new, strict=True):
            if one.first in held:
                fates[at] = replace(fates[at], fate="held_back", why=held[one.first])
    return fates


def _held_back(drafts: Sequence[Draft], new: Sequence[Novelty], reading: Reading) -> dict[int, str]:
    """The places of those that are held back, each with why.

    What a claim says already costs no place but where it still waits: a text that is read again before anybody has
    reviewed what it gave brings nothing beyond its budget.
    """
    budget = budget_of(reading.source.kind, reading.packs)
    least = float(reading.packs.setting("novelty", "threshold", 0.0))
    labelled = {one.first for draft, one in zip(drafts, new, strict=True) if not draft.inferred}
    waiting = {one.twin.pk for one in new if one.twin is not None and one.twin.status in ("pending", "deferred")}
    held: dict[int, str] = {}
    ranked: list[tuple[float, int]] = []
    for at, (draft, one) in enumerate(zip(drafts, new, strict=True)):
        if one.first != at or one.twin is not None or at in labelled:
            continue
        if one.share < least:
            held[at] = f"novelty {one.share:.2f} is below {least:.2f}: nearly the same waits or holds"
        else:
            words = len(draft.statement.split())
            ranked.append((-rank(confidence=draft.confidence, words=words, novelty=one.share), at))
    for _, at in sorted(ranked)[max(0, budget - len(waiting)) :]:
        held[at] = f"beyond the {budget} inferred ones of a pass"
    return held


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
        stage=reading.stage if reading.source.kind == "turn" else "",
        anchors_to_choose=tuple(_place(span, reading) for span in hit.places),
        inferred=not hit.explicit,
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
