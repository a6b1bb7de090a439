"""Take sources in: fast and dull. Text is kept to the byte; what was sent before is recognised, not kept twice (design §4, §6)."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Protocol

from django.db import transaction
from django.db.models import Max

from ledger.actions.index_words import index_words
from ledger.actions.locking import lock_names
from ledger.actions.run import ExtractorVersion, queue_runs
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid, TooLarge
from ledger.journal import Step, write_events
from ledger.models import Conversation, Gate, Run, Scope, SecretsSetting, Section, Source, SourceKind, Speaker, Wave
from ledger.reads.secrets import secrets_setting
from ledger.reads.sql import fetch_column
from ledger.rules.columns import check_text
from ledger.rules.secrets import SecretSpan, find_secrets, masked
from ledger.rules.sections import SectionSpan, sections_of
from ledger.verbs import Verb

# Beyond this a text is no document but an archive, to be cut before it comes.
MAX_TEXT = 16 * 1024 * 1024
MAX_CHARACTERS = {
    "text": MAX_TEXT, "sender": 200, "title": 500, "external_id": 500, "conversation": 300, "reply_to": 500,
}  # fmt: skip


class TripwireCheck(Protocol):
    """What the tripwire said of a message before it came here (O1); `patterns` is why."""

    @property
    def score(self) -> float: ...
    @property
    def threshold(self) -> float: ...
    @property
    def passed(self) -> bool: ...
    @property
    def patterns(self) -> Sequence[str]: ...


NO_CHECKS: Mapping[int, TripwireCheck] = {}


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
    conversation: str = ""
    external_id: str = ""
    reply_to: str = ""
    title: str = ""
    sections: tuple[SectionSpan, ...] | None = None


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of one text: its source, whether that was here before, and the runs that were queued for it."""

    source: Source
    duplicate: bool
    runs: tuple[Run, ...] = ()


@dataclass(slots=True)
class Arrival:
    """A text on its way to a row. By `identity` it is known again when it is sent again; `dedup` names its row for good, and
    `replaces` that of the text whose place it takes."""

    item: Incoming
    speaker: str
    sha256: str
    identity: str
    check: TripwireCheck | None
    secrets: Sequence[SecretSpan] = ()
    dedup: str = ""
    replaces: str = ""
    runs: list[Run] = field(default_factory=list)

    @property
    def is_read(self) -> bool:
        """Whether its tripwire, where it has one, let it pass."""
        return self.check is None or self.check.passed


def ingest(
    items: Sequence[Incoming],
    *,
    scope: Scope,
    actor: Actor,
    extractors: Sequence[ExtractorVersion] = (),
    wave: Wave | None = None,
    checks: Mapping[int, TripwireCheck] = NO_CHECKS,
    not_before: datetime | None = None,
) -> list[IngestResult]:
    """All items in one transaction, answers in their order; each new source gets a run of each of `extractors`, save a message
    that its tripwire (`checks`, by the place of the item) did not let pass: it is kept, the gate is logged, and nothing reads it.
    No run begins earlier than `not_before`.

    Raises `Invalid` with the item's path (`sources.3.text`) for what PostgreSQL cannot hold, `Forbidden` for a speaker
    the caller was not granted. A fixed number of statements, however many items. A `wave` that is no row yet becomes one
    with its first source, so that what was all sent before leaves no empty wave.
    """
    paths = [f"sources.{at}." for at in range(len(items))] if len(items) > 1 else [""] * len(items)
    arrivals = [_arrival(item, scope, actor, paths[at], checks.get(at)) for at, item in enumerate(items)]
    with transaction.atomic(savepoint=False):
        actor.require(Verb.INGEST.row.right, scope)
        threads = _conversations(scope, items)
        lock_names(
            {f"source|{scope.pk}|{one.identity}" for one in arrivals} | {f"thread|{t.pk}" for t in threads.values()}
        )
        _name_rows(arrivals, _versions(scope, items, threads))
        named = {one.dedup for one in arrivals} | {one.replaces for one in arrivals}
        known = {row.dedup: row for row in Source.objects.filter(scope=scope, dedup__in=named)}
        fresh: dict[str, Arrival] = {}
        for one in arrivals:
            if one.dedup not in known:
                fresh.setdefault(one.dedup, one)
        sources = known | _write(fresh, known, scope, threads, wave, actor)
        write_events([Step(Verb.INGEST, actor=actor, scope=scope).created(sources[dedup]) for dedup in fresh])
        _queue(fresh, sources, scope, actor, extractors, not_before)
        return [IngestResult(sources[one.dedup], fresh.get(one.dedup) is not one, tuple(one.runs)) for one in arrivals]


