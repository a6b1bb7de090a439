"""Captions of a talk, WebVTT, SRT or SBV, as Zoom, Teams and Meet write them: who speaks stands in a voice tag or before a
colon."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from html import unescape
from itertools import islice
from typing import Final

from extraction.importers.decoding import lines
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, named, short
from extraction.importers.names import begun_named, chat_name
from ledger.actions.ingest import MAX_TEXT, Incoming

TIMING: Final = re.compile(r"\s*(?:(\d{1,4}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,3})(?:\s{1,4}-->\s{1,4}|,)[\d:.,]")
VOICE: Final = re.compile(r"<v(?:\.[^ >]{0,80})?[ \t]+([^>]{1,200})>")
TAG: Final = re.compile(r"</?[a-z][^<>]{0,100}>|<\d[\d:.]{0,20}>|\{\\[^{}]{0,40}\}", re.I)
# A name before a colon: of up to five words, each with a capital or of a script without capitals, a number or a role beside it.
NAMED: Final = re.compile(
    r"(?:>>|[-–])?[ \t]*(?P<name>(?:[^\W\d_a-z][\w.'’&-]{0,40}|de|van|von|der|di|da|la|le|bin|al)"
    r"(?:[ ](?:[^\W\d_a-z][\w.'’&-]{0,40}|de|van|von|der|di|da|la|le|bin|al|\d{1,3})){0,4}(?: ?[(\[][^()\[\]\n]{1,60}[)\]])?)"
    r"[ ]?(?:：|:(?:[ \t]+|\Z))"
)
# Whatever stands before a colon or in brackets: names where nearly every cue begins so.
ANY_NAMED: Final = re.compile(
    r"(?:>>|[-–])?[ \t]*(?:[(\[](?P<framed>[^()\[\]\n]{1,60})[)\]][ ]?:?"
    r"|(?P<name>[^\s:：\[(][^:：\n]{0,60}?)[ ]?(?:：|:(?=\s|\Z)))\s*"
)
NEARLY_EVERY = 0.8
FIRST_CUES = 400
NOBODY: Final = re.compile(r"(?!)")
LABELS: Final = frozenset(
    """decision decisions decided action actions ai todo note notes question answer resolved resolution agreed example warning
    update status summary agenda topic next item owner deadline reason context option conclusion proposal""".split()
)
SENTENCE_END: Final = re.compile(r"[.!?…。！？][\"'”’)\]]*\Z")
# A pause after which the same speaker begins anew, and how long one message of theirs may get.
PAUSE = timedelta(seconds=8)
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Cue:
    begun: timedelta
    number: int
    speaker: str
    text: str


def read(file: File, into: Into) -> Iterator[Found]:
    """A cue is a message; a sentence that goes on in the next cue of the same speaker is one message with it. Where no cue names
    a speaker, the talk is one document. Times count from the day, or the moment, that the file's name says."""
    with file.open() as stream:
        form = _form_of_names(lines(stream))
    with file.open() as stream:
        speakers = any(cue.speaker for cue in cues(lines(stream), form))
    with file.open() as stream:
        spoken = cues(lines(stream), form)
        yield from _messages(spoken, file, into) if speakers else _document(spoken, file)


def _messages(spoken: Iterable[Cue], file: File, into: Into) -> Iterator[Found]:
    begun = begun_named(file, into.zone)
    ids, name = Ids(), chat_name(file)
    for cue in _sentences(spoken):
        yield file.kept(cue.number, Incoming(
            text=cue.text, kind="message", sender=named(cue.speaker), sender_kind="user",
            sent_at=begun + cue.begun if begun else None, conversation=short(f"call:{name}", 300),
            external_id=ids.of(str(cue.begun), cue.speaker, cue.text), title=name[:500],
        ))  # fmt: skip


def _document(spoken: Iterable[Cue], file: File) -> Iterator[Found]:
    text, size = list[str](), 0
    for cue in _sentences(spoken):
        text.append(cue.text)
        size += len(cue.text)
        if size > MAX_TEXT:
            break
    yield file.kept("", Incoming(text="\n".join(text), external_id=short(file.name), title=file.path.name[:500]))


def _sentences(spoken: Iterable[Cue]) -> Iterator[Cue]:
    held: Cue | None = None
    last = timedelta()
    for cue in spoken:
        if held and _goes_on(held, cue, last):
            held = replace(held, text=f"{held.text} {cue.text}")
        else:
            if held:
                yield held
            held = cue
        last = cue.begun
    if held:
        yield held


def _goes_on(held: Cue, cue: Cue, last: timedelta) -> bool:
    same = cue.speaker in (held.speaker, "") and len(held.text) < LONGEST and cue.begun - last < PAUSE
    return same and not SENTENCE_END.search(held.text)


def _form_of_names(written: Iterable[str]) -> re.Pattern[str]:
    """How names stand before what is said: of any shape where nearly every cue has one, else of the shape that names have."""
    heads = [bool(_head(cue.text, ANY_NAMED)) for cue in islice(cues(written, NOBODY), FIRST_CUES)]
    return ANY_NAMED if sum(heads) > 1 and sum(heads) >= NEARLY_EVERY * len(heads) else NAMED


def cues(written: Iterable[str], form: re.Pattern[str]) -> Iterator[Cue]:
    """The cues with words in them; one that names nobody is its predecessor's. Notes, styles and numbers between are passed by."""
    begun: timedelta | None = None
    number, speaker, held = 0, "", list[str]()
    for at, line in enumerate(written, 1):
        timing = TIMING.match(line)
        if timing:
            begun, number = _offset(timing), at
        elif begun is not None and line.strip():
            held.append(line)
        elif begun is not None:
            for cue in _spoken(begun, number, held, speaker, form):
                speaker = cue.speaker
                yield cue
            begun, held = None, []
    if begun is not None:
        yield from _spoken(begun, number, held, speaker, form)


def _offset(timing: re.Match[str]) -> timedelta:
    hours, minutes, seconds, part = timing.groups()
    return timedelta(
        hours=int(hours or 0), minutes=int(minutes), seconds=int(seconds), milliseconds=int(part.ljust(3, "0"))
    )


def _spoken(begun: timedelta, number: int, written: Iterable[str], before: str, form: re.Pattern[str]) -> Iterator[Cue]:
    """What is said in one cue, by one speaker or by several, each on a line of theirs."""
    speaker, words = before, list[str]()
    for line in written:
        voice, text = VOICE.search(line), " ".join(unescape(TAG.sub("", line)).split())
        head = None if voice else _head(text, form)
        name = unescape(voice[1]).strip() if voice else _name(head) if head else speaker
        if name != speaker and words:
            yield Cue(begun, number, speaker, " ".join(words))
            words = []
        speaker = name
        words += [text[head.end() :] if head else text]
    if text := " ".join(filter(None, words)):
        yield Cue(begun, number, speaker, text)


def _head(text: str, form: re.Pattern[str]) -> re.Match[str] | None:
    head = form.match(text)
    return head if head and LABELS.isdisjoint(_name(head).lower().split()) else None


def _name(head: re.Match[str]) -> str:
    return next(filter(None, head.groupdict().values()), "")
