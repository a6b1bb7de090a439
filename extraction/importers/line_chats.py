"""Chats saved line by line, with a clock and a name before the words: IRC logs of many programs, Zoom's saved chat, LINE,
KakaoTalk, iMessage, transcripts with a name and a clock over the words. Which layout a file has is told by how many of its lines
it explains."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from extraction.importers.chat_lines import HALVES, LEVELS
from extraction.importers.clock import iso, local
from extraction.importers.decoding import head_of, lines
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, Remark, named, short
from extraction.importers.names import begun_named, chat_name, day_in, day_named
from ledger.actions.ingest import MAX_TEXT, Incoming

_DAY = r"(?P<day>\d{4}[-/.]\d\d[-/.]\d\d)"
_CLOCK = r"(?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?:[.,]\d{1,6})?"
_HALF = r"(?: ?(?P<half>[AaPp]\.?[Mm]\.?))?"
# HexChat's days have no year: `Mar 04`.
_STAMP = rf"[\[(]?(?:{_DAY}[T ]|(?P<yearless>[A-Z][a-z]{{2}} \d\d) )?{_CLOCK}{_HALF}(?P<zone>Z| ?[+-]\d\d:?\d\d)?[\])]?"
_FROM, _TO = (
    "From|Von|De|Da|Van|Od|Fra|Från|От|Від|開始|从|從|来自|來自",
    "to|To|an|An|à|À|a|A|para|aan|do|til|till|кому|до|宛先|到|收件人|至",
)
_WRITTEN = r"(?P<written>\d{4}[년.] ?\d\d?[월.] ?\d\d?[일.]?|[A-Z][a-z]{2,8} \d\d?, \d{4})"


@dataclass(frozen=True, slots=True)
class Layout:
    """How one kind of program writes a line. `said` names `sender` and `text`, `clock` and perhaps `day`, `half`, `zone`; where it
    names no sender the next line does. `also` are other lines, and whose they are; `dedent` is what further lines begin with;
    where the clock is an `offset` it counts from the beginning of the talk, and `3:05` is three minutes."""

    name: str
    said: re.Pattern[str]
    also: tuple[tuple[re.Pattern[str], str], ...] = ()
    dedent: str = ""
    offset: bool = False


_IRC, _TABBED = rf"(?:{_STAMP}[ \t]{{1,3}})?", rf"(?:{_DAY} )?{_CLOCK}{_HALF}\t"
# `* ann waves` is hers, `* ann has quit` the program's.
_ACTION = (
    r"(?!(?:Now|Topic|You|Set|Retrieving|Disconnected|Looking|Connected|Rejoined)[ \t])"
    r"(?P<sender>[^\s(\[]\S{0,60})[ \t]{1,3}(?![(\[]\S{1,200}[)\]] |(?:has|have) (?:joined|left|quit|been|changed|set)\b"
    r"|is now (?:known|away)|sets? |was kicked|changes? |set the|joined\b|left\b|quit\b)(?P<text>.*)"
)
_HALF_DAY = r"(?P<half>오전|오후|)\s?"
_AFTER = r"(?: ?(?P<after>[AaPp][Mm]))?"
_PERSON = r"(?P<sender>[^\W\d_][^\d:\n]{0,60}?(?: \d{1,3})?)"
LAYOUTS: Final = (
    Layout(
        "irc",
        re.compile(rf"{_IRC}<[@+%&~!. ]?(?P<sender>[^\s<>]{{1,60}})>(?:[ \t]|(?=\r?\n|\Z))(?P<text>.*)", re.S),
        (
            (re.compile(rf"{_IRC}(?:\*|-\*-|Action:)[ \t]{{1,3}}{_ACTION}", re.S), "user"),
            (
                re.compile(
                    rf"{_IRC}(?P<text>(?:-!-|\*{{1,4}}|[=-]{{2,3}}>?|<--?|[<>]{{2,3}}|-[^\s-]{{1,60}}-)[ \t].*)", re.S
                ),
                "system",
            ),
            # Eggdrop's: `ann (~a@host) joined #yard.`
            (re.compile(rf"{_STAMP}[ \t](?P<text>\S{{1,60}} \(\S{{1,260}}\) (?:joined|left) .*)", re.S), "system"),
        ),
    ),
    Layout(
        "zoom-chat",
        re.compile(
            rf"(?:{_DAY}[ \t])?{_CLOCK}{_HALF}[ \t]{{1,3}}(?:{_FROM})[ \t]{{1,3}}(?P<sender>[^\s:][^:\n]{{0,100}}?)"
            rf"(?:[ \t]{{1,3}}(?:{_TO})[ \t]{{1,3}}[^:\n]{{1,200}}?)?[ \t]{{0,2}}:[ \t]{{0,3}}(?P<text>.*)",
            re.S,
        ),
        dedent="\t",
    ),
    Layout(
        "tabbed",
        re.compile(
            rf"{_TABBED}(?![^\t]{{0,4}}(?:--|=!=|<-|->|\*\t))[@+%&~]?(?P<sender>[^\t\n]{{1,100}}?):?\t(?P<text>.*)",
            re.S,
        ),
        (
            (re.compile(rf"{_TABBED}[ ]{{0,3}}\*\t{_ACTION}", re.S), "user"),
            (re.compile(rf"{_TABBED}(?P<text>.+)", re.S), "system"),
        ),
    ),
    Layout(
        "kakaotalk",
        re.compile(rf"\[(?P<sender>[^\[\]\n]{{1,100}})\] \[{_HALF_DAY}{_CLOCK}{_AFTER}\] (?P<text>.*)", re.S),
    ),
    Layout(
        "kakaotalk",
        re.compile(
            rf"{_WRITTEN},? ?(?:at )?{_HALF_DAY}{_CLOCK}{_AFTER}, (?P<sender>[^:\n]{{1,100}}?) : (?P<text>.*)", re.S
        ),
        ((re.compile(rf"{_WRITTEN},? ?(?:at )?{_HALF_DAY}{_CLOCK}{_AFTER}, ?(?P<text>.+)", re.S), "system"),),
    ),
    Layout("imessage", re.compile(rf"{_WRITTEN} {{1,2}}{_CLOCK}{_HALF}(?: \([^()\n]{{1,100}}\))?\s*\Z")),
    Layout("transcript", re.compile(rf"{_PERSON}(?:[ ]{{2,20}}|\t){_CLOCK}\s*\Z"), offset=True),
    Layout("transcript", re.compile(rf"{_PERSON} [(\[]{_CLOCK}[)\]]:?\s*\Z"), offset=True),
    Layout("transcript", re.compile(rf"[(\[]{_CLOCK}[)\]] {_PERSON}: (?P<text>.*)", re.S), offset=True),
    Layout("transcript", re.compile(rf"\[(?P<sender>[^\[\]\n]{{1,60}})\][ \t]{{1,3}}{_CLOCK}\s*\Z")),
    # Pidgin's.
    Layout("transcript", re.compile(rf"\({_CLOCK}{_HALF}\) (?P<sender>[^\s:][^:\n]{{0,60}}): (?P<text>.*)", re.S)),
)
BOT: Final = re.compile(r"\w*bot[_\d]*|zakim|rrsagent|openstack|opendevmeet|supybot|chanserv|nickserv", re.I)
REACTION: Final = re.compile(r"\s*(?:Reacted to |Removed an? )[^\n]{1,400}(?:with|from) ")
REPLY: Final = re.compile(r"\s*Replying to [\"“](?P<quoted>.{1,400}?)[\"”]:?\s*\n", re.S)
# Lines that say from which day on, and those that begin as a day alone: `2026/03/04(Wed)`, `--- Day changed Wed Mar 04 2026`.
DAY_LINE: Final = re.compile(
    r"\s*(?:[-=*]{3,}|Session (?:Start|Time|Ident)|(?:19|20)\d\d[./年]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )"
)
# What iMessage's exporter shows a second time under what it answers, and what it says below a message.
COPIED: Final = re.compile(r" {4,}[A-Z][a-z]{2,8} \d\d?, \d{4} {1,2}\d")
BELOW: Final = re.compile(r"\n(?:This message responded to an earlier message\.|Tapbacks:\n[^\0]{1,2000})\s*\Z")
HEAD_LINES = 400
DAYLESS = "messages have a clock but no day, so their times are not kept; a day in the file's name (2026-03-04) gives them one"
MAX_QUOTED = 10_000


def layout_of(text: str) -> tuple[Layout | None, int]:
    """The layout by which somebody says the most lines of a text's beginning, and how many those are: at least a third of
    those that the layout does not explain as the program's own."""
    shown = [line for line in text.split("\n") if line.strip()][:HEAD_LINES]
    most, at = max((explained(layout, shown), -at) for at, layout in enumerate(LAYOUTS))
    layout = LAYOUTS[-at]
    own = sum(any(form.match(line) for form, kind in layout.also if kind == "system") for line in shown)
    is_page = "</" in text[:2000]
    return (layout, most) if most * 3 >= len(shown) - own and most and not is_page else (None, 0)


