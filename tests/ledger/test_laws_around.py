"""Ways around the laws: the purge's exemption, what a serving login might try, and what the verifier sees afterwards."""

import psycopg
import pytest
from django.db import connection, transaction

from ledger.actions.purge import purge
from ledger.models import JournalEvent
from tests.ledger.conftest import role
from tests.ledger.raw import (
    NEVER_CHANGE,
    REFUSALS,
    WEB,
    WORKER,
    event,
    evidence_columns,
    execute,
    login,
    refused,
    sha,
)  # fmt: skip
from tests.people import People, candidate, tell

# The purge, the only exemption


def test_only_the_web_purges_and_only_with_its_event(people: People) -> None:
    source = tell(people.scope, people.bob, "words to go")
    other = tell(people.scope, people.bob, "words to stay")
    call = "SELECT ledger_purge_source(%s, %s)"
    with role(WORKER), refused(by={"42501"}):
        execute(call, [source.pk, event(people.scope, verb="purge", ref=f"source-{source.pk}")])
    old = event(people.scope, verb="purge", ref=f"source-{source.pk}")
    with role(WEB):
        for given in (0, old):
            with refused(by={"23001"}, saying="its own journal event"):
                execute(call, [source.pk, given])
        with refused(by={"23001"}):
            execute(call, [source.pk, event(people.scope, verb="promote", ref=f"source-{source.pk}")])
        with refused(by={"23001"}):
            execute(call, [source.pk, event(people.scope, verb="purge", ref=f"source-{other.pk}")])
        purge(source, actor=people.alice, reason="asked")
    source.refresh_from_db()
    assert (source.text, other.text) == ("", "words to stay")


def test_even_the_purgers_role_can_only_blank_and_only_within_a_purge(furnished: People) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE countersign_purger")
        try:
            refuse_each_here = [f"UPDATE {table} t SET {columns}" for table, columns in NEVER_CHANGE.items()]
            refuse_each_here += [
                "UPDATE ledger_source SET text = '', purged_at = now()",
                "UPDATE ledger_claim SET rule = 'x'",
            ]
            for sql in refuse_each_here:
                with refused(by={"23001", "42501"}):
                    execute(sql)
            cursor.execute("RESET ROLE")
            for sql in refuse_each_here[:5]:
                with refused(by={"23001"}):
                    event(furnished.scope, verb="purge", ref="source-1")
                    cursor.execute("SET ROLE countersign_purger")
                    execute(sql)
        finally:
            cursor.execute("RESET ROLE")


# Ways around


@pytest.mark.parametrize("member_of", [WEB, WORKER])
def test_a_serving_login_finds_no_way_around(furnished: People, member_of: str) -> None:
    source = tell(furnished.scope, furnished.bob, "the agent wrote this", by="agent")
    section = source.sections.get()
    claim = candidate(furnished.scope, furnished.bob, "It holds", by="agent")
    attempts = [
        "SET ROLE countersign_purger",
        "SELECT set_config('role', 'countersign_purger', false)",
        f"SET ROLE {connection.settings_dict['USER'] or 'countersign'}",
        "SET SESSION AUTHORIZATION countersign_purger",
        "SET session_replication_role = replica",
        "SELECT set_config('session_replication_role', 'replica', false)",
        "ALTER TABLE ledger_source DISABLE TRIGGER ALL",
        "ALTER TABLE ledger_evidence DISABLE TRIGGER evidence_is_true",
        "ALTER TABLE ledger_claim ALTER COLUMN status TYPE text",
        "DROP TRIGGER evidence_is_true ON ledger_evidence",
        "DROP FUNCTION ledger_refuse CASCADE",
        "ALTER FUNCTION ledger_refuse() RENAME TO nothing",
        "CREATE FUNCTION public.substr(text, int, int) RETURNS text LANGUAGE sql AS 'SELECT $1'",
        "CREATE OR REPLACE FUNCTION ledger_purge_at_work() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "CREATE TABLE public.mine (n int)",
        "CREATE TRIGGER mine BEFORE INSERT ON ledger_claim FOR EACH ROW EXECUTE FUNCTION ledger_refuse_always('x')",
        "CREATE RULE mine AS ON INSERT TO ledger_seal DO INSTEAD NOTHING",
        "UPDATE pg_trigger SET tgenabled = 'D'",
        "DELETE FROM pg_constraint",
        "SELECT lo_export(1, '/tmp/x')",
        "COPY ledger_source TO PROGRAM 'cat'",
        f"ALTER ROLE {member_of} CREATEROLE",
        f"GRANT countersign_purger TO {member_of}",
        "LOCK TABLE ledger_source IN ACCESS EXCLUSIVE MODE; DROP TABLE ledger_source",
    ]  # fmt: skip
    with login(member_of) as session:
        for sql in attempts:
            with pytest.raises(psycopg.Error) as caught:
                session.execute(sql)
                pytest.fail(f"got through: {sql}")
            assert caught.value.sqlstate in REFUSALS | {"42809", "42P17", "22023", "42723"}, (sql, caught.value)
        # Granting what one has not is but a warning, and grants nothing.
        session.execute("GRANT ALL ON ledger_seal, ledger_source, ledger_evidence TO PUBLIC")
        for table in ("ledger_seal", "ledger_source", "ledger_evidence"):
            allowed = session.execute("SELECT has_table_privilege(%s, 'UPDATE, DELETE')", [table]).fetchone()
            assert allowed == (False,)
        # A temporary table with a ledger's name must not stand in for it.
        session.execute(
            "CREATE TEMP TABLE ledger_source AS SELECT id, 'I never said this' AS text, NULL::timestamptz AS purged_at"
            " FROM public.ledger_source"
        )
        session.execute(
            f"CREATE TEMP TABLE ledger_section AS SELECT {section.pk}::bigint AS id, {source.pk}::bigint AS source_id,"
            " 'user'::varchar AS speaker, 0 AS start, 17 AS \"end\""
        )
        session.execute(
            "CREATE TEMP TABLE ledger_kind AS SELECT name, '{}'::varchar[] AS anchors FROM public.ledger_kind"
        )
        session.execute(
            "CREATE TEMP TABLE ledger_journalevent AS SELECT 1::bigint AS id, pg_current_xact_id() AS xid,"
            " 'human' AS actor_kind, 'screen' AS door, 'curate' AS verb, '' AS actor_name, NULL AS token_id, 1 AS user_id"
        )
        session.execute(
            "CREATE TEMP TABLE ledger_journalchange AS SELECT 1::bigint AS event_id, 'claim' AS noun,"
            f' {claim.pk}::bigint AS row, \'{{"status": "active"}}\'::jsonb AS after'
        )
        session.execute("SET search_path = pg_temp, public")
        with pytest.raises(psycopg.Error, match="false evidence"):
            session.execute(
                'INSERT INTO public.ledger_evidence (claim_id, source_id, section_id, speaker, start, "end", quote,'
                " quote_sha256, stance, anchor, redacted, created_at)"
                " VALUES (%s, %s, %s, 'user', 0, 17, 'I never said this', %s, 'supports', 'exact', false, now())",
                [claim.pk, source.pk, section.pk, sha("I never said this")],
            )
        with pytest.raises(psycopg.Error, match="rests on no words"):
            session.execute("UPDATE public.ledger_claim SET kind = 'decision' WHERE id = %s", [claim.pk])
        with pytest.raises(psycopg.Error, match="active only by"), session.transaction():
            session.execute(
                "UPDATE ledger_journalevent SET xid = pg_current_xact_id();"
                " UPDATE public.ledger_claim SET status = 'active' WHERE id = " + str(claim.pk)
            )
        session.execute("DISCARD TEMP")


