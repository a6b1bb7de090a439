"""Sections of a source: who speaks where, under which headings (design §3). Written once, never parsed again."""

from dataclasses import dataclass

from ledger.language.outline import Heading, headings, mask_code, one_break

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A labelled range `start:end` of a text, in code points, half-open. `name` is the heading (empty before the first),
    `heading_path` the headings it stands under, its own last."""

    name: str
    speaker: str
    heading_path: tuple[str, ...]
    start: int
    end: int


class SectionedText:
    """Pieces in their order. Each section is the range from one `section` call to the next; together they tile the text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._open: tuple[str, str, tuple[str, ...], int] | None = None
        self._sections: list[SectionSpan] = []

    def section(self, name: str, speaker: str, path: tuple[str, ...] = ()) -> None:
        """What is written from here on stands in this section."""
        self._close()
        self._open = (name, speaker, path, self._length)

    def write(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def built(self) -> tuple[str, tuple[SectionSpan, ...]]:
        self._close()
        self._open = None
        return "".join(self._pieces), tuple(self._sections)

    def _close(self) -> None:
        if self._open is None:
            return
        name, speaker, path, start = self._open
        if self._length > start:
            self._sections.append(SectionSpan(name, speaker, path, start, self._length))


def sections_of(text: str, *, kind: str, sender_kind: str) -> list[SectionSpan]:
    """Sections that tile `text`: they cover it in order, without gap or overlap; none for an empty text.

    Only documents are split, at Markdown, reStructuredText and HTML headings outside fenced code. Everything else is one
    section of its sender: headers of other speakers pasted into a message (`USER:`, `## User`) change nothing (law 8).
    A document speaks as `document` unless `sender_kind` says who else does.
    """
    if not text:
        return []
    speaker = sender_kind or ("document" if kind == "document" else "user")
    if kind != "document":
        return [SectionSpan("", speaker, (), 0, len(text))]
    found = headings(mask_code(one_break(text)))
    starts = [*(heading.start for heading in found), len(text)]
    sections = [SectionSpan("", speaker, (), 0, starts[0])] if starts[0] > 0 else []
    above: list[Heading] = []
    for heading, end in zip(found, starts[1:], strict=True):
        above = [*(one for one in above if one.level < heading.level), heading]
        path = tuple(one.title[:LONGEST_NAME] for one in above)
        sections.append(SectionSpan(path[-1], speaker, path, heading.start, end))
    return sections
