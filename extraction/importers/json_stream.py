"""JSON larger than memory, record by record: the one module that knows how.

The records are decoded by the standard library's own decoder on a moving window. Measured against ijson 3.6 (yajl) and
json-stream 2.5 (docs/benchmarks.md): two thirds as fast as the one and four times as fast as the other, and it alone keeps
texts exact, where yajl turns half an emoji into a question mark, and can go on behind a broken record.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from extraction.importers.decoding import pieces
from extraction.importers.limits import MAX_BYTES

BLANK = re.compile(r"[ \t\r\n]*")
BETWEEN = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
NUMERIC = "0123456789+-.eE"
TRIES = 200
FAR = 1 << 20
MAX_DIGITS = 400

type Path = tuple[str | int, ...]
type Pattern = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A value and where it stands: keys and numbers from the top."""

    path: Path
    value: Any

    @property
    def place(self) -> str:
        return place_of(self.path)


@dataclass(frozen=True, slots=True)
class Broken:
    """What is no JSON, where, and why. Unless it is the last, what comes after it was found again."""

    path: Path
    why: str

    @property
    def place(self) -> str:
        return place_of(self.path)


def place_of(path: Path) -> str:
    return ".".join(map(str, path)) or "top"


class _End(Exception):
    """Nothing more can be read: the reason."""


def records(stream: IO[bytes], wanted: Iterable[Pattern]) -> Iterator[Record | Broken]:
    """Every value whose path fits one of `wanted` (`*` for each element of a list), in the order of the file; the rest is
    passed by. `()` is the whole. Raises `NotText`; whatever else is wrong is a `Broken`, after which the elements of the same
    list that can still be read follow. A record takes at most `MAX_BYTES` characters."""
    reader = _Reader(pieces(stream), tuple(wanted))
    try:
        yield from reader.walk(())
        if reader.peek():
            yield Broken((), f"text after the end, at character {reader.at()}")
    except (_End, _Wrong) as end:
        yield Broken(reader.path, str(end))


