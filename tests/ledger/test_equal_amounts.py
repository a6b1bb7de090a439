"""One amount in two units: one claim, which a person sees once; and what is there keeps its history when keys are made anew."""

import importlib
from types import SimpleNamespace
from typing import Any

from django.db import connection, transaction

from ledger.actions.decide import reject
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.undo import undo
from ledger.models import Claim, Conflict, JournalEvent, Scope
from ledger.reads.rivals import meeting_of
from ledger.reads.verify import verify
from ledger.rules.reconcile import PromotionOutcome
from ledger.rules.slots import key_of_slot, slot_of
from tests.ledger.raw import refused
from tests.people import People, candidate, say, tell

MIGRATION = importlib.import_module("ledger.migrations.0015_about_and_amounts")


def migrate() -> None:
    with transaction.atomic():
        MIGRATION.fill(None, SimpleNamespace(connection=connection))


def amount(lab: Scope, people: People, number: float, unit: str, **more: Any) -> Any:
    return say(
        lab, people.bob, f"timeout: {number} {unit}", key="timeout", value={"number": number, "unit": unit}, **more
    )


def test_what_holds_is_seen_once_in_another_unit_and_then_known(lab: Scope, people: People) -> None:
    held = amount(lab, people, 90, "s").claim
    promote(held, actor=people.bob)
    assert amount(lab, people, 90, "seconds").fate == "duplicate"
    shown = amount(lab, people, 1.5, "min")
    assert shown.fate == "written" and shown.claim.dedup == held.dedup and not shown.claim.contested
    assert amount(lab, people, 0.025, "h").claim == shown.claim, "it waits already, in whichever unit"
    assert amount(lab, people, 90, "s").claim == held, "its own unit first"
    _, preview = meeting_of(shown.claim)
    assert (preview.outcome, preview.against) == (PromotionOutcome.SAME, (held.ref,))
    promote(shown.claim, actor=people.bob)
    shown.claim.refresh_from_db()
    assert shown.claim.status == "merged" and not Conflict.objects.exists()
    assert amount(lab, people, 1.5, "min").claim == shown.claim
    assert amount(lab, people, 2, "min").fate == "written"


def test_a_no_is_remembered_in_every_unit(lab: Scope, people: People) -> None:
    no = amount(lab, people, 90, "s").claim
    reject(no, actor=people.bob)
    assert amount(lab, people, 1.5, "min").fate == "rejected"


def test_a_sentence_with_an_amount_in_another_unit_is_the_same_sentence(lab: Scope, people: People) -> None:
    known = candidate(lab, people.bob, "The door must open within 90 s")
    assert say(lab, people.bob, "The door must open within 1.5 min").claim == known
    assert say(lab, people.bob, "The door must open within 2 min").fate == "written"


def test_what_it_is_about_belongs_to_slot_and_duplicate(lab: Scope, people: People) -> None:
    crane_a, crane_b = (amount(lab, people, 90, "s", subject=one).claim for one in ("Crane A", "Crane B"))
    assert crane_a != crane_b and key_of_slot(crane_a.slot) == "timeout"
    other = amount(lab, people, 95, "s", subject="Crane B").claim
    for claim in (crane_a, other):
        promote(claim, actor=people.bob)
    assert not Conflict.objects.exists()
    assert promote(crane_b, actor=people.bob) and Conflict.objects.get(status="open").slot == crane_b.slot
    assert len({say(lab, people.bob, "approved", subject=one).claim for one in ("Lift", "Ramp")}) == 2
    assert len(slot_of("k" * 40, many=False, key="", topic="ﷺ" * 200, subject="ﷺ" * 200)) <= 500


def test_the_subject_is_frozen_and_a_purge_takes_it(lab: Scope, people: People) -> None:
    source = tell(lab, people.bob, "closed on Mondays")
    claim = say(lab, people.bob, "closed on Mondays", subject="Harbour office", told=source).claim
    with refused():
        Claim.objects.filter(pk=claim.pk).update(subject="another")
    purge(source, actor=people.alice, reason="asked for")
    claim.refresh_from_db()
    assert claim.subject == "" and claim.statement == ""


def test_the_migration_gives_live_claims_their_keys_and_tells_so(lab: Scope, people: People) -> None:
    held = amount(lab, people, 1.5, "min").claim
    created = JournalEvent.objects.get(verb="propose", ref=held.ref)
    twin = candidate(lab, people.bob, "timeout: 90 s", key="timeout", value={"number": 95, "unit": "s"})
    plain = candidate(lab, people.bob, "The mast is red")
    wanted = {row.pk: (row.near, row.dedup) for row in Claim.objects.all()}
    _as_it_was(held, "old a")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_claim SET near = '{}'")
    migrate()
    assert {row.pk: (row.near, row.dedup) for row in Claim.objects.all()} == wanted
    event = JournalEvent.objects.get(verb="rekey")
    assert event.scope == lab and event.actor_kind == "system"
    assert [(one.row, one.before, one.after) for one in event.changes.all()] == [
        (held.pk, {"dedup": "old a"}, {"dedup": wanted[held.pk][1]})
    ]
    assert verify().problems == []
    undo(created, actor=people.bob)
    held.refresh_from_db()
    assert held.status == "withdrawn" and plain.status == twin.status == "pending"


def test_of_two_that_come_to_say_the_same_the_later_keeps_its_key(lab: Scope, people: People) -> None:
    one = amount(lab, people, 90, "s").claim
    other = amount(lab, people, 95, "s").claim
    with connection.cursor() as cursor:  # as two rows that were told apart by their units
        cursor.execute('UPDATE ledger_claim SET value = \'{"number": 1.5, "unit": "min"}\' WHERE id = %s', [other.pk])
    before = {row.pk: row.dedup for row in (one, other)}
    migrate()
    assert {row.pk: row.dedup for row in Claim.objects.all()} == before
    promote(one, actor=people.bob)
    other.refresh_from_db()
    _, preview = meeting_of(other)
    assert preview.outcome is PromotionOutcome.SAME
    promote(other, actor=people.bob)
    assert not Conflict.objects.exists()


def _as_it_was(claim: Claim, dedup: str) -> None:
    """The claim and its birth with the key of an older version."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_journalchange DISABLE TRIGGER USER")
        cursor.execute("UPDATE ledger_claim SET dedup = %s WHERE id = %s", [dedup, claim.pk])
        cursor.execute(
            "UPDATE ledger_journalchange SET after = jsonb_set(after, '{dedup}', to_jsonb(%s::text))"
            " WHERE noun = 'claim' AND row = %s",
            [dedup, claim.pk],
        )
        cursor.execute("ALTER TABLE ledger_journalchange ENABLE TRIGGER USER")
