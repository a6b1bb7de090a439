"""Candidates of every sort whose past is laid out in time, and what a policy would have done to them, counted out by hand."""

import datetime as dt
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Past:
    """All that happened, read once: who counts by hand asks for it again and again."""

    claims: list[Claim]
    words: dict[int, list[Evidence]]
    events: dict[str, list[JournalEvent]]
    live: list[Claim]


def past_of(scopes: list[Scope]) -> Past:
    words, events = defaultdict(list), defaultdict(list)
    for row in Evidence.objects.filter(stance="supports", speaker__in=("user", "document")).order_by("created_at"):
        words[row.claim_id].append(row)
    for event in JournalEvent.objects.exclude(ref="").order_by("pk"):
        events[event.ref].append(event)
    claims = list(Claim.objects.filter(scope__in=scopes))
    return Past(claims, words, events, [claim for claim in claims if claim.status == "active" and claim.promoted_at])


def by_hand(past: Past, name: str, given: dict[str, Any], *, days: int, now: dt.datetime) -> list[tuple[str, str]]:
    """(ref, verdict) of each that would have been promoted, in the order of time: the definition read from the rows, hour by
    hour, without any of the code under test."""
    since = now - days * DAY
    taken: list[tuple[dt.datetime, int, Claim]] = []
    for claim in past.claims:
        at = _first(past, claim, name, given, since, now) if claim.created_at >= since else None
        if at is not None:
            taken.append((at, claim.pk, claim))
    found: list[tuple[str, str]] = []
    promoted: list[Claim] = []
    for at, _, claim in sorted(taken, key=lambda one: one[:2]):
        held = [*(other for other in past.live if other.pk != claim.pk and other.promoted_at <= at), *promoted]
        held = [one for one in held if claim.slot and (one.scope_id, one.slot) == (claim.scope_id, claim.slot)]
        if all(same_content(claim.value, claim.statement, other.value, other.statement) for other in held):
            promoted.append(claim)
            found.append((claim.ref, _verdict(past, claim)))
    return found


def _first(
    past: Past, claim: Claim, name: str, given: dict[str, Any], since: dt.datetime, now: dt.datetime
) -> dt.datetime | None:
    if claim.needs_review or claim.high_risk:
        return None
    rows = past.words.get(claim.pk, [])
    hands = [one for one in past.events.get(claim.ref, []) if one.actor_kind == "human"]
    first_hand = min((one.at for one in hands if one.verb not in ("propose", "see_again")), default=None)
    moment = None
    if name == "references":
        if claim.kind_id == "decision" or claim.downstream:
            return None
        for row in rows:
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


def _verdict(past: Past, claim: Claim) -> str:
    verbs = [event.verb for event in past.events.get(claim.ref, [])]
    if "undo" in verbs or not {"promote", "reject"} & set(verbs):
        return "waiting"
    if "reject" in verbs:
        return "rejected"
    return "edited" if "edit" in verbs else "promoted"


def counted(found: list[tuple[str, str]]) -> Counter[str]:
    return Counter(verdict for _, verdict in found)
