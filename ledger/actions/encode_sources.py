"""Give sources the vectors of their tokens, and statements those of what they mean: in the background, never in anybody's way."""

import json
from collections.abc import Sequence
from time import monotonic

from django.db import connection, transaction
from django.db.models import QuerySet

from ledger.actions.locking import lock_names
from ledger.models import Source
from ledger.reads.sql import fetch_column, fetch_rows, in_steps
from ledger.recall import encoder
from ledger.rules.secrets import masked

BATCH = 64
# Sources are encoded in the order of their ids; one that became visible late is looked for so far behind the last.
LOOKED_BACK = 2_000
COUNTED = 10_000

_WAITING = f"""
SELECT s.id FROM ledger_source s
 WHERE s.id > (SELECT coalesce(max(source_id), 0) - {LOOKED_BACK} FROM ledger_tokenvectors) AND s.purged_at IS NULL
   AND NOT EXISTS (SELECT FROM ledger_tokenvectors v WHERE v.source_id = s.id)
 ORDER BY s.id LIMIT %s
"""  # noqa: S608
_STATEMENTS = """
SELECT v.ref, v.wanted, coalesce(c.words, t.words, '') FROM (
       SELECT ref, wanted FROM ledger_statementvector WHERE meaning IS NULL ORDER BY ref LIMIT %s) AS v
  LEFT JOIN LATERAL (SELECT concat_ws(' ', translate(key, '._-/', '    '), subject, statement) AS words
                       FROM ledger_claim c WHERE c.ref = v.ref) AS c ON true
  LEFT JOIN LATERAL (SELECT concat_ws(' ', translate(key, '._-/', '    '), statement) AS words
                       FROM ledger_trustedstate t WHERE t.ref = v.ref) AS t ON true
"""
_UNKNOWN_STATEMENTS = """
SELECT s.ref FROM (SELECT ref FROM ledger_claim UNION ALL SELECT ref FROM ledger_trustedstate) AS s
 WHERE NOT EXISTS (SELECT FROM ledger_statementvector v WHERE v.ref = s.ref)
"""
# A statement that somebody is changing is passed by, and its new words wait.
_MEAN = """
UPDATE ledger_statementvector v SET meaning = f.meaning FROM (
       SELECT v.ref, n.meaning FROM unnest(%s::text[], %s::int[], %s::bytea[]) AS n(ref, wanted, meaning)
         JOIN ledger_statementvector v USING (ref, wanted) FOR UPDATE OF v SKIP LOCKED) AS f
 WHERE v.ref = f.ref
"""


def waiting(most: int = COUNTED) -> list[int]:
    """Ids of sources that have no vectors yet; none where no encoder is installed."""
    return fetch_column(_WAITING, [most]) if encoder.installed() else []


def encode_waiting(*, seconds: float) -> int:
    """Encode what waits, in steps that each are one transaction; how many were. Another process that does so is not joined."""
    until, done = monotonic() + seconds, 0
    while monotonic() < until:
        with transaction.atomic():
            (alone,) = fetch_column("SELECT pg_try_advisory_xact_lock(hashtext('token vectors'))")
            ids = waiting(BATCH) if alone else []
            encode_sources(ids)
            step = len(ids) + (encode_statements(BATCH) if alone else 0)
        if not step:
            break
        done += step
    return done


def statements_waiting(most: int = COUNTED) -> int:
    """How many statements of claims and trusted values wait, up to `most`."""
    waits = "SELECT FROM ledger_statementvector WHERE meaning IS NULL LIMIT %s"
    return len(fetch_rows(waits, [most])) if encoder.installed() else 0


def encode_statements(most: int) -> int:
    """So many of those that wait; how many there were."""
    rows = fetch_rows(_STATEMENTS, [most]) if encoder.installed() else []
    if rows:
        refs, wanted, words = map(list, zip(*rows, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(_MEAN, [refs, wanted, encoder.meanings(words)])
    return len(rows)


def encode_sources(ids: Sequence[int]) -> None:
    """What is purged meanwhile gets none: a purge waits for the names that are locked, or was done before."""
    rows = fetch_rows(
        "SELECT id, title, left(text, %s), secrets FROM ledger_source WHERE id = ANY(%s) AND purged_at IS NULL",
        [encoder.MAX_CHARACTERS, list(ids)],
    )
    if rows:
        words = [f"{title} {masked(text, json.loads(secrets))}" for _, title, text, secrets in rows]
        vectors = encoder.encode([text[: encoder.MAX_CHARACTERS].strip() for text in words])
        with transaction.atomic(), connection.cursor() as cursor:
            lock_names([f"purge|{row[0]}" for row in rows])
            cursor.execute(
                "INSERT INTO ledger_tokenvectors (source_id, vectors, meaning)"
                " SELECT v.* FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[]) AS v(id, vectors, meaning)"
                " JOIN ledger_source s USING (id) WHERE s.purged_at IS NULL ON CONFLICT DO NOTHING",
                [[row[0] for row in rows], *map(list, zip(*vectors, strict=True))],
            )


def rebuild_vectors(sources: QuerySet[Source], *, check: bool = False) -> tuple[int, int]:
    """Make them anew, or only look which are missing: how many sources there are, and how many had none."""
    seen = missing = 0
    for step in in_steps(sources.filter(purged_at=None).only("pk"), BATCH):
        ids = [source.pk for source in step]
        lacking = set(ids) - set(
            fetch_column("SELECT source_id FROM ledger_tokenvectors WHERE source_id = ANY(%s)", [ids])
        )
        if lacking and not check:
            encode_sources(sorted(lacking))
        seen, missing = seen + len(ids), missing + len(lacking)
    return seen, missing


def rebuild_statements(*, check: bool = False) -> int:
    """The same of statements: how many had none."""
    lost = fetch_column(_UNKNOWN_STATEMENTS)
    (waiting,) = fetch_column("SELECT count(*) FROM ledger_statementvector WHERE meaning IS NULL")
    if not check:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO ledger_statementvector (ref) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING", [lost]
            )
        while encode_statements(BATCH):
            pass
    return len(lost) + int(waiting)