class _Reader:
    def __init__(self, source: Iterator[str], wanted: tuple[Pattern, ...]) -> None:
        self._source, self._wanted = source, wanted
        self._text, self._pos, self._before, self._ended = "", 0, 0, False
        self._decoder = json.JSONDecoder(parse_int=_whole_number)
        self.path: Path = ()

    def at(self) -> int:
        return self._before + self._pos

    def more(self) -> bool:
        """Read on; the part that is done with is let go."""
        if self._ended:
            return False
        bits, size, wanted = [self._text[self._pos :]], 0, len(self._text) - self._pos
        # A long record is tried again only when it has doubled, so that it costs its length and no more.
        while size <= wanted:
            bit = next(self._source, "")
            if not bit:
                self._ended = True
                break
            bits.append(bit)
            size += len(bit)
        self._before += self._pos
        self._text, self._pos = "".join(bits), 0
        return size > 0

    def peek(self) -> str:
        while True:
            found = BLANK.match(self._text, self._pos)
            self._pos = found.end() if found else self._pos
            if self._pos < len(self._text):
                return self._text[self._pos]
            if not self.more():
                return ""

    def value(self) -> Any:
        """The next value, decoded. Raises ValueError with what is wrong."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._pos)
            except RecursionError:
                raise ValueError("nested too deep") from None
            except json.JSONDecodeError as error:
                self._read_on(error)
                continue
            # A number may go on behind the window.
            if isinstance(value, str | dict | list) or self._text[end:].strip(NUMERIC) or not self.more():
                self._pos = end
                return value

    def _read_on(self, error: json.JSONDecodeError) -> None:
        """Where the value goes on behind the window, more of it. Raises ValueError with what is wrong where it does not."""
        in_string = error.msg.startswith("Unterminated string")
        if in_string or error.pos >= len(self._text) - 16:
            if len(self._text) - self._pos <= MAX_BYTES and self.more():
                return
            if not self._ended:
                raise _End(f"a record longer than {MAX_BYTES // 1024**2} MiB") from None
            if in_string or error.pos >= len(self._text):
                raise ValueError("the file ends in the middle of it") from None
        raise ValueError(f"{error.msg} at character {self._before + error.pos}") from None

    def walk(self, path: Path) -> Iterator[Record | Broken]:
        self.path = path
        fits = [one for one in self._wanted if _leads(one, path)]
        first = self.peek()
        if any(len(one) == len(path) for one in fits):
            try:
                yield Record(path, self.value())
            except ValueError as error:
                raise _Wrong(str(error)) from None
        elif first == "{" and (fits or not path):
            yield from self._object(path)
        elif first == "[" and (fits or not path):
            yield from self._list(path)
        else:
            self._pass_by()

    def _object(self, path: Path) -> Iterator[Record | Broken]:
        self._pos += 1
        if self.peek() == "}":
            self._pos += 1
            return
        while True:
            try:
                key = self.value()
            except ValueError as error:
                raise _End(str(error)) from None
            if not isinstance(key, str) or self.peek() != ":":
                raise _End(f"no JSON at character {self.at()}")
            self._pos += 1
            try:
                yield from self.walk((*path, key))
            except _Wrong as error:
                raise _End(str(error)) from None
            if not self._goes_on("}"):
                return

    def _list(self, path: Path) -> Iterator[Record | Broken]:
        self._pos += 1
        if self.peek() == "]":
            self._pos += 1
            return
        number, shape = 0, _Shape()
        while True:
            try:
                for one in self.walk((*path, number)):
                    if isinstance(one, Record) and len(one.path) == len(path) + 1:
                        shape.learn(one.value)
                    yield one
            except _Wrong as error:
                yield Broken((*path, number), str(error))
                if not self._find_next(shape):
                    raise _End(f"after record {number} nothing can be read") from None
                number += 1
                continue
            number += 1
            self.path = path
            if self.peek() not in (",", "]"):
                yield Broken((*path, number - 1), f"no comma after it, at character {self.at()}")
                if not self._find_next(shape):
                    raise _End(f"after record {number - 1} nothing can be read") from None
                continue
            if not self._goes_on("]"):
                return
            if self.peek() == "]":
                raise _End(f"a comma before the end of the list, at character {self.at()}")

    def _goes_on(self, end: str) -> bool:
        sign = self.peek()
        if sign != "" and sign in ("," + end):
            self._pos += 1
            return sign == ","
        raise _End(f"no JSON at character {self.at()}" if sign else "the file ends too early")

    def _find_next(self, shape: "_Shape") -> bool:
        """Behind a broken record the next one that has the keys all before it had."""
        if len(self._text) - self._pos < FAR:
            self.more()
        start = self._pos
        for tried, found in enumerate(BETWEEN.finditer(self._text, start, start + FAR)):
            if tried >= TRIES:
                return False
            try:
                value, _ = self._decoder.raw_decode(self._text, found.end())
            except (ValueError, RecursionError):
                continue
            if shape.fits(value):
                self._pos = found.end()
                return True
        return False

    def _pass_by(self) -> None:
        """A value nobody wants: read level by level, so that its size does not matter."""
        depth = 0
        while True:
            sign = self.peek()
            if sign in ("{", "["):
                depth += 1
                self._pos += 1
            elif sign in ("}", "]"):
                depth -= 1
                self._pos += 1
            elif sign in (",", ":") and depth:
                self._pos += 1
                continue
            elif sign == "":
                raise _End("the file ends too early")
            else:
                try:
                    self.value()
                except ValueError as error:
                    raise _End(str(error)) from None
            if depth <= 0:
                return


class _Wrong(Exception):
    """A value that is no JSON, in a list whose other elements may be read."""


class _Shape:
    """The keys that all records of a list had."""

    def __init__(self) -> None:
        self._keys: frozenset[str] | None = None

    def learn(self, value: Any) -> None:
        if isinstance(value, dict):
            self._keys = frozenset(value) if self._keys is None else self._keys & value.keys()

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict) and (self._keys is None or len(self._keys) > 1 and self._keys <= value.keys())


def _leads(pattern: Pattern, path: Path) -> bool:
    return len(pattern) >= len(path) and all(
        want == "*" if isinstance(have, int) else want == have for want, have in zip(pattern, path, strict=False)
    )


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)
