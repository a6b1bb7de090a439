"""The part of a text that answers a question, at its true offsets."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice
from operator import or_

from django.db.models import Q
from django.db.models.functions import Left

from ledger.language.scripts import holds_runs
from ledger.language.words import stem
from ledger.models import Section, Source
from ledger.models.source import SEARCHED_CHARACTERS
from ledger.reads.claims import Citation
from ledger.reads.scopes import NOTHING

WIDTH = 240
MAX_HITS = 500
SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a source: `source.text[start:end] == quote`, of one speaker."""

    source: Source
    quote: str
    cited: Citation


def snippet(text: str, words: Sequence[str]) -> str:
    start, end = best_window(text, words)
    return text[start:end]


def best_window(text: str, words: Sequence[str]) -> tuple[int, int]:
    """The first stretch of about `WIDTH` characters with the most of `words`, at word boundaries."""
    hits = _hits(text, words)
    best = max(hits, key=lambda first: bisect_left(hits, first + WIDTH) - bisect_left(hits, first), default=0)
    start = max(0, best - WIDTH // 4)
    end = min(len(text), start + WIDTH)
    if 0 < start < best:
        space = SPACE.search(text, start - 1, best)
        start = space.end() if space else best
    if end < len(text):
        shortest = start + WIDTH // 2
        end = max((space.start() for space in SPACE.finditer(text, shortest, end + 1)), default=shortest)
    return start, end


def _hits(text: str, words: Sequence[str]) -> list[int]:
    """Where words begin that have the roots of `words`, the first few; in scripts that run on, wherever they stand."""
    if not words:
        return []
    return [match.start() for match in islice(_roots(tuple(words)).finditer(text), MAX_HITS)]


@lru_cache(maxsize=64)
def _roots(words: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern a question, however many texts are looked through for it."""
    roots = (re.escape(word) if holds_runs(word) else rf"(?<!\w){re.escape(stem(word))}" for word in words)
    return re.compile("|".join(roots), re.I)


def passages(ids: Sequence[int], words: Sequence[str]) -> list[Passage]:
    """One passage a source, in the order of `ids`: two queries, and of each text only what is indexed."""
    rows = Source.objects.filter(pk__in=ids, purged_at=None).select_related("scope")
    sources = {row.pk: row for row in rows.annotate(head=Left("text", SEARCHED_CHARACTERS)).defer("text")}
    windows = {pk: best_window(source.head, words) for pk, source in sources.items()}
    wanted = (Q(source=pk, start__lt=end, end__gt=start) for pk, (start, end) in windows.items())
    parts: dict[int, list[Section]] = defaultdict(list)
    for section in Section.objects.filter(reduce(or_, wanted, NOTHING)).order_by("source_id", "start"):
        parts[section.source_id].append(section)
    found = [_passage(sources[pk], sources[pk].head, parts[pk], *windows[pk]) for pk in ids if pk in parts]
    return [passage for passage in found if passage.quote]


def _passage(source: Source, head: str, parts: Sequence[Section], low: int, high: int) -> Passage:
    """The longest part of the stretch: a passage never joins the words of two speakers."""
    part = max(parts, key=lambda one: (min(one.end, high) - max(one.start, low), -one.start))
    start = max(part.start, low)
    words = head[start : min(part.end, high)]
    quote = words.strip()
    return Passage(source, quote, _cited(source, part, start + len(words) - len(words.lstrip()), quote))


def _cited(source: Source, section: Section, start: int, quote: str) -> Citation:
    return Citation(
        shown=0, id=0, claim_id=0, source_id=source.pk, section_id=section.pk, section=section.name,
        speaker=section.speaker, start=start, end=start + len(quote), quote=quote, quote_sha256="", stance="context",
        anchor="exact", redacted=False, created_at=source.created_at, source_scope=source.scope.path,
        source_kind=source.kind, source_title=source.title, sender=source.sender, sent_at=source.sent_at,
    )  # fmt: skip
