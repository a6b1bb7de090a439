"""The state of a decision record: what its front matter, its header or its Status section says of it, and what replaced it."""

import re
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.replaced import refs_in
from ledger.language.outline import front_matter_end, one_break

# The first word that fits counts; longer ones first.
_OPEN: Final = ("in consideration", "under consideration", "under discussion", "in discussion", "in review", "under review",
                "work in progress", "proposed", "proposal", "draft", "pending", "open", "provisional", "wip", "rfc")  # fmt: skip
_GONE: Final = ("superseded", "superceded", "replaced", "deprecated", "obsolete", "obsoleted", "retired", "rejected",
                "declined", "withdrawn", "abandoned", "cancelled", "deferred", "postponed")  # fmt: skip
_HOLDS: Final = ("accepted", "approved", "adopted", "agreed", "active", "final", "decided", "implementable", "implemented",
                 "done", "enacted", "ratified", "living")  # fmt: skip
_SPELLED: Final = {"superceded": "superseded", "proposal": "proposed"}
_WORD: Final = re.compile(
    rf"(?<![\w-])({'|'.join(sorted((*_OPEN, *_GONE, *_HOLDS), key=len, reverse=True))})(?![\w-])", re.I
)
_FIELD: Final = re.compile(
    r"^[ \t]*[-*>]?[ \t]*[*_]{0,2}status[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(?P<rest>[^\n]{1,200})$", re.I | re.M
)
_HEADING: Final = re.compile(
    r"^(?:#{1,6}[ \t]+(?:\d+\.?[ \t]+)?status[ \t:#]*|status[ \t]*\n[=~^-]{4,}[ \t]*)$"
    r"\n(?P<body>(?:(?!^#{1,6}[ \t])[^\n]*\n?){0,12})",
    re.I | re.M,
)
_REPLACED_BY: Final = re.compile(
    r"\b(?:superseded|superceded|replaced|deprecated|obsoleted)[-_ \t]by\b[ \t]*[:*_]{0,4}(?P<rest>[^\n]{0,200})", re.I
)
_FIRST_LINES: Final = 4_000
_STRUCK: Final = re.compile(r"~~[^~\n]{1,80}~~|<!--.*?-->|^\[//\]:[^\n]*$", re.S | re.M)


@dataclass(frozen=True, slots=True)
class RecordState:
    """`word` as the record's own word in lower case, empty where it names none; `replaced_by` as its references are written
    elsewhere (`ADR-9`)."""

    word: str = ""
    replaced_by: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it is in force as far as the record says. One that says nothing is taken at its word."""
        return not self.word or self.word in _HOLDS

    @property
    def tags(self) -> tuple[str, ...]:
        """`status:accepted`, `replaced-by:ADR-9`."""
        return (*((f"status:{self.word}",) if self.word else ()), *(f"replaced-by:{ref}" for ref in self.replaced_by))

    @property
    def told(self) -> str:
        """What a reviewer reads where the record is not in force."""
        if self.holds:
            return ""
        return f"The record says of itself: {self.word}" + (
            f", by {', '.join(self.replaced_by)}" * bool(self.replaced_by)
        )


def state_of(text: str) -> RecordState:
    """Front matter before header fields before the Status section; struck-out words don't count."""
    plain = one_break(text)
    front = front_matter_end(plain)
    head = plain[: max(front, 0) + _FIRST_LINES]
    section = _HEADING.search(plain[:20_000])
    body = _STRUCK.sub(" ", section["body"]) if section else ""
    fields = [_STRUCK.sub(" ", field["rest"]) for field in _FIELD.finditer(head)]
    word = next((found for words in (*fields, body) if (found := _word_in(words))), "")
    replaced: list[str] = []
    for clause in _REPLACED_BY.finditer(head[:front] + "\n" + head[front:1_500] + "\n" + body):
        replaced += refs_in(clause["rest"])
    return RecordState(word, tuple(dict.fromkeys(replaced)))


def _word_in(words: str) -> str:
    found = _WORD.search(words)
    if found is None:
        return ""
    word = " ".join(found[1].casefold().split())
    return _SPELLED.get(word, word)
