"""The registry of decisions across tasks, the log of patterns, and each task with its extracted state (D10).

The shapes are those of the tools that read such files: `decisions.json`, `patterns.jsonl`, `tasks.json`. A task is a
conversation; what rests on no conversation belongs to the task named like its scope. Messages are named by their index in
the task's discussion, from 0.
"""

import datetime as dt
import json
import zoneinfo
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Max

from ledger.models import Claim, Conversation, Evidence, Pattern, Run, Scope, Source

type Shape = dict[str, Any]

FORMATS = ("tasks", "decisions", "patterns")
FILES = {"tasks": "tasks.json", "decisions": "decisions.json", "patterns": "patterns.jsonl"}
# What the discussions' sense of a decision takes in (D1).
KINDS = ("decision", "constraint", "action_item", "correction", "preference")
# Only what a person countersigned is a decision; the words for what became of it are three.
STATUS = {
    "active": "active",
    "superseded": "superseded",
    "archived": "archived",
    "withdrawn": "archived",
    "graduated": "archived",
}
# Where neither a rule nor a person said how sure it is.
UNSAID = "medium"
MAX_SUMMARY = 200
AT_ONCE = 500


def write(scopes: Sequence[Scope], what: str) -> Iterator[bytes]:
    """One of the three files as pieces of UTF-8 text; `what` is one of `FORMATS`."""
    if what == "patterns":
        for row in patterns(scopes):
            yield _encode(row) + b"\n"
    elif what == "decisions":
        yield from _list(decisions(scopes))
    else:
        yield from _object(tasks(scopes))


def decisions(scopes: Sequence[Scope]) -> Iterator[Shape]:
    """Every decision that was made in these scopes, the oldest first, retired ones with their status."""
    zones = {scope.pk: _zone(scope) for scope in scopes}
    names = {scope.pk: task_name(scope) for scope in scopes}
    for claims in _chunks(zones):
        ids = [claim.pk for claim in claims]
        cited = _cited(ids)
        replaced = dict(
            Claim.objects.filter(successor__in=ids, status="superseded").order_by("-id").values_list("successor", "ref")
        )
        for claim in claims:
            words = cited.get(claim.pk, [])
            task, messages, quote = _told(words, names[claim.scope_id])
            yield {
                "id": claim.ref,
                "task_id": task,
                "statement": claim.statement,
                "type": claim.kind_id,
                "confidence": claim.confidence_word or UNSAID,
                "source": {"messages": messages, "summary": claim.summary or quote},
                "downstream": claim.downstream,
                "created_at": _time(claim.created_at, zones[claim.scope_id]),
                "supersedes": replaced.get(claim.pk),
                "status": STATUS[claim.status],
            }


def patterns(scopes: Sequence[Scope]) -> Iterator[Shape]:
    """Every pattern in the order in which they were noted."""
    zones = {scope.pk: _zone(scope) for scope in scopes}
    names = {scope.pk: task_name(scope) for scope in scopes}
    last = 0
    while rows := list(
        Pattern.objects.filter(scope__in=zones, pk__gt=last).select_related("claim").order_by("pk")[:AT_ONCE]
    ):
        last = rows[-1].pk
        through = Pattern.sources.through.objects.filter(pattern__in=[row.pk for row in rows])
        heard: dict[int, list[tuple[str | None, int]]] = {}
        told = through.order_by("pattern_id", "source__position", "source_id")
        for pattern, task, position in told.values_list(
            "pattern_id", "source__conversation__external_id", "source__position"
        ):
            heard.setdefault(pattern, []).append((task, position))
        for row in rows:
            messages = heard.get(row.pk, [])
            yield {
                "id": row.ref,
                "task_id": next((task for task, _ in messages if task), names[row.scope_id]),
                "type": row.type,
                "detected_at": _time(row.detected_at, zones[row.scope_id]),
                "messages": [position for task, position in messages if task],
                "description": row.description,
                "extracted_decision": row.claim.ref if row.claim else None,
                "auto_detected": row.auto_detected,
            }


def tasks(scopes: Sequence[Scope]) -> Iterator[tuple[str, Shape]]:
    """Each task by its id, with its discussion and the refs of what was extracted from it."""
    taken: set[str] = set()
    for scope in scopes:
        found = _Extracted(scope)
        for thread in Conversation.objects.filter(scope=scope).order_by("id").iterator():
            name = thread.external_id
            yield (
                _unique(name, scope, taken),
                {
                    "title": thread.title or name,
                    "discussion": [_message(row, found.zone) for row in _discussion(thread)],
                    "extracted_state": found.state_of(name, thread.pk),
                },
            )
        # What rests on documents and notes.
        for name in sorted(found.made.keys() | found.noted.keys()):
            yield (
                _unique(name, scope, taken),
                {"title": scope.name, "discussion": [], "extracted_state": found.state_of(name, None)},
            )


