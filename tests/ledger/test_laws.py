"""The laws of the house (design §5) against raw SQL: as the owner of the tables, as the web's role, as the worker's."""

import psycopg
import pytest
from django.db import connection

from ledger.actions.purge import purge
from ledger.models import Evidence, JournalEvent
from tests.ledger.conftest import role
from tests.ledger.raw import (
    NEVER_CHANGE,
    NEVER_GO,
    ROLES,
    SERVING,
    change,
    event,
    evidence_columns,
    execute,
    insert,
    refuse_each,
    refused,
    sha,
)  # fmt: skip
from tests.people import People, candidate, tell

# Laws 1, 2 and 3: what never changes


@pytest.mark.parametrize("name", ROLES)
def test_what_was_said_and_decided_never_changes(furnished: People, name: str) -> None:
    statements = ["UPDATE ledger_seal SET digest = 'x'", "UPDATE ledger_seal SET digest = 'x' WHERE false"]
    for table, columns in NEVER_CHANGE.items():
        statements += [
            f"UPDATE {table} t SET {columns}",
            f"UPDATE {table} t SET {columns} WHERE false",
            f"UPDATE {table} t SET {columns} FROM ledger_scope s WHERE s.id > 0",
            f"WITH gone AS (UPDATE {table} t SET {columns} RETURNING 1) SELECT * FROM gone",
            f"INSERT INTO {table} AS t SELECT * FROM {table} LIMIT 1 ON CONFLICT (id) DO UPDATE SET {columns}",
            f"MERGE INTO {table} t USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET {columns}",
        ]
    refuse_each(statements, as_role=name)


@pytest.mark.parametrize("name", ROLES)
def test_nothing_goes_away(furnished: People, name: str) -> None:
    statements = []
    for table in NEVER_GO:
        statements += [
            f"DELETE FROM {table}",
            f"DELETE FROM {table} WHERE false",
            f"TRUNCATE {table} CASCADE",
            f"MERGE INTO {table} t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
        ]
    statements += ["TRUNCATE ledger_scope CASCADE", "DELETE FROM ledger_redaction", "TRUNCATE ledger_redaction"]
    refuse_each(statements, as_role=name)


@pytest.mark.parametrize("name", SERVING)
def test_the_seal_belongs_to_the_sealer(furnished: People, name: str) -> None:
    refuse_each(
        [
            "INSERT INTO ledger_seal (event_id, payload_digest, digest) VALUES (1, 'x', 'x')",
            "INSERT INTO ledger_redaction VALUES (1, 1)",
            "UPDATE ledger_sealhorizon SET horizon = '0'",
            "DELETE FROM ledger_sealhorizon",
            "UPDATE ledger_refday SET base = 0",
            "SELECT setval('ledger_ref_seq', 1)",
        ],
        as_role=name,
    )
    with role(name):
        assert execute("SELECT ok FROM ledger_verify_journal()") == [(True,)]


def test_a_source_is_what_its_hash_says(people: People) -> None:
    columns = {
        "scope_id": people.scope.pk, "kind": "note", "sender": "", "sender_kind": "user", "position": 0, "title": "",
        "text": "hello", "sha256": sha("hello"), "external_id": "", "reply_to": "", "dedup": "x",
        "created_at": "2026-01-01T00:00Z",
    }  # fmt: skip
    for wrong in ({"sha256": sha("other")}, {"purged_at": "2026-01-01T00:00Z", "text": "", "sha256": sha("")}):
        with refused(by={"23514"}):
            insert("ledger_source", columns | wrong)


@pytest.mark.parametrize("name", ROLES)
def test_a_section_comes_with_its_source_and_covers_it_once(people: People, name: str) -> None:
    source = tell(people.scope, people.bob, "the agent says so", by="agent")
    late = {"source_id": source.pk, "name": "", "speaker": "user", "heading_path": [], "start": 4, "end": 9}
    with role(name), refused(by={"23001"}, saying="takes no more sections"):
        insert("ledger_section", late)
    columns = {
        "scope_id": people.scope.pk, "kind": "note", "sender": "", "sender_kind": "user", "position": 0, "title": "",
        "text": "hello", "sha256": sha("hello"), "external_id": "", "reply_to": "", "dedup": "x",
        "created_at": "2026-01-01T00:00Z",
    }  # fmt: skip
    for ranges, saying in ([[(0, 6)], "beyond"], [[(0, 3), (2, 5)], "overlap"], [[(0, 3), (0, 2)], "section_once"]):
        with role(name), refused(by={"23514", "23505"}, saying=saying):
            made = insert("ledger_source", columns)
            for start, end in ranges:
                insert("ledger_section", late | {"source_id": made, "start": start, "end": end})


