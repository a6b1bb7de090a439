"""The laws of the house (design §5) against raw SQL: as the owner of the tables, as the web's role, as the worker's."""

import psycopg
import pytest
from django.db import connection, transaction

from ledger.actions.curate import curate
from ledger.actions.dispute import dispute
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.models import Claim, Evidence, JournalEvent, Run, Source, TrustedState
from tests.ledger.conftest import role
from tests.ledger.raw import (
    REFUSALS,
    ROLES,
    SERVING,
    WEB,
    WORKER,
    change,
    event,
    execute,
    insert,
    login,
    refuse_each,
    refused,
    sha,
)  # fmt: skip
from tests.people import People, candidate, tell

NEVER_CHANGE = {
    "ledger_source": "text = t.text || '!'",
    "ledger_section": "speaker = 'user'",
    "ledger_evidence": "quote = 'never said'",
    "ledger_journalevent": "actor_name = 'nobody'",
    "ledger_journalchange": "after = '{}'",
}
NEVER_GO = [*NEVER_CHANGE, "ledger_seal", "ledger_claim", "ledger_trustedstate", "ledger_conflict", "ledger_dispute"]


@pytest.fixture
def furnished(people: People) -> People:
    """One row at least in every table that a law protects."""
    one = candidate(people.scope, people.bob, "The mast weighs 4 kg", key="mast", value=4)
    other = candidate(people.scope, people.bob, "The mast weighs 5 kg", key="mast", value=5)
    promote(one, actor=people.bob)
    promote(other, actor=people.bob)
    dispute(one, source=tell(people.scope, people.bob, "It does not", by="tool"), quote="It does not", actor=people.bob)
    curate(people.scope, "colour", actor=people.carol, value="red")
    execute("SELECT ledger_seal()")
    return people


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


# Law 2: evidence is true


def evidence_columns(claim: Claim, source: Source, since: int, to: int, **changed: object) -> dict[str, object]:
    words = source.text[since:to]
    section = source.sections.first()
    assert section is not None
    return {
        "claim_id": claim.pk, "source_id": source.pk, "section_id": section.pk, "speaker": section.speaker,
        "start": since, "end": to, "quote": words, "quote_sha256": sha(words), "stance": "supports",
        "anchor": "exact", "redacted": False, "created_at": "2026-01-01T00:00Z",
    } | changed  # fmt: skip


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
            " redacted, at, xid) VALUES ('x', 'human', 'x', 'x', %s, '', '', '', %s, true, '2001-01-01', '1')"
            " RETURNING redacted, at > now() - interval '1 minute', xid::text::bigint > 1",
            [people.scope.pk, b"0" * 16],
        )
        assert forged == (False, True, True)


# Law 4: trusted state


def raw_trusted(people: People, ref: str = "TRU-1") -> int:
    return insert(
        "ledger_trustedstate",
        {
            "ref": ref, "scope_id": people.scope.pk, "key": ref, "value": "1", "statement": "x", "cites": [],
            "status": "current", "by": "mallory", "at": "2026-01-01T00:00Z", "version": 1,
        },
    )  # fmt: skip


def test_the_worker_has_no_hand_for_trusted_state(furnished: People) -> None:
    refuse_each(
        [
            "UPDATE ledger_trustedstate SET statement = 'x'",
            "UPDATE ledger_trustedstate SET statement = 'x' WHERE false",
            "INSERT INTO ledger_trustedstate SELECT * FROM ledger_trustedstate WHERE false",
            "DELETE FROM ledger_trustedstate WHERE false",
            "UPDATE ledger_kind SET anchors = '{}'",
            "UPDATE ledger_scope SET policies = '{\"references\": {}}'",
            "UPDATE ledger_member SET role = 'owner'",
        ],
        as_role=WORKER,
    )
    with role(WORKER), refused(by={"42501"}):
        raw_trusted(furnished)


