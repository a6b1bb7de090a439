"""Why a button did not do what it says, in a form that lets the person go on from there."""

from dataclasses import dataclass

from ledger import errors
from ledger.models import Claim, JournalEvent


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the ways to go on, as a button: the same decision again with `name=value`."""

    name: str
    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """`changed` is the latest event on the row, where somebody else was faster."""

    action: str
    title: str
    message: str
    field: str = ""
    choices: tuple[Choice, ...] = ()
    changed: JournalEvent | None = None
    ref: str = ""
    status: int = 409


def refusal_of(error: errors.DomainError, action: str, claim: Claim) -> Refusal:
    """Raises `error` again where there is nothing to go on with: out of sight, or not allowed."""
    if isinstance(error, errors.NotFound | errors.Forbidden):
        raise error
    if isinstance(error, errors.Invalid):
        return Refusal(action, error.title, error.message, field=error.field, status=422)
    choices: list[Choice] = []
    if isinstance(error, errors.DecisionNeeded):
        choices = [_choice(choice) for choice in error.choices if "anchor" not in choice]
    changed = None
    if isinstance(error, errors.StaleVersion | errors.BadTransition):
        changed = JournalEvent.objects.filter(ref=claim.ref).order_by("-pk").first()
    ref = str(error.details.get("ref") or "")
    return Refusal(action, error.title, error.message, choices=tuple(choices), changed=changed, ref=ref)


def _choice(choice: dict[str, object]) -> Choice:
    if "into" in choice:
        return Choice("into", str(choice["into"]), f"Join {choice['into']}", str(choice.get("statement", "")))
    if "on_conflict" in choice:
        against = choice.get("against")
        refs = ", ".join(str(ref) for ref in against) if isinstance(against, list) else ""
        label = f"Replace {refs}" if choice["on_conflict"] == "supersede" else "Let both stand"
        return Choice("on_conflict", str(choice["on_conflict"]), label)
    return Choice("start", str(choice.get("start", "")), f"The one at {choice.get('start')}")
