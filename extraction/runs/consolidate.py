"""What becomes of each hit before anything is written (priors, gate, anchoring, novelty, budget: P3, C5, design §6.5), and how
the run tells it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from extraction.extractors.documents import Hit, Span
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.echo import Ranges, echoes_in, is_within
from extraction.extractors.findings import Findings, Note, Reading, StageScore
from extraction.runs.subjects import subjects_of
from ledger.actions.propose import Draft, Novelty, Proposal, novelty_of
from ledger.journal import plain
from ledger.models import Claim, Gate, Run, RunHit, Scope, SourceKind
from ledger.packs import PackSet
from ledger.reads.insights.priors import BY_CLASS, FIXED
from ledger.rules.drafts import Quote
from ledger.rules.ranking import rank
from ledger.rules.secrets import secrets_within

MAX_LENGTHS = {"key": 200, "topic": 200, "assignee": 200, "value_type": 20, "rule": 60}
MAX_TAG = 60
MAX_REF = 200
WAITING = ("pending", "deferred")
HELD_BACK, DROPPED, NOTE = "held_back", "dropped", "note"
FIGURES = ("proposed", "written", "duplicates", "merged", "notes", "held_back", "dropped")
# What a run's report calls the fates of `propose_all` that make no claim.
REPORTED = {
    "rejected": DROPPED, "echo": DROPPED, "unanchored": HELD_BACK, "over_budget": HELD_BACK,
}  # fmt: skip
# And what its figures call them.
COUNTED = {NOTE: "notes", "duplicate": "duplicates"}
# Columns of a hit that its report keeps as they are, and those that it keeps where they say something.
REPORTED_ALWAYS = (
    "rule",
    "kind",
    "key",
    "topic",
    "value_type",
    "value",
    "assignee",
    "statement",
    "confidence",
    "explicit",
)
REPORTED_WHERE_SET = (
    "confidence_word", "needs_review", "summary", "valid_from", "valid_to", "expires_at", "downstream", "scope_id",
)  # fmt: skip


@dataclass(slots=True)
class HitOutcome:
    """A hit and what becomes of it. Without a `fate` (held_back, dropped or note, each with its `why`) it is proposed as its
    draft, and then `proposal` is the answer."""

    hit: Hit
    draft: Draft
    fate: str = ""
    why: str = ""
    proposal: Proposal | None = None

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """None of what fits into no claim."""
        return () if self.fate == NOTE else self.draft.quotes

    @property
    def claim(self) -> Claim | None:
        return self.proposal.claim if self.proposal else None

    @property
    def reported_fate(self) -> str:
        """`written` where it became a claim of its own; a hit that joined one is a `duplicate` of what waits, or `merged` with
        what holds."""
        fate = self.proposal.fate if self.proposal else self.fate
        if fate == "duplicate" and self.claim is not None and self.claim.status == "active":
            return "merged"
        return REPORTED.get(fate, fate)

    @property
    def counted_as(self) -> str:
        return COUNTED.get(self.reported_fate, self.reported_fate)

    def as_json(self) -> dict[str, Any]:
        """What the run's report keeps: enough to admit the hit later. `start`, `end` and `quote` are those of the first span;
        of the words of another source only the offsets are kept, so that its purge leaves nothing here."""
        hit = self.hit
        first = (hit.spans or hit.places)[0]
        report: dict[str, Any] = {name: getattr(hit, name) for name in REPORTED_ALWAYS}
        if self.draft.subject:
            report["subject"] = self.draft.subject
        report |= {"tags": list(hit.tags), "supersedes": list(hit.supersedes), "start": first.start, "end": first.end}
        report["quote"] = self.quotes[0].text if self.quotes and not first.source_id else ""
        if len(hit.spans) > 1 or first.source_id:
            report["spans"] = [
                {"source": q.source_id, "start": q.start, "end": q.end, "stance": q.stance, "anchor": q.anchor}
                for q in self.quotes
            ]
        if self.draft.anchors_to_choose and self.fate != NOTE:
            report["places"] = list(self.draft.anchors_to_choose)
        return report | {name: plain(value) for name in REPORTED_WHERE_SET if (value := getattr(hit, name))}

    def as_proposed(self) -> dict[str, Any]:
        """What a dry run tells of it."""
        why = self.proposal.why if self.proposal else self.why
        told = self.as_json() | {"would_be": self.counted_as, "why": why or None}
        if self.claim is not None and self.counted_as in ("duplicates", "merged"):
            told["ref"] = self.claim.ref
        return told


def with_priors(hits: Sequence[Hit], extractor: str, packs: PackSet) -> Sequence[Hit]:
    """The hits with their own rule's prior where the scope sets one. A score of prior × signal × freshness changes in
    proportion; a score that an extractor gives to all hits of a rule becomes the prior. Scores that are found hit by hit (a
    model's, the coordinator's) have no prior and stay."""
    if not packs.priors:
        return hits
    if extractor in BY_CLASS:
        classes = rules_of(packs).priors
        return [_scaled(hit, packs.priors.get(hit.rule), classes.get(hit.rule_class, 0.0)) for hit in hits]
    if extractor in FIXED:
        return [replace(hit, confidence=packs.priors.get(hit.rule, hit.confidence)) for hit in hits]
    return hits


def _scaled(hit: Hit, prior: float | None, of_class: float) -> Hit:
    if prior is None or not of_class:
        return hit
    return replace(hit, confidence=round(min(1.0, hit.confidence * prior / of_class), 4))


def consolidate(
    hits: Sequence[Hit], reading: Reading, *, thresholds: Mapping[str, float], extractor: str, version: str
) -> list[HitOutcome]:
    """One outcome a hit, in their order. What an author labelled is never capped; of what was inferred only the best by
    rank are proposed, the rest is held back and can be admitted from the run's report."""
    echoed = echoes_in(reading.source, reading.sections)
    outcomes = []
    for hit, subject in zip(hits, subjects_of(hits, reading), strict=True):
        draft = draft_of(hit, subject, reading, extractor=extractor, extractor_version=version)
        outcomes.append(HitOutcome(hit, draft, *fate_of(hit, draft, echoed, thresholds[hit.stage])))
    hold_back_beyond_budget(outcomes, reading)
    return outcomes


