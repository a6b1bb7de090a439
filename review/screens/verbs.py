"""What the buttons do: the form is read, and the verb that it names is called, which checks roles and versions."""

import datetime as dt
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone

from ledger.actions.note import note
from ledger.actions.propose import Draft
from ledger.actor import Actor
from ledger.errors import Invalid, NotFound
from ledger.models import Claim, JournalEvent
from ledger.reads.claims import claim_at
from ledger.rules.states import Status
from ledger.verbs import Verb
from review.desk.fields import edits_in, value_from_input
from review.screens.sources import source_at

# What is decided together with what stands beside it in the queue.
TOGETHER = tuple(verb for verb in Verb if "candidate" in verb.row.lists and Status.PENDING in verb.row.origins)
# When a day of review begins.
MORNING: Final = dt.time(8)
DAYS: Final = {"day": 1, "tomorrow": 1, "week": 7, "month": 30}
REASONS = (
    "not said like this",
    "only discussed, not agreed",
    "out of date",
    "wrong scope",
    "not worth keeping",
    "said in jest",
)
MAX_REASON = 1000


def carry_out(
    action: str, claim: Claim, posted: QueryDict, actor: Actor, *, batch: uuid.UUID | None = None
) -> JournalEvent:
    """Do what the button says to the version that was on the screen. Raises whatever the verb raises."""
    verb = verb_of(action)
    given: dict[str, Any] = {"expected_version": version_of(posted), "reason": reason_of(posted)}
    if batch is not None:
        given["batch"] = batch
    with transaction.atomic():
        arguments = ARGUMENTS[verb](claim, posted, actor) if verb.row.takes else {}
        event: JournalEvent = verb.function()(claim, actor=actor, **arguments | given)
        return event


def verb_of(action: str) -> Verb:
    """Raises `Invalid` for what no button says."""
    if action not in Verb or not Verb(action).row.label:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    return Verb(action)


def version_of(posted: QueryDict) -> int | None:
    return number(posted, "version", digits=9) if posted.get("version") else None


def reason_of(posted: QueryDict) -> str:
    """The words typed, else the reason picked."""
    reason = (posted.get("reason", "").strip() or posted.get("preset", "").strip()).replace("\0", "")
    if len(reason) > MAX_REASON:
        raise Invalid(f"a reason has at most {MAX_REASON} characters", field="reason")
    return reason


def _promotion(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    """With edits it is two events of one batch, undone together."""
    edits = edits_in(claim, posted) if "statement" in posted else {}
    chosen = {name: posted.get(name) or None for name in ("on_conflict", "into")}
    return {"changes": edits, "batch": uuid.uuid4() if edits else None, **chosen}


def _edit(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    edits = {"anchor": number(posted, "anchor")} if posted.get("anchor") else edits_in(claim, posted)
    if not edits:
        raise Invalid("nothing was changed", field="statement")
    return {"changes": edits}


def _deferral(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    return {"until": until_of(posted, claim.scope.timezone)}


def until_of(posted: QueryDict, zone: str = "UTC") -> dt.datetime | None:
    """When what is deferred comes back, in the morning of a day in the time zone `zone`; None is for good."""
    return back_at(posted.get("until", ""), posted.get("until_day", ""), zone)


def back_at(pause: str, day: str, zone: str, *, now: dt.datetime | None = None) -> dt.datetime | None:
    """The morning it comes back on, in the scope's own time zone; None for good. A `day` (2026-03-09) is what somebody typed
    and goes before a `pause`. Raises `Invalid` (field `until`) for what is neither."""
    here = zoneinfo.ZoneInfo(zone)
    today = (now or timezone.now()).astimezone(here).date()
    days = DAYS | {"monday": 7 - today.weekday()}
    if day.strip():
        on = _day(day.strip())
        if on <= today:
            raise Invalid("the day it comes back must lie in the future", field="until")
    elif pause in days:
        on = today + dt.timedelta(days=days[pause])
    elif pause == "":
        return None
    else:
        raise Invalid(f"until is one of {', '.join(days)}, a day, or nothing", field="until")
    return dt.datetime.combine(on, MORNING, here)


def _day(words: str) -> dt.date:
    try:
        return dt.date.fromisoformat(words)
    except ValueError:
        raise Invalid("write the day as 2026-03-09", field="until") from None


def _target(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    return {"into": named(posted, "pick" if posted.get("pick") else "into", actor)}


def _colleague(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    return {"to": posted.get("to", "").strip().removeprefix("@")}


def _told_apart(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    return {"other": named(posted, "other", actor)}


def _successor(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    if posted.get("new_statement", "").strip():
        return {"draft": successor_draft(claim, posted, actor)}
    return {"by": named(posted, "by", actor)}


def successor_draft(claim: Claim, posted: QueryDict, actor: Actor) -> Draft:
    """New words in the place of a claim that no longer holds, on the same slot, kept as a note and cited. Raises `Invalid` by
    field: `statement`, `value`, or `by` where a ref was given as well."""
    statement = posted.get("new_statement", "").replace("\r\n", "\n").strip()
    if posted.get("by", "").strip():
        raise Invalid("name a claim or type new words, not both", field="by")
    actor.require(Verb.SUPERSEDE.row.right, claim.scope)
    value = value_from_input(posted.get("new_value", ""), claim.value_type)
    return Draft(
        kind=claim.kind_id, statement=statement, quotes=(note(statement, claim.scope, actor),), key=claim.key,
        topic=claim.topic, subject=claim.subject, tags=tuple(claim.tags),
        value_type=claim.value_type if value is not None else "", value=value,
        confidence=1.0, hand_authored=True, layer=claim.layer,
    )  # fmt: skip


def _grown_kind(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    return {"kind": posted.get("kind") or None}


def _objection(claim: Claim, posted: QueryDict, actor: Actor) -> dict[str, Any]:
    source = source_at(number(posted, "source"), actor.access)
    quote = posted.get("quote", "").replace("\r\n", "\n")
    start = number(posted, "start") if posted.get("start") else None
    end = start + len(quote) if start is not None else None
    return {"source": source, "quote": quote, "start": start, "end": end}


def number(posted: QueryDict, field: str, *, digits: int = 18) -> int:
    found = whole_number(posted.get(field, "").strip(), digits=digits)
    if found is None:
        raise Invalid(f"{field} is a number", field=field)
    return found


def whole_number(words: str, *, digits: int = 9) -> int | None:
    """What is written in ASCII digits, and in no more than there may be; None for anything else."""
    return int(words) if words.isascii() and words.isdigit() and len(words) <= digits else None


def named(posted: QueryDict, field: str, actor: Actor) -> Claim:
    """The other claim, by ref. Out of sight and not there are the same to its reader."""
    ref = posted.get(field, "").strip()
    if not ref:
        raise Invalid("nothing is chosen yet: choose one, or type its ref", field=field)
    try:
        return claim_at(ref, actor.access)
    except NotFound:
        raise Invalid(f"no claim {ref[:60]!r}", field=field) from None


# What a form says to a verb that takes more than a version and a reason.
ARGUMENTS: dict[Verb, Callable[[Claim, QueryDict, Actor], dict[str, Any]]] = {
    Verb.PROMOTE: _promotion,
    Verb.EDIT: _edit,
    Verb.DEFER: _deferral,
    Verb.MERGE: _target,
    Verb.HAND_OVER: _colleague,
    Verb.KEEP_APART: _told_apart,
    Verb.SUPERSEDE: _successor,
    Verb.GRADUATE: _grown_kind,
    Verb.DISPUTE: _objection,
}
