"""Everything a member may read of a scope, as a stream of rows: to keep, to look through, to carry elsewhere.

One snapshot of the database, however long it takes to send; memory does not grow with the scope.
"""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from django.db import connection, models, transaction

from ledger.models import (
    Claim,
    Conflict,
    ConflictMember,
    JournalChange,
    JournalEvent,
    Person,
    Scope,
    Source,
    TrustedState,
)
from ledger.projections import prov, registry
from ledger.projections.calendar_file import write_calendar
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.history import moved_out_of_sight
from ledger.reads.scopes import visible
from ledger.reads.sql import in_steps
from ledger.rules.permissions import Access, Right
from ledger.rules.secrets import is_masked

type Shape = dict[str, Any]

CALENDAR = "ics"
FORMATS = ("json", "jsonl", "prov", CALENDAR, *registry.FORMATS)
VERSION = 1
# Texts are large, rows are small.
SOURCES_AT_ONCE = 20
ROWS_AT_ONCE = 500


def export(scope: Scope, access: Access, *, format: str = "json", descend: bool = False) -> Iterator[bytes]:
    """Pieces of one UTF-8 text. `jsonl`: one object a line, each with its `type`; `json`: one object with a list a type.

    Types, in this order: export (what this is), scope, person, source (with text and sections), claim (every status, with
    evidence), trusted, conflict, event. `prov` says the same as W3C PROV-JSON; `tasks`, `decisions` and `patterns` are the
    files of `ledger.projections.registry`; `ics` is the confirmed calendar. `descend` takes in the scopes below that `access` may
    read. Quotes of sources out of the reader's sight are withheld; what was purged stays redacted.
    """
    with _snapshot():
        scopes = list(visible(access, root=scope.path).order_by("path")) if descend else [scope]
        if format == CALENDAR:
            yield write_calendar(scopes)
            return
        if format in registry.FORMATS:
            yield from registry.write(scopes, format)
            return
        paths = {row.pk: row.path for row in scopes}
        head = {"version": VERSION, "scope": scope.path, "descend": descend, "scopes": list(paths.values())}
        rows = _Rows(scopes, paths, access)
        if format == "prov":
            yield from prov.pieces(rows.by_type, _encode)
            return
        yield from _as_lines(head, rows) if format == "jsonl" else _as_object(head, rows)


def _as_lines(head: Shape, rows: "_Rows") -> Iterator[bytes]:
    yield _encode({"type": "export", **head}) + b"\n"
    for kind, _, found in rows.by_type():
        for row in found:
            yield _encode({"type": kind, **row}) + b"\n"


def _as_object(head: Shape, rows: "_Rows") -> Iterator[bytes]:
    yield b'{"export": ' + _encode(head)
    for _, name, found in rows.by_type():
        yield f',\n"{name}": ['.encode()
        for between, row in zip(chain([b"\n"], repeat(b",\n")), found, strict=False):
            yield between + _encode(row)
        yield b"]"
    yield b"}\n"


