"""Take sources in: fast and dull. Text is kept to the byte; what was sent before is recognised, not kept twice (design §4, §6)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Max

from ledger.actions.gate import log_gates
from ledger.actions.locking import lock_names
from ledger.actions.run import Extractor, queue_runs
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid, TooLarge
from ledger.journal import Step, write_events
from ledger.models import Conversation, Gate, Run, Scope, Section, Source, SourceKind, Speaker, Wave
from ledger.rules.permissions import Right
from ledger.rules.sections import SectionSpan, sections_of

# Beyond this a text is no document but an archive, to be cut before it comes.
LONGEST_TEXT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TripwireCheck:
    """What the tripwire said of a message before it came here (O1); `patterns` is why."""

    score: float
    threshold: float
    passed: bool
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Incoming:
    """One text as it arrives. `conversation` and `external_id` are the sender's own ids; `sections` only where the
    server itself built the text, otherwise they are read from it."""

    text: str
    kind: str = SourceKind.DOCUMENT
    sender: str = ""
    sender_kind: str = ""
    sent_at: datetime | None = None
    edited_at: datetime | None = None
    tripwire: TripwireCheck | None = None
    conversation: str = ""
    external_id: str = ""
    reply_to: str = ""
    title: str = ""
    sections: tuple[SectionSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ingested:
    source: Source
    duplicate: bool
    runs: tuple[Run, ...] = ()


def ingest(
    items: Sequence[Incoming],
    *,
    scope: Scope,
    actor: Actor,
    extractors: Sequence[Extractor] = (),
    wave: Wave | None = None,
) -> list[Ingested]:
    """All items in one transaction, answers in their order; each new source gets a run of each of `extractors`, save a message
    that its tripwire did not let pass: it is kept, the gate is logged, and nothing reads it.

    Raises `Invalid` with the item's path (`sources.3.text`) for what PostgreSQL cannot hold, `Forbidden` for a speaker
    the caller was not granted. A fixed number of statements, however many items. A `wave` that is no row yet becomes one
    with its first source, so that what was all sent before leaves no empty wave.
    """
    senders = [
        checked(item, actor=actor, path=f"sources.{at}." if len(items) > 1 else "") for at, item in enumerate(items)
    ]
    with transaction.atomic(savepoint=False):
        actor.require(Right.INGEST, scope)
        prints = [hashlib.sha256(item.text.encode()).hexdigest() for item in items]
        threads = _conversations(scope, items)
        keys = [_identity(item, sender, sha) for item, sender, sha in zip(items, senders, prints, strict=True)]
        lock_names({f"source|{scope.pk}|{key}" for key in keys} | {f"thread|{t.pk}" for t in threads.values()})
        versions = _versions(scope, items, threads)
        counted: dict[str, int] = {}
        dedups: list[str] = []
        replaced: list[str | None] = []
        for item, key, sha in zip(items, keys, prints, strict=True):
            if item.external_id:
                # What was sent before is no news, even where another text has replaced it since: a late retry, or a
                # file that holds both texts of a message, can come as often as it likes.
                texts = versions.setdefault((item.conversation, item.external_id), {})
                replaced.append(None if sha in texts else next(reversed(texts.values()), None))
                dedups.append(texts.setdefault(sha, _hash(key, sha)))
            else:
                # The ordinal among equals: the same line sent twice in one request is two sources, sent again is none.
                counted[key] = counted.get(key, -1) + 1
                dedups.append(_hash(key, str(counted[key])))
                replaced.append(None)
        older = {dedup for dedup in replaced if dedup}
        known = {row.dedup: row for row in Source.objects.filter(scope=scope, dedup__in={*dedups, *older})}
        positions = _positions(threads, known, items, dedups)
        fresh: dict[str, Source] = {}
        for at, (item, dedup) in enumerate(zip(items, dedups, strict=True)):
            if dedup in known or dedup in fresh:
                continue
            fresh[dedup] = Source(
                scope=scope,
                conversation=threads.get(item.conversation),
                kind=item.kind,
                sender=item.sender,
                sender_kind=senders[at],
                sent_at=item.sent_at,
                edited_at=item.edited_at,
                position=positions[at],
                title=item.title,
                text=item.text,
                sha256=prints[at],
                external_id=item.external_id,
                reply_to=item.reply_to,
                replaces=known.get(replaced[at] or ""),
                dedup=dedup,
                wave=wave,
            )
        _link_within_request(fresh, {dedup: old for dedup, old in zip(dedups, replaced, strict=True) if old})
        if wave is not None and wave.pk is None and fresh:
            wave.save()
        runs = _write(list(fresh.values()), items, dedups, senders, scope, actor, extractors)
        answers = []
        told: set[str] = set()
        for dedup in dedups:
            new = dedup in fresh and dedup not in told
            told.add(dedup)
            source = fresh.get(dedup) or known[dedup]
            answers.append(Ingested(source, not new, tuple(runs.get(source.pk, ())) if new else ()))
        return answers


def _link_within_request(fresh: dict[str, Source], replaced: dict[str, str]) -> None:
    """A source may replace one of the same request, whose id must then be known before either is written."""
    if not any(older in fresh for older in replaced.values()):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('ledger_source', 'id')) FROM generate_series(1, %s)", [len(fresh)]
        )
        for source, (pk,) in zip(fresh.values(), cursor.fetchall(), strict=True):
            source.pk = pk
    for dedup, source in fresh.items():
        older = replaced.get(dedup)
        if older in fresh:
            source.replaces_id = fresh[older].pk


def _write(
    sources: list[Source],
    items: Sequence[Incoming],
    dedups: list[str],
    senders: list[str],
    scope: Scope,
    actor: Actor,
    extractors: Sequence[Extractor],
) -> dict[int, list[Run]]:
    if not sources:
        return {}
    Source.objects.bulk_create(sources)
    by_dedup = {source.dedup: source for source in sources}
    sections = []
    gates = []
    kept_only: set[int] = set()
    done: set[str] = set()
    for item, dedup, sender in zip(items, dedups, senders, strict=True):
        if dedup not in by_dedup or dedup in done:
            continue
        done.add(dedup)
        if item.tripwire is not None:
            gates.append(_gate(by_dedup[dedup], item.tripwire))
            if not item.tripwire.passed:
                kept_only.add(by_dedup[dedup].pk)
        spans = (
            item.sections if item.sections is not None else sections_of(item.text, kind=item.kind, sender_kind=sender)
        )
        sections += [
            Section(
                source=by_dedup[dedup], name=span.name[:500], speaker=span.speaker,
                heading_path=list(span.heading_path), start=span.start, end=span.end,
            )
            for span in spans
        ]  # fmt: skip
    Section.objects.bulk_create(sections)
    steps = []
    for source in sources:
        step = Step("ingest", actor=actor, scope=scope)
        step.created(source)
        steps.append(step)
    write_events(steps)
    if gates:
        log_gates(gates)
    read = [source for source in sources if source.pk not in kept_only]
    runs = queue_runs(read, scope=scope, actor=actor, extractors=extractors)
    answer: dict[int, list[Run]] = {}
    for run in runs:
        answer.setdefault(run.source_id, []).append(run)
    return answer


def _gate(source: Source, check: TripwireCheck) -> Gate:
    return Gate(
        source=source,
        stage="tripwire",
        type="words_score",
        score=check.score,
        threshold=check.threshold,
        passed=check.passed,
        decision="proceed" if check.passed else "drop",
        patterns=[pattern[:80] for pattern in check.patterns],
    )


def checked(item: Incoming, *, actor: Actor, path: str = "") -> str:
    """The sender's kind in force. What cannot be stored is refused with its place, before anything is written.

    Raises `Invalid` with `path` before the field's name, `TooLarge`, `Forbidden` for a speaker that was not granted.
    """
    if len(item.text) > LONGEST_TEXT:
        raise TooLarge(f"a source has at most {LONGEST_TEXT} characters", field=path + "text")
    if item.kind not in SourceKind.values:
        raise Invalid(f"kind {item.kind!r} is not one of {', '.join(SourceKind.values)}", field=path + "kind")
    for name in ("text", "sender", "title", "external_id", "conversation", "reply_to"):
        value = getattr(item, name)
        for bad, what in (("\0", "a NUL character"),):
            if bad in value:
                raise Invalid(f"{name} has {what} at {value.index(bad)}", field=path + name)
        place = (
            next((i for i, c in enumerate(value) if "\ud800" <= c <= "\udfff"), None) if not value.isascii() else None
        )
        if place is not None:
            raise Invalid(f"{name} has a lone surrogate at {place}", field=path + name)
    for name, most in (("sender", 200), ("title", 500), ("external_id", 500), ("conversation", 300), ("reply_to", 500)):
        if len(getattr(item, name)) > most:
            raise Invalid(f"{name} has more than {most} characters", field=path + name)
    if not item.text:
        raise Invalid("text is empty", field=path + "text")
    default = "document" if item.kind == SourceKind.DOCUMENT else ("agent" if actor.access.agent else "user")
    speaker = item.sender_kind or default
    if speaker not in Speaker.values:
        raise Invalid(f"sender_kind {speaker!r} is not one of {', '.join(Speaker.values)}", field=path + "sender_kind")
    if not actor.access.may_speak_as(speaker):
        raise Forbidden(f"{actor.name} may not send words of a {speaker}")
    return speaker


def _identity(item: Incoming, sender_kind: str, sha: str) -> str:
    if item.external_id:
        return _hash("id", item.conversation, item.external_id)
    sent = item.sent_at.isoformat() if item.sent_at else ""
    return _hash("text", item.conversation, item.kind, sender_kind, item.sender, sent, sha)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def _conversations(scope: Scope, items: Sequence[Incoming]) -> dict[str, Conversation]:
    names = sorted({item.conversation for item in items if item.conversation})
    if not names:
        return {}
    found = {row.external_id: row for row in Conversation.objects.filter(scope=scope, external_id__in=names)}
    missing = [name for name in names if name not in found]
    if missing:
        Conversation.objects.bulk_create(
            [Conversation(scope=scope, external_id=name) for name in missing], ignore_conflicts=True
        )
        found |= {row.external_id: row for row in Conversation.objects.filter(scope=scope, external_id__in=missing)}
    return found


def _versions(
    scope: Scope, items: Sequence[Incoming], threads: dict[str, Conversation]
) -> dict[tuple[str, str], dict[str, str]]:
    """By thread's name and external id all texts it ever had, the oldest first: {sha256: dedup}."""
    names = {item.external_id for item in items if item.external_id}
    found: dict[tuple[str, str], dict[str, str]] = {}
    if names:
        thread_names = {thread.pk: name for name, thread in threads.items()}
        rows = Source.objects.filter(scope=scope, external_id__in=names).order_by("id")
        for thread, name, sha, dedup in rows.values_list("conversation_id", "external_id", "sha256", "dedup"):
            if not thread or thread in thread_names:
                found.setdefault((thread_names.get(thread, "") if thread else "", name), {}).setdefault(sha, dedup)
    return found


def _positions(
    threads: dict[str, Conversation], known: dict[str, Source], items: Sequence[Incoming], dedups: list[str]
) -> list[int]:
    """Each new source goes to the end of its thread; the thread is locked, so no place is given twice."""
    last: dict[int, int] = {}
    if threads:
        rows = (
            Source.objects.filter(conversation__in=[t.pk for t in threads.values()])
            .values("conversation_id")
            .annotate(last=Max("position"))
            .values_list("conversation_id", "last")
        )
        last = {conversation: position for conversation, position in rows if conversation is not None}
    answer = []
    seen: set[str] = set()
    for item, dedup in zip(items, dedups, strict=True):
        thread = threads.get(item.conversation)
        if thread is None or dedup in known or dedup in seen:
            answer.append(0)
            continue
        seen.add(dedup)
        last[thread.pk] = last.get(thread.pk, -1) + 1
        answer.append(last[thread.pk])
    return answer