def test_trusted_state_wants_a_persons_own_event(people: People) -> None:
    user = people.carol.user_id
    wrong = [
        {"kind": "agent"}, {"kind": "system"}, {"kind": "policy", "name": "policy:x@1"}, {"token": 7}, {"door": "api"},
        {"door": "command"}, {"door": "worker"}, {"door": "demo"}, {"verb": "promote"}, {"verb": "undo"}, {"user": None},
    ]  # fmt: skip
    with role(WEB):
        with refused(by={"23001"}, saying="own hand"):
            raw_trusted(people)
        for mistake in wrong:
            with refused(by={"23001"}, saying="own hand"):
                row = raw_trusted(people)
                told = {"verb": "curate", "user": user, "door": "screen"} | mistake
                change(event(people.scope, **told), "trusted", row, {"status": "current"})
        with refused(by={"23001"}):
            row = raw_trusted(people)
            change(event(people.scope, verb="curate", user=user), "trusted", row + 1, {"status": "current"})
        with refused(by={"23001"}):
            row = raw_trusted(people)
            change(event(people.scope, verb="curate", user=user), "claim", row, {"status": "current"})
        curate(people.scope, "colour", actor=people.carol, value="red")
        with refused(by={"23001"}, saying="own hand"):
            # The event of an earlier transaction does not carry a later change.
            execute("UPDATE ledger_trustedstate SET statement = 'blue'")
        with transaction.atomic():
            row = raw_trusted(people, "TRU-2")
            change(event(people.scope, verb="curate", user=user), "trusted", row, {"status": "current"})
    assert TrustedState.objects.count() == 2


def test_the_demo_door_is_the_owners(people: People) -> None:
    with transaction.atomic():
        row = raw_trusted(people)
        change(event(people.scope, verb="curate", door="demo", user=None), "trusted", row, {"status": "current"})
    with role(WEB), refused(by={"23001"}):
        execute("UPDATE ledger_trustedstate SET statement = 'x'")
        change(event(people.scope, verb="curate", door="demo", user=None), "trusted", row, {"statement": "x"})


# Law 5: active by decision


def activate(claim: Claim) -> None:
    execute("UPDATE ledger_claim SET status = 'active', version = version + 1 WHERE id = %s", [claim.pk])


def decided(claim: Claim, **told: object) -> None:
    activate(claim)
    change(event(claim.scope, **told), "claim", claim.pk, {"status": "active"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ROLES)
def test_nothing_promotes_itself(people: People, name: str) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    with role(name):
        with refused(by={"23001"}, saying="active only by"):
            activate(claim)
        with refused(by={"23001"}):
            execute(
                "MERGE INTO ledger_claim t USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET status = 'active'"
            )
        for told in (
            {"kind": "agent"}, {"kind": "system"}, {"kind": "policy", "name": "policy:references@1"},
            {"kind": "policy", "name": "references"}, {"kind": "policy", "name": "policy:@"},
        ):  # fmt: skip
            with refused(by={"23001"}):
                decided(claim, **told)
        with refused(by={"23001"}):
            # The event must say so.
            activate(claim)
            change(event(people.scope), "claim", claim.pk, {"status": "pending"})
    old = event(people.scope)
    with role(name), refused(by={"23001"}):
        activate(claim)
        change(old, "claim", claim.pk, {"status": "active"})
    with role(name):
        atomically(claim)
    claim.refresh_from_db()
    assert claim.status == "active"


def atomically(claim: Claim, **told: object) -> None:
    with transaction.atomic():
        decided(claim, **told)


@pytest.mark.parametrize("name", SERVING)
def test_a_claim_is_not_born_active(people: People, name: str) -> None:
    columns = [
        column
        for (column,) in execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'ledger_claim' AND is_generated = 'NEVER'"
        )
        if column != "id"
    ]
    candidate(people.scope, people.bob, "It holds")
    changed = {"ref": "'DEC-1'", "dedup": "'x'", "status": "'active'"}
    chosen = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    with role(name), refused(by={"23001"}):
        execute(f"INSERT INTO ledger_claim ({', '.join(columns)}) SELECT {chosen} FROM ledger_claim")


@pytest.mark.parametrize("name", SERVING)
def test_a_policy_promotes_where_an_owner_turned_it_on(people: People, name: str) -> None:
    told = {"kind": "policy", "name": "policy:references@1.0", "door": "worker", "user": None}
    claim = candidate(people.scope, people.bob, "It holds")
    risky = candidate(people.scope, people.bob, "It is safe")
    execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [risky.pk])
    with role(name), refused(by={"23001"}):
        decided(claim, **told)
    execute("UPDATE ledger_scope SET policies = '{\"confidence\": {}}' WHERE id = %s", [people.scope.pk])
    with role(name), refused(by={"23001"}):
        decided(claim, **told)
    # On in a scope above is on.
    execute("UPDATE ledger_scope SET policies = '{\"references\": {}}' WHERE path = 'global'")
    with role(name):
        with refused(by={"23001"}):
            decided(risky, **told)
        with refused(by={"23001"}):
            # High risk is what stands at the commit, and what stood at the step.
            execute("UPDATE ledger_claim SET high_risk = false WHERE id = %s", [risky.pk])
            decided(risky, **told)
            execute("UPDATE ledger_claim SET high_risk = true WHERE id = %s", [risky.pk])
        atomically(claim, **told)
    execute("UPDATE ledger_scope SET policies = '{}' WHERE path = 'global'")


