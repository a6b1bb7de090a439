"""What the buttons do: each reads its form and calls the one verb of the ledger, which checks roles and versions."""

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.http import QueryDict

from ledger.actions import decide
from ledger.actions.dispute import dispute, recheck
from ledger.actions.edit import edit
from ledger.actions.graduate import graduate
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.restore import restore
from ledger.actions.supersede import supersede
from ledger.actor import Actor
from ledger.errors import Invalid, NotFound
from ledger.models import Claim, JournalEvent
from ledger.reads.claims import claim_at
from review.desk.fields import edits_in
from review.screens.newer import newer
from review.screens.snooze import back_at
from review.screens.sources import source_at

type Verb = Callable[[Claim, QueryDict, Actor, dict[str, Any]], JournalEvent]

PAUSES = {"day": dt.timedelta(days=1), "week": dt.timedelta(weeks=1), "month": dt.timedelta(days=30)}
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
    verb = VERBS.get(action)
    if verb is None:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    common: dict[str, Any] = {"expected_version": version_of(posted), "reason": reason_of(posted)}
    if batch is not None:
        common["batch"] = batch
    return verb(claim, posted, actor, common)


def version_of(posted: QueryDict) -> int | None:
    version = posted.get("version", "")
    if not version:
        return None
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise Invalid("version is a number", field="version")
    return int(version)


def reason_of(posted: QueryDict) -> str:
    """The words typed, else the reason picked."""
    reason = (posted.get("reason", "").strip() or posted.get("preset", "").strip()).replace("\0", "")
    if len(reason) > MAX_REASON:
        raise Invalid(f"a reason has at most {MAX_REASON} characters", field="reason")
    return reason


def _promote(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    """With edits it is two events of one batch, undone together."""
    edits = edits_in(claim, posted) if "statement" in posted else {}
    if edits:
        common.setdefault("batch", uuid.uuid4())
    return promote(
        claim, actor=actor, changes=edits, on_conflict=posted.get("on_conflict") or None,
        into=posted.get("into") or None, **common,
    )  # fmt: skip


def _edit(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    edits = {"anchor": number(posted, "anchor")} if posted.get("anchor") else edits_in(claim, posted)
    if not edits:
        raise Invalid("nothing was changed", field="statement")
    return edit(claim, actor=actor, changes=edits, **common)


def _defer(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    return decide.defer(claim, actor=actor, until=until_of(posted, claim.scope.timezone), **common)


def until_of(posted: QueryDict, zone: str = "UTC") -> dt.datetime | None:
    """When what is deferred comes back, in the morning of a day in the time zone `zone`; None is for good."""
    return back_at(posted.get("until", ""), posted.get("until_day", ""), zone)


def _merge(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    return merge(claim, into=named(posted, "into", actor), actor=actor, **common)


def _supersede(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    if posted.get("new_statement", "").strip():
        with transaction.atomic():
            return supersede(claim, draft=newer(claim, posted, actor), actor=actor, **common)
    return supersede(claim, by=named(posted, "by", actor), actor=actor, **common)


def _graduate(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    return graduate(claim, kind=posted.get("kind") or None, actor=actor, **common)


def _dispute(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
    source = source_at(number(posted, "source"), actor.access)
    start = number(posted, "start") if posted.get("start") else None
    quote = posted.get("quote", "").replace("\r\n", "\n")
    end = start + len(quote) if start is not None else None
    return dispute(claim, source=source, quote=quote, start=start, end=end, actor=actor, **common)


def number(posted: QueryDict, field: str) -> int:
    words = posted.get(field, "").strip()
    if not (words.isascii() and words.isdigit() and len(words) <= 18):
        raise Invalid(f"{field} is a number", field=field)
    return int(words)


def named(posted: QueryDict, field: str, actor: Actor) -> Claim:
    """The other claim, by ref. Out of sight and not there are the same to its reader."""
    ref = posted.get(field, "").strip()
    try:
        return claim_at(ref, actor.access)
    except NotFound:
        raise Invalid(f"no claim {ref[:60]!r}", field=field) from None


def _simple(verb: Callable[..., JournalEvent]) -> Verb:
    def call(claim: Claim, posted: QueryDict, actor: Actor, common: dict[str, Any]) -> JournalEvent:
        return verb(claim, actor=actor, **common)

    return call


VERBS: dict[str, Verb] = {
    "promote": _promote,
    "edit": _edit,
    "defer": _defer,
    "merge": _merge,
    "supersede": _supersede,
    "graduate": _graduate,
    "dispute": _dispute,
    "reject": _simple(decide.reject),
    "reopen": _simple(decide.reopen),
    "withdraw": _simple(decide.withdraw),
    "archive": _simple(decide.archive),
    "restore": _simple(restore),
    "recheck": _simple(recheck),
}
