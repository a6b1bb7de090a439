"""The part of a text that answers a question, at its true offsets."""

import re
from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Left

from ledger.language.words import stem
from ledger.models import Section, Source
from ledger.models.source import SEARCHED_CHARACTERS
from ledger.reads.claims import Citation

WIDTH = 240


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a source: `source.text[start:end] == quote`, of one speaker."""

    source: Source
    quote: str
    cited: Citation


def best_window(text: str, words: list[str], *, width: int = WIDTH) -> tuple[int, int]:
    """The first stretch of about `width` characters with the most of `words`, at word boundaries."""
    roots = [re.escape(stem(word)) for word in words if word]
    hits = [m.start() for m in re.finditer(r"(?<!\w)(?:" + "|".join(roots) + ")", text, re.I)][:500] if roots else []
    best, most = (hits[0] if hits else 0), 0
    for first in hits:
        inside = sum(1 for hit in hits if first <= hit < first + width)
        if inside > most:
            best, most = first, inside
    start = max(0, best - width // 4)
    end = min(len(text), start + width)
    while 0 < start < best and not text[start - 1].isspace():
        start += 1
    while end < len(text) and end - start > width // 2 and not text[end].isspace():
        end -= 1
    return start, end


def passages(ids: list[int], words: list[str]) -> list[Passage]:
    """One passage a source, in the order of `ids`: two queries, and of each text only what is indexed."""
    rows = (
        Source.objects.filter(pk__in=ids, purged_at=None)
        .select_related("scope")
        .annotate(head=Left("text", SEARCHED_CHARACTERS))
        .defer("text")
    )
    sources = {row.pk: row for row in rows}
    ranges: dict[int, tuple[int, int]] = {}
    wanted = Q(pk__in=[])
    for pk, source in sources.items():
        start, end = best_window(source.head, words)
        ranges[pk] = (start, end)
        wanted |= Q(source=pk, start__lt=end, end__gt=start)
    sections: dict[int, list[Section]] = {}
    for section in Section.objects.filter(wanted).order_by("source_id", "start"):
        sections.setdefault(section.source_id, []).append(section)
    found = []
    for pk in ids:
        # The longest part of the stretch: a passage never joins the words of two speakers.
        parts = sections.get(pk, [])
        if pk not in sources or not parts:
            continue
        source = sources[pk]
        low, high = ranges[pk]
        best = max(parts, key=lambda s: (min(s.end, high) - max(s.start, low), -s.start))
        start, end = max(best.start, low), min(best.end, high)
        quote = source.head[start:end]
        start, quote = start + len(quote) - len(quote.lstrip()), quote.strip()
        if quote:
            found.append(Passage(source, quote, _cited(source, best, start, quote)))
    return found


def _cited(source: Source, section: Section, start: int, quote: str) -> Citation:
    return Citation(
        shown=0, id=0, claim_id=0, source_id=source.pk, section_id=section.pk, section=section.name,
        speaker=section.speaker, start=start, end=start + len(quote), quote=quote, quote_sha256="", stance="context",
        anchor="exact", redacted=False, created_at=source.created_at, source_scope=source.scope.path,
        source_kind=source.kind, source_title=source.title, sender=source.sender, sent_at=source.sent_at,
    )  # fmt: skip
