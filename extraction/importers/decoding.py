"""From bytes to text: UTF-8, or UTF-16 by its byte order mark; everything else is refused with the byte that shows it."""

import codecs
from collections.abc import Iterator
from typing import IO

from extraction.importers.limits import MAX_BYTES, TooMuch

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PIECE = 1 << 20


class NotText(ValueError):
    """Bytes that are no text in the encoding they are in."""


def encoding_of(head: bytes) -> tuple[str, int]:
    """The encoding that a file's first bytes show, and the length of the mark, which is no part of the text."""
    return next(((name, len(mark)) for mark, name in BOMS if head.startswith(mark)), ("utf-8", 0))


def pieces(stream: IO[bytes], first: bytes = b"") -> Iterator[str]:
    """The text bit by bit, line ends and all. Raises `NotText`; what came before the bad byte was yielded."""
    raw = first or stream.read(PIECE)
    encoding, mark = encoding_of(raw)
    decoder = codecs.getincrementaldecoder(encoding)()
    done, raw = mark, raw[mark:]
    while True:
        waiting = len(decoder.getstate()[0])
        try:
            text = decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            raise NotText(f"not {encoding[:6].rstrip('-').upper()} at byte {done - waiting + error.start}") from None
        if text:
            yield text
        if not raw:
            return
        done += len(raw)
        raw = stream.read(PIECE)


def whole(stream: IO[bytes]) -> str:
    """All of a text of at most `MAX_BYTES`. Raises `NotText`, `TooMuch`."""
    raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise TooMuch(f"larger than {MAX_BYTES // 1024**2} MiB")
    encoding, mark = encoding_of(raw)
    try:
        return raw[mark:].decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(f"not {encoding[:6].rstrip('-').upper()} at byte {mark + error.start}") from None


def head_of(raw: bytes) -> str:
    """A file's beginning, to look at: what is no text is left out."""
    encoding, mark = encoding_of(raw)
    return raw[mark:].decode(encoding, "ignore")


def lines(stream: IO[bytes]) -> Iterator[str]:
    """Lines with their ends (LF, CR LF; a lone CR, U+2028 and the like end no line). Raises `NotText`, and `TooMuch` for a line
    that is longer than a text may be."""
    left: list[str] = []
    size = 0
    for piece in pieces(stream):
        start = 0
        while (at := piece.find("\n", start)) >= 0:
            left.append(piece[start : at + 1])
            yield "".join(left)
            left, size, start = [], 0, at + 1
        if start < len(piece):
            left.append(piece[start:])
            size += len(piece) - start
        if size > MAX_BYTES:
            raise TooMuch(f"a line longer than {MAX_BYTES // 1024**2} MiB; the rest of the file is not read")
    if left:
        yield "".join(left)
