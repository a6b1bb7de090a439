"""A purge takes every copy of a source's words (law 1): looked for in each text column of each table there is."""

import re

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from ledger.actions.anchoring import find_quotes
from ledger.actions.conflict import dismiss
from ledger.actions.decide import archive, reject, reopen, restore
from ledger.actions.dispute import dispute
from ledger.actions.edit import edit
from ledger.actions.graduate import graduate
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.purge import purge
from ledger.actions.run import ExtractorVersion, request_run
from ledger.actions.undo import undo
from ledger.errors import BadTransition, Forbidden, Invalid
from ledger.models import (
    Claim,
    Conflict,
    Gate,
    JournalEvent,
    Notice,
    Pattern,
    PriceObservation,
    RunHit,
    Source,
)  # fmt: skip
from ledger.rules.text_columns import BLANKED, NAMES, TYPED
from tests.ledger.conftest import role
from tests.ledger.raw import WEB, execute
from tests.people import People, quote_of, say, tell

TEXTUAL = (
    "text",
    "character varying",
    "character",
    "json",
    "jsonb",
    "tsvector",
    "ARRAY",
    "bytea",
    "xml",
    "USER-DEFINED",
)
TEXT = "Zyxomorph bulkhead weighs 71234 kilogrubs because Quandarius insists upon vellichor"
RARE = ("zyxomorph", "bulkhead", "71234", "kilogrub", "quandarius", "vellichor")


def text_columns() -> set[tuple[str, str]]:
    rows = execute(
        "SELECT table_name, column_name, udt_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = ANY (%s)",
        [list(TEXTUAL)],
    )
    return {(table, column) for table, column, kind in rows if kind not in ("_int4", "_int8", "xid8")}


def left_over(words: tuple[str, ...] = RARE) -> list[str]:
    """The columns that still hold one of these words."""
    found = []
    for table, column in sorted(text_columns()):
        rows = execute(f'SELECT "{column}"::text FROM "{table}" WHERE "{column}"::text ~* %s', ["|".join(words)])
        found += [f"{table}.{column}: {re.sub(r'\\s+', ' ', row[0])[:120]}" for row in rows]
    return found


def words_of(source: Source, **more: object) -> Draft:
    return Draft(quotes=(quote_of(source, TEXT),), **more)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_somebody_decided_about_every_text_column() -> None:
    declared = {
        (table, column) for group in (BLANKED, TYPED, NAMES) for table, columns in group.items() for column in columns
    }
    there = text_columns()
    assert there - declared == set(), "decide what a purge does about these, in ledger/rules/text_columns.py"
    assert declared - there == set(), "these are gone"


