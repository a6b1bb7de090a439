"""The card: similar ones decided with it, what changed under its reader's eyes, what is sent twice, and what is never lost."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.models import Claim, JournalEvent
from ledger.reads.queue.related import MAX_SIMILAR, similar_claims
from tests.people import candidate, quote_of, say, tell
from tests.review.door import House
from tests.review.screen import Form, Page, Screen

OPERATOR = operator("Alice")


def fresh(claim: Claim) -> Claim:
    return Claim.objects.get(pk=claim.pk)


@pytest.fixture
def bob(house: House) -> Screen:
    return Screen("bob")


def offered(page: Page) -> list[str]:
    return [attrs["value"] for tag, attrs in page.elements if tag == "input" and attrs.get("name") == "also"]


def form_of(page: Page, action: str) -> Form:
    return next(form for form in page.forms if any(b.get("data-action") == action for b in form.buttons))


def widths(house: House, count: int = 3) -> list[Claim]:
    return [
        candidate(house.scope, OPERATOR, f"The shelf is {n} m wide", key="shelf", confidence=0.9 - n / 100)
        for n in range(1, count + 1)
    ]


def test_what_waits_on_the_same_slot_or_in_nearly_the_same_words_is_shown_beside(house: House, bob: Screen) -> None:
    first, second, _ = widths(house)
    page = bob.open(f"/?card={first.ref}")
    assert offered(page)[0] == f"{second.ref}:1" and len(offered(page)) == 2
    plain = candidate(house.scope, OPERATOR, "Use PostgreSQL for all storage here", kind="decision")
    near = say(house.scope, OPERATOR, "Use plain PostgreSQL for all storage here", kind="decision").claim
    assert near is not None and near.pk != plain.pk
    page = bob.open(f"/?card={plain.ref}")
    assert offered(page) == [f"{near.ref}:1"] and "nearly the same words" in page.text
    candidate(house.child, OPERATOR, "The shelf is 9 m wide", key="shelf")
    assert len(offered(bob.open(f"/?card={first.ref}"))) == 2, "another scope is another slot"
    assert offered(Screen("vera").open(f"/candidates/{first.ref}")) == [], "nothing to choose for who may not decide"


def test_another_is_shown_below_what_it_is_about(house: House, bob: Screen) -> None:
    held = candidate(house.scope, OPERATOR, "must be painted white", kind="decision", subject="Hall B")
    promote(held, actor=OPERATOR)
    waits = candidate(house.scope, OPERATOR, "must not be painted white", kind="decision", subject="Hall B")
    text = " ".join(bob.open(f"/?card={waits.ref}").text.split())
    assert held.ref in text and "Hall B: must not be painted white" in text
    assert "Hall B: must be painted white" in " ".join(bob.open("/search?q=painted").text.split())


def test_so_many_are_shown_and_no_more_are_read(house: House, bob: Screen) -> None:
    claims = widths(house, MAX_SIMILAR + 4)
    group = similar_claims([fresh(claims[0])])[claims[0].pk]
    assert len(group.rows) == MAX_SIMILAR and group.more
    assert "There are more of them" in bob.open(f"/?card={claims[0].ref}").text


@pytest.mark.parametrize(("action", "status"), [("promote", "active"), ("reject", "rejected"), ("defer", "deferred")])
def test_chosen_ones_are_decided_with_the_card_and_undone_with_it(
    house: House, bob: Screen, action: str, status: str
) -> None:
    first, second, third = widths(house)
    bob.open(f"/?card={first.ref}")
    page = bob.press(action, also=[f"{second.ref}:1"], reason="the same again")
    assert [fresh(one).status for one in (first, second, third)] == [status, status, "pending"]
    events = JournalEvent.objects.filter(ref__in=(first.ref, second.ref), verb=action)
    assert len({event.batch for event in events}) == 1 and {event.reason for event in events} == {"the same again"}
    assert f"2 {status if action != 'promote' else 'promoted'}" in page.text
    page = bob.press("undo")
    assert {fresh(one).status for one in (first, second, third)} == {"pending"}
    assert page.card() == first.ref


def test_one_that_changed_meanwhile_is_left_with_its_reason(house: House, bob: Screen) -> None:
    first, second, third = widths(house)
    bob.open(f"/?card={first.ref}")
    edit(second, actor=OPERATOR, changes={"topic": "shelves"})
    page = bob.press("reject", also=[f"{second.ref}:1", f"{third.ref}:1"])
    assert [fresh(one).status for one in (first, second, third)] == ["rejected", "pending", "rejected"]
    assert f"{second.ref} left as it is" in page.text and page.shows("data-left", second.ref)


def test_where_the_card_is_refused_nothing_beside_it_is_decided(house: House, bob: Screen) -> None:
    first, second, _ = widths(house)
    bob.open(f"/?card={first.ref}")
    edit(first, actor=OPERATOR, changes={"topic": "shelves"})
    page = bob.press("reject", also=[f"{second.ref}:1"])
    assert bob.status == 409 and fresh(second).status == "pending"
    assert "It changed while you had it open" in page.text
    page = bob.press("choose")
    assert [fresh(one).status for one in (first, second)] == ["rejected", "rejected"], "what was chosen stays chosen"


def test_the_words_of_the_chosen_join_the_card(house: House, bob: Screen) -> None:
    first, second, third = widths(house)
    bob.open(f"/?card={first.ref}")
    data = {**form_of(bob.page, "promote").fields, "action": "join", "also": [f"{second.ref}:1", f"{third.ref}:1"]}
    bob.client.post(f"/candidates/{first.ref}/decide", data)
    assert [fresh(one).status for one in (first, second, third)] == ["pending", "merged", "merged"]
    assert fresh(second).successor_id == first.pk
    page = bob.open(f"/?card={first.ref}")
    assert "2 merged" in page.text
    bob.press("undo")
    assert {fresh(one).status for one in (first, second, third)} == {"pending"}


def test_a_decision_says_what_changed_under_its_readers_eyes(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak", key="panel")
    bob.open("/")
    alice = Screen("alice")
    alice.open(f"/?card={claim.ref}")
    alice.press("save", statement="The panel is ash", topic="wood", reason="I looked")
    page = bob.press("promote")
    assert bob.status == 409
    said = " ".join(page.text.split())
    assert "What changed since you opened it" in said and "alice" in said and "I looked" in said
    assert "oakash" in said, "the difference, word by word"
    assert "Promote it as it stands now" in said
    bob.press("choose")
    assert (fresh(claim).status, fresh(claim).statement) == ("active", "The panel is ash")


def test_what_was_rejected_meanwhile_can_be_put_back(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak")
    bob.open("/")
    alice = Screen("alice")
    alice.open(f"/?card={claim.ref}")
    alice.press("reject", reason="no panel at all")
    page = bob.press("save", statement="The panel is ash")
    assert bob.status == 409 and "no panel at all" in page.text
    assert "The panel is ash" in page.text, "what was typed is shown, though no form can take it"
    bob.press("choose")
    assert fresh(claim).status == "pending"


def test_two_who_edit_at_once_lose_nothing_of_either(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak", key="panel")
    bob.open("/")
    edit(claim, actor=OPERATOR, changes={"statement": "The panel is ash", "tags": ["wood"]})
    bob.press("save", statement="The panel is pine", topic="panels")
    fields = form_of(bob.page, "save").fields
    assert (fields["statement"], fields["topic"], fields["tags"]) == (["The panel is pine"], ["panels"], ["wood"])
    assert fields["pick-statement"] == ["mine"]
    bob.press("save", **{"pick-statement": "theirs"})
    now = fresh(claim)
    assert (now.statement, now.topic, now.tags) == ("The panel is ash", "panels", ["wood"])


def test_a_form_that_is_sent_twice_is_carried_out_once(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak")
    bob.open("/")
    data = {**form_of(bob.page, "reject").fields, "action": "reject"}
    for _ in range(2):
        answer = bob.client.post(f"/candidates/{claim.ref}/decide", data, headers={"HX-Request": "true"})
        assert answer.status_code == 200 and b"rejected" in answer.content
    assert JournalEvent.objects.filter(ref=claim.ref, verb="reject").count() == 1
    other = bob.client.post(
        f"/candidates/{claim.ref}/decide", data | {"once": "x" * 24}, headers={"HX-Request": "true"}
    )
    assert other.status_code == 409, "another form is another decision"


def test_a_batch_that_was_cut_off_goes_on_where_it_stood(house: House, bob: Screen) -> None:
    first, second, third = widths(house)
    bob.open(f"/?card={first.ref}")
    data = {**form_of(bob.page, "reject").fields, "action": "reject", "also": [f"{second.ref}:1"]}
    bob.client.post(f"/candidates/{first.ref}/decide", data)
    data["also"] = [f"{second.ref}:1", f"{third.ref}:1"]
    answer = bob.client.post(f"/candidates/{first.ref}/decide", data, headers={"HX-Request": "true"})
    assert b"3 rejected" in answer.content
    assert JournalEvent.objects.filter(verb="reject").values("batch").distinct().count() == 1


def test_more_that_was_typed_into_a_form_sent_before_is_not_swallowed(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak")
    bob.open("/")
    data = {**form_of(bob.page, "save").fields, "action": "edit", "statement": "The panel is ash"}
    for words, status in (("The panel is ash", 200), ("The panel is ash", 200), ("The panel is pine", 409)):
        answer = bob.client.post(
            f"/candidates/{claim.ref}/decide", data | {"statement": words}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == status, words
    assert fresh(claim).statement == "The panel is ash"


def test_what_was_typed_comes_back_after_signing_in_again(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak")
    user = User.objects.get(username="bob")
    user.set_password("a long enough one")
    user.save()
    bob.client = Client(enforce_csrf_checks=True)
    bob.client.force_login(user)
    bob.open("/")
    bob.client.cookies.pop("sessionid")
    page = bob.press("save", statement="The panel is <b>ash</b>", reason="I looked")
    assert bob.status == 401 and "The panel is <b>ash</b>" in page.text and fresh(claim).version == 1
    page = bob.press("sign-in-again", username="bob", password="wrong")
    assert bob.status == 401 and "do not fit together" in page.text
    page = bob.press("sign-in-again", username="bob", password="a long enough one")
    assert bob.status == 200 and fresh(claim).version == 1
    assert form_of(page, "save").fields["statement"] == ["The panel is <b>ash</b>"]
    bob.press("save")
    assert fresh(claim).statement == "The panel is <b>ash</b>"


def test_only_what_the_page_showed_is_decided_together(house: House, bob: Screen) -> None:
    first, second, third = (candidate(house.scope, OPERATOR, f"Panel {n}") for n in range(3))
    bob.open("/")
    edit(second, actor=OPERATOR, changes={"topic": "wood"})
    unseen = candidate(house.scope, OPERATOR, "Panel 9")
    page = bob.press("reject-selected", refs=[first.ref, second.ref, third.ref, unseen.ref])
    assert [fresh(one).status for one in (first, second, third, unseen)] == [
        "rejected",
        "pending",
        "rejected",
        "pending",
    ]
    assert "2 rejected" in page.text and "at version 2" in page.text and "not on the page" in page.text


def test_an_undo_that_cannot_be_says_what_is_in_the_way(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one")
    edited = edit(claim, actor=OPERATOR, changes={"topic": "wood"})
    later = promote(fresh(claim), actor=OPERATOR)
    bob.open(f"/candidates/{claim.ref}")
    token = form_of(bob.page, "undo").fields["csrfmiddlewaretoken"][0]
    data = {"csrfmiddlewaretoken": token, "back": f"/candidates/{claim.ref}"}
    page = Page(bob.client.post(f"/journal/{edited.pk}/undo", data, follow=True).content.decode())
    assert "Not undone" in page.text and "promote" in page.text
    assert page.shows("href", f"/journal?ref={claim.ref}#event-{later.pk}")


def test_two_claims_that_a_candidate_could_join_are_numbered(house: House, bob: Screen) -> None:
    first = candidate(house.scope, OPERATOR, "Use oak", kind="decision", topic="wood")
    promote(first, actor=OPERATOR)
    source = tell(house.scope, OPERATOR, "oak here, and oak there")
    places = tuple({"source": source.pk, "start": at, "end": at + 3} for at in (0, 14))
    unclear = say(house.scope, OPERATOR, "It is oak", told=source, anchors_to_choose=places).claim
    assert unclear is not None and quote_of(source, "oak here").start == 0
    page = bob.open(f"/?card={unclear.ref}")
    assert "These words 1" in " ".join(page.text.split())
    assert "Reason 1" not in " ".join(page.text.split()), "the digits choose a place here"


def test_quotes_of_the_same_words_stand_together_and_each_leads_back(house: House, bob: Screen) -> None:
    source = tell(house.scope, OPERATOR, "The hall is cold and the oak is dry")
    claims = [say(house.scope, OPERATOR, f"Number {n}", told=source).claim for n in range(2)]
    assert all(claims)
    page = bob.open(f"/sources/{source.pk}")
    rows = [attrs["data-cites"] for _, attrs in page.elements if "data-cites" in attrs]
    assert len(rows) == 1 and len(rows[0].split()) == 2
    assert all(page.shows("href", f"#evidence-{pk}") for pk in rows[0].split())


def test_what_holds_in_the_workspace_leads_to_the_turn_it_was_said_in(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The panel is oak", key="panel")
    promote(claim, actor=OPERATOR)
    page = bob.open("/workspace/studio")
    row = claim.evidence.get()
    assert page.shows("href", f"/sources/{row.source_id}#evidence-{row.pk}") and page.shows("data-action", "source")
