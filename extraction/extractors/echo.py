"""Our own words coming back: lines of a context pack or a mirror that somebody pasted, quoted, wrapped, or an agent repeated
(law 8)."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from extraction.extractors.documents.hits import SectionLike
from ledger.models import Source
from ledger.reads.claims import refs_that_exist

_REF: Final = r"[A-Z]{2,6}[-‐‑]\d{8}[-‐‑]\d{3,9}"
_PLACE: Final = r"source[\s>]{1,9}\d{1,19}:\d{1,9}[-‐‑–]\d{1,9}"
# `[DEC-20260130-001 source 3:10-42]`, as ledger.rules.packing ends a line; what carried it may have broken it anew.
_CITATION: Final = re.compile(rf"\[(?:{_REF}[\s>]{{1,9}}(?:withheld|{_PLACE})|{_PLACE})\]")
_NAMED: Final = re.compile(rf"^[ \t>]*[-*•] .*\[{_REF}\][ \t\r]*$", re.M)
# How an agent gives a line of a pack back.
_REPEATED: Final = re.compile(rf"^.*\[{_REF}\][ \t\r.!]*$", re.M)
_BULLET: Final = re.compile(r"(?:^|\n)[ \t>]*[-*•][ \t]")
_BULLET_IN_LINE: Final = re.compile(r"(?:^|[ \t])[-*•][ \t]")
_PARAGRAPH: Final = re.compile(r"\n[ \t>\r]*\n")
_MIRRORED: Final = re.compile(rf"^[ \t>]*- `{_REF}` .*\]\(/sources/\d{{1,19}}\)[ \t\r]*$", re.M)
_A_REF: Final = re.compile(rf"(?<![\w-]){_REF}(?![\w-])")
# What stands before and behind the ref in a line that says what it says.
_CARRIED: Final = tuple(
    (re.compile(before, re.I), re.compile(after))
    for before, after in (
        (
            r"(?<!\bsee)(?<!\balso)(?<!\bcf\.)(?<!\bper)(?<!\bin)(?<!\bof)(?<!\bby)(?<!\bthan)(?<!\bfrom)(?<!\bto)(?<!\bwith)"
            r"(?<!\breplaces)(?<!\bsupersedes)(?<!\bunlike)(?<!\bagainst)(?<!\bsiehe)(?<!\bvgl\.)(?<!\bvoir)(?<!\bver)"
            r"(?<=[^\s>*•-])[ \t]*[(\[]`?\Z",
            r"`?[)\]][ \t\r.!]*\Z",
        ),
        (r"[.!?。][\"”’)*_]*[ \t]+[*_`]*\Z", r"[*_`]*[ \t\r.!]*\Z"),
        (r"\S[ \t]+[-–—]{1,2}[ \t]+[*_`(\[]*\Z", r"[*_`)\]]*[ \t\r.!]*\Z"),
        (r"\A[ \t>]*(?:[-*+•|][ \t]*)*[*_(\[]*\Z", r"[*_)\]]*[ \t]*[:·|—–]"),
        (r"\A[ \t>]*(?:[-*+•|][ \t]+)+`\Z", r"`[ \t]*[:·|]?[ \t]*\S"),
        (r"\A[ \t>*_#-]*[^\W\d_]{1,20}[ \t]?[(\[]\Z", r"[)\]][*_]*[ \t]?:"),
    )
)
# A line of a pack has at most so many characters, however it is wrapped.
_MAX_LINE: Final = 1_500

type Ranges = list[tuple[int, int]]


def echoes_in(source: Source, sections: Sequence[SectionLike] = ()) -> Ranges:
    """The echoed ranges of a source. One query, and only where a line of it carries what may be a ref of ours."""
    carried = list(lines_with_refs(source.text))
    ours = refs_that_exist({ref for ref, _ in carried}) if carried else set()
    return echoed_ranges(source.text, sections, [span for ref, span in carried if ref in ours])


def echoed_ranges(text: str, sections: Sequence[SectionLike] = (), ours: Ranges | None = None) -> Ranges:
    """The lines of context packs and mirrors in a text, in order and without overlaps, and those of `ours`. Otherwise a line that
    only names a ref is one where other lines of the text show that they come from a pack, or where an agent says it: people
    cite by ref too."""
    ranges = list(ours or ())
    if cited := _cited(text) if "source" in text or "withheld]" in text else []:
        ranges += [*cited, *(match.span() for match in _NAMED.finditer(text))]
    if "](/sources/" in text:
        ranges += [match.span() for match in _MIRRORED.finditer(text)]
    for section in sections:
        if section.speaker == "agent":
            ranges += [match.span() for match in _REPEATED.finditer(text, section.start, section.end)]
    return _joined(ranges)


def lines_with_refs(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Lines that are given as what a ref says, each with that ref: `words (REF)`, `words. REF`, `REF: words`, ``- `REF` words``,
    `Decision (REF): words`. A line that only points to one (`see [REF]`, `replaces REF`) says something of its own."""
    for named in _A_REF.finditer(text):
        start = max(text.rfind("\n", 0, named.start()) + 1, named.start() - _MAX_LINE)
        end = text.find("\n", named.end())
        before = text[start : named.start()]
        after = text[named.end() : end if end >= 0 else len(text)][:_MAX_LINE]
        if any(left.search(before) and right.match(after) for left, right in _CARRIED):
            yield (
                named[0].replace("‐", "-").replace("‑", "-"),
                (_line_start(text, start, named.start()), named.end() + len(after)),
            )


def is_within(ranges: Ranges, position: int) -> bool:
    at = bisect_right(ranges, position, key=lambda one: one[0]) - 1
    return at >= 0 and position < ranges[at][1]


def _cited(text: str) -> Ranges:
    """From each citation back to where its line began: its bullet, in the line or further up where it was wrapped."""
    found: Ranges = []
    end = 0
    for match in _CITATION.finditer(text):
        found.append((_line_start(text, end, match.start()), match.end()))
        end = match.end()
    return found


def _line_start(text: str, previous: int, citation: int) -> int:
    low = max(previous, citation - _MAX_LINE)
    for paragraph in _PARAGRAPH.finditer(text, low, citation):
        low = paragraph.end()
    bullets = [low + bullet.start() for bullet in _BULLET.finditer(text[low:citation])]
    if bullets:
        return bullets[-1]
    line = max(low, text.rfind("\n", low, citation) + 1)
    in_line = _BULLET_IN_LINE.search(text[line:citation])
    return line + in_line.start() if in_line else line


def _joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    joined: Ranges = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
