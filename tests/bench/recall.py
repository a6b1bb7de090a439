"""How long search and context take as the talk in a scope grows, beside bare SQL, and whether fresh messages are still found:

    uv run python -m tests.bench.recall --messages 10000 100000 1000000      (a million: some minutes and about 6 GB of disk)

Each message gets vectors that were made up, so that the worker has none to make meanwhile and a question is answered as it is
long after; what comes over the API is waited for. Messages are of 6 to 20 made-up words, as often as words are in a language
(Zipf), in threads of 200. Asked are 4 to 9 of their words. Bare is full text over the same words, the best ten by `ts_rank`;
and the same postings, read and added up. The needle: of 20 fresh messages of four common words each, asked for with three more
common words, how many are among the first ten.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import psycopg

from ledger.recall import encoder
from tests import whole
from tests.bench.pages import Api

QUESTIONS = 60
CHUNK = 10_000
COMMON = slice(20, 70)
SENDERS = ("Ann", "Bob", "Carl", "Dora")
FULL_TEXT = """
SELECT id FROM ledger_source, websearch_to_tsquery('english', %s) AS query
 WHERE to_tsvector('english', coalesce(left(text, 100000), '')) @@ query AND scope_id = %s
 ORDER BY ts_rank(to_tsvector('english', text), query) DESC LIMIT 10
"""
POSTINGS = """
SELECT count(*), sum(p.times) FROM unnest(%s::int[]) AS a(term) CROSS JOIN LATERAL
       (SELECT times FROM ledger_posting WHERE term = a.term AND scope_id = %s ORDER BY source_id DESC LIMIT 2000) AS p
"""

GROW = """
WITH thread AS (
    INSERT INTO ledger_conversation (scope_id, external_id, title, created_at)
    SELECT %(scope)s, name, '', now() FROM unnest(%(threads)s::text[]) AS t(name) RETURNING id, external_id
), made AS (
    INSERT INTO ledger_source (scope_id, kind, sender, sender_kind, position, title, text, sha256, external_id, reply_to, dedup,
                               created_at, sent_at, conversation_id)
    SELECT %(scope)s, 'message', m.sender, 'user', m.at, '', m.text, '', 'm' || m.at, '', 'grown' || m.at, now(), now(), thread.id
    FROM unnest(%(at)s::int[], %(sender)s::text[], %(text)s::text[], %(thread)s::text[]) AS m(at, sender, text, thread)
    JOIN thread ON thread.external_id = m.thread RETURNING id, sender, text
), parts AS (
    INSERT INTO ledger_section (source_id, name, speaker, heading_path, start, "end")
    SELECT id, '', 'user', '{}', 0, char_length(text) FROM made
)
SELECT id, sender, text FROM made
"""


def vocabulary(size: int = 4_000) -> list[str]:
    """Words that no list of stop words and no rule of endings knows."""
    consonants, vowels = "bdfgklmnprtvz", "aou"
    parts = [first + second for first in consonants for second in vowels]
    chosen = random.Random(7)
    return list(dict.fromkeys("".join(chosen.choices(parts, k=3)) + "k" for _ in range(size * 2)))[:size]


WORDS = vocabulary()
WEIGHTS = [1 / (at + 8) for at in range(len(WORDS))]
# As long as those of a message of many words.
VECTORS = [random.Random(at).randbytes(encoder.MAX_TOKENS * encoder.DIMENSIONS) for at in range(500)]
PATIENCE_S = 600


def fill(url: str, scope: int, first: int, size: int) -> None:
    """As the database's owner, with triggers off: only for measuring."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = ("source", "section")
        for table in tables:
            connection.execute(f"ALTER TABLE ledger_{table} DISABLE TRIGGER USER")  # type: ignore[arg-type]
        for start in range(first, first + size, CHUNK):
            with connection.transaction():
                grow(connection, scope, messages(start, min(start + CHUNK, first + size)))
        for table in tables:
            connection.execute(f"ALTER TABLE ledger_{table} ENABLE TRIGGER USER")  # type: ignore[arg-type]
        connection.execute("VACUUM ANALYZE ledger_posting, ledger_source, ledger_section, ledger_tokenvectors")


def grow(connection: psycopg.Connection[Any], scope: int, rows: Iterable[tuple[int, str, str]]) -> None:
    """Messages are seen with their words and vectors or not at all: the worker has nothing to do."""
    from ledger.actions.index_words import postings_of
    from ledger.models import Source

    places, senders, texts = map(list, zip(*rows, strict=True))
    threads = [f"c{at // 200}" for at in places]
    given = {
        "scope": scope,
        "at": places,
        "sender": senders,
        "text": texts,
        "thread": threads,
        "threads": list(set(threads)),
    }
    made = connection.execute(GROW, given).fetchall()
    with connection.cursor().copy("COPY ledger_posting (term, scope_id, source_id, times, length) FROM STDIN") as copy:
        for pk, sender, text in made:
            for posting in postings_of(Source(pk=pk, scope_id=scope, sender=sender, text=text)):
                copy.write_row(posting)
    with connection.cursor().copy("COPY ledger_tokenvectors (source_id, vectors, meaning) FROM STDIN") as copy:
        for pk, _, _ in made:
            copy.write_row((pk, VECTORS[pk % len(VECTORS)], VECTORS[pk % len(VECTORS)][: encoder.WHOLE]))


