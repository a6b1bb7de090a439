"""What a candidate meets when it is promoted: live claims on its slot, its twins, and the trusted value with its key."""

from collections.abc import Iterable, Sequence

from django.db.models import Q

from ledger.models import Claim, Evidence, TrustedState
from ledger.rules.reconcile import ComparedClaim, PromotionPreview, reconcile


def compared_claim(claim: Claim, said: dict[int, Evidence]) -> ComparedClaim:
    words = said.get(claim.pk)
    return ComparedClaim(
        ref=claim.ref,
        statement=claim.statement,
        value=claim.value,
        slot=claim.slot,
        dedup=claim.dedup,
        speaker=words.source.sender if words and words.speaker == "user" else "",
        said_at=words.source.sent_at if words else None,
    )


def compared_trusted(row: TrustedState) -> ComparedClaim:
    return ComparedClaim(ref=row.ref, statement=row.statement, value=row.value, slot="", trusted=True)


def previews(claims: Sequence[Claim]) -> dict[int, PromotionPreview]:
    """The reconcile preview of each claim: three queries a page, whatever its length (design §10)."""
    waiting = [claim for claim in claims if claim.status in ("pending", "deferred")]
    if not waiting:
        return {}
    return {pk: preview for pk, (_, preview) in _meetings(waiting).items()}


def meeting_of(claim: Claim) -> tuple[dict[str, Claim], PromotionPreview]:
    """The live claims that one candidate meets, by ref, and what promoting it does to them."""
    return _meetings([claim])[claim.pk]


def _meetings(waiting: Sequence[Claim]) -> dict[int, tuple[dict[str, Claim], PromotionPreview]]:
    against, trusted = rivals(waiting)
    said = latest_evidence([*waiting, *(rival for group in against.values() for rival in group)])
    meetings = {}
    for claim in waiting:
        held = [compared_claim(rival, said) for rival in against[claim.pk]]
        held += [compared_trusted(row) for row in trusted[claim.pk]]
        preview = reconcile(compared_claim(claim, said), held, names_replaced=claim.names_replaced)
        meetings[claim.pk] = {rival.ref: rival for rival in against[claim.pk]}, preview
    return meetings


def rivals(claims: Sequence[Claim]) -> tuple[dict[int, list[Claim]], dict[int, list[TrustedState]]]:
    """For each claim the live claims it could meet, and the trusted values with its key, in its own scope.

    The memory that a claim grew out of is none of them: it says the same by nature, and gives way (P16).
    """
    scopes = {claim.scope_id for claim in claims}
    slots = {claim.slot for claim in claims if claim.slot}
    dedups = {claim.dedup for claim in claims}
    # People write a ref as they like; it is upper case where it stands.
    named = {name.upper() for claim in claims for name in claim.names_replaced}
    wanted = Q(dedup__in=dedups)
    if slots:
        wanted |= Q(slot__in=slots)
    if named:
        wanted |= Q(ref__in=named)
    live = list(Claim.objects.filter(scope__in=scopes, status="active").filter(wanted))
    # Only what has a slot can contradict: of a kind marked many, any number holds at once.
    keys = {claim.key for claim in claims if claim.key and claim.slot}
    values = list(TrustedState.objects.filter(scope__in=scopes, key__in=keys, status="current")) if keys else []
    found: dict[int, list[Claim]] = {}
    trusted: dict[int, list[TrustedState]] = {}
    for claim in claims:
        found[claim.pk] = [
            rival
            for rival in live
            if rival.scope_id == claim.scope_id
            and rival.pk not in (claim.pk, claim.graduates_id)
            and (
                (claim.slot and rival.slot == claim.slot)
                or rival.dedup == claim.dedup
                or rival.ref.upper() in {name.upper() for name in claim.names_replaced}
            )
        ]
        trusted[claim.pk] = [
            row for row in values if claim.slot and row.scope_id == claim.scope_id and row.key == claim.key
        ]
    return found, trusted


def latest_evidence(claims: Iterable[Claim]) -> dict[int, Evidence]:
    """The latest supporting evidence of each claim with its source's sender and time; the text stays in the database."""
    ids = [claim.pk for claim in claims if claim.slot or claim.names_replaced]
    if not ids:
        return {}
    rows = (
        Evidence.objects.filter(claim__in=ids, stance="supports")
        .select_related("source")
        .defer("source__text")
        .order_by("claim_id", "-id")
        .distinct("claim_id")
    )
    return {row.claim_id: row for row in rows}
