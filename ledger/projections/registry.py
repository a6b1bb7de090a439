"""The registry of decisions across tasks, the log of patterns, and each task with its extracted state (D10).

The shapes are those of the tools that read such files: `decisions.json`, `patterns.jsonl`, `tasks.json`. A task is a
conversation; what rests on no conversation belongs to the task named like its scope. Messages are named by their index in
the task's discussion, from 0.
"""

import datetime as dt
import json
import zoneinfo
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from django.db.models import Max

from ledger.language.shorten import shortened
from ledger.language.subjects import with_subject
from ledger.models import Claim, Conversation, Evidence, Pattern, Run, Scope, Source
from ledger.reads.sql import in_steps
from ledger.rules.secrets import masked

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
        return (_encode(row) + b"\n" for row in patterns(scopes))
    if what == "decisions":
        return _enclosed(b"[", map(_encode, decisions(scopes)), b"]")
    named = (json.dumps(name, ensure_ascii=False).encode() + b": " + _encode(row) for name, row in tasks(scopes))
    return _enclosed(b"{", named, b"}")


def decisions(scopes: Sequence[Scope]) -> Iterator[Shape]:
    """Every decision that was made in these scopes, the oldest first, retired ones with their status."""
    known = {scope.pk: scope for scope in scopes}
    rows = Claim.objects.filter(scope__in=known, kind__in=KINDS, status__in=STATUS).defer("search", "proposed")
    for claims in in_steps(rows, AT_ONCE):
        ids = [claim.pk for claim in claims]
        cited = _cited(ids)
        older = Claim.objects.filter(successor__in=ids, status="superseded").order_by("-id")
        replaced = dict(older.values_list("successor", "ref"))
        for claim in claims:
            scope = known[claim.scope_id]
            task, messages, quote = _source_of(cited[claim.pk], task_name(scope))
            yield {
                "id": claim.ref,
                "task_id": task,
                "statement": with_subject(claim.statement, claim.subject),
                "type": claim.kind_id,
                "confidence": claim.confidence_word or UNSAID,
                "source": {"messages": messages, "summary": claim.summary or quote},
                "downstream": claim.downstream,
                "created_at": _time(claim.created_at, scope),
                "supersedes": replaced.get(claim.pk),
                "status": STATUS[claim.status],
            }


def patterns(scopes: Sequence[Scope]) -> Iterator[Shape]:
    """Every pattern in the order in which they were noted."""
    known = {scope.pk: scope for scope in scopes}
    for rows in in_steps(Pattern.objects.filter(scope__in=known).select_related("claim"), AT_ONCE):
        messages = _messages_of(rows)
        for row in rows:
            scope = known[row.scope_id]
            yield {
                "id": row.ref,
                "task_id": next((task for task, _ in messages[row.pk]), task_name(scope)),
                "type": row.type,
                "detected_at": _time(row.detected_at, scope),
                "messages": [position for _, position in messages[row.pk]],
                "description": row.description,
                "extracted_decision": row.claim.ref if row.claim else None,
                "auto_detected": row.auto_detected,
            }


def _messages_of(rows: Sequence[Pattern]) -> dict[int, list[tuple[str, int]]]:
    """By pattern (task, message) of its sources in conversations."""
    through = Pattern.sources.through.objects.filter(pattern__in=[row.pk for row in rows])
    told = through.order_by("pattern_id", "source__position", "source_id")
    columns = told.values_list("pattern_id", "source__conversation__external_id", "source__position")
    found: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for pattern, task, position in columns:
        if task:
            found[pattern].append((task, position))
    return found


