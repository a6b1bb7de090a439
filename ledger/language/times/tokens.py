"""A text as tokens of known classes: what is not about time is one blank between them."""

import re
from dataclasses import dataclass
from typing import Any, Final

from ledger.language.fold import fold
from ledger.language.times.lexicon import CHAR, OTHER, Lexicon, Word

# In this order: what must never be taken apart first (addresses, money, phone numbers, versions), then figures, words, signs.
_TOKEN: Final = re.compile(
    r"""
    (?P<never>https?://\S+|www\.\S+|<[^<>\s][^<>]{0,2000}>|[\w.+-]{1,64}@[\w-]{1,64}\.\w[\w.]{0,60}|[$€£]\s?\d[\d.,]*|[$#][^\W\d_]\w*
        |\+\d[\d\s().-]{5,20}\d|\(\d{3}\)\s?\d{3}-\d{4}|[#§v]\d[\d.]*|(?:\d{1,3}\.){3}\d{1,5}|\d{1,3}(?:,\d{3})+(?:\.\d+)?
        |\d[\d.,]*\s?%|\d+(?:-\d+){3,}|\d{3,4}-\d{3,4}(?:-\d{2,4})+|\d{2}-\d{4}-\d{2,4}|24/7)
  | (?P<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w))
  | (?P<ymd>(?<![\w.-])\d{4}(?P<s1>[-/. ])\d{1,2}(?P=s1)\d{1,2}(?![\w/]|[-.]\d))
  | (?P<dmy>(?:(?<![\w.-])|(?<=\d{4}-)|(?<=\d/\d-))\d{1,2}(?P<s2>[-/.])\d{1,2}(?P=s2)(?:\d{4}|\d\d)(?![\w/]|\.\d))
  | (?P<ym>(?<![\w./-])(?:1[89]|2[01])\d\d[-/]\d{1,2}(?![\w/]|-\d))
  | (?P<slash>(?<![\w/.])\d{1,2}/\d{1,2}(?![\w/]))
  | (?P<german>(?:(?<=\bam[ ])|(?<=\bvom[ ])|(?<=\bzum[ ])|(?<=\bden[ ])|(?<=\bab[ ])|(?<=\bbis[ ]))\d{1,2}\.\d{1,2}\.(?![\d]))
  | (?P<clock>(?<![\w:])\d{1,2}:\d\d(?::\d\d)?(?P<c_end>[^\W\d_]{1,4})?(?![\w:]))
  | (?P<ratio>\d+(?::\d+)+)
  | (?P<dotted>(?<![\w.])\d{1,2}\.\d\d?(?P<d_end>[^\W\d_]{1,7})?(?!\w|\.\d))
  | (?P<decimal>\d+[.,]\d[\d.,]*(?P<f_end>[^\W\d_]{1,7})?)
  | (?P<weak>(?<![\w.-])\d{1,2}-\d{1,2}(?![\w-]))
  | (?P<ordinal>\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}[ºª])
  | (?P<figures>(?<!\w)\d+(?![\w½]))
  | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?![\w]))
  | (?P<mixed>\w+)
  | (?P<fraction>½)
  | (?P<break>[ \t]*[\r\n]\s*)
  | (?P<sign>[-–—~/,.:()=@>?!…&])
  | (?P<other>[^\s\w])
    """,
    re.X | re.I,
)
_SIGNS: Final = {
    "-": "dash", "–": "dash", "—": "dash", "~": "dash", "/": "slash_sign", ",": "comma", ".": "stop", ":": "colon",
    "?": "stop", "!": "stop", "…": "stop", "&": "and", "(": "open", ")": "close", "=": "equals", ">": "equals", "@": "at",
}  # fmt: skip
_AMPM: Final = re.compile(r"\s?(?P<half>[ap])(?:\.\s?m\.?|\s?m(?!\w)|(?!\w))", re.I)
_MIXED: Final = re.compile(
    r"(?P<n>\d+)(?P<end>[^\W\d_]+)|(?P<head>[^\W\d_]+)(?P<m>\d+)|(?P<h>\d{1,2})h(?P<min>\d\d)", re.I
)
_SUFFIX: Final = {
    "am": "ampm", "pm": "ampm", "a": "ampm", "p": "ampm", "ampm": "ampm", "h": "glued_h", "hs": "oclock", "w": "unit",
    "d": "unit", "s": "decade_word", "ish": "about", "uhr": "oclock",
}  # fmt: skip
_UNIT_OF: Final = {"w": "week", "d": "day"}


