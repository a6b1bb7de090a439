"""What a candidate meets when it is promoted: live claims on its slot, its twins, those that its words contradict, and the
trusted value with its key."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models.expressions import RawSQL

from ledger.models import Claim, Evidence, TrustedState
from ledger.rules.reconcile import ComparedClaim, PromotionOutcome, PromotionPreview, cannot_both_hold, reconcile

# A statement is compared with so many that speak of the same: those that share most of what it speaks of.
MAX_RELATED = 12
# Of what very many claims speak of, so many stand for all; finding them still grows with how many there are.
MAX_PER_KEY = 50
MEETS_NOTHING = PromotionPreview(PromotionOutcome.NEW)
_RELATED = f"""
    SELECT related.id FROM (
        SELECT live.id, row_number() OVER (PARTITION BY asked.claim ORDER BY count(asked.key) DESC, live.id DESC) AS place
          FROM unnest(%s::bigint[], %s::bigint[]) AS asked(claim, key)
         CROSS JOIN LATERAL (SELECT c.id FROM ledger_claim c WHERE c.status = 'active' AND c.subjects @> ARRAY[asked.key]
                             LIMIT {MAX_PER_KEY}) AS live
         WHERE live.id <> asked.claim
         GROUP BY asked.claim, live.id
    ) AS related WHERE related.place <= {MAX_RELATED}
"""  # noqa: S608 - two numbers of our own
# Each way of meeting has an index of its own, which a planner leaves where one condition says OR to all of them.
_MET = f"""
    SELECT unnest(ARRAY(
        SELECT id FROM ledger_claim WHERE status = 'active' AND dedup = ANY(%s)
        UNION SELECT id FROM ledger_claim WHERE status = 'active' AND slot = ANY(%s)
        UNION SELECT id FROM ledger_claim WHERE status = 'active' AND ref = ANY(%s)
        UNION {_RELATED}
    ))