# What the verifier sees when somebody with the owner's rights does it all the same


TAMPERING = [
    ("ledger_journalevent", "UPDATE ledger_journalevent SET actor_name = 'nobody' WHERE id = %(event)s"),
    ("ledger_journalchange", "UPDATE ledger_journalchange SET after = '{\"x\": 1}' WHERE event_id = %(event)s"),
    ("ledger_journalchange", "DELETE FROM ledger_journalchange WHERE event_id = %(event)s"),
    ("ledger_journalevent", "UPDATE ledger_journalevent SET redacted = true, salt = NULL WHERE id = %(event)s"),
    ("ledger_seal", "UPDATE ledger_seal SET payload_digest = 'x' WHERE event_id = %(event)s"),
    ("ledger_seal", "DELETE FROM ledger_seal WHERE event_id = %(event)s"),
]


def test_tampering_shows(furnished: People) -> None:
    assert execute("SELECT ok FROM ledger_verify_journal()") == [(True,)]
    touched = JournalEvent.objects.filter(verb="promote").first()
    assert touched is not None
    for table, tampering in TAMPERING:
        with transaction.atomic():
            execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            execute(tampering, {"event": touched.pk})
            execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            ok, broken = execute("SELECT ok, broken FROM ledger_verify_journal()")[0]
            transaction.set_rollback(True)
        assert (ok, bool(broken)) == (False, True), tampering


def test_evidence_of_a_long_text_is_compared_where_it_stands(people: People) -> None:
    """Quotes far into a text, out of order, one inside another; and one that is false by one character."""
    source = tell(people.scope, people.bob, "é🙂a\r\n" * 8000 + "the end")
    claim = candidate(people.scope, people.bob, "It has an end")
    spans = [(39990, 40007), (3, 9), (8195, 8200), (8200, 24000), (9000, 9005), (20000, 20001)]
    columns = [evidence_columns(claim, source, since, to) for since, to in spans]
    names = ", ".join(f'"{name}"' for name in columns[0])
    row = "(" + ", ".join(["%s"] * len(columns[0])) + ")"
    sql = f"INSERT INTO ledger_evidence ({names}) VALUES {', '.join([row] * len(columns))}"
    values = [value for one in columns for value in one.values()]
    before = claim.evidence.count()
    wrong = evidence_columns(claim, source, 20000, 20001) | {"start": 20001, "end": 20002}
    with refused(saying="false evidence"):
        execute(sql, [*values[: -len(wrong)], *wrong.values()])
    execute(sql, values)
    assert claim.evidence.count() == before + len(spans)
