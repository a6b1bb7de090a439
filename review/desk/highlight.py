"""Evidence lit up inside its source, cut on the server by code points: a browser would count UTF-16 and swallow CR LF."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONTEXT = 700
MAX_LINE = 300
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
    """A part of a text around some of its spans, with offsets into the whole."""

    start: int
    end: int
    html: SafeString
    cut_before: bool
    cut_after: bool


def unseen_in(text: str) -> int:
    """How many characters of `text` nobody sees."""
    return 0 if text.isascii() else len(text) - len(text.translate(UNSEEN))


def plain(text: str) -> str:
    """Escaped so that a browser's text content is `text`: its parser would turn CR LF and CR into LF, `&#13;` it keeps."""
    return escape(text).replace("\r", "&#13;")


def highlight(
    text: str, spans: Iterable[LitSpan], *, start: int = 0, end: int | None = None, attribute: str = "data-evidence"
) -> SafeString:
    """`text[start:end]` as HTML in which each span is a `<mark data-evidence="id">` (or another `attribute`).

    One mark a span where spans are apart or one lies in the other. Of two that cross, the one that began later is closed
    and opened again, so that its pieces together are its quote. Whatever the text says is escaped.
    """
    end = len(text) if end is None else min(end, len(text))
    clipped = [
        LitSpan(max(s.start, start), min(s.end, end), s.evidence, s.stance)
        for s in spans
        if s.start < end and s.end > start
    ]
    opens = sorted((s for s in clipped if s.start < s.end), key=lambda s: (s.start, -s.end, s.evidence))
    out: list[str] = []
    stack: list[LitSpan] = []
    tag = _Tag(attribute, set())
    at, upcoming = start, 0
    for cut in sorted({s.start for s in opens} | {s.end for s in opens}):
        out.append(plain(text[at:cut]))
        at = cut
        _close(out, stack, cut, tag)
        while upcoming < len(opens) and opens[upcoming].start == cut:
            out.append(tag.open(opens[upcoming]))
            stack.append(opens[upcoming])
            upcoming += 1
    out.append(plain(text[at:end]))
    return mark_safe("".join(out))  # noqa: S308 - every piece of the text went through plain()


@dataclass(frozen=True, slots=True)
class _Tag:
    """Opening tags; the first piece of an evidence carries the id that links lead to."""

    attribute: str
    named: set[int]

    def open(self, span: LitSpan) -> str:
        identity = ""
        if span.evidence not in self.named and self.attribute == "data-evidence":
            identity = f' id="evidence-{span.evidence:d}"'
            self.named.add(span.evidence)
        return f'<mark {self.attribute}="{span.evidence:d}" data-stance="{escape(span.stance)}"{identity}>'


def _close(out: list[str], stack: list[LitSpan], cut: int, tag: _Tag) -> None:
    """Close what ends here; what was opened above it and goes on is opened again."""
    ending = [depth for depth, span in enumerate(stack) if span.end == cut]
    if not ending:
        return
    going_on = [span for span in stack[ending[0] :] if span.end != cut]
    out.append("</mark>" * (len(stack) - ending[0]))
    del stack[ending[0] :]
    for span in going_on:
        out.append(tag.open(span))
        stack.append(span)


def excerpt(text: str, spans: Iterable[LitSpan], *, context: int = CONTEXT) -> Excerpt:
    """The part of `text` around its first span, from line to line where lines are short enough, else from blank to blank."""
    lit = sorted(spans, key=lambda s: (s.start, s.end))
    if not lit:
        return Excerpt(
            0, min(len(text), 2 * context), highlight(text, [], end=2 * context), False, len(text) > 2 * context
        )
    start = _break_before(text, lit[0].start - context) if lit[0].start > context else 0
    stop = lit[0].end
    for span in lit[1:]:
        if span.start > stop + context:
            break
        stop = max(stop, span.end)
    end = _break_after(text, stop + context) if stop + context < len(text) else len(text)
    return Excerpt(start, end, highlight(text, lit, start=start, end=end), start > 0, end < len(text))


def _break_before(text: str, at: int) -> int:
    low = max(0, at - MAX_LINE)
    found = max(text.rfind("\n", low, at), text.rfind("\r", low, at))
    return (found if found >= 0 else text.rfind(" ", low, at)) + 1 or at


def _break_after(text: str, at: int) -> int:
    high = min(len(text), at + MAX_LINE)
    found = text.find("\n", at, high)
    found = found if found >= 0 else text.find(" ", at, high)
    return found if found >= 0 else at