"""  # noqa: S608 - queries of our own


@dataclass(frozen=True, slots=True)
class _Rivals:
    """What one candidate could meet in its own scope."""

    claims: list[Claim]
    trusted: list[TrustedState]


def previews(claims: Iterable[Claim]) -> dict[int, PromotionPreview]:
    """The reconcile preview of each that waits: three queries a page, whatever its length (design §10)."""
    waiting = [claim for claim in claims if claim.status in ("pending", "deferred")]
    return {pk: preview for pk, (_, preview) in _meetings(waiting).items()}


def meeting_of(claim: Claim) -> tuple[dict[str, Claim], PromotionPreview]:
    """The live claims that one candidate meets, by ref, and what promoting it does to them."""
    return _meetings([claim])[claim.pk]


def _meetings(claims: Sequence[Claim]) -> dict[int, tuple[dict[str, Claim], PromotionPreview]]:
    met = _rivals(claims)
    meeting = [claim for claim in claims if met[claim.pk].claims or met[claim.pk].trusted]
    latest = _latest_evidence([*meeting, *(rival for claim in meeting for rival in met[claim.pk].claims)])
    meetings: dict[int, tuple[dict[str, Claim], PromotionPreview]] = {claim.pk: ({}, MEETS_NOTHING) for claim in claims}
    for claim in meeting:
        found = met[claim.pk]
        rivals = [compared_claim(rival, latest.get(rival.pk)) for rival in found.claims]
        held = [*rivals, *map(_compared_trusted, found.trusted)]
        compared = compared_claim(claim, latest.get(claim.pk))
        preview = reconcile(compared, held, names_replaced=claim.names_replaced)
        meetings[claim.pk] = {rival.ref: rival for rival in found.claims}, preview
    return meetings


def compared_claim(claim: Claim, words: Evidence | None = None) -> ComparedClaim:
    """The claim as reconciling sees it, with the latest words that support it."""
    return ComparedClaim(
        ref=claim.ref,
        statement=claim.statement,
        value=claim.value,
        slot=claim.slot,
        dedup=claim.dedup,
        kind=claim.kind_id,
        key=claim.key,
        topic=claim.topic,
        subject=claim.subject,
        comparable=bool(claim.subjects),
        speaker=words.source.sender if words and words.speaker == "user" else "",
        said_at=words.source.sent_at if words else None,
    )


def _compared_trusted(row: TrustedState) -> ComparedClaim:
    return ComparedClaim(ref=row.ref, statement=row.statement, value=row.value, slot="", trusted=True)


def contradicted_by(claims: Collection[Claim]) -> list[tuple[Claim, Claim]]:
    """Pairs of live claims of one scope whose words contradict each other and that share no slot, each of these claims beside
    those that speak of the same. One query."""
    asked = [claim for claim in claims if claim.subjects]
    live = list(Claim.objects.filter(pk__in=RawSQL(_RELATED, _subjects_of(asked)), status="active")) if asked else []  # noqa: S611
    return [
        (claim, rival)
        for claim in asked
        for rival in _most_related(claim, live)
        if _contend(claim, rival) and cannot_both_hold(compared_claim(claim), compared_claim(rival))
    ]


def _subjects_of(claims: Iterable[Claim]) -> list[list[int]]:
    """Each claim beside each of its subject keys, which name the scope (`subject_keys`): none finds a claim of another one."""
    pairs = [(claim.pk, key) for claim in claims for key in claim.subjects]
    return [[pk for pk, _ in pairs], [key for _, key in pairs]]


def _most_related(claim: Claim, live: Iterable[Claim]) -> list[Claim]:
    mine = set(claim.subjects)
    shared = [(len(mine.intersection(rival.subjects)), rival) for rival in live if rival.pk != claim.pk]
    best = sorted((one for one in shared if one[0]), key=lambda one: (-one[0], -one[1].pk))
    return [rival for _, rival in best[:MAX_RELATED]]


def _contend(claim: Claim, rival: Claim) -> bool:
    on_slot = claim.slot == rival.slot != ""
    return claim.scope_id == rival.scope_id and claim.pk not in (rival.pk, rival.graduates_id) and not on_slot


def _rivals(claims: Sequence[Claim]) -> dict[int, _Rivals]:
    """For each claim the live claims it could meet, and the trusted values with its key, in its own scope.

    The memory that a claim grew out of is none of them: it says the same by nature, and gives way (P16).
    """
    named = {claim.pk: _refs_replaced(claim) for claim in claims}
    scopes = {claim.scope_id for claim in claims}
    wanted = [
        list({claim.dedup for claim in claims}),
        list({claim.slot for claim in claims if claim.slot}),
        list(set().union(*named.values())),
        *_subjects_of(claims),
    ]
    met = RawSQL(_MET, wanted)  # noqa: S611 - a query of our own
    live = list(Claim.objects.filter(pk__in=met, scope__in=scopes, status="active").order_by("-pk").defer("search"))
    # Whether their words contradict each other. Most that speak of the same do not, and nothing more is read of them.
    compared = {claim.pk: compared_claim(claim) for claim in (*live, *claims)}
    opposed = {
        claim.pk: {
            rival.pk for rival in _most_related(claim, live) if cannot_both_hold(compared[claim.pk], compared[rival.pk])
        }
        for claim in claims
    }
    trusted = _trusted_with_keys_of(claims, scopes)
    return {
        claim.pk: _Rivals(
            [rival for rival in live if _meets(claim, rival, named[claim.pk], opposed[claim.pk])],
            [row for row in trusted if claim.slot and (row.scope_id, row.key) == (claim.scope_id, claim.key)],
        )
        for claim in claims
    }


def _trusted_with_keys_of(claims: Iterable[Claim], scopes: Collection[int]) -> list[TrustedState]:
    """Only what has a slot can contradict: of a kind marked many, any number holds at once."""
    keys = {claim.key for claim in claims if claim.key and claim.slot}
    return list(TrustedState.objects.filter(scope__in=scopes, key__in=keys, status="current"))


def _refs_replaced(claim: Claim) -> set[str]:
    """People write a ref as they like; it is upper case where it stands."""
    return {name.upper() for name in claim.names_replaced}


def _meets(claim: Claim, rival: Claim, named: set[str], opposed: set[int]) -> bool:
    if rival.scope_id != claim.scope_id or rival.pk in (claim.pk, claim.graduates_id):
        return False
    same_slot = bool(claim.slot) and rival.slot == claim.slot
    return same_slot or rival.pk in opposed or rival.dedup == claim.dedup or rival.ref.upper() in named


def _latest_evidence(claims: Iterable[Claim]) -> dict[int, Evidence]:
    """The latest supporting evidence of each claim with its source's sender and time; the text stays in the database."""
    ids = [claim.pk for claim in claims if claim.slot or claim.subjects or claim.names_replaced]
    rows = Evidence.objects.filter(claim__in=ids, stance="supports").select_related("source").defer("source__text")
    return {row.claim_id: row for row in rows.order_by("claim_id", "-id").distinct("claim_id")}
