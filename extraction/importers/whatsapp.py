"""WhatsApp (and Signal) chats saved as text."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.importers.chat_lines import Header, header_of, sender_of, survey, wall
from extraction.importers.clock import local
from extraction.importers.decoding import lines
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, Remark, named, short
from extraction.importers.names import chat_name
from ledger.actions.ingest import MAX_TEXT, Incoming

# The notice a chat begins with is told like a message of the group's name; every language's has one of these.
ENCRYPTED = re.compile(
    r"end-to-end|ende-zu-ende|extremo a extremo|bout en bout|ponta a ponta|eind-tot-eind|uçtan uca"
    r"|сквозн|наскрізн|end-til-end"
    r"|totalsträckskryptera|päästä päähän|koncov[ée]|végpontok között|kompleksowo|capăt la capăt"
    r"|端到端|端對端|エンドツーエンド|종단간"
    r"|تامّ?ا? بين الطرفين|مشفرة تمام|מקצה לקצה|एंड-टू-एंड|สุดปลายทาง|đầu cuối|ujung ke ujung",
    re.I,
)
SAMPLE = 1000


@dataclass(slots=True)
class _Open:
    """A message whose further lines may follow."""

    header: Header
    first: str
    more: list[str]
    number: int
    size: int = 0


def read(file: File, into: Into) -> Iterator[Found]:
    """Two passes: one to learn the layout and the order of the dates from the whole file, one to read. Messages have no ids of
    their own: header, sender, text and the number among equals make one, so that a longer export adds only what is new."""
    with file.open() as stream:
        seen = survey(lines(stream), into.now)
    own = seen.own()
    if own is None:
        yield file.skipped("no line begins with a date, a time and a name")
        return
    layout, dates = own
    order, others = dates.decide(layout, layout in seen.american)
    if not order:
        yield file.skipped("no order of day, month and year fits all of its dates")
        return
    if others:
        yield Remark(file.name, f"its dates can be read as {' or '.join([order, *others])}; {order} was taken")
    conversation, title = _conversation(file, layout, into), chat_name(file)[:500]
    doubtful = 0
    for number, message in _messages(file, layout):
        moment = wall(message.header, order)
        if moment is None or not message.text:
            yield file.skipped("its date is none" if moment is None else "a message without text", number)
            continue
        sent, doubt = local(moment, into.zone)
        doubtful += doubt
        yield file.kept(number, Incoming(
            text=message.text, kind="message", sender=message.sender, sender_kind=message.kind, sent_at=sent,
            conversation=conversation, external_id=message.id, title=title,
        ))  # fmt: skip
    if doubtful:
        zone = into.zone.key
        yield Remark(
            file.name, f"{doubtful} times are of an hour that {zone} had twice or not at all; the first was taken"
        )


@dataclass(frozen=True, slots=True)
class _Message:
    header: Header
    sender: str
    kind: str
    text: str
    id: str


def _messages(file: File, layout: str) -> Iterator[tuple[int, _Message]]:
    """Each message with the number of its first line. A line without a header of the file's own layout goes on with the
    message before it."""
    ids = Ids()
    opened: _Open | None = None
    with file.open() as stream:
        for number, line in enumerate(lines(stream), 1):
            header = header_of(line)
            if header is not None and header.layout == layout:
                if opened is not None:
                    yield opened.number, _closed(opened, ids)
                opened = _Open(header, line[header.end :], [], number)
            elif opened is not None and opened.size <= MAX_TEXT:
                opened.more.append(line)
                opened.size += len(line)
    if opened is not None:
        yield opened.number, _closed(opened, ids)


def _closed(opened: _Open, ids: Ids) -> _Message:
    name, at = sender_of(opened.first)
    text = "".join([opened.first[at:], *opened.more]).removesuffix("\n").removesuffix("\r")
    sender = named(name)
    notice = not name or bool(ENCRYPTED.search(opened.first, at, at + 300))
    text = text if text.strip() else ""
    return _Message(
        opened.header, sender, "system" if notice else "user", text, ids.of(opened.header.stamp, sender, text)
    )


def _conversation(file: File, layout: str, into: Into) -> str:
    """The chat's name, or the conversation that holds some of these messages already: an export may be named otherwise, begin
    earlier and end later than the one before. Looked for by the first, the last and some messages between."""
    first: list[str] = []
    last: deque[str] = deque(maxlen=SAMPLE)
    between: list[str] = []
    step = 1
    for number, (_, message) in enumerate(_messages(file, layout)):
        if number < SAMPLE:
            first.append(message.id)
        else:
            last.append(message.id)
            if number % step == 0:
                between.append(message.id)
                if len(between) > 2 * SAMPLE:
                    between, step = between[::2], step * 2
    return into.known_conversation([*first, *last, *between]) or short(f"chat:{chat_name(file)}", 300)
