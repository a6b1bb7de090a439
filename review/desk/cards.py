"""A candidate as the queue shows it: its words lit up in their source, what promoting it would meet, and what waits beside it."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.safestring import SafeString

from ledger.actor import Actor
from ledger.models import Claim, Gate, Source, TrustedState
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.conflicts import refs_in_open_conflict
from ledger.reads.policies.in_force import ApprovalState, approval_states
from ledger.reads.queue.related import SimilarClaims, similar_claims
from ledger.reads.rivals import previews
from ledger.rules.permissions import Access, Right
from ledger.rules.reconcile import PromotionOutcome, PromotionPreview
from ledger.rules.states import IN_QUEUE
from review.desk.evidence import Neighbours, neighbours_of
from review.desk.fields import difference, form_fields
from review.desk.highlight import Excerpt, LitSpan, excerpt, highlight, unseen_in
from review.desk.reservations import Reader, read_by_others

MAX_GATES: Final = 300
MAX_SHOWN: Final = 4


def gates_of(claims: Sequence[Claim], sources: Mapping[int, Sequence[int]]) -> dict[int, list[Gate]]:
    """By claim id the gates of its run about its kind, and those of the `sources` its words stand in. One query."""
    runs = {claim.run_id for claim in claims if claim.run_id}
    cited = {pk for group in sources.values() for pk in group}
    if not runs:
        return {}
    wanted = Q(run__in=runs) | Q(source__in=cited, run=None)
    rows = list(Gate.objects.filter(wanted).order_by("-id")[:MAX_GATES])
    return {claim.pk: _of(claim, rows, set(sources.get(claim.pk, ()))) for claim in claims if claim.run_id}


def _of(claim: Claim, rows: Sequence[Gate], cited: set[int]) -> list[Gate]:
    """The newest of each stage."""
    found: dict[str, Gate] = {}
    for gate in rows:
        ours = gate.run_id == claim.run_id and gate.type in ("", claim.kind_id)
        if ours or (gate.run_id is None and gate.source_id in cited):
            found.setdefault(gate.stage, gate)
    return sorted(found.values(), key=lambda gate: gate.pk)[:MAX_SHOWN]


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """One of them: how it differs from the card, the words it rests on, and who else reads it just now."""

    claim: Claim
    nearly: bool
    pieces: list[tuple[str, str]]
    quote: Citation | None
    reader: Reader | None

    @property
    def named(self) -> str:
        """The ref with the version that is shown, as the form sends it."""
        return f"{self.claim.ref}:{self.claim.version}"


@dataclass(frozen=True, slots=True)
class SimilarRows:
    rows: tuple[SimilarRow, ...] = ()
    more: bool = False


def similar_rows(
    claim: Claim,
    group: SimilarClaims,
    words: Mapping[int, Sequence[Citation]],
    others: Mapping[int, Reader],
    actor: Actor,
) -> SimilarRows:
    """`words` holds the evidence of every claim of the group."""
    rows = []
    for one in group.rows:
        quotes = [c for c in words.get(one.claim.pk, ()) if c.stance == "supports" and c.readable(actor.access)]
        rows.append(
            SimilarRow(
                claim=one.claim,
                nearly=one.nearly,
                pieces=difference(claim.statement, one.claim.statement),
                quote=quotes[-1] if quotes and not quotes[-1].redacted else None,
                reader=others.get(one.claim.pk),
            )
        )
    return SimilarRows(tuple(rows), group.more)


MAX_SOURCES = 3
AROUND_A_PLACE = 120
STALE = dt.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Quoted:
    """One line of evidence; `words` is empty where it is withheld or redacted, and `missing` says which."""

    cited: Citation
    words: str
    missing: str


@dataclass(frozen=True, slots=True)
class LitSource:
    """A source with the claim's words lit up, cut to what is around them."""

    cited: Citation
    excerpt: Excerpt
    unseen: int
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """One of several places that a quote could mean."""

    index: int
    source: int
    html: SafeString


@dataclass(frozen=True, slots=True)
class Rival:
    """What a candidate would meet: a live claim or a trusted value, with its words and the difference."""

    ref: str
    statement: str
    value: Any
    trusted: bool
    quotes: list[Quoted]
    pieces: list[tuple[str, str]]
    disputed: bool


