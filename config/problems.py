"""Domain errors to HTTP, once: status, and application/problem+json (RFC 9457)."""

from typing import Any

from ledger import errors

STATUS: dict[type[errors.DomainError], int] = {
    errors.NotFound: 404,
    errors.Forbidden: 403,
    errors.Invalid: 422,
    errors.BadTransition: 409,
    errors.StaleVersion: 409,
    errors.DecisionNeeded: 409,
    errors.InTheWay: 409,
    errors.SecondPersonNeeded: 409,
    errors.Duplicate: 409,
    errors.KeyReused: 409,
    errors.TooLarge: 413,
}
TYPES: dict[type[errors.DomainError], str] = {
    errors.NotFound: "not_found",
    errors.Forbidden: "forbidden",
    errors.Invalid: "invalid",
    errors.BadTransition: "bad_transition",
    errors.StaleVersion: "stale_version",
    errors.DecisionNeeded: "decision_needed",
    errors.InTheWay: "in_the_way",
    errors.SecondPersonNeeded: "second_person_needed",
    errors.Duplicate: "duplicate",
    errors.KeyReused: "key_reused",
    errors.TooLarge: "too_large",
}


def status_of(error: errors.DomainError) -> int:
    return STATUS[type(error)]


def problem_of(error: errors.DomainError, *, row: Any = None) -> dict[str, Any]:
    """The body: `{type, title, status, detail}`, `errors` for a field, and what the error carries (`choices`, `event`).

    `row` is the current row of a `StaleVersion` in the API's own shape.
    """
    body: dict[str, Any] = {
        "type": TYPES[type(error)],
        "title": error.title,
        "status": status_of(error),
        "detail": error.message,
        **{name: value for name, value in error.details.items() if name != "field"},
    }
    if isinstance(error, errors.Invalid) and error.field:
        body["errors"] = [{"field": error.field, "message": error.message}]
    if row is not None:
        body["current"] = row
    return body
