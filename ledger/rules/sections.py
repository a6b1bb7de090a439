"""Sections of a source: who speaks where, under which headings (design §3). Written once, never parsed again."""

from dataclasses import dataclass

from ledger.language.outline import headings, mask_code, one_break

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
    sections: list[SectionSpan] = []
    if not found or found[0].start > 0:
        sections.append(SectionSpan("", speaker, (), 0, found[0].start if found else len(text)))
    open_headings: list[tuple[int, str]] = []
    for at, heading in enumerate(found):
        name = heading.title[:LONGEST_NAME]
        while open_headings and open_headings[-1][0] >= heading.level:
            open_headings.pop()
        open_headings.append((heading.level, name))
        end = found[at + 1].start if at + 1 < len(found) else len(text)
        sections.append(SectionSpan(name, speaker, tuple(title for _, title in open_headings), heading.start, end))
    return sections