def messages(first: int, end: int) -> Iterator[tuple[int, str, str]]:
    chosen = random.Random(first)
    for at in range(first, end):
        said = chosen.choices(WORDS, WEIGHTS, k=chosen.randint(6, 20))
        yield at, chosen.choice(SENDERS), f"{' '.join(said)} {at}"


def questions() -> list[str]:
    chosen = random.Random(3)
    return [" ".join(chosen.choices(WORDS[:2000], WEIGHTS[:2000], k=chosen.randint(4, 9))) for _ in range(QUESTIONS)]


def at_rest(api: Api) -> None:
    """Wait until nothing is read in the background."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        waits = api("GET", "/health")
        if not waits["queued_embeddings"] and not waits["queued_runs"]:
            return
        time.sleep(1)
    raise SystemExit(f"after {PATIENCE_S} s the worker still reads: {waits}")


def percentiles(call: Callable[[str], Any], asked: Sequence[str]) -> tuple[float, float]:
    """Milliseconds, the median and the 95th of a hundred; of each question the better of two times."""
    took = []
    for question in asked:
        times = []
        for _ in range(2):
            began = time.perf_counter()
            call(question)
            times.append((time.perf_counter() - began) * 1000)
        took.append(min(times))
    return statistics.median(took), statistics.quantiles(took, n=20)[-1]


def needles(api: Api, scope: str, size: int) -> int:
    chosen, found = random.Random(size), 0
    texts = [chosen.sample(WORDS[COMMON], 4) for _ in range(20)]
    sent = [
        {"scope": scope, "kind": "message", "text": " ".join(text), "sender": "Ann", "sender_kind": "user", "extract": False,
         "conversation": f"needles {size}", "external_id": f"needle-{size}-{at}"} for at, text in enumerate(texts)
    ]  # fmt: skip
    refs = [f"source:{row['source']['id']}" for row in api("POST", "/sources", {"sources": sent})["results"]]
    for ref, text in zip(refs, texts, strict=True):
        asked = " ".join([*text, *chosen.sample(WORDS[COMMON], 3)])
        hits = api("GET", "/search", scope=scope, sources="true", limit=10, q=asked)["items"]
        found += ref in [hit["ref"] for hit in hits]
    return found


def measure(api: Api, url: str, scope: str, scope_id: int) -> str:
    from ledger.language.words import term_key, terms

    asked = questions()
    api.fresh()
    with psycopg.connect(url, autocommit=True) as bare:

        def full_text(question: str) -> None:
            bare.execute(FULL_TEXT, [" or ".join(question.split()), scope_id]).fetchall()

        def postings(question: str) -> None:
            bare.execute(POSTINGS, [list(map(term_key, terms(question))), scope_id]).fetchall()

        def search(question: str) -> None:
            api("GET", "/search", scope=scope, sources="true", limit=10, q=question)

        def context(question: str) -> None:
            api("GET", "/context", scope=scope, query=question)

        calls = {"search": search, "context": context, "full text": full_text, "postings": postings}
        took = {name: percentiles(call, asked) for name, call in calls.items()}
    lines = [f"  {name:10} p50 {median:7.1f} ms   p95 {slow:7.1f} ms" for name, (median, slow) in took.items()]
    ratios = [took["search"][at] / took[name][at] for name in ("full text", "postings") for at in (0, 1)]
    lines.append(
        "  search takes {:.2f}× (p95 {:.2f}×) of full text, {:.1f}× (p95 {:.1f}×) of bare postings".format(*ratios)
    )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", nargs="+", type=int, default=[10_000], help="sizes of the scope, rising")
    options = parser.parse_args()
    with whole.thrown_away("recall") as instance:
        url = instance.said["database_url"]
        api = Api(instance.url, instance.said["reviewer_token"])
        scope_id = api("POST", "/scopes", {"scope": "large", "tier": "project"})["id"]
        have = 0
        for size in sorted(options.messages):
            began = time.monotonic()
            fill(url, scope_id, have, size - have)
            have = size
            print(f"{size:,} messages (grown in {time.monotonic() - began:.0f} s)", flush=True)
            api.fresh()
            at_rest(api)
            print(measure(api, url, "large", scope_id), flush=True)
            api.fresh()
            print(f"  fresh messages found: {needles(api, 'large', size)} of 20", flush=True)


if __name__ == "__main__":
    main()
