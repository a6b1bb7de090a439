"""An erasure takes a person out of every table: their texts, names and ids, and others' texts that name them."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, InternalError, ProgrammingError, transaction

from ledger.actions.curate import curate, retract
from ledger.actions.erase import erase, list_erasure
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.policy import set_policy
from ledger.actions.promote import promote
from ledger.actions.scope import add_person
from ledger.actor import operator
from ledger.errors import Forbidden, Invalid, NotFound, SecondPersonNeeded
from ledger.models import Claim, Conversation, Erasure, JournalEvent, Member, Person, Source, TrustedState
from ledger.reads.verify import verify
from ledger.rules.names import patterns_of
from ledger.rules.permissions import Access
from tests.ledger.conftest import role
from tests.ledger.raw import WEB, execute
from tests.ledger.test_purge import left_over
from tests.people import People, make_scope, say, tell

pytestmark = pytest.mark.usefixtures("people")
NAMES = ("quandarius", "vellichor", "q_van", "987654321")


def verified() -> bool:
    execute("SELECT ledger_seal()")
    return not verify().problems


def household(people: People) -> dict[str, Source]:
    """Quandarius Vellichor is everywhere."""
    scope, bob = people.scope, people.bob
    add_person(
        scope,
        "Quandarius Vellichor",
        actor=people.alice,
        aliases=["Q_van_9", "Dad"],
        role="guardian",
        telegram_id=987654321,
    )
    made = {
        "own": tell(
            scope, bob, "I will bring the key", sender="quandarius vellichor", conversation="987654321", external_id="a"
        ),
        "alias": tell(
            scope, bob, "The key weighs 12 kg", sender="Q_van_9", conversation="team", external_id="Q_van_9-1"
        ),
        "mention": tell(scope, bob, "Ask QUANDARIUS  VELLICHOR about it", sender="Ida"),
        "dad": tell(scope, bob, "Ask Dad about it", sender="Ida"),
        "other": tell(scope, bob, "The key weighs 12 kg, too", sender="Ida"),
    }
    held = say(scope, bob, "The key weighs 12 kg", told=made["alias"], assignee="Quandarius Vellichor").claim
    again = say(scope, bob, "the key weighs 12 kg", told=made["other"], assignee="Quandarius Vellichor")
    assert held is not None and again.claim == held
    promote(held, actor=bob, reason="Quandarius Vellichor said so")
    say(scope, bob, "I will bring the key", told=made["own"], kind="commitment")
    return made


def test_nothing_is_left_of_somebody_but_what_is_told(people: People) -> None:
    made = household(people)
    listed = list_erasure(people.scope, person="q_van_9")
    assert [one.id for one in listed.said] == [made["own"].pk, made["alias"].pk]
    assert [one.id for one in listed.mentions] == [made["mention"].pk]
    assert [one.id for one in listed.doubtful] == [made["dad"].pk]
    assert [name for _, name in listed.people] == ["Quandarius Vellichor"]
    assert {name.split(".")[0] for name in left_over(NAMES)} >= {"ledger_person", "ledger_source", "ledger_claim"}
    with role(WEB):
        result = erase(people.scope, actor=people.alice, person="q_van_9", reason="asked for")
    assert result.status == "done" and result.event is not None
    assert left_over(NAMES) == []
    assert Source.objects.get(pk=made["alias"].pk).external_id == ""
    assert {made[name].pk for name in ("own", "alias", "mention")} == set(
        Source.objects.exclude(purged_at=None).values_list("pk", flat=True)
    )
    assert Person.objects.get().name.startswith("erased-")
    assert Conversation.objects.filter(external_id__startswith="erased-").count() == 1
    assert {event.verb for event in JournalEvent.objects.filter(batch=result.event.batch)} == {"purge", "erase"}
    assert verified()
    assert erase(people.scope, actor=people.alice, person="q_van_9").status == "nothing"


def test_an_owner_keeps_and_adds_texts(people: People) -> None:
    made = household(people)
    erase(people.scope, actor=people.alice, person="Dad", keep=[made["mention"].pk], also=[made["dad"].pk])
    gone = set(Source.objects.exclude(purged_at=None).values_list("pk", flat=True))
    assert made["dad"].pk in gone and made["mention"].pk not in gone
    assert verified()


def test_a_trusted_value_is_told_and_goes_once_a_person_took_it_back(people: People) -> None:
    made = household(people)
    claim = Claim.objects.get(status="active")
    curate(
        people.scope, "key", actor=people.carol, value=None, statement="Quandarius Vellichor has it", cites=[claim.ref],
        reason="Quandarius Vellichor",
    )  # fmt: skip
    ref = TrustedState.objects.get().ref
    result = erase(people.scope, actor=people.alice, person="Quandarius Vellichor", reason="asked for")
    assert made and any(ref in line for line in result.found.left())
    assert {name.split(":")[0] for name in left_over(NAMES)} == {
        "ledger_trustedstate.statement",
        "ledger_journalchange.after",
    }
    retract(people.scope, "key", actor=people.carol, reason="erased")
    with role(WEB):
        erase(people.scope, actor=people.alice, person="Quandarius Vellichor")
    assert left_over(NAMES) == []
    assert verified()


def test_one_source_is_erased_with_its_sender(people: People) -> None:
    made = household(people)
    with role(WEB):
        erase(people.scope, actor=people.alice, source=made["own"])
    fresh = Source.objects.get(pk=made["own"].pk)
    assert (fresh.text, fresh.sender, Source.objects.filter(purged_at=None).count()) == ("", "", 4)
    assert verified()


def test_only_owners_and_only_below(people: People) -> None:
    household(people)
    elsewhere = make_scope("elsewhere")
    tell(elsewhere, operator("x"), "hello", sender="Quandarius Vellichor")
    for actor, error in (
        (people.bob, Forbidden),
        (people.carol, Forbidden),
        (people.agent, Forbidden),
        (people.charlie, NotFound),
    ):
        with pytest.raises(error):
            erase(people.scope, actor=actor, person="Quandarius Vellichor")
    for wrong in ({}, {"person": " "}, {"person": "x", "source": Source.objects.first()}):
        with pytest.raises(Invalid):
            erase(people.scope, actor=people.alice, **wrong)
    erase(people.scope, actor=people.alice, person="Quandarius Vellichor")
    assert Source.objects.get(scope=elsewhere).sender == "Quandarius Vellichor"


def test_two_owners_where_the_scope_asks(people: People) -> None:
    household(people)
    set_policy(people.scope, "four_eyes", on=True, actor=people.alice)
    second = replace(people.carol, access=Access(roles={people.scope.path: "owner"}))
    with role(WEB):
        asked = erase(people.scope, actor=people.alice, person="Quandarius Vellichor")
    assert asked.status == "waiting" and Source.objects.filter(purged_at=None).count() == 5
    for actor in (people.alice, operator("root")):
        with pytest.raises(SecondPersonNeeded):
            erase(people.scope, actor=actor, person="Quandarius Vellichor")
    with role(WEB):
        assert erase(people.scope, actor=second, person="Quandarius Vellichor").status == "done"
    assert Erasure.objects.get().target == ""
    assert left_over(NAMES) == []


def test_the_database_holds_the_law(people: People) -> None:
    source = tell(people.scope, people.bob, "hello", sender="Ida")
    call = "SELECT ledger_erase(%s, %s::bigint[], '{}', '{}', '{}', '{}')"
    event = JournalEvent.objects.latest("pk").pk
    with role(WEB), pytest.raises((IntegrityError, InternalError)), transaction.atomic():
        execute(call, [event, [source.pk]])
    with role("countersign_worker"), pytest.raises(ProgrammingError), transaction.atomic():
        execute(call, [event, [source.pk]])
    with role(WEB), pytest.raises(ProgrammingError), transaction.atomic():
        execute("UPDATE ledger_erasure SET status = 'done'")


def test_names_are_whole_words_and_short_ones_are_told_apart() -> None:
    found = patterns_of(["Will", "Ann Lee", "王伟"], ["Coach", "@ann"])
    texts = {
        "Will": True, "will": False, "Willow": False, "ann  lee": True, "Ann": False, "joann lee": False, "问王伟吧": True,
        "Coach": False,
    }  # fmt: skip
    for text, named in texts.items():
        [(seen,)] = execute("SELECT ledger_names_in(%s, %s, %s)", [text, list(found.any_case), list(found.exact)])
        assert seen is named, text
    assert found.doubtful == (r"@ann\y", r"\yCoach\y")


def test_what_was_sent_again_is_still_known(people: People) -> None:
    item = Incoming(
        text="hello there", kind="message", sender="Quandarius Vellichor", sender_kind="user", external_id="7"
    )
    [first] = ingest([item], scope=people.scope, actor=people.bob)
    erase(people.scope, actor=people.alice, person="Quandarius Vellichor")
    [again] = ingest([item], scope=people.scope, actor=people.bob)
    assert again.duplicate and again.source == first.source and again.source.text == ""


def test_members_stay_members(people: People) -> None:
    household(people)
    before = Member.objects.count()
    erase(people.scope, actor=people.alice, person="Quandarius Vellichor")
    assert Member.objects.count() == before