def explained(layout: Layout, shown: Sequence[str]) -> int:
    """How many of the lines somebody says by this layout; where words stand below the names, these count too. `* ann waves`
    counts beside what is said alone: a list has such lines as well."""
    heads = [found.groupdict() for line in shown if (found := layout.said.match(line.rstrip("\r")))]
    acts = [form for form, kind in layout.also if kind == "user"]
    acted = sum(any(form.match(line) for form in acts) for line in shown) if heads else 0
    senders = {(part.get("sender") or "").lower() for part in heads}
    return 0 if senders <= LEVELS else acted + sum(2 - bool(part.get("text")) for part in heads)


@dataclass(slots=True)
class _Message:
    number: int
    sent: datetime | None
    stamp: str
    sender: str
    kind: str
    words: list[str]
    size: int = 0

    @property
    def text(self) -> str:
        text = BELOW.sub("", "".join(self.words)).strip("\r\n")
        return text[1:-1] if "\n" in text and text[0] == text[-1] == '"' else text if text.strip() else ""


@dataclass(slots=True)
class _Clock:
    """The day a log is at: that of its name until a line names another; a clock that runs back half a day is past midnight."""

    into: Into
    day: datetime | None
    begun: datetime | None = None
    last: timedelta = timedelta()

    def see(self, line: str) -> bool:
        """Whether a line names the day of those below it."""
        named_day = day_in([line[:200]]) if len(line) < 200 and DAY_LINE.match(line) else None
        if named_day:
            self.day, self.last = named_day, timedelta()
        return named_day is not None

    def at(self, part: dict[str, str | None], *, offset: bool) -> datetime | None:
        if offset:
            return self.begun + _elapsed(part["clock"] or "") if self.begun else None
        clock = _since_midnight(part.get("clock") or "", part.get("half") or part.get("after") or "")
        day = self._day_of(part, clock)
        if clock is None or day is None:
            return None
        wall, zone = day + clock, (part.get("zone") or "").strip()
        return iso(f"{wall.isoformat()}{zone}", self.into.zone) if zone else local(wall, self.into.zone)[0]

    def _day_of(self, part: dict[str, str | None], clock: timedelta | None) -> datetime | None:
        """As the line says, else the day of the lines above."""
        written = part.get("day") or part.get("written")
        if (yearless := part.get("yearless")) and self.day:
            written = f"{yearless} {self.day.year}"
        return day_in([written]) if written else self._day_at(clock)

    def _day_at(self, clock: timedelta | None) -> datetime | None:
        if clock is not None and self.day is not None:
            self.day += timedelta(days=self.last - clock > timedelta(hours=12))
            self.last = clock
        return self.day