@dataclass(slots=True)
class CandidateCard:
    claim: Claim
    quotes: list[Quoted]
    sources: list[LitSource]
    places: list[QuotePlace]
    preview: PromotionPreview | None
    rivals: list[Rival]
    may_review: bool
    may_propose: bool
    fields: dict[str, str]
    # Somebody objected, or an open conflict names it.
    disputed: bool
    # What waits beside it and speaks of the same.
    alike: SimilarRows = SimilarRows()
    gates: list[Gate] = field(default_factory=list)
    # Where two people decide: who asks for it and who has approved it as it reads, and whether the reader is among them.
    eyes: ApprovalState | None = None
    approved: bool = False
    # Filled by the screen: what changed under it since it was proposed (review.desk.staleness), a refusal to explain, the
    # row to go on with, what was typed.
    since: tuple[Any, ...] = ()
    refusal: Any = None
    then: str = ""
    selected: dict[str, str] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        return self.claim.status in IN_QUEUE

    @property
    def stale(self) -> bool:
        """Whether it has waited so long that what it says may be over."""
        return self.waits and self.claim.created_at < timezone.now() - STALE

    @property
    def replaceable(self) -> bool:
        """Whether there is a claim that this one could replace; a trusted value never gives way."""
        contested = self.preview is not None and self.preview.outcome in (
            PromotionOutcome.SUPERSEDES,
            PromotionOutcome.CONFLICT,
        )
        return contested and any(not rival.trusted for rival in self.rivals) and not self.claim.anchors_to_choose

    @property
    def takes_digits(self) -> bool:
        """Whether the keys 1 to 9 choose something of the card instead of a reason."""
        joins = self.preview is not None and self.preview.outcome is PromotionOutcome.SAME and len(self.rivals) > 1
        return bool(self.places or joins or (self.refusal is not None and self.refusal.choices))

    @property
    def sure(self) -> bool:
        """Whether promoting can be expected to need no further choice."""
        if self.claim.anchors_to_choose or self.preview is None or self.refusal or self.approved:
            return False
        if self.preview.outcome is PromotionOutcome.SAME:
            return len(self.preview.against) == 1
        return self.preview.outcome is not PromotionOutcome.SUPERSEDES


def cards_of(
    claims: Sequence[Claim], actor: Actor, *, met: dict[int, PromotionPreview] | None = None
) -> list[CandidateCard]:
    """The cards of a few claims in at most fifteen queries, whatever their number. `met` are previews already made."""
    met = previews(claims) if met is None else met
    rivals, trusted = _rivals(claims, met)
    disputed = _disputed([*claims, *rivals.values()], trusted)
    groups = similar_claims([claim for claim in claims if actor.access.may(Right.REVIEW, claim.scope.path)])
    next_to = {one.claim.pk for group in groups.values() for one in group.rows}
    others = read_by_others(actor.user_id, next_to) if next_to else {}
    words = evidence_of([*(claim.pk for claim in claims), *(row.pk for row in rivals.values()), *next_to])
    sources = _sources(claims, words, actor.access)
    around = neighbours_of(sources.values())
    gates = gates_of(claims, {claim.pk: [c.source_id for c in words[claim.pk]] for claim in claims})
    eyes = approval_states(claims)
    return [
        CandidateCard(
            claim=claim,
            eyes=eyes.get(claim.pk),
            approved=any(one.user_id == actor.user_id for one in eyes[claim.pk].approvals)
            if claim.pk in eyes
            else False,
            quotes=quoted(words[claim.pk], actor.access),
            sources=_shown(words[claim.pk], sources, around, actor.access),
            places=_places(claim, sources),
            preview=met.get(claim.pk),
            rivals=_against(claim, met.get(claim.pk), rivals, trusted, words, disputed, actor.access),
            may_review=actor.access.may(Right.REVIEW, claim.scope.path),
            may_propose=actor.access.may(Right.PROPOSE, claim.scope.path),
            fields=form_fields(claim),
            disputed=claim.ref in disputed,
            alike=similar_rows(claim, groups.get(claim.pk, SimilarClaims()), words, others, actor),
            gates=gates.get(claim.pk, []),
        )
        for claim in claims
    ]