def fate_of(hit: Hit, draft: Draft, echoed: Ranges, threshold: float) -> tuple[str, str]:
    """What keeps a hit from being proposed, and why; nothing where nothing does."""
    if not fits(hit):
        return NOTE, "a word in it is longer than its column holds"
    if echoed and any(is_within(echoed, one.start) for one in (hit.spans or hit.places) if one.source_id == 0):
        return DROPPED, "our own words, come back"
    if hit.confidence < threshold:
        return DROPPED, f"score {hit.confidence:.2f} is below {threshold:.2f}"
    if not hit.anchored:
        speaker = draft.quotes[0].speaker if draft.quotes else "whoever speaks there"
        return HELD_BACK, f"words of {speaker} cannot anchor a {hit.kind}"
    return "", ""


def by_scope(outcomes: Sequence[HitOutcome], scope: Scope) -> dict[int, list[HitOutcome]]:
    """What is proposed, by the id of the scope that it speaks of: the source's own, or an item of it."""
    groups: dict[int, list[HitOutcome]] = {}
    for outcome in outcomes:
        if not outcome.fate:
            groups.setdefault(outcome.hit.scope_id or scope.pk, []).append(outcome)
    return groups


def budget_of(kind: str, packs: PackSet) -> int:
    """How many inferred candidates of one pass over a source of this kind may wait at once (P3); of an episode perhaps
    fewer (C5)."""
    most = int(packs.setting("budgets", "inferred_per_pass", 50))
    if kind == SourceKind.EPISODE:
        most = min(most, int(packs.setting("budgets", "per_episode", most)))
    return most


def hold_back_beyond_budget(outcomes: Sequence[HitOutcome], reading: Reading) -> None:
    """Of the inferred hits for each scope the best by confidence × length × novelty are proposed, and then by their order in
    the text (P3). What says the same as one that is held back is held back with it, not written in its stead."""
    budget = budget_of(reading.source.kind, reading.packs)
    least = float(reading.packs.setting("novelty", "threshold", 0.0))
    for pk, group in by_scope(outcomes, reading.scope).items():
        drafts = [outcome.draft for outcome in group]
        # However new they are, no more than the budget are written or wait already.
        if all(outcome.hit.explicit for outcome in group) or (len(group) <= budget and least <= 0):
            continue
        scope = reading.scope if pk == reading.scope.pk else Scope.objects.get(pk=pk)
        novelties = novelty_of(drafts, scope, reading.packs)
        held = held_back(drafts, novelties, budget, least)
        for outcome, novelty in zip(group, novelties, strict=True):
            if novelty.first in held:
                outcome.fate, outcome.why = HELD_BACK, held[novelty.first]


