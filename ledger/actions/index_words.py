"""Keep the index of words: one posting for each term of a text, and of its sender's name, written with the source itself."""

from collections import Counter
from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models import QuerySet

from ledger.language.words import sender_key, term_key, terms
from ledger.models import Source
from ledger.models.source import SEARCHED_CHARACTERS
from ledger.reads.sql import fetch_rows, in_steps

BATCH = 500
MAX_COUNT = 32_767
# (term, scope, source, how often the text says it, the text's length in terms)
type Posting = tuple[int, int, int, int, int]


def index_words(sources: Iterable[Source]) -> None:
    """Write the postings of sources that have none. One statement."""
    rows = [posting for source in sources for posting in postings_of(source)]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO ledger_posting (term, scope_id, source_id, times, length) SELECT * FROM"
                " unnest(%s::int[], %s::bigint[], %s::bigint[], %s::smallint[], %s::smallint[])",
                [list(column) for column in zip(*rows, strict=True)],
            )


def postings_of(source: Source) -> list[Posting]:
    """None for what was purged. A sender's name is said no times, whoever else says it."""
    if source.purged_at is not None:
        return []
    words = Counter(map(term_key, terms(f"{source.title} {source.text[:SEARCHED_CHARACTERS]}")))
    names = set(map(sender_key, terms(source.sender))).difference(words)
    length = min(words.total(), MAX_COUNT)
    said = [(term, source.scope_id, source.pk, min(times, MAX_COUNT), length) for term, times in words.items()]
    return said + [(term, source.scope_id, source.pk, 0, length) for term in names]


def rebuild_words(sources: QuerySet[Source], *, check: bool = False) -> tuple[int, int]:
    """Index these anew, or only compare: how many sources there are, and of how many the postings differ."""
    seen = wrong = 0
    for step in in_steps(sources, BATCH):
        wanted = {row for source in step for row in postings_of(source)}
        with transaction.atomic():
            between = [step[0].pk, step[-1].pk]
            held = set(fetch_rows(f"SELECT term, scope_id, source_id, times, length {_BETWEEN}", between))
            differing = {source for _, _, source, _, _ in wanted ^ held}
            if differing and not check:
                with connection.cursor() as cursor:
                    cursor.execute(f"DELETE {_BETWEEN} AND source_id = ANY(%s)", [*between, list(differing)])
                index_words(source for source in step if source.pk in differing)
        seen, wrong = seen + len(step), wrong + len(differing)
    return seen, wrong


_BETWEEN = "FROM ledger_posting WHERE source_id BETWEEN %s AND %s"