# Law 8 and the rule that nothing is without evidence


def raw_claim(claim: Claim, **changed: str) -> int:
    """A copy of a claim without its evidence."""
    columns = [
        column
        for (column,) in execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'ledger_claim' AND is_generated = 'NEVER'"
        )
        if column != "id"
    ]
    changed = {"ref": "'DEC-1'", "dedup": "'x'"} | changed
    chosen = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    return int(
        execute(
            f"INSERT INTO ledger_claim ({', '.join(columns)}) SELECT {chosen} FROM ledger_claim WHERE id = %s RETURNING id",
            [claim.pk],
        )[0][0]
    )


@pytest.mark.parametrize("name", ROLES)
def test_a_claim_rests_on_the_right_persons_words(people: People, name: str) -> None:
    fact = candidate(people.scope, people.bob, "It holds", by="agent")
    source = tell(people.scope, people.bob, "more words of an agent", by="agent")
    with role(name):
        with refused(by={"23001"}, saying="rests on no words"):
            raw_claim(fact)
        with refused(by={"23001"}, saying="rests on no words"):
            raw_claim(fact, proposed="'{\"redacted\": true}'")
        with refused(by={"23001"}, saying="user or document"):
            made = raw_claim(fact, kind="'decision'")
            execute("UPDATE ledger_claim SET rank = 2 WHERE id = %s", [made])
            insert("ledger_evidence", evidence_columns(Claim.objects.get(pk=made), source, 0, 4))
        with refused(by={"23001"}, saying="user or document"):
            execute("UPDATE ledger_claim SET kind = 'decision' WHERE id = %s", [fact.pk])
        with refused(by={"23001"}):
            # Only context, and only objections, anchor nothing.
            made = raw_claim(fact)
            insert("ledger_evidence", evidence_columns(Claim.objects.get(pk=made), source, 0, 4, stance="context"))
        with refused(by={"23001"}, saying="rests on no words"):
            # What waits for its anchor cannot hold.
            made = raw_claim(fact, anchors_to_choose="'[{\"source\": 1}]'")
            decided(Claim.objects.get(pk=made))


# Law 7: runs, and refs


@pytest.mark.parametrize("name", ROLES)
def test_one_run_per_input_extractor_and_version(people: People, name: str) -> None:
    source = tell(people.scope, people.bob, "words")
    columns = {
        "scope_id": people.scope.pk, "source_id": source.pk, "input_hash": source.sha256, "extractor": "rules",
        "extractor_version": "1", "forced": False, "dry": False, "status": "queued", "stats": "{}", "error": "",
        "raw_answer": "", "model": "", "tokens": 0, "attempts": 0, "requested_by": "", "created_at": "2026-01-01T00:00Z",
    }  # fmt: skip
    with role(name):
        insert("ledger_run", columns)
        for status in ("queued", "running", "succeeded"):
            with refused(by={"23505"}):
                insert("ledger_run", columns | {"status": status})
        insert("ledger_run", columns | {"extractor_version": "2"})
        insert("ledger_run", columns | {"forced": True})
        insert("ledger_run", columns | {"forced": True})
        insert("ledger_run", columns | {"status": "failed"})
        insert("ledger_run", columns | {"dry": True})
    assert Run.objects.count() == 6


def test_a_ref_is_given_once(people: People) -> None:
    claim = candidate(people.scope, people.bob, "It holds")
    with refused(by={"23505"}):
        raw_claim(claim, ref="ref")
    prefixes = ["DEC", "FCT", "TRU", "PAT"] * 100
    refs = [ref for (ref,) in execute("SELECT ledger_next_refs(%s)", [prefixes])]
    with role(WORKER):
        refs += [ref for (ref,) in execute("SELECT ledger_next_refs(%s)", [prefixes])]
    assert len({ref.rpartition("-")[2] for ref in refs}) == len(refs) == 800
    assert all(ref.startswith(f"{prefix}-") for prefix, ref in zip(prefixes * 2, refs, strict=True))


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