def _since_midnight(clock: str, half: str) -> timedelta | None:
    if not clock:
        return None
    hour, minute, second = [*map(int, clock.split(":")), 0][:3]
    half = HALVES.get(half.lower().replace(".", ""), "")
    hour = hour % 12 + 12 * (half == "pm") if half else hour
    return timedelta(hours=hour, minutes=minute, seconds=second) if hour < 24 else None


def _elapsed(clock: str) -> timedelta:
    """From `1:02:03`, or minutes and seconds alone."""
    hours, minutes, seconds = [0, *map(int, clock.split(":"))][-3:]
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def read(file: File, into: Into) -> Iterator[Found]:
    """Messages have no ids: clock, sender, text and the number among equals make one."""
    layout, _ = layout_of(head_of(file.head()))
    if layout is None:
        yield file.skipped("its lines begin like no chat that is known")
        return
    ids, name = Ids(), chat_name(file)
    quoted: OrderedDict[str, str] = OrderedDict()
    dayless = 0
    with file.open() as stream:
        for message in _messages(lines(stream), layout, _Clock(into, day_named(file), begun_named(file, into.zone))):
            text, answered = _answer(message.text, quoted)
            kind = "system" if REACTION.match(text) else message.kind
            own = ids.of(message.stamp, message.sender, message.text)
            quoted[" ".join(text.split())[:20]] = own
            dayless += bool(message.stamp) and message.sent is None
            yield file.kept(message.number, Incoming(
                text=text, kind="message", sender=named(message.sender), sender_kind=kind, sent_at=message.sent,
                conversation=short(f"chat:{name}", 300), external_id=own, reply_to=answered, title=name[:500],
            ), empty="a message without text")  # fmt: skip
            if len(quoted) > MAX_QUOTED:
                quoted.popitem(last=False)
    if dayless:
        yield Remark(file.name, f"{dayless} {DAYLESS}")