@dataclass(slots=True)
class Node:
    """One token, or what the grammar made of several. `char` stands for its class in the shape that patterns run over."""

    char: str
    start: int
    end: int
    value: Any = None


def nodes_of(text: str, table: Lexicon) -> tuple[list[Node], bool]:
    """The tokens in order, runs of unknown ones as one blank; and whether any could begin an expression of time."""
    nodes: list[Node] = []
    live = False

    def put(cls: str, start: int, end: int, value: Any = None) -> None:
        nonlocal live
        nodes.append(Node(CHAR[cls], start, end, value))
        live = True

    def blank(start: int, end: int) -> None:
        if nodes and nodes[-1].char == OTHER:
            nodes[-1].end = end
        else:
            nodes.append(Node(OTHER, start, end))

    skip_to = 0
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        if start < skip_to:
            continue
        kind = found.lastgroup or ""
        if kind == "word":
            key = fold(found.group())
            if (chains := table.chains.get(key)) and (chained := _chain(text, end, chains)):
                skip_to, word = chained
                put(word.cls, start, skip_to, word.value)
            elif hit := table.words.get(key) or _possessive(table, key):
                end = start + len(key) - 2 if key.endswith("'s") and key not in table.words else end
                put(hit.cls, start, end, hit.value)
                if hit.cls == "word_num" and (half := _AMPM.match(text, end)) and "m" in half.group().lower():
                    skip_to = half.end()
                    put("ampm", half.start("half"), skip_to, half["half"].lower() + "m")
            else:
                blank(start, end)
        elif kind == "sign":
            nodes.append(Node(CHAR[_SIGNS[found.group()]], start, end, found.group()))
        elif kind in ("break", "never", "ratio", "other"):
            blank(start, end)
        else:
            pieces = _figures(kind, found, text, table)
            for cls, begin, stop, value in pieces:
                put(cls, begin, stop, value)
                skip_to = max(skip_to, stop)
            if not pieces:
                blank(start, end)
    return nodes, live


def _possessive(table: Lexicon, key: str) -> Word | None:
    """`today's` is today, and the span ends before the apostrophe."""
    return table.words.get(key[:-2]) if key.endswith("'s") else None


def _chain(text: str, at: int, chains: list[tuple[tuple[str, ...], Any]]) -> tuple[int, Any] | None:
    for rest, word in chains:
        where = at
        for piece in rest:
            gap = where + 1 if text[where : where + 1] in (" ", "-") else where
            stop = gap + len(piece)
            if gap == where or fold(text[gap:stop]) != piece:
                break
            where = stop
        else:
            if not text[where : where + 1].isalnum():
                return where, word
    return None


Piece = tuple[str, int, int, Any]


def _figures(kind: str, found: re.Match[str], text: str, table: Lexicon) -> list[Piece]:
    start, end = found.span()
    said = found.group()
    if kind in ("iso", "ymd", "dmy", "ym", "slash"):
        cls = {"iso": "iso", "ym": "year_month", "slash": "slash"}.get(kind, "date")
        return [(cls, start, end, said)]
    if kind == "german":
        return [("weak_date", start, end, said)]
    if kind in ("c_end", "clock"):
        return _with_end("clock", found, "c_end", text)
    if kind in ("d_end", "dotted"):
        return _with_end("dotted", found, "d_end", text, table)
    if kind in ("f_end", "decimal"):
        return _with_end("decimal", found, "f_end", text, table)
    if kind == "weak":
        cut = said.index("-")
        return [
            ("num", start, start + cut, int(said[:cut])),
            ("dash", start + cut, start + cut + 1, "-"),
            ("num", start + cut + 1, end, int(said[cut + 1 :])),
        ]
    if kind == "ordinal":
        return [("ordinal", start, end, int(re.match(r"\d+", said)[0]))]  # type: ignore[index]
    if kind == "fraction":
        return [("half", start, end, "half")]
    if kind == "figures":
        return _with_ampm(_number(said, start, end), text)
    return _mixed(said, start, end, table, text)