def held_back(drafts: Sequence[Draft], novelties: Sequence[Novelty], budget: int, least: float) -> dict[int, str]:
    """The places of those that are held back, each with why.

    What a claim says already costs no place but where it still waits: a text that is read again before anybody has
    reviewed what it gave brings nothing beyond its budget.
    """
    pairs = list(zip(drafts, novelties, strict=True))
    labelled = {novelty.first for draft, novelty in pairs if not draft.inferred}
    waiting = {one.twin.pk for one in novelties if one.twin is not None and one.twin.status in WAITING}
    held: dict[int, str] = {}
    ranked: list[tuple[float, int]] = []
    for at, (draft, novelty) in enumerate(pairs):
        if novelty.first != at or novelty.twin is not None or at in labelled:
            continue
        if novelty.share < least:
            held[at] = f"novelty {novelty.share:.2f} is below {least:.2f}: nearly the same waits or holds"
        else:
            words = len(draft.statement.split())
            ranked.append((-rank(confidence=draft.confidence, words=words, novelty=novelty.share), at))
    beyond = sorted(ranked)[max(0, budget - len(waiting)) :]
    return held | dict.fromkeys([at for _, at in beyond], f"beyond the {budget} inferred ones of a pass")


def fits(hit: Hit) -> bool:
    """Whether its words fit into the columns of a claim."""
    lengths = [(len(getattr(hit, name)), most) for name, most in MAX_LENGTHS.items()]
    lengths += [(len(tag), MAX_TAG) for tag in hit.tags] + [(len(ref), MAX_REF) for ref in hit.supersedes]
    return all(length <= most for length, most in lengths)


def draft_of(hit: Hit, subject: str, reading: Reading, *, extractor: str, extractor_version: str) -> Draft:
    """The hit as a proposal whose quotes are the sources' own words."""
    return Draft(
        kind=hit.kind,
        statement=hit.statement,
        quotes=tuple(quote_of(span, reading) for span in hit.spans),
        key=hit.key,
        topic=hit.topic,
        subject=subject,
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
        stage=reading.stage if reading.source.kind == SourceKind.TURN else "",
        anchors_to_choose=tuple(
            {"source": span.source_id or reading.source.pk, "start": span.start, "end": span.end} for span in hit.places
        ),
        inferred=not hit.explicit,
    )


def quote_of(span: Span, reading: Reading) -> Quote:
    source, sections = reading.source, reading.sections
    if span.source_id:
        source, sections = reading.text_of(span.source_id)
    section = sections[span.section_index]
    return Quote(
        source_id=source.pk,
        section_id=section.pk,
        speaker=section.speaker,
        start=span.start,
        end=span.end,
        text=source.raw_words[span.start : span.end],
        stance=span.stance,
        anchor=span.anchor,
        secrets=secrets_within(source.secrets, span.start, span.end),
    )


def figures_of(outcomes: Sequence[HitOutcome], findings: Findings) -> dict[str, int]:
    """`proposed` every hit; `written` new candidates; `duplicates` sightings of what waits already; `merged` new evidence
    for what holds already; `notes`, `held_back` and `dropped` are in the report with their reasons."""
    stats = dict.fromkeys(FIGURES, 0) | dict(findings.stats)
    stats["proposed"] = len(outcomes)
    stats["notes"] += len(findings.notes)
    for outcome in outcomes:
        stats[outcome.counted_as] += 1
    return stats


def report_of(outcomes: Sequence[HitOutcome], notes: Sequence[Note], run: Run) -> list[RunHit]:
    """The hits that are no claim of their own, numbered by their place among all hits of the pass; a claim that said it
    already, or was refused for it, stands beside (C7). What was written is told by the claims of the run."""
    rows = []
    for number, one in enumerate(outcomes, 1):
        fate, why = one.reported_fate, one.proposal.why if one.proposal else one.why
        if fate != "written":
            rows.append(RunHit(run=run, number=number, fate=fate, why=why[:300], hit=one.as_json(), claim=one.claim))
    for number, note in enumerate(notes, len(outcomes) + 1):
        rows.append(RunHit(run=run, number=number, fate=NOTE, why=note.why[:300], hit=dict(note.hit)))
    return rows


def gates_of(outcomes: Sequence[HitOutcome], thresholds: Mapping[str, float], run: Run) -> list[Gate]:
    """One log line a hit: its own score against its stage's own threshold (law 6)."""
    return [
        Gate(
            source_id=run.source_id,
            run=run,
            stage=one.hit.stage,
            type=one.hit.kind,
            score=one.hit.confidence,
            threshold=thresholds[one.hit.stage],
            passed=one.hit.confidence >= thresholds[one.hit.stage],
            decision=one.fate or "proposed",
            patterns=[one.hit.rule],
        )
        for one in outcomes
    ]


def gates_of_stages(scores: Sequence[StageScore], run: Run) -> list[Gate]:
    """What other stages said, a log line each."""
    return [
        Gate(
            source_id=run.source_id, run=run, stage=one.stage, type=one.type, score=one.score, threshold=one.threshold,
            passed=one.passed, decision=one.decision, patterns=[one.about[:80]] if one.about else [],
        )
        for one in scores
    ]  # fmt: skip
