"""Which words of a text its author stands behind: what is struck out, an example, a template or quoted is masked (law 8).

Each mask keeps length and line breaks, so that every offset found in the masked text holds in the source.
"""

import re
from collections.abc import Sequence
from typing import Final

from ledger.language.fold import STRUCK
from ledger.language.outline import Heading, blank_ranges, wide_ends

# Marks that no reader sees before the first word of a line.
_INVISIBLE: Final = re.compile("^[\ufeff\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e]+", re.M)
_BLOCK: Final = re.compile(
    r"<(examples?|few-?shot|template|sample|pre|samp)\b[^<>\n]{0,100}>.{0,20000}?</\1>", re.I | re.S
)
_EXAMPLE: Final = (
    r"(?:(?:for )?examples?|e\.g\.|templates?|samples?|how to [\w ]{1,40}|syntax|beispiele?|ejemplos?|exemples?)"
)
# A line that introduces an example, and the block below it: indented lines, or one paragraph.
_INTRODUCED: Final = re.compile(
    rf"^[ \t]*(?:[\w ,]{{0,60}}\b)?{_EXAMPLE}[\w ,]{{0,40}}:[ \t]*\n(?:[ \t]*\n)*"
    r"(?P<block>(?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t]*\n(?= {4}|\t))+|[^\n]+(?:\n[^\n]+)*)",
    re.I | re.M,
)
_EXAMPLE_TITLE: Final = re.compile(rf"{_EXAMPLE}(?: \w+){{0,2}}\Z", re.I)
# `She told me "I hate spaces"`: the words of somebody else.
_QUOTED: Final = re.compile(r'"[^"\n]{2,400}"|“[^”\n]{2,400}”|„[^“”\n]{2,400}[“”]|«[^»\n]{2,400}»')


_QUOTED_LINE: Final = re.compile(r"^[ \t]*>[^\n]*$", re.M)
_WROTE: Final = re.compile(r"(?<=\bwrote:)[ \t]*+\n(?:[ \t]*+\n)*+(?:[ \t]*+>[^\n]*(?:\n|\Z))++")
_OWN_WORDS: Final = frozenset({"document", "note", "episode"})


def mask_quoted(shadow: str, kind: str) -> str:
    """Blank what a text only quotes, since others said it before. In messages that is every line after `>`; in documents and
    notes, which set off their own words so, only what stands under a mail's `… wrote:`."""
    if ">" not in shadow:
        return shadow
    pattern = _WROTE if kind in _OWN_WORDS else _QUOTED_LINE
    return _without(pattern, shadow)


def _without(pattern: re.Pattern[str], text: str, group: str | int = 0) -> str:
    return blank_ranges(text, [found.span(group) for found in pattern.finditer(text)])


def without_examples(text: str) -> str:
    """What is struck out, an example or a template, and marks that nobody sees, blanked."""
    text = _INVISIBLE.sub(lambda marks: " " * len(marks.group()), text)
    if "~~" in text or "</" in text:
        text = _without(_BLOCK, _without(STRUCK, text))
    return _without(_INTRODUCED, text, "block")


def without_example_sections(text: str, heads: Sequence[Heading]) -> str:
    """What stands under a heading that says it is an example blanked."""
    titled = [at for at, head in enumerate(heads) if _EXAMPLE_TITLE.match(head.title.strip(" :"))]
    if not titled:
        return text
    ends = wide_ends(heads, len(text))
    return blank_ranges(text, [(heads[at].end, ends[at]) for at in titled])


def without_quoted(text: str) -> str:
    """What stands between quotation marks blanked."""
    return _without(_QUOTED, text)