@contextmanager
def _snapshot() -> Iterator[None]:
    """All statements of the stream see the same rows, and write none."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


@dataclass(frozen=True, slots=True)
class _Rows:
    """What some scopes hold, by type, in the shapes of the API where it has one. `paths` are those of the scopes, by id."""

    scopes: list[Scope]
    paths: dict[int, str]
    access: Access

    def by_type(self) -> Iterator[tuple[str, str, Iterator[Shape]]]:
        """Each type, the name of its list, and its rows."""
        yield "scope", "scopes", map(_scope, self.scopes)
        yield "person", "people", self.people()
        yield "source", "sources", self.sources()
        yield "claim", "claims", self.claims()
        yield "trusted", "trusted", self.trusted()
        yield "conflict", "conflicts", self.conflicts()
        yield "event", "events", self.events()

    def people(self) -> Iterator[Shape]:
        rows = Person.objects.filter(scope__in=self.paths)
        return (_person(row, self.paths) for step in in_steps(rows, ROWS_AT_ONCE) for row in step)

    def sources(self) -> Iterator[Shape]:
        rows = Source.objects.filter(scope__in=self.paths).select_related("conversation").prefetch_related("sections")
        return (_source(row, self.paths) for step in in_steps(rows, SOURCES_AT_ONCE) for row in step)

    def claims(self) -> Iterator[Shape]:
        for claims in in_steps(Claim.objects.filter(scope__in=self.paths).defer("search"), ROWS_AT_ONCE):
            words = evidence_of(claim.pk for claim in claims)
            refs = _refs({claim.successor_id for claim in claims} | {claim.graduates_id for claim in claims})
            strangers = _from_out_of_sight(claims, self.access)
            for claim in claims:
                shape = _claim(claim, words[claim.pk], refs, self.paths, self.access)
                yield shape | {"proposed": None} if claim.pk in strangers else shape

    def trusted(self) -> Iterator[Shape]:
        rows = TrustedState.objects.filter(scope__in=self.paths).select_related("replaces")
        return (_trusted(row, self.paths) for step in in_steps(rows, ROWS_AT_ONCE) for row in step)

    def conflicts(self) -> Iterator[Shape]:
        for conflicts in in_steps(Conflict.objects.filter(scope__in=self.paths), ROWS_AT_ONCE):
            members = _members(conflicts)
            yield from (_conflict(row, members[row.pk], self.paths) for row in conflicts)

    def events(self) -> Iterator[Shape]:
        rows = JournalEvent.objects.filter(scope__in=self.paths).select_related("undone_by").prefetch_related("changes")
        return (_event(row, self.paths, self.access) for step in in_steps(rows, ROWS_AT_ONCE) for row in step)


def _encode(row: Shape) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_plain).encode()


def _plain(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _columns(row: models.Model, *names: str) -> Shape:
    return {name: getattr(row, name) for name in names}


def _scope(row: Scope) -> Shape:
    return {"scope": row.path} | _columns(
        row,
        "name",
        "tier",
        "packs",
        "timezone",
        "stage",
        "retention_days",
        "policies",
        "secrets",
        "version",
        "created_at",
    )


def _person(row: Person, paths: dict[int, str]) -> Shape:
    return _columns(row, "id", "name", "aliases", "role", "telegram_id") | {"scope": paths[row.scope_id]}


def _source(row: Source, paths: dict[int, str]) -> Shape:
    shape = _columns(
        row, "id", "kind", "sender", "sender_kind", "sent_at", "edited_at", "position", "title", "text", "sha256", "external_id",
        "reply_to", "created_at", "purged_at",
    )  # fmt: skip
    if row.secrets:
        # What is exported is what has this hash: the one of the text with its secrets would be no use, and could be tried out.
        shape["sha256"] = hash_of(row.text)
    return shape | {
        "scope": paths[row.scope_id],
        "conversation": row.conversation.external_id if row.conversation else None,
        "replaces": row.replaces_id,
        "sections": [
            _columns(section, "name", "speaker", "heading_path", "start", "end") for section in row.sections.all()
        ],
    }


def _claim(
    row: Claim, words: list[Citation], refs: dict[int | None, str], paths: dict[int, str], access: Access
) -> Shape:
    shape = _columns(
        row, "id", "ref", "layer", "key", "topic", "subject", "tags", "value_type", "value", "statement", "status", "assignee",
        "downstream", "confidence", "confidence_word", "rank", "valid_from", "valid_to", "names_replaced",
        "deferred_until", "expires_at", "promoted_at", "disputed", "needs_recheck", "needs_review", "high_risk",
        "anchors_to_choose", "rule", "extractor", "extractor_version", "hand_authored", "proposed", "summary",
        "seen_count", "created_at", "last_seen_at", "version",
    )  # fmt: skip
    return shape | {
        "scope": paths[row.scope_id],
        "kind": row.kind_id,
        "run": row.run_id,
        "successor": refs.get(row.successor_id),
        "graduates": refs.get(row.graduates_id),
        "evidence": [_evidence(one, access) for one in words],
    }


def _evidence(row: Citation, access: Access) -> Shape:
    names = ("section", "speaker", "start", "end", "quote", "quote_sha256", "stance", "anchor", "created_at")
    shape = {"id": row.id, "claim": row.claim_id, "source": row.source_id} | {n: getattr(row, n) for n in names}
    if is_masked(row.quote):
        shape["quote_sha256"] = hash_of(row.quote)
    if row.redacted:
        shape |= {"quote": None, "redacted": True}
    if not row.readable(access):
        shape |= {"quote": None, "section": None, "quote_sha256": None, "withheld": True}
    return shape


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _refs(ids: set[int | None]) -> dict[int | None, str]:
    return dict(Claim.objects.filter(pk__in=[pk for pk in ids if pk]).values_list("pk", "ref"))


def _trusted(row: TrustedState, paths: dict[int, str]) -> Shape:
    shape = _columns(row, "id", "ref", "key", "value", "statement", "cites", "status", "by", "at", "version")
    return shape | {"scope": paths[row.scope_id], "replaces": row.replaces.ref if row.replaces else None}


def _members(conflicts: list[Conflict]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {row.pk: [] for row in conflicts}
    members = ConflictMember.objects.filter(conflict__in=found).order_by("pk")
    for pk, claim, trusted in members.values_list("conflict_id", "claim__ref", "trusted__ref"):
        found[pk].append(claim or trusted)
    return found


def _conflict(row: Conflict, members: list[str], paths: dict[int, str]) -> Shape:
    shape = _columns(row, "id", "slot", "status", "opened_at", "version")
    return shape | {"scope": paths[row.scope_id], "members": members}


def _event(row: JournalEvent, paths: dict[int, str], access: Access) -> Shape:
    undoing: JournalEvent | None = getattr(row, "undone_by", None)
    unseen = moved_out_of_sight(row, access)
    return _columns(row, "id", "at", "verb", "door", "ref", "reason", "batch", "redacted") | {
        "scope": paths[row.scope_id],
        "actor": {"kind": row.actor_kind, "name": row.actor_name},
        "undoes": row.undoes_id,
        "undone_by": undoing.pk if undoing else None,
        "changes": [
            _columns(change, "noun", "row", "before", "after", "implicit")
            | ({"before": None, "after": None} if change.pk in unseen else {})
            for change in row.changes.all()
        ],
    }


def _from_out_of_sight(claims: Sequence[Claim], access: Access) -> set[int]:
    """Which of them were moved here from where the reader may not read: what they first said is none of theirs."""
    moves = JournalChange.objects.filter(
        noun="claim", row__in=[claim.pk for claim in claims], before__has_key="scope_id"
    )
    came = list(moves.values_list("row", "before__scope_id"))
    places = Scope.objects.in_bulk({place for _, place in came})
    return {row for row, place in came if place not in places or not access.may(Right.READ, places[place].path)}