class _Extracted:
    """What was extracted in one scope, by task; each task's share is taken once."""

    def __init__(self, scope: Scope) -> None:
        self.zone = _zone(scope)
        self.made: dict[str, list[str]] = {}
        for row in decisions([scope]):
            self.made.setdefault(row["task_id"], []).append(row["id"])
        self.noted: dict[str, list[str]] = {}
        for row in patterns([scope]):
            self.noted.setdefault(row["task_id"], []).append(row["id"])
        finished = Run.objects.filter(scope=scope, status="succeeded").values("source__conversation")
        rows = finished.annotate(last=Max("finished_at")).values_list("source__conversation", "last")
        self.last: dict[int | None, dt.datetime] = {thread: last for thread, last in rows if last is not None}

    def state_of(self, task: str, conversation: int | None) -> Shape:
        at = self.last.get(conversation)
        return {
            "decisions": self.made.pop(task, []),
            "patterns": self.noted.pop(task, []),
            "last_extracted": _time(at, self.zone) if at else None,
        }


def task_name(scope: Scope) -> str:
    return scope.path.rpartition("/")[2]


def _unique(name: str, scope: Scope, taken: set[str]) -> str:
    """Two scopes may each have a task of that name: the second is told by its scope."""
    name = name if name not in taken else f"{scope.path}:{name}"
    taken.add(name)
    return name


def _discussion(thread: Conversation) -> Iterator[Source]:
    return Source.objects.filter(conversation=thread).order_by("position", "id").iterator(chunk_size=50)


def _message(row: Source, zone: dt.tzinfo) -> Shape:
    return {
        "id": row.external_id or str(row.pk),
        "from": row.sender or row.sender_kind,
        "role": row.sender_kind,
        "text": row.text,
        "at": _time(row.sent_at or row.created_at, zone),
        "reply_to": row.reply_to or None,
    }


def _chunks(scopes: dict[int, dt.tzinfo]) -> Iterator[list[Claim]]:
    last = 0
    rows = Claim.objects.filter(scope__in=scopes, kind__in=KINDS, status__in=STATUS).defer("search", "proposed")
    while claims := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        yield claims
        last = claims[-1].pk


def _cited(ids: list[int]) -> dict[int, list[tuple[str | None, int, str]]]:
    """By claim (task, message, quote) of what supports it, and of what supports those that merged into it."""
    heirs = {pk: pk for pk in ids}
    merged = Claim.objects.filter(status="merged", successor__in=ids).values_list("pk", "successor")
    heirs |= {pk: heir for pk, heir in merged if heir is not None}
    rows = Evidence.objects.filter(claim__in=heirs).exclude(stance="opposes").order_by("id")
    found: dict[int, list[tuple[str | None, int, str]]] = {}
    for claim, task, position, quote, stance in rows.values_list(
        "claim_id", "source__conversation__external_id", "source__position", "quote", "stance"
    ):
        found.setdefault(heirs[claim], []).append((task, position, quote if stance == "supports" else ""))
    return found


def _told(words: list[tuple[str | None, int, str]], name: str) -> tuple[str, list[int], str]:
    """The task, the messages of it that tell the decision, and the first words that support it."""
    task = next((task for task, _, _ in words if task), None)
    messages = sorted({position for where, position, _ in words if where and where == task})
    quote = " ".join(next((quote for _, _, quote in words if quote), "").split())
    short = quote if len(quote) <= MAX_SUMMARY else quote[: MAX_SUMMARY - 1] + "…"
    return task or name, messages, short


def _zone(scope: Scope) -> dt.tzinfo:
    try:
        return zoneinfo.ZoneInfo(scope.timezone or "UTC")
    except (ValueError, OSError):
        return dt.UTC


def _time(at: dt.datetime, zone: dt.tzinfo) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds")


def _encode(row: Shape) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def _list(rows: Iterator[Shape]) -> Iterator[bytes]:
    yield b"["
    comma = b"\n"
    for row in rows:
        yield comma + _encode(row)
        comma = b",\n"
    yield b"\n]\n"


def _object(rows: Iterator[tuple[str, Shape]]) -> Iterator[bytes]:
    yield b"{"
    comma = b"\n"
    for name, row in rows:
        yield comma + json.dumps(name, ensure_ascii=False).encode() + b": " + _encode(row)
        comma = b",\n"
    yield b"\n}\n"
