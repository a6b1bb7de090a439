"""The outline of a text: its lines, fenced code and headings (Markdown, reStructuredText, HTML). Pure, one pass each."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.language.fold import strip_markup


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
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    return text.replace("\x85", "\n").replace("\u2028", "\n").replace("\u2029", "\n")


def at_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern at the beginnings of lines, in order and none within another: what `finditer` finds for `^…`, which
    would look at every letter."""
    match, find, start, over = pattern.match, text.find, 0, 0
    while start >= 0:
        if start >= over and (found := match(text, start)):
            yield found
            over = found.end()
        start = find("\n", start) + 1 or -1


_FRONT_MATTER: Final = re.compile(
    r"---[^\S\n]*(?=\n(?:[ \t]*(?:#[^\n]*)?\n)*[\w-]{1,60}[ \t]*:)(?:\n(?!---)[^\n]*+)*+\n---(?=[ -]*(?:\n|\Z))"
)
_BLACK: Final = re.compile(r"[^\n]")
_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(```+|~~~+)([^\n]*)$", re.M)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.S)


def mask_code(text: str) -> str:
    """`text` with front matter, fenced code and HTML comments blanked, line breaks and length kept. Takes what `one_break` gave."""
    return blank_ranges(text, [(0, front_matter_end(text)), *_fences(text), *_comments(text)])


_LIST_TAG: Final = re.compile(r"<(?:li\b[^<>\n]{0,200}|/?[uo]l\b[^<>\n]{0,200}|/li)>[ \t]*", re.I)


def plain_lists(masked: str) -> str:
    """Lists of HTML as Markdown's, each item on a line of its own, the length kept."""
    if "<li" not in masked and "<LI" not in masked:
        return masked
    return _LIST_TAG.sub(_plain_tag, masked)


def _plain_tag(tag: re.Match[str]) -> str:
    """`<li>` as a mark, `</li>` and the list's own tags as the end of a line."""
    if tag[0][1] in "lL":
        return "\n- ".ljust(len(tag[0]))
    return " " * (len(tag[0]) - 1) + "\n"


def blank_ranges(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """White space in place of the ranges, line breaks and length kept; of two that overlap the first one counts."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(ranges):
        if start >= done:
            pieces += (text[done:start], _BLACK.sub(" ", text[start:end]))
            done = end
    return "".join([*pieces, text[done:]])


def front_matter_end(text: str) -> int:
    """Where the YAML front matter that opens a Markdown text stops; 0 where there is none."""
    front = _FRONT_MATTER.match(text)
    return front.end() if front else 0


def _comments(text: str) -> list[tuple[int, int]]:
    # What follows the last end of a comment is not looked at: many beginnings without an end cost nothing.
    return [found.span() for found in _COMMENT.finditer(text, 0, text.rfind("-->") + 3)]


def _fences(text: str) -> Iterator[tuple[int, int]]:
    lines = _FENCE.finditer(text) if "```" in text or "~~~" in text else iter(())
    for line in lines:
        if _opens(text, line):
            close = next((other for other in lines if _closes(line[1], other)), None)
            yield line.start(), close.end() if close else len(text)


def _opens(text: str, line: re.Match[str]) -> bool:
    return "`" not in line[2] if line[1][0] == "`" else not _is_underline(text, line.start(), line[0])


def _closes(mark: str, line: re.Match[str]) -> bool:
    return line[1].startswith(mark) and not line[2].strip()


def _is_underline(text: str, line_start: int, line: str) -> bool:
    """Tildes under a title of at most their length, that stands after a blank line, underline it."""
    start, end = _line_before(text, line_start)
    above, below = slice(*_line_before(text, start)), line.rstrip()
    title = text[start:end].rstrip()
    return not line.strip("~ \t") and 0 < len(title) <= len(below) and not text[above].strip("~ \t")


def _line_before(text: str, line_start: int) -> tuple[int, int]:
    """Start and end of the line above the one that begins at `line_start`; nothing at the text's beginning."""
    end = max(0, line_start - 1)
    return text.rfind("\n", 0, end) + 1, end


# Lines that may be a heading or its underline, found in C before any Python looks at them.
_LANDMARK: Final = re.compile(
    # `###Tasks` is meant as one; `#tasks` is a tag.
    r"^(?=[ #=\-~^\"'*+:._`])(?: {0,3}(?P<atx>#{1,6})(?:(?:[ \t]|(?<=##)(?=[^\W\d_]))(?P<words>[^\n]*))?"
    r"|(?P<rule>([=\-~^\"'*+#:._`])\4{1,400})[ \t]*)$",
    re.M,
)
_TAG: Final = re.compile(r"<h(?P<level>[1-6])\b[^<>\n]{0,300}>", re.I)
_ATX_CLOSING: Final = re.compile(r"(?:\A|(?<=[ \t]))#+\Z")
_ATTRIBUTES: Final = re.compile(r"\{[:#.][^{]*\}\Z")
_TITLE: Final = re.compile(
    r"(?![ \t]*(?:>|[-*+][ \t]|\d{1,3}[.)][ \t]+\S.{80}|\||[-=~^\"'*+#:._`]{3,}[ \t]*\Z|\{[:%]))(?=[^\n]*\S).{1,200}\Z"
)


def headings(masked: str) -> list[Heading]:
    """The headings of a text from `mask_code`, in order, none overlapping another."""
    marks: Iterable[re.Match[str]] = at_lines(_LANDMARK, masked)
    if "<h" in masked or "<H" in masked:
        marks = sorted([*marks, *_TAG.finditer(masked)], key=lambda mark: mark.start())
    reader = _HeadingReader(masked)
    for mark in marks:
        if mark.start() >= reader.floor:
            reader.read(mark)
    return reader.found


def wide_ends(heads: Sequence[Heading], length: int) -> list[int]:
    """For each heading where the next one as wide as it or wider begins; one pass from the end."""
    ends: list[int] = []
    open_heads: list[Heading] = []
    for heading in reversed(heads):
        while open_heads and open_heads[-1].level > heading.level:
            open_heads.pop()
        ends.append(open_heads[-1].start if open_heads else length)
        open_heads.append(heading)
    return ends[::-1]


@dataclass(slots=True)
class _HeadingReader:
    """What has been found above; nothing above `floor` is looked at again. Levels of underlined titles follow the order in
    which a text first uses its styles, as in reStructuredText; beside `#` headings `=` is 1 and `-` is 2, as in Markdown."""

    text: str
    found: list[Heading] = field(default_factory=list)
    floor: int = 0
    has_atx: bool = False
    over: re.Match[str] | None = None
    levels: dict[tuple[str, bool], int] = field(default_factory=dict)

    def read(self, mark: re.Match[str]) -> None:
        if mark.re is _TAG:
            self._read_html(mark)
        elif mark["atx"]:
            self._read_atx(mark)
        else:
            self._read_underlined(mark)
            self.over = mark

    def _add(self, heading: Heading) -> bool:
        if heading.title:
            self.found.append(heading)
            self.floor = heading.end
        return bool(heading.title)

    def _read_html(self, tag: re.Match[str]) -> None:
        start, close = tag.end(), self.text.find("</h", tag.end(), tag.end() + 2000)
        if close >= 0 and self.text.startswith(tag["level"], close + 3):
            end = self.text.find(">", close, close + 20) + 1 or close + 4
            title = strip_markup(html.unescape(re.sub(r"<[^<>]{0,300}>", "", self.text[start:close])))
            self._add(Heading(int(tag["level"]), tag.start(), end, start, close, title))

    def _read_atx(self, mark: re.Match[str]) -> None:
        words = (mark["words"] or "").rstrip()
        words = _ATTRIBUTES.sub("", _ATX_CLOSING.sub("", words).rstrip()).rstrip()
        start, words = mark.start("words") + len(words) - len(words.lstrip()), words.lstrip()
        heading = Heading(len(mark["atx"]), *mark.span(), start, start + len(words), strip_markup(words))
        self.has_atx |= self._add(heading)

    def _read_underlined(self, mark: re.Match[str]) -> None:
        """A title with this rule under it, and perhaps the same rule over it."""
        rule = mark["rule"]
        start, end = _line_before(self.text, mark.start())
        if start < self.floor or not _TITLE.match(self.text, start, end):
            return
        over = self.over if self.over and self.over.end() == start - 1 and self.over["rule"] == rule else None
        if over is None and not self._stands_alone(start, end, rule):
            return
        words = self.text[start:end].strip()
        first = self.text.index(words, start)
        level = self._level(rule[0], overlined=over is not None)
        whole = over.start() if over else start
        self._add(Heading(level, whole, mark.end(), first, first + len(words), strip_markup(words)))

    def _stands_alone(self, start: int, end: int, rule: str) -> bool:
        """Without a rule over it: a title that begins its line, under a blank one, with a rule that is long enough."""
        above = self.text[slice(*_line_before(self.text, start))].strip()
        least = 3 if rule[0] in "=-" else max(3, len(self.text[start:end].rstrip()))
        return not (above and start > self.floor + 1) and self.text[start] not in " \t" and len(rule) >= least

    def _level(self, sign: str, *, overlined: bool) -> int:
        if self.has_atx and not overlined and sign in "=-":
            return 1 if sign == "=" else 2
        return self.levels.setdefault((sign, overlined), len(self.levels) + 1)
