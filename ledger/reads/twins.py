"""Whether a proposal is known already, and what was decided about it (P13, design §4)."""

from typing import Any, Protocol

from django.db.models import F

from ledger.models import Claim, Evidence, Scope

# A live or waiting twin takes the evidence; a rejected one is a remembered no; of the rest a new proposal may be made.
TAKES_EVIDENCE = ("pending", "deferred", "active", "merged")
DECIDES = (*TAKES_EVIDENCE, "rejected")


class Said(Protocol):
    """The part of a draft that says whether it is the same again."""

    @property
    def kind(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def statement(self) -> str: ...
    @property
    def quotes(self) -> tuple[Any, ...]: ...


def twins_of(scope: Scope, dedups: list[str]) -> dict[str, Claim]:
    """The claim that decides about each duplicate key: live before waiting before merged before a remembered no.

    A merged one stands for what it was merged into: it takes evidence while that one waits or holds, is a no once that
    one was rejected, and decides nothing where that one is retired.
    """
    order = {status: at for at, status in enumerate(DECIDES)}
    best: dict[str, Claim] = {}
    rows = Claim.objects.filter(scope=scope, dedup__in=dedups, status__in=DECIDES).select_related("successor")
    for row in sorted(rows, key=lambda r: (order[r.status], -r.pk)):
        decided = _decided(row)
        if decided is not None:
            best.setdefault(row.dedup, decided)
    return best


def edited_since(scope: Scope, drafts: dict[str, Said]) -> dict[str, Claim]:
    """By duplicate key, the claim that first said the same on the same words and was edited since.

    Reading a source again must not bring back what a person has corrected, or corrected and then refused.
    """
    places = {(q.source_id, q.start, q.end): d for d, draft in drafts.items() for q in draft.quotes}
    if not places:
        return {}
    rows = Evidence.objects.filter(
        source__in={source for source, _, _ in places}, claim__scope=scope, claim__status__in=DECIDES, stance="supports"
    ).values_list("source_id", "start", "end", "claim_id", "claim__proposed")
    found: dict[int, str] = {}
    for source, start, end, claim, proposed in rows.order_by(F("claim_id").desc()):
        dedup = places.get((source, start, end))
        if dedup is not None and _first_said(proposed, drafts[dedup]):
            found[claim] = dedup
    answer: dict[str, Claim] = {}
    for row in Claim.objects.filter(pk__in=found).select_related("successor").order_by("-id") if found else ():
        decided = _decided(row)
        if decided is not None:
            answer.setdefault(found[row.pk], decided)
    return answer


def _first_said(proposed: Any, draft: Said) -> bool:
    return isinstance(proposed, dict) and all(
        proposed.get(name) == getattr(draft, name) for name in ("kind", "key", "topic", "value", "statement")
    )


def _decided(row: Claim) -> Claim | None:
    heir = _heir(row)
    if row.status == "merged" and heir.status == "rejected":
        return heir
    return row if heir.status in DECIDES else None


def _heir(claim: Claim) -> Claim:
    """What a merged claim is by now; the claim itself where it is not merged."""
    seen = set()
    while claim.status == "merged" and claim.successor is not None and claim.pk not in seen:
        seen.add(claim.pk)
        claim = claim.successor
    return claim