def _arrival(item: Incoming, scope: Scope, actor: Actor, path: str, check: TripwireCheck | None) -> Arrival:
    """What was sent, checked; `path` leads to it in the body that was sent."""
    speaker = check_incoming(item, actor=actor, path=path)
    sha256 = hashlib.sha256(item.text.encode()).hexdigest()
    secrets = find_secrets(item.text)
    if secrets:
        refuse_secrets(secrets, scope, path=path)
    return Arrival(item, speaker, sha256, _identity(item, speaker, sha256), check, secrets)


def check_incoming(item: Incoming, *, actor: Actor, path: str = "") -> str:
    """The speaker in force. What cannot be stored is refused with its place, before anything is written.

    Raises `Invalid` with `path` before the field's name, `TooLarge`, `Forbidden` for a speaker that was not granted.
    """
    if len(item.text) > MAX_TEXT:
        raise TooLarge(f"a source has at most {MAX_TEXT} characters", field=path + "text")
    speaker = item.sender_kind or _usual_speaker(item, actor)
    if item.kind not in SourceKind.values:
        raise Invalid(f"kind {item.kind!r} is not one of {', '.join(SourceKind.values)}", field=path + "kind")
    for name, most in MAX_CHARACTERS.items():
        try:
            check_text(name, getattr(item, name), most=most)
        except Invalid as error:
            raise Invalid(error.message, field=path + name) from None
    if not item.text:
        raise Invalid("text is empty", field=path + "text")
    if speaker not in Speaker.values:
        raise Invalid(f"sender_kind {speaker!r} is not one of {', '.join(Speaker.values)}", field=path + "sender_kind")
    if not actor.access.may_speak_as(speaker):
        raise Forbidden(f"{actor.name} may not send words of a {speaker}")
    return speaker


def refuse_secrets(secrets: Sequence[SecretSpan], scope: Scope, *, path: str) -> None:
    """Raises `Invalid` in a scope that takes none, with kind and place of the first, never its words."""
    if secrets_setting(scope.path) == SecretsSetting.REFUSE:
        first = secrets[0]
        what = f"a {first.kind} stands at {first.start} to {first.end}, and this scope takes no secrets"
        raise Invalid(what, field=path + "text")


def _usual_speaker(item: Incoming, actor: Actor) -> str:
    if item.kind == SourceKind.DOCUMENT:
        return Speaker.DOCUMENT
    return Speaker.AGENT if actor.access.agent else Speaker.USER


def _identity(item: Incoming, speaker: str, sha256: str) -> str:
    if item.external_id:
        return _hash("id", item.conversation, item.external_id)
    sent = item.sent_at.isoformat() if item.sent_at else ""
    return _hash("text", item.conversation, item.kind, speaker, item.sender, sent, sha256)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def _conversations(scope: Scope, items: Sequence[Incoming]) -> dict[str, Conversation]:
    """By the sender's own ids; those that are new are written."""
    names = {item.conversation for item in items} - {""}
    rows = Conversation.objects.filter(scope=scope)
    found = {row.external_id: row for row in rows.filter(external_id__in=names)}
    missing = sorted(names - found.keys())
    new = [Conversation(scope=scope, external_id=name) for name in missing]
    Conversation.objects.bulk_create(new, ignore_conflicts=True)
    return found | {row.external_id: row for row in rows.filter(external_id__in=missing)}


type Versions = dict[tuple[str, str], dict[str, str]]


def _versions(scope: Scope, items: Sequence[Incoming], threads: dict[str, Conversation]) -> Versions:
    """By thread's name and external id all texts it ever had, the oldest first: {sha256: dedup}."""
    names = {item.external_id for item in items} - {""}
    found: Versions = {}
    thread_names: dict[int | None, str] = {thread.pk: name for name, thread in threads.items()}
    thread_names[None] = ""
    rows = Source.objects.filter(scope=scope, external_id__in=names).order_by("id")
    for thread, name, sha256, dedup in rows.values_list("conversation_id", "external_id", "sha256", "dedup"):
        if thread in thread_names:
            found.setdefault((thread_names[thread], name), {}).setdefault(sha256, dedup)
    return found


