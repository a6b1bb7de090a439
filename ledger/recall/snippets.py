"""The part of a text that answers a question, at its true offsets; and for a pack what nobody has made a claim of, with who said it
and when, and never as if it held."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from django.db.models.functions import Left

from ledger.language.fold import normalise_statement
from ledger.language.scripts import holds_runs
from ledger.language.words import WORD, stem, stems
from ledger.models import Evidence, Section, Source
from ledger.models.source import SEARCHED_CHARACTERS
from ledger.reads.claims import Citation
from ledger.rules.secrets import masked

WIDTH = 240
MAX_HITS = 500
# Of two lines of one sender that share so much of their words, the second is a repetition.
REPEATED_SHARE = 0.8
REFUSED = ("rejected", "superseded")
SPACE = re.compile(r"\s")
_SECTIONS = """
SELECT s.* FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS w(source, low, high)
  JOIN ledger_section s ON s.source_id = w.source AND s.start < w.high AND s."end" > w.low ORDER BY s.source_id, s.start
"""


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


def passages(ids: Sequence[int], words: Sequence[str], *, speaker: str = "") -> list[Passage]:
    """One passage a source, in the order of `ids`, of that `speaker` where one is given: two queries, and of each text only what
    is indexed."""
    rows = Source.objects.filter(pk__in=ids, purged_at=None).select_related("scope")
    sources = {row.pk: row for row in rows.annotate(head=Left("text", SEARCHED_CHARACTERS)).defer("text")}
    for source in sources.values():
        source.head = masked(source.head, source.secrets)
    if speaker:
        parts = _by_source(Section.objects.filter(source__in=sources, speaker=speaker))
        windows = {pk: best_window(_of_sections(sources[pk].head, parts[pk]), words) for pk in parts}
    else:
        windows = {pk: best_window(source.head, words) for pk, source in sources.items()}
        columns = [list(column) for column in zip(*((pk, *window) for pk, window in windows.items()), strict=True)]
        parts = _by_source(Section.objects.raw(_SECTIONS, columns) if columns else ())
    found = [_passage(sources[pk], sources[pk].head, parts[pk], *windows[pk]) for pk in ids if pk in parts]
    return [passage for passage in found if passage.quote]


def _by_source(sections: Iterable[Section]) -> dict[int, list[Section]]:
    parts: dict[int, list[Section]] = defaultdict(list)
    for section in sections:
        parts[section.source_id].append(section)
    return parts


def _of_sections(text: str, parts: Sequence[Section]) -> str:
    """The text with nothing but blanks where others speak."""
    said, at = "", 0
    for part in parts:
        start = max(at, part.start)
        said += " " * (start - at) + text[start : part.end]
        at = max(at, part.end)
    return said


def _passage(source: Source, head: str, parts: Sequence[Section], low: int, high: int) -> Passage:
    """The longest part of the stretch: a passage never joins the words of two speakers."""
    part = max(parts, key=lambda one: (min(one.end, high) - max(one.start, low), -one.start))
    start = max(part.start, low)
    words = head[start : max(start, min(part.end, high))]
    quote = words.strip()
    return Passage(source, quote, _cited(source, part, start + len(words) - len(words.lstrip()), quote))


def _cited(source: Source, section: Section, start: int, quote: str) -> Citation:
    return Citation(
        shown=0, id=0, claim_id=0, source_id=source.pk, section_id=section.pk, section=section.name,
        speaker=section.speaker, start=start, end=start + len(quote), quote=quote, quote_sha256="", stance="context",
        anchor="exact", redacted=False, created_at=source.created_at, source_scope=source.scope.path,
        source_kind=source.kind, source_title=source.title, sender=source.sender,
        sender_kind=source.sender_kind, sent_at=source.sent_at, said_at=source.sent_at or source.created_at,
    )  # fmt: skip


def fresh_passages(passages: Sequence[Passage], claimed: Sequence[Citation]) -> list[Passage]:
    """Without what claims mostly say, by their words `claimed`, and without what one sender says again."""
    fresh: list[Passage] = []
    lines: defaultdict[str, list[set[str]]] = defaultdict(list)
    for passage in passages:
        words = stems(WORD.findall(normalise_statement(passage.quote)))
        before = lines[passage.cited.speaker_name]
        if any(mostly_inside(passage.cited, words) for words in claimed) or any(_repeats(words, one) for one in before):
            continue
        before.append(words)
        fresh.append(passage)
    return fresh


def _repeats(words: set[str], before: set[str]) -> bool:
    return words == before or len(words & before) >= REPEATED_SHARE * len(words | before)


def mostly_inside(passage: Citation, words: Citation) -> bool:
    inside = min(passage.end, words.end) - max(passage.start, words.start)
    return passage.source_id == words.source_id and inside * 2 > passage.end - passage.start


def raw_line(passage: Passage) -> str:
    """`Ann, 2026-03-02: words`."""
    return f"{passage.cited.speaker_name}, {passage.cited.said_at:%Y-%m-%d}: {passage.quote}"


def raw_flags(passage: Passage, refused: Iterable[str]) -> tuple[str, ...]:
    """That nobody countersigned it, whether an agent said it, and what came of claims from these words: `rejected REF`,
    `superseded REF`."""
    said = ["agent_said"] if passage.cited.speaker == "agent" else []
    return ("unreviewed", *said, *refused)


def refused_in(passages: Sequence[Passage]) -> dict[int, list[str]]:
    """By source what was refused or replaced of claims whose words a passage holds: `rejected REF`. One query, none for no
    passage."""
    found: dict[int, list[str]] = defaultdict(list)
    if not passages:
        return found
    cited = {passage.source.pk: passage.cited for passage in passages}
    rows = Evidence.objects.filter(source__in=cited, claim__status__in=REFUSED).exclude(stance="context")
    columns = ("source_id", "start", "end", "claim__status", "claim__ref")
    for source, start, end, status, ref in rows.order_by("claim_id").values_list(*columns):
        mark = f"{status} {ref}"
        if start < cited[source].end and end > cited[source].start and mark not in found[source]:
            found[source].append(mark)
    return found
