"""E-mail (RFC 5322): single messages, and mbox files message by message."""

import email
import email.policy
import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.errors import InvalidBase64LengthDefect, InvalidBase64PaddingDefect
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import IO

from extraction.importers.clock import local
from extraction.importers.decoding import NotText
from extraction.importers.fields import elements, first
from extraction.importers.files import File
from extraction.importers.found import Found, Ids, Into, named, short
from extraction.importers.limits import MAX_BYTES
from ledger.actions.ingest import Incoming
from ledger.rules.sections import SectionSpan

POLICY = email.policy.default.clone(max_line_length=None)
ID = re.compile(r"<([^<>\s]{1,900})>")
# RFC 4155's separator; what looks like it inside a message is written `>From `.
FROM = re.compile(rb"From \S+.*\d{2}:\d{2}")
LYING = {"us-ascii", "ascii", "iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252"}
BLOCKS = set("p div br tr li ul ol table h1 h2 h3 h4 h5 h6 blockquote pre hr".split())
MAX_DEPTH = 40
THREADS = 200_000
# `Auto-Submitted: no` says that somebody wrote it; every other value that nobody did.
AUTOMATIC = re.compile(r"(?!no)\S")
DAEMON = re.compile(r"\A(?:mailer[-. ]daemon|postmaster)\b|\Amail delivery (?:sub)?system\b", re.I)


class Threads:
    """The first message of the thread that each message of a file belongs to."""

    def __init__(self) -> None:
        self._roots: OrderedDict[str, str] = OrderedDict()

    def of(self, own: str, above: list[str]) -> str:
        root = next((self._roots[one] for one in above if one in self._roots), above[0] if above else own)
        if own:
            self._roots[own] = root
            if len(self._roots) > THREADS:
                self._roots.popitem(last=False)
        return root


def read_eml(file: File, into: Into) -> Iterator[Found]:
    with file.open() as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        yield file.skipped(f"a message larger than {MAX_BYTES // 1024**2} MiB")
    else:
        yield message(raw, file, "", into, Threads(), Ids())


def read_mbox(file: File, into: Into) -> Iterator[Found]:
    threads, ids = Threads(), Ids()
    with file.open() as stream:
        for number, raw in enumerate(_split(stream), 1):
            if len(raw) > MAX_BYTES:
                yield file.skipped(f"a message larger than {MAX_BYTES // 1024**2} MiB", number)
            else:
                yield message(raw, file, number, into, threads, ids)


def _split(stream: IO[bytes]) -> Iterator[bytes]:
    """The messages of an mbox, each without its separator; of one that is too long only so much that it shows."""
    held: list[bytes] = []
    size, begun, blank = 0, False, True
    while line := stream.readline(1 << 20):
        if blank and FROM.match(line):
            if begun:
                yield b"".join(held)
            held, size, begun, blank = [], 0, True, False
            continue
        blank = not line.strip(b"\r\n")
        if not begun and blank:
            continue
        begun = True
        size += len(line)
        if size <= MAX_BYTES + (1 << 20):
            held.append(re.sub(rb"\A>(>*From )", rb"\1", line))
    if begun:
        yield b"".join(held)


def message(raw: bytes, file: File, place: object, into: Into, threads: Threads, ids: Ids) -> Found:
    """One message: its plain text parts in their order, or, where it has none, its HTML without the tags. Nothing in the
    headers can break it; a body that is not in the charset it declares is refused with the charset's name and the byte."""
    try:
        mail = email.message_from_bytes(raw, policy=POLICY)
        text, sections = body_of(mail)
    except NotText as error:
        return file.skipped(str(error), place)
    except Exception as error:  # noqa: BLE001 - whatever hostile mail makes the parser raise is this message's fault alone
        return file.skipped(f"cannot be read as e-mail: {type(error).__name__}: {error}", place)
    subject, date = header(mail, "Subject"), header(mail, "Date")
    if not text.strip():
        text, sections = subject, None
    if not text:
        return file.skipped("a message without text", place)
    own = first(*ID.findall(header(mail, "Message-ID")))
    answered = ID.findall(header(mail, "In-Reply-To"))
    above = ID.findall(header(mail, "References")) or answered
    name, address = parseaddr(header(mail, "From") or header(mail, "Sender"))
    root = threads.of(own, above)
    return file.kept(
        place,
        Incoming(
            text=text.replace("\r\n", "\n"),
            sections=sections if "\r\n" not in text else None,
            kind="message",
            sender=named(name or address),
            sender_kind=_sender_kind(mail, name, address),
            sent_at=sent_at(date, into),
            conversation=short(f"mail:{root}", 300) if root else "",
            external_id=short(own) or ids.of(date, address, subject, text),
            reply_to=short(first(*answered, *above[-1:])),
            title=subject[:500],
        ),
    )


