"""The outline of a text: its lines, fenced code and headings (Markdown, reStructuredText, HTML). Pure, one pass each."""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ledger.language.normalise import strip_markup


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading from `start` (its line, or the line drawn over it) to `end` (after its text or underline, before the line
    break). The words stand at `title_start:title_end`; `title` is them without markup; level 1 is the widest."""

    level: int
    start: int
    end: int
    title_start: int
    title_end: int
    title: str


def one_break(text: str) -> str:
    """A text of the same length whose only line break is `\\n`, so that every offset found in it holds in the source."""
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    for other in ("\x85", "\u2028", "\u2029"):
        if other in text:
            text = text.replace(other, "\n")
    return text


_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(```+|~~~+)([^\n]*)$", re.M)
_FRONT_FIELD: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[\w-]{1,60}[ \t]*:")
_BLACK: Final = re.compile(r"[^\n]")


def mask_code(text: str) -> str:
    """`text` with front matter, fenced code and HTML comments blanked, line breaks and length kept. Takes what `one_break` gave."""
    pieces: list[str] = []
    done = 0
    for start, end in _masked(text):
        if start < done:
            continue
        pieces += (text[done:start], _BLACK.sub(" ", text[start:end]))
        done = end
    if not pieces:
        return text
    pieces.append(text[done:])
    return "".join(pieces)


def front_matter_end(text: str) -> int:
    """Where the YAML front matter that opens a Markdown text stops; 0 where there is none."""
    if not text.startswith("---") or text[3 : text.find("\n")].strip():
        return 0
    stop = text.find("\n---", 3)
    line_end = text.find("\n", stop + 1)
    if stop < 0 or text[stop + 4 : line_end if line_end >= 0 else len(text)].strip(" -"):
        return 0
    return stop + 4 if _FRONT_FIELD.match(text, text.find("\n") + 1) else 0


def _masked(text: str) -> list[tuple[int, int]]:
    front = front_matter_end(text)
    found = [(0, front)] if front else []
    if "```" in text or "~~~" in text:
        found += _fences(text)
    if "<!--" in text:
        at = text.find("<!--")
        while at >= 0:
            stop = text.find("-->", at + 4)
            if stop < 0:
                break
            found.append((at, stop + 3))
            at = text.find("<!--", stop + 3)
        found.sort()
    return found


def _fences(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    open_mark, open_start = "", 0
    for line in _FENCE.finditer(text):
        mark, rest = line[1], line[2]
        if not open_mark:
            if (mark[0] == "`" and "`" in rest) or (mark[0] == "~" and _is_underline(text, line.start(), line[0])):
                continue
            open_mark, open_start = mark, line.start()
        elif mark[0] == open_mark[0] and len(mark) >= len(open_mark) and not rest.strip():
            found.append((open_start, line.end()))
            open_mark = ""
    if open_mark:
        found.append((open_start, len(text)))
    return found


def _is_underline(text: str, line_start: int, line: str) -> bool:
    """Tildes under a title of at most their length, that stands after a blank line, underline it."""
    if line.strip("~ \t"):
        return False
    before_start = text.rfind("\n", 0, max(0, line_start - 1)) + 1
    title = text[before_start : max(0, line_start - 1)]
    two_up = text[text.rfind("\n", 0, max(0, before_start - 1)) + 1 : max(0, before_start - 1)]
    return bool(title.strip()) and len(title.rstrip()) <= len(line.rstrip()) and not two_up.strip("~ \t")


# Lines that may be a heading or its underline, found in C before any Python looks at them.
_LANDMARK: Final = re.compile(
    r"^(?=[ #=\-~^\"'*+:._`])(?: {0,3}(?P<atx>#{1,6})(?:[ \t](?P<words>[^\n]*))?"
    r"|(?P<rule>([=\-~^\"'*+#:._`])\4{1,400})[ \t]*)$",
    re.M,
)
_TAG: Final = re.compile(r"<h(?P<level>[1-6])\b[^<>\n]{0,300}>", re.I)
_NO_TITLE: Final = re.compile(r"[ \t]*(?:>|[-*+][ \t]|\d{1,3}[.)][ \t]+\S.{80}|\||[-=~^\"'*+#:._`]{3,}[ \t]*$|\{[:%])")
_LONGEST_TITLE: Final = 200


def headings(masked: str) -> list[Heading]:
    """The headings of a text from `mask_code`, in order, none overlapping another."""
    found: list[Heading] = []
    styles: list[tuple[str, bool]] = []
    has_atx = False
    over: re.Match[str] | None = None
    last_end = 0
    marks: Iterable[re.Match[str]] = _LANDMARK.finditer(masked)
    if "<h" in masked or "<H" in masked:
        marks = sorted([*marks, *_TAG.finditer(masked)], key=lambda mark: mark.start())
    for mark in marks:
        if mark.start() < last_end:
            continue
        heading: Heading | None = None
        if mark.re is _TAG:
            heading = _html(masked, mark)
        elif mark["atx"]:
            heading = _atx(masked, mark)
            has_atx = has_atx or heading is not None
        else:
            heading = _underlined(masked, mark, over, last_end, styles, has_atx)
            over = mark
        if heading is not None:
            found.append(heading)
            last_end = heading.end
    return found


def _atx(masked: str, mark: re.Match[str]) -> Heading | None:
    start = mark.start("words")
    words = (mark["words"] or "").rstrip()
    if (bare := words.rstrip("#")) != words and (not bare or bare[-1] in " \t"):
        words = bare.rstrip()
    if words.endswith("}") and (brace := words.rfind("{")) >= 0 and words[brace + 1 : brace + 2] in (":", "#", "."):
        words = words[:brace].rstrip()
    start, words = start + len(words) - len(words.lstrip()), words.lstrip()
    title = strip_markup(words)
    if not title:
        return None
    return Heading(len(mark["atx"]), mark.start(), mark.end(), start, start + len(words), title)


def _html(masked: str, mark: re.Match[str]) -> Heading | None:
    close = masked.find("</h", mark.end(), mark.end() + 2000)
    if close < 0 or masked[close + 3 : close + 4] != mark["level"]:
        return None
    start, end = mark.end(), close
    stop = masked.find(">", close, close + 20)
    title = strip_markup(html.unescape(re.sub(r"<[^<>]{0,300}>", "", masked[start:end])))
    return (
        Heading(int(mark["level"]), mark.start(), stop + 1 if stop > 0 else close + 4, start, end, title)
        if title
        else None
    )


def _underlined(
    masked: str,
    mark: re.Match[str],
    over: re.Match[str] | None,
    floor: int,
    styles: list[tuple[str, bool]],
    has_atx: bool,
) -> Heading | None:
    """A title with this rule under it (and perhaps the same rule over it). Levels follow the order in which a text first
    uses its styles, as in reStructuredText; beside `#` headings `=` is 1 and `-` is 2, as in Markdown."""
    rule = mark["rule"]
    line_end = mark.start() - 1
    if line_end <= floor and line_end <= 0:
        return None
    line_start = masked.rfind("\n", 0, max(line_end, 0)) + 1
    title = masked[line_start:line_end]
    if line_start < floor or not title.strip() or len(title) > _LONGEST_TITLE or _NO_TITLE.match(title):
        return None
    overlined = over is not None and over.end() == line_start - 1 and over["rule"] == rule
    if not overlined:
        above = masked[masked.rfind("\n", 0, max(0, line_start - 1)) + 1 : max(0, line_start - 1)]
        if (above.strip() and line_start > floor + 1) or title[0] in " \t":
            return None
        if len(rule) < (3 if rule[0] in "=-" else max(3, len(title.rstrip()))):
            return None
    style = (rule[0], overlined)
    if has_atx and not overlined and rule[0] in "=-":
        level = 1 if rule[0] == "=" else 2
    else:
        if style not in styles:
            styles.append(style)
        level = styles.index(style) + 1
    words = title.strip()
    start = line_start + title.index(words)
    plain = strip_markup(words)
    if not plain:
        return None
    return Heading(
        level, over.start() if overlined and over else line_start, mark.end(), start, start + len(words), plain
    )
