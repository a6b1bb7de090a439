"""Grow a ledger by set-based SQL as its owner, with triggers off: only for measuring, never for data that matters."""

import time

import psycopg

TABLES = ("source", "section", "claim", "evidence", "journalevent", "journalchange")

# One source of 20 lines for every 20 claims; each claim cites one line of it. One in `active` holds, the others wait. Each speaks
# of what one in 100, one in 1,000 and one in 10,000 others speak of.
GROW = """
WITH made AS (
    INSERT INTO ledger_source (scope_id, kind, sender, sender_kind, position, title, text, sha256, external_id, reply_to,
                               dedup, created_at)
    SELECT %(scope)s, 'document', '', 'document', 0, 'grown ' || g, body.text,
           encode(sha256(convert_to(body.text, 'UTF8')), 'hex'), 'grown-' || g, '', md5('grown' || g || %(scope)s), now()
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) g,
         LATERAL (SELECT string_agg('Decision: Line ' || (g * 20 + i) || ' of the plan stays as ' || md5((g * i)::text), E'\\n'
                                    ORDER BY i) AS text FROM generate_series(0, 19) i) body
    RETURNING id, text, external_id
), section AS (
    INSERT INTO ledger_section (source_id, name, speaker, heading_path, start, "end")
    SELECT id, '', 'document', '{}', 0, char_length(text) FROM made RETURNING id, source_id
), line AS (
    SELECT made.id AS source_id, section.id AS section_id, l.line, l.number,
           1 + coalesce(sum(char_length(l.line) + 1) OVER (PARTITION BY made.id ORDER BY l.number
                                                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS at
    FROM made JOIN section ON section.source_id = made.id,
         LATERAL regexp_split_to_table(made.text, E'\\n') WITH ORDINALITY l(line, number)
), claim AS (
    INSERT INTO ledger_claim (ref, scope_id, layer, kind, key, topic, tags, value_type, value, statement, assignee, downstream,
        confidence_word, status, names_replaced, disputed, needs_recheck, needs_review, high_risk, anchors_to_choose, version,
        slot, dedup, rule, extractor, extractor_version, hand_authored, proposed, summary, created_at, confidence, rank,
        seen_count, last_seen_at, promoted_at, first_source, subjects)
    SELECT 'GRW-20260101-' || (1000 + source_id * 20 + number), %(scope)s, 'entity', 'decision', '', '', '{}',
        '', NULL, substr(line, 11), '', '{}', '',
        CASE WHEN number %% %(active)s = 0 THEN 'active' ELSE 'pending' END, '{}', false,
        false, false, (source_id * 20 + number) %% 50 = 0, '[]', 1, '', md5(line || source_id || number),
        'line.label', 'rules', '1', false, '{}', '',
        now() - (number || ' minutes')::interval, 0.6, 0.3 + (hashint8(source_id * 20 + number) & 1023) / 2048.0, 1, now(),
        CASE WHEN number %% %(active)s = 0 THEN now() END, source_id,
        ARRAY(SELECT hashint8extended((source_id * 20 + number) / 20 %% topics, topics) FROM unnest(ARRAY[100, 1000, 10000]) topics)
    FROM line RETURNING id, ref
)
INSERT INTO ledger_evidence (claim_id, source_id, section_id, speaker, start, "end", quote, quote_sha256, stance, anchor,
                             redacted, created_at)
SELECT claim.id, line.source_id, line.section_id, 'document', line.at - 1 + 10, line.at - 1 + char_length(line.line),
       substr(line.line, 11), encode(sha256(convert_to(substr(line.line, 11), 'UTF8')), 'hex'), 'supports', 'exact', false, now()
FROM claim JOIN line ON claim.ref = 'GRW-20260101-' || (1000 + line.source_id * 20 + line.number)
"""


def grow(database_url: str, scope: str, claims: int, *, chunk: int = 20_000, active_every: int = 10) -> float:
    """Add `claims` to the scope, one in `active_every` of them active; returns seconds.

    The first line of every text stands at code point 0.
    """
    began = time.monotonic()
    with psycopg.connect(database_url, autocommit=True) as connection:
        found = connection.execute("SELECT id FROM ledger_scope WHERE path = %s", [scope]).fetchone()
        if found is None:
            raise LookupError(f"no scope {scope}")
        for table in TABLES:
            connection.execute(f"ALTER TABLE ledger_{table} DISABLE TRIGGER USER")
        try:
            base = connection.execute("SELECT coalesce(max(id), 0) FROM ledger_source").fetchone()[0] + 1
            sources = (claims + 19) // 20
            for first in range(base, base + sources, chunk // 20):
                last = min(first + chunk // 20, base + sources) - 1
                connection.execute(GROW, {"scope": found[0], "first": first, "last": last, "active": active_every})
        finally:
            for table in TABLES:
                connection.execute(f"ALTER TABLE ledger_{table} ENABLE TRIGGER USER")
        for table in TABLES:
            connection.execute(f"VACUUM ANALYZE ledger_{table}")
    return time.monotonic() - began