def header(mail: Message, name: str) -> str:
    """A header's value decoded (RFC 2047) on one line; what can't be decoded stays as it is written."""
    values = (str(value) for key, value in mail.raw_items() if key.lower() == name.lower())
    text = " ".join(_as_text(next(values, "").encode("utf-8", "surrogateescape")).split())
    try:
        pieces = decode_header(text) if "=?" in text else [(text, None)]
        text = "".join(_piece(piece, charset) for piece, charset in pieces)
    except (LookupError, ValueError, AssertionError):
        pass
    return " ".join(text.replace("\0", "").split()).encode("utf-8", "replace").decode()


def _as_text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _piece(piece: str | bytes, charset: str | None) -> str:
    return piece if isinstance(piece, str) else piece.decode(charset or "ascii", "replace")


def sent_at(date: str, into: Into) -> datetime | None:
    """With the zone it names; `-0000` says UTC, and no zone at all is the scope's."""
    try:
        moment = parsedate_to_datetime(date)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC) if "-0000" in date else local(moment, into.zone)[0]
        return moment.astimezone(UTC) and moment
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _sender_kind(mail: Message, name: str, address: str) -> str:
    """Bounces and receipts are the system's; what answers by itself is an agent's; all else somebody wrote."""
    if mail.get_content_type() == "multipart/report" or DAEMON.search(name) or DAEMON.search(address):
        return "system"
    return "agent" if AUTOMATIC.match(header(mail, "Auto-Submitted").lower()) else "user"


def body_of(mail: Message) -> tuple[str, tuple[SectionSpan, ...] | None]:
    """The text and, where mails are enclosed in it, its sections: enclosed words are somebody else's and stand as a document."""
    pieces = [piece for piece in _parts(mail, "text/plain", "user") if piece[0].strip()]
    if not pieces:
        pages = ((plain_page(page), speaker) for page, speaker in _parts(mail, "text/html", "user"))
        pieces = [piece for piece in pages if piece[0].strip()]
    if "document" not in {speaker for _, speaker in pieces}:
        return "\n".join(text for text, _ in pieces), None
    whole, sections = "", []
    for text, speaker in pieces:
        start = len(whole)
        whole += text.replace("\r\n", "\n") + "\n"
        sections.append(SectionSpan("", speaker, (), start, len(whole)))
    return whole, tuple(sections)


def _parts(part: Message, wanted: str, speaker: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of type `wanted`, each with who speaks in it."""
    if depth > MAX_DEPTH:
        return
    kind = part.get_content_type()
    if part.is_multipart():
        inside = "document" if kind == "message/rfc822" else speaker
        for inner in elements(part.get_payload()):
            if isinstance(inner, Message):
                yield from _parts(inner, wanted, inside, depth + 1)
    elif kind == wanted and part.get_content_disposition() != "attachment":
        yield _decoded(part), speaker


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    charset = _charset(part)
    if charset in LYING and not raw.isascii():
        # Bytes that are UTF-8 by every rule are no accident, whatever the header says.
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-8")
    try:
        return raw.decode(charset)
    except UnicodeDecodeError as error:
        raise NotText(f"not {charset}, as it declares, at byte {error.start} of its text") from None
    except (LookupError, ValueError):
        if any(isinstance(defect, InvalidBase64PaddingDefect | InvalidBase64LengthDefect) for defect in part.defects):
            raise NotText(f"charset {charset[:60]!r} is not known, and its base64 is cut off") from None
        return _undeclared(raw, charset)


def _charset(part: Message) -> str:
    try:
        return str(part.get_content_charset() or "us-ascii")
    except (LookupError, ValueError, TypeError):
        return "us-ascii"


def _undeclared(raw: bytes, charset: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotText(f"charset {charset[:60]!r} is not known, and byte {error.start} is no UTF-8") from None


class _Stripper(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        if tag in BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in ("script", "style")))
        if tag in BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(re.sub(r"\s+", " ", data))


def plain_page(html: str) -> str:
    """What a reader of the page sees, a line for each block."""
    stripper = _Stripper()
    stripper.feed(html)
    stripper.close()
    lines = [line.strip() for line in "".join(stripper.pieces).split("\n")]
    return "\n".join(line for line in lines if line) + "\n"
