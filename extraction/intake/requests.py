"""Take sources in from outside: one, or a batch in which what is good is kept."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import ValidationError

from extraction.api.shapes import SourceIn
from extraction.extractors.registry import for_scope
from extraction.intake.gate import watched
from ledger.actions.ingest import Incoming, Ingested, checked, ingest
from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid, NotFound, TooLarge
from ledger.models import Run, Scope
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right

MOST = 500
STATUS: dict[type[DomainError], tuple[int, str]] = {
    NotFound: (404, "not_found"),
    Forbidden: (403, "forbidden"),
    TooLarge: (413, "too_large"),
    Invalid: (422, "invalid"),
}


@dataclass(frozen=True, slots=True)
class Taken:
    """Row ids: the source, whether it was there before, and its latest run."""

    source: int
    duplicate: bool
    run: int | None


def take_one(body: Any, actor: Actor) -> tuple[int, dict[str, Any]]:
    """Status and the ids of `Taken`. Raises `Invalid` naming the field, `NotFound`, `Forbidden`, `TooLarge`."""
    item = parse(body)
    scope = scope_at(item.scope, actor.access, Right.INGEST)
    done = ingest(
        watched([incoming(item)], scope), scope=scope, actor=actor, extractors=for_scope(scope) if item.extract else ()
    )
    taken = with_runs(done)[0]
    return (200 if taken.duplicate else 201), asdict(taken)


def take_many(body: dict[str, Any], actor: Actor) -> tuple[int, list[dict[str, Any]]]:
    """Status and, in the order of the items, the ids of `Taken` or `{"error": problem}`. All that is good is written in
    the caller's transaction; raises `Invalid` where nothing is good."""
    given = body["sources"]
    if not isinstance(given, list) or not given:
        raise Invalid("sources is a list of at least one", field="sources")
    if len(given) > MOST:
        raise TooLarge(f"at most {MOST} sources in one request", field="sources")
    if unknown := set(body) - {"sources", "wait"}:
        raise Invalid(f"{sorted(map(str, unknown))[0][:60]!r} is not known here", field=str(sorted(unknown)[0])[:60])
    answers: list[dict[str, Any] | None] = [None] * len(given)
    groups: dict[tuple[str, bool], list[tuple[int, Incoming]]] = {}
    scopes: dict[str, Scope] = {}
    for at, one in enumerate(given):
        try:
            item = parse(one, f"sources.{at}.")
            if item.scope not in scopes:
                scopes[item.scope] = scope_at(item.scope, actor.access, Right.INGEST)
            text = incoming(item)
            checked(text, actor=actor, path=f"sources.{at}.")
            groups.setdefault((item.scope, item.extract), []).append((at, text))
        except (Invalid, NotFound, Forbidden, TooLarge) as error:
            answers[at] = {"error": problem(error)}
    if not groups:
        raise nothing_good(answers)
    fresh = False
    for (path, extract), group in sorted(groups.items(), key=lambda entry: entry[0]):
        scope = scopes[path]
        done = ingest(
            watched([text for _, text in group], scope),
            scope=scope,
            actor=actor,
            extractors=for_scope(scope) if extract else (),
        )
        for (at, _), taken in zip(group, with_runs(done), strict=True):
            fresh = fresh or not taken.duplicate
            answers[at] = asdict(taken)
    return (201 if fresh else 200), [answer for answer in answers if answer is not None]


def nothing_good(answers: Sequence[dict[str, Any] | None]) -> Invalid:
    errors: list[dict[str, Any]] = []
    for at, answer in enumerate(answers):
        if answer is not None:
            told = answer["error"]
            errors += told.get("errors") or [{"field": f"sources.{at}", "message": told["detail"]}]
    return Invalid("no source of the batch can be taken", errors=errors[:MOST])


def parse(body: Any, path: str = "") -> SourceIn:
    if not isinstance(body, dict):
        raise Invalid("a source is an object", field=path.rstrip(".") or "body")
    # What a caller has nothing for may be null as well as left out.
    given = {name: value for name, value in body.items() if value is not None or name in ("scope", "text")}
    try:
        return SourceIn.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        errors = [
            {"field": path + ".".join(map(str, one["loc"])), "message": one["msg"][:300]} for one in found[:50]
        ]  # fmt: skip
        raise Invalid(f"{errors[0]['field'][:200]}: {errors[0]['message']}", errors=errors) from None


def incoming(item: SourceIn) -> Incoming:
    return Incoming(
        text=item.text, kind=item.kind, sender=item.sender, sender_kind=item.sender_kind, sent_at=item.sent_at,
        edited_at=item.edited_at, conversation=item.conversation, external_id=item.external_id, reply_to=item.reply_to,
        title=item.title,
    )  # fmt: skip


def with_runs(done: Sequence[Ingested]) -> list[Taken]:
    """A source that was there before answers with its latest run."""
    latest = latest_runs({one.source.pk for one in done if one.duplicate})
    own = {one.source.pk: one.runs[0].pk for one in done if one.runs}
    return [
        Taken(one.source.pk, one.duplicate, own.get(one.source.pk, latest.get(one.source.pk))) for one in done
    ]  # fmt: skip


def latest_runs(sources: Collection[int]) -> dict[int, int]:
    """The newest run of each source that has one."""
    if not sources:
        return {}
    rows = Run.objects.filter(source__in=sources).order_by("source_id", "-id").distinct("source_id")
    return dict(rows.values_list("source_id", "id"))


def problem(error: DomainError) -> dict[str, Any]:
    """One item's problem, in the form that a whole request's has."""
    status, name = STATUS[type(error)]
    told: dict[str, Any] = {"type": name, "title": error.title, "status": status, "detail": error.message}
    field = error.details.get("field")
    errors = error.details.get("errors") or ([{"field": field, "message": error.message}] if field else [])
    return told | ({"errors": errors} if errors else {})