def _answer(text: str, quoted: OrderedDict[str, str]) -> tuple[str, str]:
    """The words without what they quote, and the message that they answer, as Zoom writes it."""
    reply = REPLY.match(text)
    if reply is None:
        return text, ""
    start = " ".join(reply["quoted"].split()).removesuffix("...").removesuffix("…")[:20]
    found = (own for words, own in reversed(quoted.items()) if words.startswith(start))
    return text[reply.end() :].strip(), next(found, "")


def _messages(written: Iterable[str], layout: Layout, clock: _Clock) -> Iterator[_Message]:
    opened: _Message | None = None
    copied = False
    for number, line in enumerate(written, 1):
        begun = _begun(line, layout, number, clock)
        copied = bool(COPIED.match(line) or (copied and line.strip()))
        if begun is not None:
            if opened is not None:
                yield opened
            opened = begun
        elif not clock.see(line) and not copied and opened is not None:
            _go_on(opened, line, layout)
    if opened is not None:
        yield opened


def _go_on(opened: _Message, line: str, layout: Layout) -> None:
    if not opened.sender and opened.kind == "user":
        opened.sender = line.strip()
    elif opened.size <= MAX_TEXT:
        opened.words.append(line.removeprefix(layout.dedent))
        opened.size += len(line)


def _begun(line: str, layout: Layout, number: int, clock: _Clock) -> _Message | None:
    for form, kind in ((layout.said, "user"), *layout.also):
        found = form.match(line)
        part = found.groupdict() if found else {}
        if found and not (kind == "system" and clock.see(line)):
            sent = clock.at(part, offset=layout.offset)
            sender, text = (part.get("sender") or "").strip(), part.get("text") or ""
            stamp = sent.isoformat() if sent else part.get("clock") or ""
            return _Message(number, sent, stamp, sender, "agent" if BOT.fullmatch(sender) else kind, [text])
    return None
