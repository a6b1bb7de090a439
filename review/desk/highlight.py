"""Evidence lit up inside its source, cut on the server by code points: a browser would count UTF-16 and swallow CR LF."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONTEXT = 700
MAX_LINE = 300
# The stance of words that nobody cites: a search led to them.
SOUGHT = "sought"
# Invisible or direction-changing characters, by which a text can read differently from what it says.
UNSEEN = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
)


@dataclass(frozen=True, slots=True)
class LitSpan:
    """`text[start:end]` in code points, half-open, is what the evidence with this id quotes."""

    start: int
    end: int
    evidence: int
    stance: str = "supports"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text around some of its spans, with offsets into the whole. `unseen` is how many of its characters nobody
    sees."""

    start: int
    end: int
    html: SafeString
    cut_before: bool
    cut_after: bool
    unseen: int


def unseen_in(text: str) -> int:
    """How many characters of `text` nobody sees."""
    return len(text) - len(text.translate(UNSEEN))


def plain(text: str) -> SafeString:
    """Escaped so that a browser's text content is `text`: its parser would turn CR LF and CR into LF, `&#13;` it keeps."""
    return mark_safe(escape(text).replace("\r", "&#13;"))  # noqa: S308 - escaped before


def highlight(
    text: str, spans: Iterable[LitSpan], *, start: int = 0, end: int = sys.maxsize, attribute: str = "data-evidence"
) -> SafeString:
    """`text[start:end]` as HTML in which each span is a `<mark data-evidence="id">` (or another `attribute`).

    One mark a span where spans are apart or one lies in the other. Of two that cross, the one that began later is closed
    and opened again, so that its pieces together are its quote. Whatever the text says is escaped.
    """
    end = min(end, len(text))
    clipped = [LitSpan(max(s.start, start), min(s.end, end), s.evidence, s.stance) for s in spans]
    lit = sorted((s for s in clipped if s.start < s.end), key=lambda s: (s.start, -s.end, s.evidence))
    begins = {cut: list(group) for cut, group in groupby(lit, key=lambda s: s.start)}
    marks = _Marks(attribute)
    at = start
    for cut in sorted(begins.keys() | {s.end for s in lit}):
        marks.pieces.append(plain(text[at:cut]))
        marks.close(cut)
        marks.open(begins.get(cut, ()))
        at = cut
    marks.pieces.append(plain(text[at:end]))
    return mark_safe("".join(marks.pieces))  # noqa: S308 - every piece of the text went through plain()


@dataclass(slots=True)
class _Marks:
    """The HTML so far, and the marks that are open; the first piece of an evidence carries the id that links lead to."""

    attribute: str
    pieces: list[str] = field(default_factory=list)
    stack: list[LitSpan] = field(default_factory=list)
    named: set[int] = field(default_factory=set)

    def open(self, spans: Iterable[LitSpan]) -> None:
        for span in spans:
            identity = ""
            if span.evidence not in self.named and self.attribute == "data-evidence":
                identity = f' id="evidence-{span.evidence:d}"'
                self.named.add(span.evidence)
            self.pieces.append(self.tag(span, identity))
            self.stack.append(span)

    def tag(self, span: LitSpan, identity: str) -> str:
        if span.stance == SOUGHT:
            return f"<mark data-sought{identity and ' id="sought"'}>"
        return f'<mark {self.attribute}="{span.evidence:d}" data-stance="{escape(span.stance)}"{identity}>'

    def close(self, cut: int) -> None:
        """Close what ends here; what was opened above it and goes on is opened again."""
        depth = next((depth for depth, span in enumerate(self.stack) if span.end == cut), len(self.stack))
        above = self.stack[depth:]
        del self.stack[depth:]
        self.pieces.append("</mark>" * len(above))
        self.open([span for span in above if span.end != cut])


def excerpt(text: str, spans: Iterable[LitSpan], *, context: int = CONTEXT) -> Excerpt:
    """The part of `text` around its first span, from line to line where lines are short enough, else from blank to blank."""
    lit = sorted(spans, key=lambda s: (s.start, s.end)) or [LitSpan(0, 0, 0)]
    stop = lit[0].end
    for span in lit:
        if span.start > stop + context:
            break
        stop = max(stop, span.end)
    start, end = _break_before(text, lit[0].start - context), _break_after(text, stop + context)
    html = highlight(text, lit, start=start, end=end)
    return Excerpt(start, end, html, start > 0, end < len(text), unseen_in(text[start:end]))


def _break_before(text: str, at: int) -> int:
    if at <= 0:
        return 0
    low = max(0, at - MAX_LINE)
    found = max(text.rfind("\n", low, at), text.rfind("\r", low, at))
    return (found if found >= 0 else text.rfind(" ", low, at)) + 1 or at


def _break_after(text: str, at: int) -> int:
    high = min(len(text), at + MAX_LINE)
    ends = [place for place in (text.find("\n", at, high), text.find(" ", at, high)) if place >= 0]
    return ends[0] if ends else min(at, len(text))
