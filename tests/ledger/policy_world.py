"""Candidates of every sort whose past is laid out in time, and what a policy would have done to them, counted out by hand."""

import datetime as dt
import random
from collections import Counter
from typing import Any

from ledger.actions.anchoring import write_evidence
from ledger.actions.decide import reject
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.models import Claim, Evidence, JournalEvent, Scope
from ledger.rules.slots import same_content
from tests.ledger.raw import execute
from tests.people import People, quote_of, say, tell

DAY = dt.timedelta(days=1)
RULES = ("heading.typed", "heading.listed", "line.label", "sentence.first_person", "")
KINDS = ("fact", "decision", "preference", "identity")


def lay_out(people: People, scopes: list[Scope], *, now: dt.datetime, seed: int, many: int = 60) -> None:
    """`many` candidates over the last forty days; people decide about some, edit some first and take some back."""
    chance = random.Random(seed)
    moved: list[tuple[Claim, dt.datetime]] = []
    # Ids rise with time.
    hours = sorted((chance.randrange(1, 40 * 24) for _ in range(many)), reverse=True)
    for n in range(many):
        scope = chance.choice(scopes)
        rule = chance.choice(RULES)
        kind = chance.choice(KINDS)
        key = f"k{chance.randrange(6)}" if chance.random() < 0.4 else ""
        answer = say(
            scope, people.bob, f"Word{chance.randrange(10**6)} of {seed} {n}", kind=kind, rule=rule,
            confidence=chance.choice((0.5, 0.79, 0.81, 0.9)), needs_review=chance.random() < 0.1, hand_authored=rule == "",
            key=key, value=chance.randrange(30) if key else None, downstream=("FCT-1",) if chance.random() < 0.1 else (),
        )  # fmt: skip
        if answer.fate != "written" or answer.claim is None:
            continue
        claim = answer.claim
        made = now - dt.timedelta(hours=hours[n])
        moved.append((claim, made))
        for _ in range(chance.choice((0, 0, 0, 1, 2, 3, 4))):
            again = tell(
                scope, people.bob, f"Again {seed} {n} {chance.random()}", by=chance.choice(("user", "user", "agent"))
            )
            write_evidence([(claim, quote_of(again))])
        act = chance.choice(("promote", "promote", "reject", "edit", "edit and promote", "take back", "", ""))
        if "edit" in act:
            edit(claim, actor=people.bob, changes={"topic": f"t{n}"})
        if "promote" in act or act == "take back":
            event = promote(claim, actor=people.bob, on_conflict="coexist")
            if act == "take back":
                undo(event, actor=people.bob)
        if act == "reject":
            reject(claim, actor=people.bob)
    _move(moved, chance)


def _move(moved: list[tuple[Claim, dt.datetime]], chance: random.Random) -> None:
    """Times as if all of it had happened then; no verb could write them."""
    tables = ("ledger_claim", "ledger_journalevent", "ledger_evidence")
    for table in tables:
        execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    try:
        for claim, made in moved:
            execute("UPDATE ledger_claim SET created_at = %s WHERE id = %s", [made, claim.pk])
            at = made
            for event in JournalEvent.objects.filter(ref=claim.ref).order_by("pk"):
                execute("UPDATE ledger_journalevent SET at = %s WHERE id = %s", [at, event.pk])
                if event.verb == "promote":
                    execute(
                        "UPDATE ledger_claim SET promoted_at = %s WHERE id = %s AND promoted_at IS NOT NULL",
                        [at, claim.pk],
                    )
                at += dt.timedelta(hours=chance.randrange(1, 120))
            noted = made
            for row in Evidence.objects.filter(claim=claim).order_by("pk"):
                execute("UPDATE ledger_evidence SET created_at = %s WHERE id = %s", [noted, row.pk])
                noted += dt.timedelta(hours=chance.randrange(1, 100))
    finally:
        for table in tables:
            execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def by_hand(
    scopes: list[Scope], name: str, given: dict[str, Any], *, days: int, now: dt.datetime
) -> list[tuple[str, str]]:
    """(ref, verdict) of each that would have been promoted, in the order of time: the definition read from the rows, hour by
    hour, without any of the code under test."""
    since = now - days * DAY
    taken: list[tuple[dt.datetime, int, Claim]] = []
    for claim in Claim.objects.filter(scope__in=scopes, created_at__gte=since):
        at = _first(claim, name, given, since, now)
        if at is not None:
            taken.append((at, claim.pk, claim))
    found: list[tuple[str, str]] = []
    promoted: list[tuple[dt.datetime, Claim]] = []
    for at, _, claim in sorted(taken, key=lambda one: one[:2]):
        held = [
            other
            for other in Claim.objects.filter(
                scope=claim.scope_id, slot=claim.slot, status="active", promoted_at__lte=at
            )
            if claim.slot and other.pk != claim.pk
        ] + [
            other
            for _, other in promoted
            if claim.slot and (other.scope_id, other.slot) == (claim.scope_id, claim.slot)
        ]
        if all(same_content(claim.value, claim.statement, other.value, other.statement) for other in held):
            promoted.append((at, claim))
            found.append((claim.ref, _verdict(claim)))
    return found


def _first(claim: Claim, name: str, given: dict[str, Any], since: dt.datetime, now: dt.datetime) -> dt.datetime | None:
    if claim.needs_review or claim.high_risk:
        return None
    rows = list(Evidence.objects.filter(claim=claim, stance="supports", speaker__in=("user", "document")))
    hands = JournalEvent.objects.filter(ref=claim.ref, actor_kind="human").exclude(verb__in=("propose", "see_again"))
    first_hand = min((event.at for event in hands), default=None)
    moment = None
    if name == "references":
        if claim.kind_id == "decision" or claim.downstream:
            return None
        for row in sorted(rows, key=lambda row: row.created_at):
            if row.created_at < since or row.created_at > now or moment is not None:
                continue
            window = [r for r in rows if row.created_at - given["days"] * DAY < r.created_at <= row.created_at]
            if len({r.source_id for r in window}) >= given["times"]:
                moment = row.created_at
    elif not claim.hand_authored and rows:
        fits = {
            "confidence": claim.rule.startswith("heading.") and claim.confidence >= given.get("threshold", 0.8),
            "first_person": claim.rule == "sentence.first_person" and claim.kind_id in ("identity", "preference"),
        }[name]
        moment = max(claim.created_at, min(row.created_at for row in rows)) if fits else None
    if moment is None or moment > now or (first_hand is not None and first_hand <= moment):
        return None
    return moment


def _verdict(claim: Claim) -> str:
    verbs = [event.verb for event in JournalEvent.objects.filter(ref=claim.ref).order_by("pk")]
    if "undo" in verbs or not {"promote", "reject"} & set(verbs):
        return "waiting"
    if "reject" in verbs:
        return "rejected"
    return "edited" if "edit" in verbs else "promoted"


def counted(found: list[tuple[str, str]]) -> Counter[str]:
    return Counter(verdict for _, verdict in found)