@pytest.mark.parametrize("name", ROLES)
def test_false_evidence_is_refused(people: People, name: str) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    source = tell(people.scope, people.bob, "Crème 🧗‍♀️ brûlée\r\nholds", by="agent")
    other = tell(people.scope, people.bob, "Crème 🧗‍♀️ brûlée\r\nholds!", by="user")
    gone = tell(people.scope, people.bob, "secret words")
    elsewhere = gone.sections.get()
    purge(gone, actor=people.alice, reason="asked")
    with role(name):
        insert("ledger_evidence", evidence_columns(claim, source, 6, 15))
        for wrong in (
            {"quote": "never said", "quote_sha256": sha("never said"), "end": 10},
            {"start": 1},
            {"end": 4},
            {"start": 1, "end": 6},
            {"end": 999},
            {"start": -1, "end": 4},
            {"quote": "", "quote_sha256": sha(""), "end": 0},
            {"quote_sha256": sha("other")},
            {"section_id": other.sections.get().pk},
            {"section_id": elsewhere.pk},
            {"speaker": "user"},
            {"source_id": other.pk},
            {"redacted": True},
            {"source_id": gone.pk, "section_id": elsewhere.pk, "speaker": "user"},
            {"quote": "Crème".replace("è", "e\u0300"), "quote_sha256": sha("Crème".replace("è", "e\u0300"))},
            {"stance": "believes"},
        ):
            with refused():
                insert("ledger_evidence", evidence_columns(claim, source, 0, 5, **wrong))
        # The way of bulk loads is no way around.
        row = evidence_columns(claim, source, 0, 5, quote="Brule", quote_sha256=sha("Brule"))
        names = ", ".join(f'"{n}"' for n in row)
        with (
            pytest.raises(psycopg.errors.CheckViolation),
            connection.cursor() as cursor,
            cursor.cursor.copy(f"COPY ledger_evidence ({names}) FROM STDIN") as copy,
        ):
            copy.write_row(list(row.values()))
        assert Evidence.objects.filter(claim=claim, source=source).count() == 1


def test_a_quote_joins_no_two_speakers(people: People) -> None:
    from ledger.actions.ingest import Incoming, ingest
    from ledger.rules.sections import SectionSpan

    spans = [(0, 5, "user"), (5, 10, "agent"), (10, 15, "agent")]
    sections = tuple(SectionSpan("", speaker, (), start, end) for start, end, speaker in spans)
    source = ingest(
        [Incoming(text="yes. no.. maybe", kind="turn", sections=sections)], scope=people.scope, actor=people.bob
    )[0].source
    claim = candidate(people.scope, people.bob, "It holds")
    with refused(by={"23514"}, saying="two speakers"):
        insert("ledger_evidence", evidence_columns(claim, source, 2, 8))
    with refused(by={"23514"}, saying="section"):
        insert("ledger_evidence", evidence_columns(claim, source, 6, 8))
    second = source.sections.get(start=5)
    insert("ledger_evidence", evidence_columns(claim, source, 6, 14, section_id=second.pk, speaker="agent"))


# The origin of a claim


@pytest.mark.parametrize("name", ROLES)
def test_origin_is_frozen(people: People, name: str) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    frozen = {
        "ref": "'DEC-1'", "run_id": "1", "rule": "'x'", "extractor": "'x'", "extractor_version": "'x'",
        "hand_authored": "true", "proposed": "'{\"redacted\": true}'", "created_at": "now()", "version": "version - 1",
    }  # fmt: skip
    refuse_each([f"UPDATE ledger_claim SET {column} = {value}" for column, value in frozen.items()], as_role=name)
    with role(name):
        execute("UPDATE ledger_claim SET rank = 1, version = version + 1 WHERE id = %s", [claim.pk])


# Law 3: the journal


@pytest.mark.parametrize("name", ROLES)
def test_a_journal_event_cannot_be_forged_or_added_to(people: People, name: str) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    old = JournalEvent.objects.order_by("-id").first()
    assert old is not None
    with role(name):
        with refused(by={"23001"}, saying="takes no more changes"):
            change(old.pk, "claim", claim.pk, {"status": "active"})
        with refused(by={"23514"}):
            execute(
                "INSERT INTO ledger_journalchange (event_id, noun, row, implicit, redacted) VALUES (%s, 'x', 1, false, true)",
                [event(people.scope)],
            )
        with refused(by={"23514"}):
            execute(
                "INSERT INTO ledger_journalevent (verb, actor_kind, actor_name, door, scope_id, ref, reason, request_id, salt,"
                " redacted) VALUES ('x', 'human', 'x', 'x', %s, '', '', '', 'short', false)",
                [people.scope.pk],
            )
        (forged,) = execute(
            "INSERT INTO ledger_journalevent (verb, actor_kind, actor_name, door, scope_id, ref, reason, request_id, salt,"
            " redacted, at, xid) VALUES ('x', 'system', 'x', 'x', %s, '', '', '', %s, true, '2001-01-01', '1')"
            " RETURNING redacted, at > now() - interval '1 minute', xid::text::bigint > 1",
            [people.scope.pk, b"0" * 16],
        )
        assert forged == (False, True, True)
