"""What can go wrong in the domain. Raised here, translated once: to problem+json for the API, to HTML for the screens."""

from typing import Any


class DomainError(Exception):
    """Base of all; `title` is short and fixed, the message says what happened to whom."""

    title = "the request cannot be carried out"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class NotFound(DomainError):
    """It does not exist, or the caller may not know that it does."""

    title = "not found"


class Forbidden(DomainError):
    """The caller sees the thing but may not do this."""

    title = "not allowed"


class Invalid(DomainError):
    """The input is wrong; `field` names where, as a path such as `sources.3.text`."""

    title = "the input is not valid"

    def __init__(self, message: str, *, field: str = "", **details: Any) -> None:
        super().__init__(message, field=field, **details)
        self.field = field


class BadTransition(DomainError):
    """The row is not in a state from which this step leads anywhere. Nothing changed."""

    title = "not possible in this state"


class StaleVersion(DomainError):
    """Somebody else was faster; `row` is the row as it now stands."""

    title = "the row has changed"

    def __init__(self, message: str, *, row: Any = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.row = row


class DecisionNeeded(DomainError):
    """Only a person can choose; `choices` lists what there is to choose from."""

    title = "a decision is needed"

    def __init__(self, message: str, *, choices: list[dict[str, Any]]) -> None:
        super().__init__(message, choices=choices)
        self.choices = choices


class SecondPersonNeeded(DomainError):
    """This scope asks for four eyes, and the caller's own word does not count, or counts already."""

    title = "another person must decide"


class InTheWay(DomainError):
    """An undo would overwrite what a later event did; `event` is that event's id."""

    title = "a later decision is in the way"


class Duplicate(DomainError):
    """The same thing is already there; `ref` names it."""

    title = "already there"


class KeyReused(DomainError):
    """An Idempotency-Key came a second time with another body."""

    title = "the key was used for something else"


class TooLarge(DomainError):
    """More than one request, or one source, may hold; `field` names where."""

    title = "too large"
