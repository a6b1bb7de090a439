"""Ingest, propose and promote in this process, beside psycopg writing the same rows with the same triggers."""

import hashlib
import itertools
import os
import secrets
import statistics
import time
from typing import Any

import psycopg

from tests import whole
from tests.bench.timing import row

TIMES = 40
BATCH = 100
serial = itertools.count()


def measure(instance: whole.Instance, scope: str) -> list[str]:
    """Rows of (name, ours, bare, ratio, statements). Both sides write through the owner's connection, one thread."""
    os.environ["COUNTERSIGN_WAKE"] = "tests.bench.writes.nobody"
    whole.use_here(instance)
    with psycopg.connect(instance.said["database_url"], autocommit=True) as bare:
        return [
            _ingest(bare, scope, 1),
            _ingest(bare, scope, BATCH),
            _propose(bare, scope, 1),
            _propose(bare, scope, BATCH),
            _promote(bare, scope),
        ]


def nobody() -> None:
    """No worker is woken while writes are measured."""


def _text() -> str:
    return f"## Decision: Number {next(serial)} {secrets.token_hex(8)} it is\n"


def _timed(call: Any) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _statements(call: Any) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)


def _ids(bare: psycopg.Connection, scope: str) -> int:
    found = bare.execute("SELECT id FROM ledger_scope WHERE path = %s", [scope]).fetchone()
    assert found
    return int(found[0])


def _event(bare: psycopg.Connection, verb: str, scope_id: int, changes: list[tuple[str, int, str]]) -> None:
    """One event a change, as the verbs write them."""
    ids = [
        bare.execute(
            "INSERT INTO ledger_journalevent (at, verb, actor_kind, actor_name, door, scope_id, ref, reason, request_id,"
            " salt, redacted, xid) VALUES (now(), %s, 'human', 'bench', 'command', %s, '', '', '', %s, false,"
            " pg_current_xact_id()) RETURNING id",
            [verb, scope_id, secrets.token_bytes(16)],
        ).fetchone()
        for _ in changes
    ]
    with bare.cursor() as cursor:
        cursor.executemany(
            'INSERT INTO ledger_journalchange (event_id, noun, "row", before, after, implicit, redacted)'
            " VALUES (%s, %s, %s, NULL, %s, false, false)",
            [
                (found[0], noun, row_id, after)
                for found, (noun, row_id, after) in zip(ids, changes, strict=True)
                if found
            ],
        )


def _ingest(bare: psycopg.Connection, scope: str, size: int) -> str:
    from ledger.actions.ingest import Incoming, ingest
    from ledger.actor import operator
    from ledger.models import Scope

    row_scope, actor = Scope.objects.get(path=scope), operator("bench")

    def ours() -> None:
        ingest([Incoming(text=_text(), title="bench") for _ in range(size)], scope=row_scope, actor=actor)

    def by_hand() -> None:
        with bare.transaction():
            changes = []
            for _ in range(size):
                text = _text()
                sha = hashlib.sha256(text.encode()).hexdigest()
                found = bare.execute(
                    "INSERT INTO ledger_source (scope_id, kind, sender, sender_kind, position, title, text, sha256,"
                    " external_id, reply_to, dedup, created_at) VALUES (%s, 'document', '', 'document', 0, 'bench', %s,"
                    " %s, '', '', %s, now()) RETURNING id",
                    [row_scope.pk, text, sha, secrets.token_hex(20)],
                ).fetchone()
                assert found
                bare.execute(
                    'INSERT INTO ledger_section (source_id, name, speaker, heading_path, start, "end")'
                    " VALUES (%s, '', 'document', '{}', 0, %s)",
                    [found[0], len(text)],
                )
                changes.append(("source", found[0], f'{{"sha256": "{sha}"}}'))
            _event(bare, "ingest", row_scope.pk, changes)

    return _compared(f"ingest, {size} a transaction", ours, by_hand, size)


def _compared(name: str, ours: Any, by_hand: Any, size: int) -> str:
    ours()
    by_hand()
    times = TIMES if size == 1 else 8
    mine, theirs = [], []
    # In turns, so that both meet the same disk and the same noise.
    for _ in range(times):
        mine.append(_timed(ours))
        theirs.append(_timed(by_hand))
    count = _statements(ours)
    return row(
        name,
        statistics.median(mine) / size,
        statistics.median(theirs) / size,
        note=f"{count} statements / {size} items",
    )


