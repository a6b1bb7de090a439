"""Everything a member may read of a scope, as a stream of rows: to keep, to look through, to carry elsewhere.

One snapshot of the database, however long it takes to send; memory does not grow with the scope.
"""

import datetime as dt
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.db import connection, models, transaction

from ledger.models import Claim, Conflict, ConflictMember, JournalChange, JournalEvent, Scope, Source, TrustedState
from ledger.projections import registry
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.history import moved_out_of_sight
from ledger.reads.scopes import visible
from ledger.rules.permissions import Access, Right

type Shape = dict[str, Any]

FORMATS = ("json", "jsonl", *registry.FORMATS)
VERSION = 1
# Texts are large, rows are small.
SOURCES_AT_ONCE = 20
ROWS_AT_ONCE = 500


def export(scope: Scope, access: Access, *, format: str = "json", descend: bool = False) -> Iterator[bytes]:
    """Pieces of one UTF-8 text. `jsonl`: one object a line, each with its `type`; `json`: one object with a list a type.

    Types, in this order: export (what this is), scope, source (with text and sections), claim (every status, with
    evidence), trusted, conflict, event. `tasks`, `decisions` and `patterns` are the files of `ledger.projections.registry`.
    `descend` takes in the scopes below that `access` may read. Quotes of sources
    out of the reader's sight are withheld; what was purged stays redacted.
    """
    if format in registry.FORMATS:
        return _registry(scope, access, format, descend=descend)
    lines = rows(scope, access, descend=descend)
    if format == "jsonl":
        return (_encode({"type": kind, **row}) + b"\n" for kind, row in lines)
    return _as_object(lines)


def _registry(scope: Scope, access: Access, what: str, *, descend: bool) -> Iterator[bytes]:
    with _snapshot():
        yield from registry.write(_scopes(scope, access, descend=descend), what)


def _scopes(scope: Scope, access: Access, *, descend: bool) -> list[Scope]:
    return list(visible(access, root=scope.path).order_by("path")) if descend else [scope]


def _as_object(lines: Iterator[tuple[str, Shape]]) -> Iterator[bytes]:
    # In the order in which `rows` tells them.
    names = {"scope": "scopes", "source": "sources", "claim": "claims", "trusted": "trusted"}
    names |= {"conflict": "conflicts", "event": "events"}
    left = list(names)
    yield b'{"export": '
    yield _encode(next(lines)[1])
    current = ""
    for kind, row in lines:
        while kind != current:
            yield b"]" if current else b""
            current = left.pop(0)
            yield f',\n"{names[current]}": ['.encode()
            comma = b"\n"
        yield comma + _encode(row)
        comma = b",\n"
    yield b"]" if current else b""
    for name in left:
        yield f',\n"{names[name]}": []'.encode()
    yield b"}\n"


def rows(scope: Scope, access: Access, *, descend: bool = False) -> Iterator[tuple[str, Shape]]:
    """(type, row) in the order of the types; the shapes are those of the API where it has one."""
    with _snapshot():
        scopes = _scopes(scope, access, descend=descend)
        paths = {row.pk: row.path for row in scopes}
        yield "export", {"version": VERSION, "scope": scope.path, "descend": descend, "scopes": list(paths.values())}
        for row in scopes:
            yield "scope", _scope(row)
        sources = Source.objects.filter(scope__in=paths).select_related("conversation").prefetch_related("sections")
        for source in _each(sources, SOURCES_AT_ONCE):
            yield "source", _source(source, paths)
        for claims in _chunks(Claim.objects.filter(scope__in=paths).defer("search"), ROWS_AT_ONCE):
            words = evidence_of(claim.pk for claim in claims)
            refs = _refs({claim.successor_id for claim in claims} | {claim.graduates_id for claim in claims})
            strangers = _from_out_of_sight(claims, access)
            for claim in claims:
                shape = _claim(claim, words[claim.pk], refs, paths, access)
                yield "claim", shape | {"proposed": None} if claim.pk in strangers else shape
        for trusted in _each(TrustedState.objects.filter(scope__in=paths).select_related("replaces"), ROWS_AT_ONCE):
            yield "trusted", _trusted(trusted, paths)
        for conflicts in _chunks(Conflict.objects.filter(scope__in=paths), ROWS_AT_ONCE):
            members = _members(conflicts)
            for conflict in conflicts:
                yield "conflict", _conflict(conflict, members[conflict.pk], paths)
        events = JournalEvent.objects.filter(scope__in=paths).select_related("undone_by").prefetch_related("changes")
        for event in _each(events, ROWS_AT_ONCE):
            yield "event", _event(event, paths, access)


