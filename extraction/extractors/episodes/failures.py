"""Attempts that failed and stayed failed: a tool's output that ended badly, told by its most telling line (C3, C5)."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents import SectionLike
from ledger.rules.bundles.episode import exit_code_of

# The more telling first; of equals the last counts, since tools end with what stopped them.
_TELLING: Final = (
    re.compile(r"^[ \t]*(?:[\w.]*[a-z_](?:Error|Exception|Warning|Interrupt|Exit)|panic|fatal(?: error)?)\b[^\n]*", re.M | re.I),
    re.compile(r"^FAILED [^\n]*|^E[ \t]{2,}[^\n]*", re.M),
    re.compile(
        r"^[^\n]*\b(?:error|failed|failure|denied|refused|not found|no such|cannot|could not|unable|undefined|timed out)\b[^\n]*",
        re.M | re.I,
    ),
    re.compile(r"^[^\n]*\S[^\n]*", re.M),
)  # fmt: skip
LONGEST_LINE: Final = 250


@dataclass(frozen=True, slots=True)
class Failure:
    """`start:end` in code points of the episode's text; `section` is the index of the tool's output."""

    tool: str
    exit_code: int
    start: int
    end: int
    section: int


def failures(text: str, sections: Sequence[SectionLike]) -> Iterator[Failure]:
    """One for each tool's output with an exit code other than 0, unless the same tool succeeds later in the episode: what was
    mended on the way is no dead end."""
    ended = [(at, section, exit_code_of(section.heading_path)) for at, section in enumerate(sections)]
    tools = [(at, section, code) for at, section, code in ended if section.speaker == "tool" and code is not None]
    for place, (at, section, code) in enumerate(tools):
        name = _tool(section)
        mended = any(later == 0 and _tool(other) == name for _, other, later in tools[place + 1 :])
        if code == 0 or mended:
            continue
        line = _telling(text, section.start, section.end)
        if line is not None:
            yield Failure(name, code, *line, at)


def _tool(section: SectionLike) -> str:
    return section.heading_path[0] if len(section.heading_path) > 1 else ""


def _telling(text: str, start: int, end: int) -> tuple[int, int] | None:
    for pattern in _TELLING:
        found = deque(pattern.finditer(text, start, end), maxlen=1)
        if found:
            last = found[0]
            words = last.group()
            left = last.start() + len(words) - len(words.lstrip())
            right = min(last.start() + len(words.rstrip()), left + LONGEST_LINE)
            return (left, right) if right > left else None
    return None