def _name_rows(arrivals: Iterable[Arrival], versions: Versions) -> None:
    """Fill in `dedup` and `replaces`."""
    equals: Counter[str] = Counter()
    for one in arrivals:
        if one.item.external_id:
            # What was sent before is no news, even where another text has replaced it since: a late retry, or a
            # file that holds both texts of a message, can come as often as it likes.
            texts = versions.setdefault((one.item.conversation, one.item.external_id), {})
            one.replaces = "" if one.sha256 in texts else next(reversed(texts.values()), "")
            one.dedup = texts.setdefault(one.sha256, _hash(one.identity, one.sha256))
        else:
            # The ordinal among equals: the same line sent twice in one request is two sources, sent again is none.
            one.dedup = _hash(one.identity, str(equals[one.identity]))
            equals[one.identity] += 1


def _write(
    fresh: dict[str, Arrival],
    known: dict[str, Source],
    scope: Scope,
    threads: dict[str, Conversation],
    wave: Wave | None,
    actor: Actor,
) -> dict[str, Source]:
    """The new sources. Each goes to the end of its thread; the thread is locked, so no place is given twice."""
    if wave is not None and wave.pk is None and fresh:
        wave.save()
    places = _free_places(threads.values())
    sources = {}
    for dedup, one in fresh.items():
        thread = threads.get(one.item.conversation)
        sources[dedup] = Source(
            scope=scope,
            conversation=thread,
            kind=one.item.kind,
            sender=one.item.sender,
            sender_kind=one.speaker,
            sent_at=one.item.sent_at,
            edited_at=one.item.edited_at,
            position=next(places[thread.pk]) if thread else 0,
            title=one.item.title,
            text=one.item.text,
            sha256=one.sha256,
            external_id=one.item.external_id,
            reply_to=one.item.reply_to,
            replaces=known.get(one.replaces),
            dedup=dedup,
            wave=wave,
            secrets=[list(one) for one in one.secrets],
        )
    _link_within_request(sources, {dedup: one.replaces for dedup, one in fresh.items() if one.replaces in fresh})
    Source.objects.bulk_create(sources.values())
    for source in sources.values():
        if source.secrets:
            source.hide_secrets()
    index_words(sources.values())
    Section.objects.bulk_create(
        Section(
            source=sources[dedup], name=span.name[:500], speaker=span.speaker, heading_path=list(span.heading_path),
            start=span.start, end=span.end,
        )
        for dedup, one in fresh.items()
        for span in _sections(one, actor)
    )  # fmt: skip
    return sources


def _sections(one: Arrival, actor: Actor) -> Iterable[SectionSpan]:
    if one.item.sections is not None:
        return one.item.sections
    may_speak_as = actor.access.may_speak_as
    text = masked(one.item.text, one.secrets)
    return sections_of(text, kind=one.item.kind, sender_kind=one.speaker, may_speak_as=may_speak_as)


def _free_places(threads: Iterable[Conversation]) -> dict[int, Iterator[int]]:
    """The places behind the end of each thread."""
    ids = [thread.pk for thread in threads]
    rows = Source.objects.filter(conversation__in=ids).values("conversation_id").annotate(last=Max("position"))
    taken = {row["conversation_id"]: row["last"] for row in rows}
    return {pk: count(taken.get(pk, -1) + 1) for pk in ids}


def _link_within_request(sources: dict[str, Source], replaced: dict[str, str]) -> None:
    """A source may replace one of the same request, whose id must then be known before either is written."""
    if not replaced:
        return
    ids = fetch_column(
        "SELECT nextval(pg_get_serial_sequence('ledger_source', 'id')) FROM generate_series(1, %s)", [len(sources)]
    )
    for source, pk in zip(sources.values(), ids, strict=True):
        source.pk = pk
    for dedup, older in replaced.items():
        sources[dedup].replaces_id = sources[older].pk


def _queue(
    fresh: dict[str, Arrival],
    sources: dict[str, Source],
    scope: Scope,
    actor: Actor,
    extractors: Sequence[ExtractorVersion],
    not_before: datetime | None,
) -> None:
    """Log what the tripwire said, and queue the runs of what it let pass."""
    Gate.objects.bulk_create(_gate(sources[dedup], one.check) for dedup, one in fresh.items() if one.check is not None)
    read = {sources[dedup].pk: dedup for dedup, one in fresh.items() if one.is_read}
    waiting = [sources[dedup] for dedup in read.values()]
    for run in queue_runs(waiting, scope=scope, actor=actor, extractors=extractors, not_before=not_before):
        fresh[read[run.source_id]].runs.append(run)


def _gate(source: Source, check: TripwireCheck) -> Gate:
    return Gate(
        source=source, stage="tripwire", type="words_score", score=check.score, threshold=check.threshold, passed=check.passed,
        decision="proceed" if check.passed else "drop", patterns=[pattern[:80] for pattern in check.patterns],
    )  # fmt: skip
