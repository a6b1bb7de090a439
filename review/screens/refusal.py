"""Why a button did not do what it says, in a form that lets the person go on from there."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from ledger import errors
from ledger.models import Claim, JournalEvent
from ledger.rules.states import IN_QUEUE
from ledger.verbs import Verb, hindrance
from review.desk.fields import FieldClash, merged_fields, typed_fields
from review.desk.history import ChangedColumn, changes_since
from review.screens.verbs import TOGETHER, whole_number


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the ways to go on, as a button: the same decision again with `name=value`."""

    name: str
    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """`changes` is what happened under the reader's eyes, where somebody else was faster; `latest` the last event on the row.
    `fields` is what the edit form shows over what stands now, `clashes` the fields that both have changed."""

    action: str
    title: str
    message: str
    field: str = ""
    choices: tuple[Choice, ...] = ()
    changes: tuple[ChangedColumn, ...] = ()
    latest: JournalEvent | None = None
    fields: dict[str, str] = dataclasses.field(default_factory=dict)
    clashes: tuple[FieldClash, ...] = ()
    also: tuple[str, ...] = ()
    typed: bool = False
    ref: str = ""
    status: int = 409

    @property
    def names_action(self) -> bool:
        """Whether its choices say themselves what they do."""
        return any(choice.name == "action" for choice in self.choices)


def refusal_of(error: errors.DomainError, action: str, claim: Claim, posted: QueryDict) -> Refusal:
    """Raises `error` again where there is nothing to go on with: out of sight, or not allowed."""
    if isinstance(error, errors.NotFound | errors.Forbidden):
        raise error
    common = _common(action, error.title, error.message, posted)
    if isinstance(error, errors.Invalid):
        return Refusal(**common, field=error.field, status=422)
    if isinstance(error, errors.DecisionNeeded):
        choices = tuple(_choice(choice) for choice in error.choices if "anchor" not in choice)
        return Refusal(**common, choices=choices)
    if isinstance(error, errors.StaleVersion | errors.BadTransition):
        return _overtaken(error, action, claim, posted, common)
    return Refusal(**common, ref=str(error.details.get("ref") or ""))


def _common(action: str, title: str, message: str, posted: QueryDict) -> dict[str, Any]:
    return {
        "action": action,
        "title": title,
        "message": message,
        "also": tuple(posted.getlist("also")),
        "typed": "statement" in posted,
        "fields": typed_fields(posted),
    }


def _overtaken(
    error: errors.DomainError, action: str, claim: Claim, posted: QueryDict, common: dict[str, Any]
) -> Refusal:
    """Somebody was faster: what they did, beside what was typed here, and the ways to go on from what stands now."""
    now = Claim.objects.select_related("scope").defer("search").get(pk=claim.pk)
    latest = JournalEvent.objects.filter(ref=claim.ref).order_by("-pk").first()
    seen = seen_version(posted, now)
    found = changes_since(now, seen)
    clashes: tuple[FieldClash, ...] = ()
    if common["typed"]:
        common["fields"], clashes = merged_fields(found.was, now, posted)
    if found.changes and isinstance(error, errors.StaleVersion):
        common |= {"title": "it changed while you had it open", "message": "Nothing was decided."}
    choices: list[Choice] = []
    if action in TOGETHER and not common["typed"] and not hindrance(Verb(action), now):
        choices.append(Choice("action", action, f"{Verb(action).row.label} it as it stands now"))
    if now.status not in IN_QUEUE and not hindrance(Verb.REOPEN, now):
        choices.append(Choice("action", Verb.REOPEN, "Put it back into the queue"))
    return Refusal(**common, choices=tuple(choices), changes=found.changes, clashes=clashes, latest=latest)


def signed_in_again(claim: Claim, posted: QueryDict) -> Refusal:
    """Nothing was carried out while its reader was signed out; what was typed goes on from what stands now."""
    action = posted.get("action", "")
    message = "Nothing was decided yet. What you typed stands in the form: press its button again."
    common = _common(action, "you are signed in again", message, posted) | {"status": 200}
    if seen_version(posted, claim) == claim.version:
        return Refusal(**common)
    return _overtaken(errors.BadTransition(message), action, claim, posted, common)


def seen_version(posted: QueryDict, now: Claim) -> int:
    """The version that was on the screen; the current one where the form named none that could be."""
    version = whole_number(posted.get("version", ""))
    return now.version if version is None else version


def _choice(choice: dict[str, object]) -> Choice:
    if "into" in choice:
        return Choice("into", str(choice["into"]), f"Join {choice['into']}", str(choice.get("statement", "")))
    if "on_conflict" in choice:
        against = choice.get("against")
        refs = ", ".join(str(ref) for ref in against) if isinstance(against, list) else ""
        label = f"Replace {refs}" if choice["on_conflict"] == "supersede" else "Let both stand"
        return Choice("on_conflict", str(choice["on_conflict"]), label)
    return Choice("start", str(choice.get("start", "")), f"The one at {choice.get('start')}")
