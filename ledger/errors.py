"""What can go wrong in the domain, and how each kind is told: to the API as problem+json (RFC 9457), to screens as a page."""

from typing import Any


class DomainError(Exception):
    """Base of all. `slug`, `title` and `status` (of HTTP) are fixed for each kind; the message says what happened to whom,
    and `details` are what there is to choose from, what stands in the way, or the `field` that is wrong."""

    slug = "about:blank"
    title = "the request cannot be carried out"
    status = 400

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def as_problem(self) -> dict[str, Any]:
        """`{type, title, status, detail}`, `errors` where a field is named, and the other details."""
        details = dict(self.details)
        field = details.pop("field", "")
        errors = {"errors": [{"field": field, "message": self.message}]} if field else {}
        return {
            "type": self.slug, "title": self.title, "status": self.status, "detail": self.message, **details, **errors,
        }  # fmt: skip


class NotFound(DomainError):
    """It does not exist, or the caller may not know that it does."""

    slug = "not_found"
    title = "not found"
    status = 404


class Forbidden(DomainError):
    """The caller sees the thing but may not do this."""

    slug = "forbidden"
    title = "not allowed"
    status = 403


class Invalid(DomainError):
    """The input is wrong; `field` names where, as a path such as `sources.3.text`."""

    slug = "invalid"
    title = "the input is not valid"
    status = 422

    def __init__(self, message: str, *, field: str = "", **details: Any) -> None:
        super().__init__(message, field=field, **details)
        self.field = field


class BadTransition(DomainError):
    """The row is not in a state from which this step leads anywhere. Nothing changed."""

    slug = "bad_transition"
    title = "not possible in this state"
    status = 409


class StaleVersion(DomainError):
    """Somebody else was faster; `row` is the row as it now stands."""

    slug = "stale_version"
    title = "the row has changed"
    status = 409

    def __init__(self, message: str, *, row: Any = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.row = row


class DecisionNeeded(DomainError):
    """Only a person can choose; `choices` lists what there is to choose from."""

    slug = "decision_needed"
    title = "a decision is needed"
    status = 409

    def __init__(self, message: str, *, choices: list[dict[str, Any]]) -> None:
        super().__init__(message, choices=choices)
        self.choices = choices


class SecondPersonNeeded(DomainError):
    """This scope asks for four eyes, and the caller's own word does not count, or counts already."""

    slug = "second_person_needed"
    title = "another person must decide"
    status = 409


class InTheWay(DomainError):
    """An undo would overwrite what a later event did; `event` is that event's id."""

    slug = "in_the_way"
    title = "a later decision is in the way"
    status = 409


class Duplicate(DomainError):
    """The same thing is already there; `ref` names it."""

    slug = "duplicate"
    title = "already there"
    status = 409


class KeyReused(DomainError):
    """An Idempotency-Key came a second time with another body."""

    slug = "key_reused"
    title = "the key was used for something else"
    status = 409


class TooLarge(DomainError):
    """More than one request, or one source, may hold; `field` names where."""

    slug = "too_large"
    title = "too large"
    status = 413
