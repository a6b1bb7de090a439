"""The one way in for whatever comes from outside: API, waves, files, turns and episodes alike."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from extraction.extractors.registry import for_scope
from extraction.intake.gate import tripwire_checks
from ledger.actions.ingest import NO_CHECKS, Incoming, IngestResult, check_incoming, ingest, refuse_secrets
from ledger.actor import Actor
from ledger.choices import AnySpeaker, SourceKindWord
from ledger.errors import DomainError, Invalid
from ledger.models import Run, Scope, Source, SourceKind, Wave
from ledger.rules.secrets import find_secrets


def _written_as_time(value: Any) -> Any:
    """A number is no time: seconds, milliseconds and a year look alike."""
    if isinstance(value, datetime) or (
        isinstance(value, str) and not value.strip().lstrip("-").replace(".", "", 1).isdigit()
    ):
        return value
    raise ValueError("a time is written in ISO 8601, with its offset")


type SentAt = Annotated[AwareDatetime, BeforeValidator(_written_as_time)]
# What may be left out, and is never null.
NEVER_NULL = ("scope", "text", "extract", "wait")


class SourceIn(Schema):
    """One text as it comes. Text is kept to the byte; offsets are counted in its code points."""

    model_config = ConfigDict(extra="forbid")

    scope: str = Field(max_length=400)
    create_scope: StrictBool = False
    kind: SourceKindWord = "document"
    text: str
    conversation: str = Field(default="", max_length=300)
    sender: str = Field(default="", max_length=200)
    sender_kind: AnySpeaker = ""
    sent_at: SentAt | None = None
    edited_at: SentAt | None = None
    external_id: str = Field(default="", max_length=500)
    reply_to: str = Field(default="", max_length=500)
    title: str = Field(default="", max_length=500)
    extract: StrictBool = True
    wait: float = Field(default=0, ge=0, le=30)


def source_in(body: Any, path: str = "") -> SourceIn:
    """Raises `Invalid` with `path` before the names of the fields."""
    if not isinstance(body, dict):
        raise Invalid("a source is an object", field=path.rstrip(".") or "body")
    # What a caller has nothing for may be null as well as left out.
    given = {name: value for name, value in body.items() if value is not None or name in NEVER_NULL}
    try:
        return SourceIn.model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[:50]
        errors = [{"field": path + ".".join(map(str, one["loc"])), "message": one["msg"][:300]} for one in found]
        raise Invalid(f"{errors[0]['field'][:200]}: {errors[0]['message']}", errors=errors) from None


def incoming(item: SourceIn) -> Incoming:
    return Incoming(**item.model_dump(exclude={"scope", "create_scope", "extract", "wait"}))


@dataclass(frozen=True, slots=True)
class Delivery:
    """One text of many, with the scope that it is for; without `extract` it is only kept."""

    text: Incoming
    scope: Scope
    extract: StrictBool = True


def take(
    texts: Sequence[Incoming],
    *,
    scope: Scope,
    actor: Actor,
    extract: bool = True,
    wave: Wave | None = None,
    not_before: datetime | None = None,
) -> list[IngestResult]:
    """In one transaction: messages are put before the scope's tripwire, what is new is kept, and what is to be read is queued
    for the scope's extractors, from `not_before` on. Raises what `ingest` raises, and then nothing is kept."""
    messages = any(text.kind == SourceKind.MESSAGE for text in texts)
    return ingest(
        texts,
        scope=scope,
        actor=actor,
        extractors=for_scope(scope) if extract else (),
        wave=wave,
        checks=tripwire_checks(texts, scope) if messages else NO_CHECKS,
        not_before=not_before,
    )


def take_each[T](
    given: Sequence[T], read: Callable[[int, T], Delivery | Source], *, actor: Actor, wave: Wave | None = None
) -> list[IngestResult | DomainError]:
    """Take what is good of many, and tell of each of the others what is wrong with it; in their order. `read` makes a delivery
    of what was given, or names a source that is here already."""
    results: dict[int, IngestResult | DomainError] = {}
    groups: dict[tuple[int, bool], list[tuple[int, Delivery]]] = {}
    for at, one in enumerate(given):
        try:
            delivery = read(at, one)
            if isinstance(delivery, Source):
                results[at] = IngestResult(delivery, duplicate=True)
                continue
            check_incoming(delivery.text, actor=actor, path=f"sources.{at}.")
            if secrets := find_secrets(delivery.text.text):
                refuse_secrets(secrets, delivery.scope, path=f"sources.{at}.")
        except DomainError as error:
            results[at] = error
        else:
            groups.setdefault((delivery.scope.pk, delivery.extract), []).append((at, delivery))
    # In one order, so that two batches cannot wait crosswise for each other's scopes.
    for (_, extract), group in sorted(groups.items(), key=lambda entry: entry[0]):
        texts = [delivery.text for _, delivery in group]
        taken = take(texts, scope=group[0][1].scope, actor=actor, extract=extract, wave=wave)
        results |= {at: result for (at, _), result in zip(group, taken, strict=True)}
    return [results[at] for at in range(len(given))]


def latest_runs(sources: Collection[int]) -> dict[int, list[int]]:
    """Of each source that was read the newest run of each extractor, by ids, in their order."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    rows = Run.objects.filter(source__in=sources).order_by("source_id", "extractor", "-id")
    for source, run in sorted(rows.distinct("source_id", "extractor").values_list("source_id", "id")):
        found[source].append(run)
    return found