class _snapshot:
    """All statements of the stream see the same rows, and write none."""

    def __enter__(self) -> None:
        alone = not connection.in_atomic_block
        self.outer: AbstractContextManager[Any] = transaction.atomic() if alone else nullcontext()
        self.outer.__enter__()
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def __exit__(self, *error: Any) -> None:
        self.outer.__exit__(*error)


def _chunks[M: models.Model](found: models.QuerySet[M], size: int) -> Iterator[list[M]]:
    """By id, so that each page starts where the last one ended."""
    last = 0
    while chunk := list(found.filter(pk__gt=last).order_by("pk")[:size]):
        yield chunk
        last = chunk[-1].pk


def _each[M: models.Model](found: models.QuerySet[M], size: int) -> Iterator[M]:
    for chunk in _chunks(found, size):
        yield from chunk


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
        row, "name", "tier", "packs", "timezone", "stage", "retention_days", "policies", "version", "created_at"
    )


def _source(row: Source, paths: dict[int, str]) -> Shape:
    shape = _columns(
        row, "id", "kind", "sender", "sender_kind", "sent_at", "position", "title", "text", "sha256", "external_id",
        "reply_to", "created_at", "purged_at",
    )  # fmt: skip
    return shape | {
        "scope": paths[row.scope_id],
        "conversation": row.conversation.external_id if row.conversation else None,
        "replaces": row.replaces_id,
        "sections": [
            _columns(section, "name", "speaker", "heading_path", "start", "end") for section in row.sections.all()
        ],
    }


def _claim(row: Claim, words: list[Citation], refs: dict[int, str], paths: dict[int, str], access: Access) -> Shape:
    shape = _columns(
        row, "id", "ref", "layer", "key", "topic", "tags", "value_type", "value", "statement", "status", "assignee",
        "downstream", "confidence", "confidence_word", "rank", "valid_from", "valid_to", "names_replaced",
        "deferred_until", "expires_at", "promoted_at", "disputed", "needs_recheck", "needs_review", "high_risk",
        "anchors_to_choose", "rule", "extractor", "extractor_version", "hand_authored", "proposed", "summary",
        "seen_count", "created_at", "last_seen_at", "version",
    )  # fmt: skip
    return shape | {
        "scope": paths[row.scope_id],
        "kind": row.kind_id,
        "run": row.run_id,
        "successor": refs.get(row.successor_id) if row.successor_id else None,
        "graduates": refs.get(row.graduates_id) if row.graduates_id else None,
        "evidence": [_evidence(one, access) for one in words],
    }


def _evidence(row: Citation, access: Access) -> Shape:
    shape = _columns_of_cited(row)
    if row.redacted:
        shape |= {"quote": None, "redacted": True}
    if not row.readable(access):
        shape |= {"quote": None, "section": None, "quote_sha256": None, "withheld": True}
    return shape


def _columns_of_cited(row: Citation) -> Shape:
    names = ("section", "speaker", "start", "end", "quote", "quote_sha256", "stance", "anchor", "created_at")
    return {"id": row.id, "claim": row.claim_id, "source": row.source_id} | {n: getattr(row, n) for n in names}


def _refs(ids: set[int | None]) -> dict[int, str]:
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
    ).values_list("row", "before__scope_id")
    came = list(moves)
    places = Scope.objects.filter(pk__in={place for _, place in came}) if came else ()
    seen = {place.pk for place in places if access.may(Right.READ, place.path)}
    return {row for row, place in came if place not in seen}