def test_nothing_is_left_of_a_source_that_was_cited_everywhere(people: People) -> None:
    scope, bob = people.scope, people.bob
    document = Incoming(text=f"# About vellichor\n\n{TEXT}\n", title="About the zyxomorph", sender_kind="user")
    source = ingest([document], scope=scope, actor=bob)[0].source
    claim = propose(
        words_of(source, kind="fact", statement=TEXT, key="zyxomorph.weight", topic="bulkhead", tags=("vellichor",),
            value={"number": 71234, "unit": "kilogrub"}, value_type="dimension", assignee="Quandarius",
            summary="The zyxomorph is heavy", downstream=("vellichor",), names_replaced=("bulkhead",),
        ),
        scope=scope, actor=bob, reason="because Quandarius said so",
    ).claim  # fmt: skip
    assert claim is not None
    edit(claim, actor=bob, changes={"tags": ["kilogrub"]}, reason="kilogrubs matter")
    promoted = promote(claim, actor=bob, reason="vellichor")
    rival = say(scope, bob, "It weighs nothing", key="zyxomorph.weight", value=0).claim
    assert rival is not None
    promote(rival, actor=bob)
    objecting = tell(scope, bob, "No it does not", by="tool")
    dispute(claim, source=objecting, quote="No it does not", actor=bob, reason="the zyxomorph is light")
    memory = propose(
        words_of(source, kind="preference", statement="Quandarius prefers vellichor"), scope=scope, actor=bob
    ).claim
    assert memory is not None
    promote(memory, actor=bob)
    graduate(memory, actor=bob, reason="vellichor")
    no = propose(words_of(source, kind="decision", statement="Bulkhead is red"), scope=scope, actor=bob).claim
    assert no is not None
    reject(no, actor=bob, reason="no bulkhead")
    twice = tell(scope, bob, "vellichor and vellichor again")
    quote, places = find_quotes(twice, "vellichor", start=None, end=None)
    assert quote is None
    waiting = propose(
        Draft(kind="decision", statement="vellichor it is", quotes=(), anchors_to_choose=tuple(places)),
        scope=scope, actor=bob,
    ).claim  # fmt: skip
    assert waiting is not None
    (run,) = request_run(source, actor=bob, extractors=[ExtractorVersion("rules", "1")])
    run.raw_answer, run.error = TEXT, f"cannot read {TEXT}"
    run.save()
    RunHit.objects.create(run=run, number=1, fate="note", why="bulkhead is no key", hit={"quote": TEXT})
    Gate.objects.create(source=source, stage="tripwire", score=1, threshold=0, passed=True, patterns=["bulkhead"])
    Pattern.objects.create(ref="PAT-1", scope=scope, type="correction", claim=claim, description=TEXT)
    Pattern.objects.create(ref="PAT-2", scope=scope, type="correction", description=TEXT).sources.add(source)
    Notice.objects.create(scope=scope, rule="x", text=TEXT, claim=claim)
    PriceObservation.objects.create(
        scope=scope, name="mast", form="mast", supplier="Quandarius", amount=1, currency="EUR", source=source,
        observed_at=timezone.now(),
    )  # fmt: skip
    for row in (source, claim, claim.evidence.get(stance="supports")):
        LogEntry.objects.create(
            user_id=people.alice.user_id, content_type=ContentType.objects.get_for_model(row), object_id=str(row.pk),
            object_repr=TEXT[:200], action_flag=CHANGE, change_message=TEXT,
        )  # fmt: skip
    found = {name.split(":")[0].split(".")[0] for name in left_over()}
    # Vectors hold no words: what becomes of them is tested beside them.
    planted = BLANKED.keys() - {"ledger_priceobservation", "ledger_tokenvectors", "ledger_statementvector"}
    assert found >= planted, "the test plants a word in each table"

    with role(WEB):
        purge(source, actor=people.alice, reason="asked to")
        purge(twice, actor=people.alice, reason="asked to")
    kept = [name for name in left_over() if "It weighs nothing" not in name]
    # The slot is named by a key that a claim with words of its own still holds.
    assert [name for name in kept if "zyxomorph.weight" not in name.replace("zyxomorph|weight", "")] == []
    assert {name.split(":")[0] for name in kept} <= {
        "ledger_claim.key", "ledger_claim.slot", "ledger_claim.proposed", "ledger_claim.search", "ledger_journalchange.after",
    }  # fmt: skip
    for row in (claim, memory, no, waiting):
        row.refresh_from_db()
        assert (row.statement, row.value, row.proposed) == ("", None, {"redacted": True})
        assert row.ref
    assert (claim.status, no.status, waiting.status) == ("active", "rejected", "pending")
    execute("SELECT ledger_seal()")
    ok, redacted = execute("SELECT ok, redacted FROM ledger_verify_journal()")[0]
    assert (ok, redacted > 5) == (True, True)
    assert Conflict.objects.get().status == "closed"
    with pytest.raises(BadTransition, match="redacted"):
        undo(promoted, actor=bob)
    with pytest.raises(BadTransition, match="purge took the words"):
        reopen(no, actor=bob)
    with pytest.raises(BadTransition, match="purge took the words"):
        promote(waiting, actor=bob)
    archive(claim, actor=bob)
    with pytest.raises(BadTransition, match="purge took the words"):
        restore(claim, actor=bob)


def test_nothing_is_left_of_a_source_that_nobody_cites(people: People) -> None:
    source = tell(people.scope, people.bob, TEXT, sender="ann", external_id="m1")
    with role(WEB):
        event = purge(source, actor=people.alice, reason="asked to")
    assert left_over() == []
    source.refresh_from_db()
    assert source.purged_at is not None
    assert len(source.sha256) == 64
    assert (event.verb, event.ref, event.reason) == ("purge", f"source-{source.pk}", "asked to")
    # What is purged before it was sealed does not stop the sealer.
    assert execute("SELECT ledger_seal()")[0][0] == JournalEvent.objects.count()
    assert execute("SELECT ok, redacted FROM ledger_verify_journal()") == [(True, 1)]
    with pytest.raises(BadTransition):
        purge(source, actor=people.alice, reason="again")