def quoted(words: Iterable[Citation], access: Access) -> list[Quoted]:
    """Evidence as its reader may see it (design §7)."""
    rows = []
    for cited in words:
        if not cited.readable(access):
            rows.append(Quoted(cited, "", "withheld"))
        elif cited.redacted:
            rows.append(Quoted(cited, "", "redacted"))
        else:
            rows.append(Quoted(cited, cited.quote, ""))
    return rows


def _rivals(
    claims: Sequence[Claim], met: dict[int, PromotionPreview]
) -> tuple[dict[str, Claim], dict[str, TrustedState]]:
    refs = {ref for claim in claims if claim.pk in met for ref in met[claim.pk].against}
    if not refs:
        return {}, {}
    scopes = {claim.scope_id for claim in claims}
    found = {row.ref: row for row in Claim.objects.filter(ref__in=refs).defer("search")}
    left = refs - set(found)
    trusted = TrustedState.objects.filter(ref__in=left, scope__in=scopes) if left else ()
    return found, {row.ref: row for row in trusted}


def _disputed(claims: Sequence[Claim], trusted: dict[str, TrustedState]) -> set[str]:
    """The refs of what is contradicted or objected to (P15). One query."""
    objected = {claim.ref for claim in claims if claim.disputed}
    return objected | refs_in_open_conflict([c.pk for c in claims], [row.pk for row in trusted.values()])


def _sources(claims: Sequence[Claim], words: dict[int, list[Citation]], access: Access) -> dict[int, Source]:
    wanted = set()
    for claim in claims:
        readable = [c.source_id for c in words[claim.pk] if c.readable(access) and not c.redacted]
        wanted.update(list(dict.fromkeys(readable))[:MAX_SOURCES])
        wanted.update(place["source"] for place in claim.anchors_to_choose)
    if not wanted:
        return {}
    columns = ("text", "scope__path", "purged_at", "conversation_id", "position", "kind")
    rows = Source.objects.select_related("scope").only(*columns).in_bulk(wanted)
    # A candidate may have been moved here from where its reader may not look (design §7).
    return {pk: row for pk, row in rows.items() if access.may(Right.READ, row.scope.path)}


def _shown(
    words: Iterable[Citation], sources: dict[int, Source], around: dict[int, Neighbours], access: Access
) -> list[LitSource]:
    by_source: dict[int, list[Citation]] = {}
    for cited in words:
        if cited.source_id in sources and cited.readable(access) and not cited.redacted:
            by_source.setdefault(cited.source_id, []).append(cited)
    shown_sources = []
    for pk, group in list(by_source.items())[:MAX_SOURCES]:
        part = excerpt(sources[pk].text, [span_of(cited) for cited in group])
        unseen = unseen_in(sources[pk].text[part.start : part.end])
        shown_sources.append(LitSource(group[0], part, unseen, around.get(pk, Neighbours())))
    return shown_sources


def span_of(cited: Citation) -> LitSpan:
    return LitSpan(cited.start, cited.end, cited.id, cited.stance)


def _places(claim: Claim, sources: dict[int, Source]) -> list[QuotePlace]:
    places = []
    for index, place in enumerate(claim.anchors_to_choose):
        source = sources.get(place["source"])
        if source is None or source.purged_at:
            continue
        start, end = place["start"], place["end"]
        html = highlight(
            source.text, [LitSpan(start, end, index)], attribute="data-place",
            start=max(0, start - AROUND_A_PLACE), end=end + AROUND_A_PLACE,
        )  # fmt: skip
        places.append(QuotePlace(index, source.pk, html))
    return places


def _against(
    claim: Claim,
    preview: PromotionPreview | None,
    rivals: dict[str, Claim],
    trusted: dict[str, TrustedState],
    words: dict[int, list[Citation]],
    disputed: set[str],
    access: Access,
) -> list[Rival]:
    found = []
    for ref in preview.against if preview else ():
        if ref in rivals:
            row = rivals[ref]
            quotes = [q for q in quoted(words[row.pk], access) if q.cited.stance == "supports"][-2:]
            pieces = difference(row.statement, claim.statement)
            found.append(Rival(ref, row.statement, row.value, False, quotes, pieces, ref in disputed))
        elif ref in trusted:
            value = trusted[ref]
            pieces = difference(value.statement, claim.statement)
            found.append(Rival(ref, value.statement, value.value, True, [], pieces, ref in disputed))
    return found
