"""A candidate as the queue shows it: its words lit up in their source, what promoting it would meet, and what waits beside it."""

import datetime as dt
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.safestring import SafeString

from ledger.actor import Actor
from ledger.models import Claim, Gate, TrustedState
from ledger.reads.claims import Citation
from ledger.reads.conflicts import refs_in_open_conflict
from ledger.reads.policies.in_force import ApprovalState, approval_states
from ledger.reads.queue.related import SimilarClaims, similar_claims
from ledger.reads.teamwork import Holder, holders_of
from ledger.rules.permissions import Right
from ledger.rules.reconcile import PromotionOutcome, PromotionPreview
from ledger.rules.states import IN_QUEUE
from review.desk.alike import MAX_ALIKE, Alike, alike_of
from review.desk.evidence import LitSource, Quoted, QuotePlace, lit_sources, places_of, quotes_of, sources_of
from review.desk.fields import difference, form_fields, value_rows
from review.desk.highlight import plain
from review.desk.reservations import Reader, read_by_others
from review.desk.staleness import Staleness
from review.desk.value_group import GroupedValue, value_group

if TYPE_CHECKING:
    from review.screens.refusal import Refusal

MAX_GATES: Final = 300
MAX_GATES_SHOWN: Final = 4
MAX_RIVAL_QUOTES: Final = 2
STALE: Final = dt.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class SimilarRow:
    """What waits beside a card: how it differs, the words it rests on, who else reads it just now, and `named`, its ref with
    the version that is shown, as the form sends it."""

    claim: Claim
    named: str
    nearly: bool
    pieces: list[tuple[str, str]]
    quote: Citation | None
    reader: Reader | None


@dataclass(frozen=True, slots=True)
class SimilarRows:
    rows: tuple[SimilarRow, ...] = ()
    more: bool = False


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
    """All that one card shows. `fields` is what its edit form holds; `disputed` says that somebody objected or an open conflict
    names it; `approval` stands where two people decide, and `approved` says whether the reader is among them; `holder` is
    whose turn it is.

    The screen fills in `since`, what changed under it since it was proposed, and `next_ref`, the row to go on with.
    """

    claim: Claim
    statement: SafeString
    values: list[tuple[str, str]]
    fields: dict[str, str]
    quotes: list[Quoted]
    sources: list[LitSource]
    places: list[QuotePlace]
    preview: PromotionPreview | None
    rivals: list[Rival]
    may_review: bool
    may_propose: bool
    disputed: bool
    similar: SimilarRows
    gates: list[Gate]
    approval: ApprovalState | None
    approved: bool
    holder: Holder | None = None
    since: tuple[Staleness, ...] = ()
    next_ref: str = ""
    refusal: "Refusal | None" = None
    waits: bool = field(init=False)
    # It has waited so long that what it says may be over.
    stale: bool = field(init=False)
    # There is a claim that this one could replace; a trusted value never gives way.
    replaceable: bool = field(init=False)
    # The values that wait for its key, where they differ.
    group: list[GroupedValue] = field(init=False)
    # The keys 1 to 9 choose something of the card instead of a reason.
    takes_digits: bool = field(init=False)
    # Promoting can be expected to need no further choice.
    sure: bool = field(init=False)

    def __post_init__(self) -> None:
        outcome = self.preview.outcome if self.preview else None
        unclear = bool(self.claim.anchors_to_choose)
        several = outcome is PromotionOutcome.SAME and len(self.rivals) > 1
        contested = outcome in (PromotionOutcome.SUPERSEDES, PromotionOutcome.CONFLICT)
        self.waits = self.claim.status in IN_QUEUE
        self.stale = self.waits and self.claim.created_at < timezone.now() - STALE
        self.replaceable = contested and not unclear and not all(rival.trusted for rival in self.rivals)
        self.group = self._grouped()
        self.takes_digits = several or self.replaceable or bool(self.places) or bool(self.group)
        self.sure = not (self.approved or unclear) and _is_plain(self.preview)

    @property
    def mark(self) -> str:
        return comparison_mark(self.claim, self.preview)

    def _grouped(self) -> list[GroupedValue]:
        words = [one.cited for one in self.quotes if one.cited.stance == "supports" and not one.missing]
        beside = ((one.claim, one.quote) for one in self.similar.rows)
        return value_group(self.claim, next(iter(words), None), beside) if self.waits and self.may_review else []

    @property
    def alike(self) -> list[Alike]:
        """What it could be merged into: what it meets, then what waits beside it and says nearly the same."""
        met = [Alike(rival.ref, rival.statement, "active") for rival in self.rivals if not rival.trusted]
        return [*met, *alike_of(one.claim for one in self.similar.rows)][:MAX_ALIKE]

    def refuse(self, refusal: "Refusal") -> None:
        """Show why a button did not do what it says, and in the form what was typed."""
        self.refusal = refusal
        self.fields |= refusal.fields
        self.sure = False
        self.takes_digits = self.takes_digits or bool(refusal.choices)


def comparison_mark(claim: Claim, preview: PromotionPreview | None) -> str:
    """The version that was compared, and in short with what result: `3-9f1c20aa`. A page that holds a card says it, so that the
    card can be told from one that is compared anew."""
    met = f"{preview.outcome}:{','.join(preview.against)}" if preview else ""
    return f"{claim.version}-{zlib.crc32(met.encode()):08x}"


def _is_plain(preview: PromotionPreview | None) -> bool:
    if preview is None or preview.outcome is PromotionOutcome.SUPERSEDES:
        return False
    return preview.outcome is not PromotionOutcome.SAME or len(preview.against) == 1