def _number(said: str, start: int, end: int) -> list[Piece]:
    value = int(said) if len(said) <= 8 else -1
    if len(said) <= 2:
        return [("num", start, end, value)]
    if len(said) == 8 and 1900 <= value // 10000 <= 2100 and 1 <= value // 100 % 100 <= 12 and 1 <= value % 100 <= 31:
        return [("date", start, end, f"{said[:4]}-{said[4:6]}-{said[6:]}")]
    if len(said) == 4 and 1500 <= value <= 2199:
        return [("year", start, end, value)]
    if len(said) in (3, 4) and value // 100 <= 24 and value % 100 <= 59:
        return [("digits", start, end, (value // 100, value % 100, len(said) == 4))]
    return []


def _with_ampm(pieces: list[Piece], text: str) -> list[Piece]:
    if (
        pieces
        and pieces[-1][0] in ("num", "digits", "clock", "dotted", "word_num")
        and (half := _AMPM.match(text, pieces[-1][2]))
    ):
        said = half.group().strip().lower()
        if said != "a" and not (said == "p" and half.group() != "p") and _is_meridiem(text, half):
            at = half.start() + len(half.group()) - len(half.group().lstrip())
            pieces.append(("ampm", at, half.end(), half["half"].lower() + "m"))
    return pieces


def _is_meridiem(text: str, half: re.Match[str]) -> bool:
    """German `um 4 am Montag` and `am` before a name of a day or an ordinal is no half of the day."""
    said = half.group().strip()
    return not (said == "am" and half.group() != "am" and _GERMAN_DAY.match(text, half.end()))


_GERMAN_DAY: Final = re.compile(r" (?:Mo|Di|Mi|Do|Fr|Sa|So|\d{1,2}\.|nächst|kommend|letzt)[a-zä]*", re.I)


def _with_end(cls: str, found: re.Match[str], group: str, text: str, table: Lexicon | None = None) -> list[Piece]:
    start, end, ending = found.start(), found.end(), found[group]
    stop = end - len(ending or "")
    pieces: list[Piece] = [(cls, start, stop, text[start:stop])]
    if not ending:
        return _with_ampm(pieces, text)
    low = ending.lower()
    if low in _SUFFIX and low not in ("s", "w", "d"):
        tail = (
            ("oclock", stop, end, 0)
            if low == "h"
            else (_SUFFIX[low], stop, end, "pm" if low[0] == "p" else "am" if low[0] == "a" else low)
        )
        # `8.30 p.m.` glued: `8.30p.m.`
        if low in ("a", "p") and (whole := _AMPM.match(text, stop)):
            tail = ("ampm", stop, whole.end(), low + "m")
        return [*pieces, tail]
    if table and (word := table.words.get(fold(ending))) and word.cls in ("unit", "clock_unit"):
        return [*pieces, (word.cls, stop, end, word.value)]
    return [] if cls != "clock" else pieces


def _mixed(said: str, start: int, end: int, table: Lexicon, text: str) -> list[Piece]:
    if word := table.words.get(fold(said)):
        return [(word.cls, start, end, word.value)]
    parts = _MIXED.fullmatch(said)
    if not parts:
        return []
    if parts["h"]:
        return [("clock", start, end, f"{parts['h']}:{parts['min']}")]
    if parts["head"]:
        return _headed(parts["head"].lower(), parts["m"], start, end, table)
    cut = start + len(parts["n"])
    ending = parts["end"].lower()
    number = _number(parts["n"], start, cut)
    if not number:
        return []
    if ending == "s" and number[0][0] in ("year", "num"):
        return [("decade_word", start, end, int(parts["n"]))]
    if ending in _SUFFIX and ending != "s":
        cls = _SUFFIX[ending]
        value = ending[0] + "m" if cls == "ampm" else _UNIT_OF.get(ending, ending)
        if cls == "unit" and ending == "d" and len(parts["n"]) > 2:
            return []
        if ending in ("a", "p") and (whole := _AMPM.match(text, cut)):
            end = whole.end()
        return [*number, (cls, cut, end, value)]
    word = table.words.get(fold(ending))
    if word and word.cls in ("unit", "clock_unit", "month", "month_weak", "oclock"):
        return [*number, (word.cls, cut, end, word.value)]
    return []


def _headed(head: str, figures: str, start: int, end: int, table: Lexicon) -> list[Piece]:
    cut = start + len(head)
    if head in ("q", "h") and len(figures) == 1 and 1 <= int(figures) <= (4 if head == "q" else 2):
        return [("yearly_half", start, end, (head, int(figures)))]
    if head in ("cy", "fy", "sy") and len(figures) in (2, 4):
        year = int(figures) if len(figures) == 4 else 2000 + int(figures)
        return [("calendar_kind", start, cut, head), ("year", cut, end, year)]
    word = table.words.get(fold(head))
    if word and word.cls in ("month", "month_weak", "week_number") and len(figures) in (1, 2, 4):
        return [(word.cls, start, cut, word.value), *_number(figures, cut, end)]
    return []