def _drafts(size: int) -> tuple[Any, list[Any]]:
    from ledger.actions.anchoring import quote_at
    from ledger.actions.ingest import Incoming, ingest
    from ledger.actions.propose import Draft
    from ledger.actor import operator
    from ledger.models import Scope

    scope = Scope.objects.get(path="large")
    lines = [f"Number {next(serial)} {secrets.token_hex(8)} it is" for _ in range(size)]
    source = ingest([Incoming(text="\n".join(lines))], scope=scope, actor=operator("bench"))[0].source
    sections = list(source.sections.all())
    drafts, at = [], 0
    for line in lines:
        quote = quote_at(source, sections, at, at + len(line), stance="supports", anchor="exact")
        drafts.append(Draft(kind="decision", statement=line, quotes=(quote,), confidence=0.7, rule="bench"))
        at += len(line) + 1
    return scope, drafts


CLAIM = (
    "INSERT INTO ledger_claim (ref, scope_id, layer, kind, key, topic, tags, value_type, statement, assignee, downstream,"
    " confidence_word, status, names_replaced, disputed, needs_recheck, needs_review, high_risk, anchors_to_choose, version,"
    " slot, dedup, rule, extractor, extractor_version, hand_authored, proposed, summary, created_at, confidence, rank,"
    " seen_count, last_seen_at) VALUES ((SELECT ledger_next_refs('{DEC}')), %s, 'entity', 'decision', '', '', '{}', '', %s, '',"
    " '{}', '', 'pending', '{}', false, false, false, false, '[]', 1, '', %s, 'bench', '', '', false, '{}', '', now(), 0.7, 0.6,"
    " 1, now()) RETURNING id"
)


def _write_by_hand(bare: psycopg.Connection, scope: Any, drafts: list[Any]) -> list[int]:
    changes = []
    with bare.transaction():
        for draft in drafts:
            found = bare.execute(CLAIM, [scope.pk, draft.statement, secrets.token_hex(20)]).fetchone()
            assert found
            quote = draft.quotes[0]
            bare.execute(
                'INSERT INTO ledger_evidence (claim_id, source_id, section_id, speaker, start, "end", quote, quote_sha256,'
                " stance, anchor, redacted, created_at) VALUES (%s, %s, %s, 'document', %s, %s, %s, %s, 'supports', 'exact',"
                " false, now())",
                [found[0], quote.source_id, quote.section_id, quote.start, quote.end, quote.text,
                 hashlib.sha256(quote.text.encode()).hexdigest()],
            )  # fmt: skip
            changes.append(("claim", found[0], '{"status": "pending"}'))
        _event(bare, "propose", scope.pk, changes)
    return [change[1] for change in changes]


def _propose(bare: psycopg.Connection, scope: str, size: int) -> str:
    from ledger.actions.propose import propose_all
    from ledger.actor import operator

    times = TIMES if size == 1 else 8
    mine, theirs = [], []
    for _ in range(times):
        place, drafts = _drafts(size)
        mine.append(_timed(lambda d=drafts, p=place: propose_all(d, scope=p, actor=operator("bench"))))
        place, drafts = _drafts(size)
        theirs.append(_timed(lambda d=drafts, p=place: _write_by_hand(bare, p, d)))
    place, drafts = _drafts(size)
    count = _statements(lambda: propose_all(drafts, scope=place, actor=operator("bench")))
    return row(
        f"propose, {size} a transaction",
        statistics.median(mine) / size,
        statistics.median(theirs) / size,
        note=f"{count} statements / {size} items",
    )


def _promote(bare: psycopg.Connection, scope: str) -> str:
    from ledger.actions.promote import promote
    from ledger.actions.propose import propose_all
    from ledger.actor import operator

    place, drafts = _drafts(TIMES + 1)
    claims = [a.claim for a in propose_all(drafts, scope=place, actor=operator("bench"))]
    place, others = _drafts(TIMES)
    ids = _write_by_hand(bare, place, others)
    mine = [_timed(lambda c=claim: promote(c, actor=operator("bench"))) for claim in claims[:TIMES]]

    def by_hand(claim_id: int) -> None:
        with bare.transaction():
            bare.execute(
                "UPDATE ledger_claim SET status = 'active', promoted_at = now(), version = version + 1"
                " WHERE id = %s AND version = 1",
                [claim_id],
            )
            _event(bare, "promote", place.pk, [("claim", claim_id, '{"status": "active"}')])

    theirs = [_timed(lambda i=claim_id: by_hand(i)) for claim_id in ids]
    count = _statements(lambda: promote(claims[TIMES], actor=operator("bench")))
    return row(
        "promote", statistics.median(mine), statistics.median(theirs), note=f"{count} statements with BEGIN and COMMIT"
    )