def test_sealed_or_not_the_chain_verifies(people: People) -> None:
    source = tell(people.scope, people.bob, TEXT)
    execute("SELECT ledger_seal()")
    root = execute("SELECT root FROM ledger_verify_journal()")[0][0]
    purge(source, actor=people.alice, reason="asked to")
    assert execute("SELECT ok, root FROM ledger_verify_journal()") == [(True, root)]


def test_a_claim_with_a_second_source_keeps_its_words(people: People) -> None:
    scope, bob = people.scope, people.bob
    first, second = tell(scope, bob, "It is red. Zyxomorph"), tell(scope, bob, "Yes: it is red")
    claim = say(scope, bob, "It is red", told=first).claim
    assert claim is not None
    again = say(scope, bob, "it is red", told=second)
    assert (again.fate, again.claim) == ("duplicate", claim)
    promote(claim, actor=bob)
    purge(first, actor=people.alice, reason="asked to")
    claim.refresh_from_db()
    assert (claim.statement, claim.status) == ("It is red", "active")
    assert left_over(("zyxomorph",)) == []
    redacted = claim.evidence.get(source=first)
    assert (redacted.quote, redacted.redacted) == ("", True)
    assert claim.evidence.get(source=second).quote == "Yes: it is red"
    assert Claim.objects.filter(search="red").count() == 1
    purge(second, actor=people.alice, reason="asked to")
    assert Claim.objects.filter(search="red").count() == 0


def test_what_only_objects_does_not_hold_a_claim_up(people: People) -> None:
    scope, bob = people.scope, people.bob
    source, against = tell(scope, bob, "It is red"), tell(scope, bob, "It is not, Quandarius says", by="tool")
    claim = say(scope, bob, "It is red", told=source).claim
    assert claim is not None
    promote(claim, actor=bob)
    dispute(claim, source=against, quote="It is not, Quandarius says", actor=bob, reason="Quandarius says")
    purge(against, actor=people.alice, reason="asked to")
    claim.refresh_from_db()
    assert claim.statement == "It is red"
    assert left_over() == []
    purge(source, actor=people.alice, reason="asked to")
    claim.refresh_from_db()
    assert claim.statement == ""


def test_the_context_of_a_confirmation_goes_with_its_source(people: People) -> None:
    scope, bob = people.scope, people.bob
    said, yes = tell(scope, bob, "Shall we take vellichor?", by="agent"), tell(scope, bob, "Yes, go ahead")
    context, _ = find_quotes(said, said.text, start=None, end=None, stance="context")
    assert context is not None
    claim = propose(
        Draft(kind="decision", statement="Take vellichor", quotes=(quote_of(yes), context)), scope=scope, actor=bob
    ).claim
    assert claim is not None
    purge(said, actor=people.alice, reason="asked to")
    assert left_over() == []


def test_a_conflict_that_others_keep_up_stays_open(people: People) -> None:
    scope, bob = people.scope, people.bob
    source = tell(scope, bob, "Weight is 71234")
    claims = [say(scope, bob, "Weight is 71234", key="weight", value=71234, told=source).claim]
    claims += [say(scope, bob, f"Weight is {n}", key="weight", value=n).claim for n in (1, 2)]
    for claim in claims:
        assert claim is not None
        promote(claim, actor=bob)
    conflict = Conflict.objects.get()
    purge(source, actor=people.alice, reason="asked to")
    conflict.refresh_from_db()
    assert (conflict.status, conflict.slot) == ("open", "fact|k:weight")
    assert left_over() == []
    dismiss(conflict, actor=bob)


def test_who_may_purge_and_why(people: People) -> None:
    source = tell(people.scope, people.bob, "words")
    for actor in (people.carol, people.bob, people.agent, people.machine):
        with pytest.raises(Forbidden):
            purge(source, actor=actor, reason="x")
    with pytest.raises(Invalid) as caught:
        purge(source, actor=people.alice, reason=" ")
    assert caught.value.field == "reason"
    with pytest.raises(BadTransition):
        undo(purge(source, actor=people.alice, reason="x"), actor=people.alice)