def cards_of(claims: Sequence[Claim], actor: Actor, met: Mapping[int, PromotionPreview]) -> list[CandidateCard]:
    """The cards of a few claims in at most sixteen queries, whatever their number; `met` are their previews."""
    access = actor.access
    may_review = {claim.pk: access.may(Right.REVIEW, claim.scope.path) for claim in claims}
    live, trusted = _met_rows(claims, met)
    disputed = _disputed([*claims, *live.values()], trusted.values())
    groups = similar_claims([claim for claim in claims if may_review[claim.pk]])
    beside = {one.claim.pk for group in groups.values() for one in group.rows}
    readers = read_by_others(actor.user_id, beside)
    quotes = quotes_of([*may_review, *(row.pk for row in live.values()), *beside], access)
    sources = sources_of(claims, quotes, access)
    lit = lit_sources({claim.pk: quotes[claim.pk] for claim in claims}, sources)
    places = places_of(claims, sources)
    gates = gates_of(claims, quotes)
    approvals, held = approval_states(claims), holders_of([claim.pk for claim in claims])
    return [
        CandidateCard(
            claim=claim,
            statement=plain(claim.statement),
            values=value_rows(claim.value),
            fields=form_fields(claim),
            quotes=quotes[claim.pk],
            sources=lit[claim.pk],
            places=places[claim.pk],
            preview=met.get(claim.pk),
            rivals=_rivals(claim, met.get(claim.pk), live, trusted, quotes, disputed),
            may_review=may_review[claim.pk],
            may_propose=access.may(Right.PROPOSE, claim.scope.path),
            disputed=claim.ref in disputed,
            similar=_similar_rows(claim, groups.get(claim.pk, SimilarClaims()), quotes, readers),
            gates=gates.get(claim.pk, []),
            approval=approvals.get(claim.pk),
            approved=_approved_by(actor, approvals.get(claim.pk)),
            holder=held.get(claim.pk),
        )
        for claim in claims
    ]


def _met_rows(
    claims: Sequence[Claim], met: Mapping[int, PromotionPreview]
) -> tuple[dict[str, Claim], dict[str, TrustedState]]:
    """The live claims and the trusted values that the previews name, by ref."""
    refs = {ref for claim in claims if claim.pk in met for ref in met[claim.pk].against}
    live = {row.ref: row for row in Claim.objects.filter(ref__in=refs).defer("search")}
    scopes = {claim.scope_id for claim in claims}
    trusted = TrustedState.objects.filter(ref__in=refs - live.keys(), scope__in=scopes)
    return live, {row.ref: row for row in trusted}


def _disputed(claims: Sequence[Claim], trusted: Iterable[TrustedState]) -> set[str]:
    """The refs of what is contradicted or objected to (P15). One query."""
    objected = {claim.ref for claim in claims if claim.disputed}
    return objected | refs_in_open_conflict([claim.pk for claim in claims], [row.pk for row in trusted])


def _rivals(
    claim: Claim,
    preview: PromotionPreview | None,
    live: Mapping[str, Claim],
    trusted: Mapping[str, TrustedState],
    quotes: Mapping[int, Sequence[Quoted]],
    disputed: set[str],
) -> list[Rival]:
    """Those that are still there, the claims with their latest words."""
    found = []
    for ref in preview.against if preview else ():
        row = live.get(ref) or trusted.get(ref)
        if row is None:
            continue
        words = quotes[row.pk] if ref in live else []
        latest = [one for one in words if one.cited.stance == "supports"][-MAX_RIVAL_QUOTES:]
        pieces = difference(row.told, claim.told)
        found.append(Rival(ref, row.told, row.value, ref not in live, latest, pieces, ref in disputed))
    return found


def _similar_rows(
    claim: Claim, group: SimilarClaims, quotes: Mapping[int, Sequence[Quoted]], readers: Mapping[int, Reader]
) -> SimilarRows:
    rows = []
    for one in group.rows:
        other = one.claim
        said = [q for q in quotes[other.pk] if q.cited.stance == "supports" and q.missing != "withheld"]
        quote = next((q.cited for q in said[-1:] if not q.missing), None)
        pieces = difference(claim.told, other.told)
        rows.append(SimilarRow(other, f"{other.ref}:{other.version}", one.nearly, pieces, quote, readers.get(other.pk)))
    return SimilarRows(tuple(rows), group.more)


def _approved_by(actor: Actor, approval: ApprovalState | None) -> bool:
    return approval is not None and actor.user_id in {one.user_id for one in approval.approvals}


def gates_of(claims: Sequence[Claim], quotes: Mapping[int, Sequence[Quoted]]) -> dict[int, list[Gate]]:
    """By claim id the checks that its words went through, each with its own score and threshold (law 6): those of its run about
    its kind, and those of the sources its words stand in. One query."""
    read = [claim for claim in claims if claim.run_id]
    if not read:
        return {}
    cited = {claim.pk: {one.cited.source_id for one in quotes[claim.pk]} for claim in claims}
    of_sources = Q(source__in=set().union(*cited.values()), run=None)
    rows = Gate.objects.filter(of_sources | Q(run__in={claim.run_id for claim in read})).order_by("-id")[:MAX_GATES]
    return {claim.pk: _newest_of_each_stage(claim, rows, cited[claim.pk]) for claim in read}


def _newest_of_each_stage(claim: Claim, rows: Iterable[Gate], cited: set[int]) -> list[Gate]:
    found: dict[str, Gate] = {}
    for gate in rows:
        of_its_run = gate.run_id == claim.run_id and gate.type in ("", claim.kind_id)
        of_a_source = gate.run_id is None and gate.source_id in cited
        if of_its_run or of_a_source:
            found.setdefault(gate.stage, gate)
    return sorted(found.values(), key=lambda gate: gate.pk)[:MAX_GATES_SHOWN]