def tasks(scopes: Sequence[Scope]) -> Iterator[tuple[str, Shape]]:
    """Each task by its id, with its discussion and the refs of what was extracted from it."""
    taken: set[str] = set()
    for scope in scopes:
        found = _Extracted(scope)
        for thread in Conversation.objects.filter(scope=scope).order_by("id").iterator():
            name = thread.external_id
            discussion = [_message(row, scope) for row in _discussion(thread)]
            state = found.state_of(name, thread.pk)
            task = {"title": thread.title or name, "discussion": discussion, "extracted_state": state}
            yield _unique(name, scope, taken), task
        # What rests on documents and notes.
        for name in sorted(found.made.keys() | found.noted.keys()):
            task = {"title": scope.name, "discussion": [], "extracted_state": found.state_of(name, None)}
            yield _unique(name, scope, taken), task


class _Extracted:
    """What was extracted in one scope, by task; each task's share is taken once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.made = _refs_by_task(decisions([scope]))
        self.noted = _refs_by_task(patterns([scope]))
        finished = Run.objects.filter(scope=scope, status="succeeded").values("source__conversation")
        self.last = dict(finished.values_list("source__conversation").annotate(last=Max("finished_at")))

    def state_of(self, task: str, conversation: int | None) -> Shape:
        at = self.last.get(conversation)
        return {
            "decisions": self.made.pop(task, []),
            "patterns": self.noted.pop(task, []),
            "last_extracted": _time(at, self.scope) if at else None,
        }


def _refs_by_task(rows: Iterable[Shape]) -> dict[str, list[str]]:
    refs: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        refs[row["task_id"]].append(row["id"])
    return refs


def task_name(scope: Scope) -> str:
    return scope.path.rpartition("/")[2]


def _unique(name: str, scope: Scope, taken: set[str]) -> str:
    """Two scopes may each have a task of that name: the second is told by its scope."""
    name = name if name not in taken else f"{scope.path}:{name}"
    taken.add(name)
    return name


def _discussion(thread: Conversation) -> Iterator[Source]:
    return Source.objects.filter(conversation=thread).order_by("position", "id").iterator(chunk_size=50)


def _message(row: Source, scope: Scope) -> Shape:
    return {
        "id": row.external_id or str(row.pk),
        "from": row.sender or row.sender_kind,
        "role": row.sender_kind,
        "text": row.text,
        "at": _time(row.sent_at or row.created_at, scope),
        "reply_to": row.reply_to or None,
    }


def _cited(ids: Sequence[int]) -> dict[int, list[tuple[str | None, int, str]]]:
    """By claim (task, message, quote) of what supports it, and of what supports those that merged into it."""
    merged = Claim.objects.filter(status="merged", successor__in=ids).values_list("pk", "successor")
    heirs = {pk: pk for pk in ids} | {pk: heir for pk, heir in merged if heir is not None}
    rows = Evidence.objects.filter(claim__in=heirs).exclude(stance="opposes").order_by("id")
    found: dict[int, list[tuple[str | None, int, str]]] = defaultdict(list)
    for claim, task, position, quote, stance, start, secrets in rows.values_list(
        "claim_id", "source__conversation__external_id", "source__position", "quote", "stance", "start", "secrets"
    ):
        quote = masked(quote, secrets, start=start)
        found[heirs[claim]].append((task, position, quote if stance == "supports" else ""))
    return found


def _source_of(words: Sequence[tuple[str | None, int, str]], name: str) -> tuple[str, list[int], str]:
    """The task, the messages of it that tell the decision, and the first words that support it."""
    task = next(filter(None, (task for task, _, _ in words)), None)
    messages = {position for where, position, _ in words if where and where == task}
    quote = " ".join(next(filter(None, (quote for _, _, quote in words)), "").split())
    return task or name, sorted(messages), shortened(quote, MAX_SUMMARY)


def _time(at: dt.datetime, scope: Scope) -> str:
    return at.astimezone(zoneinfo.ZoneInfo(scope.timezone)).isoformat(timespec="seconds")


def _encode(row: Shape) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def _enclosed(left: bytes, pieces: Iterable[bytes], right: bytes) -> Iterator[bytes]:
    yield left
    for between, piece in zip(chain([b"\n"], repeat(b",\n")), pieces, strict=False):
        yield between + piece
    yield b"\n" + right + b"\n"
