"""Every decision without JavaScript: plain forms, the next card after each, and what happens when one is refused."""

import pytest

from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.models import Claim, Conflict, JournalEvent, TrustedState
from tests.people import candidate, quote_of, say, tell
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")


def fresh(claim: Claim) -> Claim:
    return Claim.objects.get(pk=claim.pk)


def last_event() -> JournalEvent:
    event = JournalEvent.objects.order_by("-pk").first()
    assert event is not None
    return event


@pytest.fixture
def bob(house: House) -> Screen:
    return Screen("bob")


def test_the_first_card_is_the_first_ref_of_the_document(house: House, bob: Screen) -> None:
    claims = [candidate(house.scope, OPERATOR, f"Panel {n} is thick", confidence=0.9 - n / 10) for n in range(3)]
    page = bob.open("/")
    assert page.card() == claims[0].ref
    assert page.shows("data-evidence", str(claims[0].evidence.get().pk))


@pytest.mark.parametrize(("action", "status"), [("promote", "active"), ("reject", "rejected"), ("defer", "deferred")])
def test_one_button_decides_and_advances(house: House, bob: Screen, action: str, status: str) -> None:
    first, second = (candidate(house.scope, OPERATOR, f"Panel {n}", confidence=0.9 - n / 10) for n in range(2))
    bob.open("/")
    page = bob.press(action, reason="seen it")
    assert fresh(first).status == status
    assert page.card() == second.ref
    event = last_event()
    assert (event.verb, event.actor_name, event.door, event.reason) == (action, "bob", "screen", "seen it")
    assert "Undo" in page.text
    page = bob.press("undo")
    assert fresh(first).status == "pending"
    assert page.card() == first.ref


def test_the_reason_can_be_picked(house: House, bob: Screen) -> None:
    candidate(house.scope, OPERATOR, "Panel one")
    bob.open("/")
    bob.press("reject", preset="out of date")
    assert last_event().reason == "out of date"


def test_defer_for_a_day_and_for_good(house: House, bob: Screen) -> None:
    first, second = (candidate(house.scope, OPERATOR, f"Panel {n}", confidence=0.9 - n / 10) for n in range(2))
    bob.open("/")
    bob.press("defer", until="day")
    bob.press("defer", until="")
    assert fresh(first).deferred_until is not None
    assert fresh(second).deferred_until is None
    page = bob.open("/?status=deferred")
    assert page.card() in (first.ref, second.ref)


def test_edit_stays_on_the_card_and_writes_only_what_changed(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Two lines\r\nof text", key="panel", tags=("wood",))
    bob.open("/")
    page = bob.press("save", topic="panels", value="4.8 kg")
    assert page.card() == claim.ref
    (change,) = last_event().changes.all()
    assert set(change.after) - {"dedup", "slot"} == {"topic", "value"}
    assert fresh(claim).value == {"number": 4.8, "unit": "kg"}
    assert fresh(claim).statement == "Two lines\r\nof text"


def test_save_and_promote_is_undone_together(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one")
    bob.open("/")
    bob.press("save-and-promote", statement="Panel one is oak")
    assert (fresh(claim).status, fresh(claim).statement) == ("active", "Panel one is oak")
    bob.press("undo")
    assert (fresh(claim).status, fresh(claim).statement) == ("pending", "Panel one")


def test_a_wrong_edit_names_the_field_and_keeps_what_was_typed(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one")
    bob.open("/")
    page = bob.press("save", statement="My careful words", valid_from="yesterday")
    assert bob.status == 422
    assert page.card() == claim.ref
    assert "valid_from" in page.text and "My careful words" in page.text
    assert fresh(claim).statement == "Panel one"


def test_merge_into_another(house: House, bob: Screen) -> None:
    first, second = (candidate(house.scope, OPERATOR, f"Panel {n}", confidence=0.9 - n / 10) for n in range(2))
    bob.open("/")
    page = bob.press("save-merge", into="")
    assert bob.status == 422 and "nothing is chosen yet" in page.text
    page = bob.press("save-merge", into="nonsense")
    assert bob.status == 422 and "nonsense" in page.text
    page = bob.press("save-merge", into=second.ref)
    assert fresh(first).status == "merged"
    assert page.card() == second.ref


def test_what_an_open_conflict_names_is_marked_wherever_it_is_shown(house: House, bob: Screen) -> None:
    first, second = (candidate(house.scope, OPERATOR, f"The frame is {what}", key="frame") for what in ("oak", "ash"))
    promote(first, actor=OPERATOR)
    assert "disputed" not in bob.open(f"/entities/{first.ref}").text
    promote(second, actor=OPERATOR)
    candidate(house.scope, OPERATOR, "The frame is pine", key="frame")
    for path in (f"/entities/{first.ref}", f"/candidates/{second.ref}"):
        assert "disputed" in bob.open(path).text, path
    assert bob.response.content.decode().count('badge-risk">disputed<') == 1
    bob.open("/entities")
    assert bob.response.content.decode().count('badge-risk">disputed<') == 2
    bob.open("/")
    assert bob.response.content.decode().count('badge-risk">disputed<') == 2  # both that the candidate would meet


def test_what_has_parts_is_read_as_fields(house: House, bob: Screen) -> None:
    value = {"task": "Order the oak", "assignee": "Ruth", "due": "Friday", "people": ["Ruth", "Noor"]}
    claim = candidate(
        house.scope,
        OPERATOR,
        "Order the oak",
        kind="action_item",
        value_type="action_item",
        value=value,
        assignee="Ruth",
    )
    for path in ("/", f"/candidates/{claim.ref}"):
        page = bob.open(path)
        shown = " ".join(page.text.split("Edit")[0].split())
        assert "Task Order the oak Assignee Ruth People Ruth, Noor Due Friday" in shown
        assert shown.count("Assignee") == 1 and "{" not in shown
    bob.open("/")
    bob.press("save", topic="wood")
    assert fresh(claim).value == value  # what the form holds is the value, to the letter
    promote(fresh(claim), actor=OPERATOR)
    assert "Task: Order the oak · Assignee: Ruth" in bob.open("/entities").text


def test_the_buttons_for_what_is_selected_come_before_the_list(house: House, bob: Screen) -> None:
    candidate(house.scope, OPERATOR, "Panel one")
    bob.open("/")
    body = bob.response.content.decode()
    assert body.index("promote-selected") < body.index('name="refs"')


def test_somebody_was_faster(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one")
    bob.open("/")
    alice = Screen("alice")
    assert "Others are reading what is left" in alice.open("/").text
    assert "This one lies on bob’s desk" in alice.open(f"/?card={claim.ref}").text
    alice.press("save", statement="Panel one is ash", reason="I looked")
    page = bob.press("save", statement="Panel one is oak")
    assert bob.status == 409
    assert "alice" in page.text and "I looked" in page.text
    assert "Panel one is ash" in page.text and "Panel one is oak" in page.text
    bob.press("save", statement="Panel one is oak")
    assert fresh(claim).statement == "Panel one is oak"


def test_what_supersedes_asks_first(house: House, bob: Screen) -> None:
    old = candidate(house.scope, OPERATOR, "Panel one is ash", key="panel")
    promote(old, actor=OPERATOR)
    new = candidate(house.scope, OPERATOR, "Panel one is oak", key="panel", names_replaced=(old.ref,))
    page = bob.open("/")
    assert page.shows("data-sure", "no")
    page = bob.press("promote")
    assert bob.status == 409 and fresh(new).status == "pending"
    assert f"Replace {old.ref}" in page.text and "Let both stand" in page.text
    bob.press("choose")
    assert (fresh(old).status, fresh(new).status) == ("superseded", "active")


def test_a_conflict_is_shown_with_both_quotes_and_opens(house: House, bob: Screen) -> None:
    old = candidate(house.scope, OPERATOR, "Panel one is ash", key="panel")
    promote(old, actor=OPERATOR)
    new = candidate(house.scope, OPERATOR, "Panel one is oak", key="panel")
    page = bob.open("/")
    assert old.evidence.get().quote in page.text and new.evidence.get().quote in page.text
    bob.press("promote")
    assert Conflict.objects.get().status == "open"
    page = bob.open("/conflicts")
    assert "Panel one is ash" in page.text and "Panel one is oak" in page.text
    bob.press("resolve", at=1, reason="measured")
    assert Conflict.objects.get().status == "resolved"
    assert (fresh(old).status, fresh(new).status) == ("superseded", "active")
    bob.press("undo")
    assert Conflict.objects.get().status == "open"
    bob.press("dismiss")
    assert Conflict.objects.get().status == "dismissed"


def test_words_that_stand_in_two_places_are_chosen(house: House, bob: Screen) -> None:
    source = tell(house.scope, OPERATOR, "oak here, and oak there")
    first = quote_of(source, "oak here")
    answer = say(
        house.scope, OPERATOR, "It is oak", told=source,
        anchors_to_choose=tuple({"source": source.pk, "start": at, "end": at + 3} for at in (0, 14)),
    )  # fmt: skip
    assert answer.claim is not None and first.start == 0
    page = bob.open("/")
    assert sum("data-place" in attrs for _, attrs in page.elements) == 2
    bob.press("promote")
    assert bob.status == 409
    bob.press("anchor", at=1)
    chosen = answer.claim.evidence.order_by("-pk").first()
    assert chosen is not None and (chosen.start, chosen.anchor) == (14, "chosen")
    bob.press("promote")
    assert fresh(answer.claim).status == "active"


def test_several_together_and_back_as_one(house: House, bob: Screen) -> None:
    claims = [candidate(house.scope, OPERATOR, f"Panel {n}", confidence=0.9 - n / 10) for n in range(3)]
    bob.open("/")
    page = bob.press("reject-selected", refs=[claims[0].ref, claims[2].ref, "DEC-20200101-001"])
    assert [fresh(claim).status for claim in claims] == ["rejected", "pending", "rejected"]
    assert "2 rejected" in page.text and "not on the page" in page.text
    bob.press("undo")
    assert {fresh(claim).status for claim in claims} == {"pending"}


def test_an_entity_says_why_and_what_happened_and_takes_it_back(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one is oak")
    promote(claim, actor=OPERATOR, reason="it is")
    page = bob.open(f"/entities/{claim.ref}")
    assert "words checked" in page.text and "it is" in page.text
    for action, status in [("archive", "archived"), ("restore", "active"), ("withdraw", "withdrawn")]:
        bob.open(f"/entities/{claim.ref}")
        bob.press(action)
        assert fresh(claim).status == status
    bob.open(f"/entities/{claim.ref}")
    bob.press("undo")
    assert fresh(claim).status == "active"


def test_dispute_and_look_again(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one is oak")
    promote(claim, actor=OPERATOR)
    source = tell(house.scope, OPERATOR, "It is pine, look", by="tool")
    bob.open(f"/entities/{claim.ref}")
    page = bob.press("dispute", source=str(source.pk), quote="It is steel")
    assert bob.status == 422 and "It is steel" in page.text
    bob.press("dispute", source=str(source.pk), quote="It is pine")
    assert fresh(claim).disputed
    bob.open(f"/entities/{claim.ref}")
    bob.press("recheck")
    assert not fresh(claim).disputed


def test_supersede_by_another_and_reopen_a_no(house: House, bob: Screen) -> None:
    old, new, no = (candidate(house.scope, OPERATOR, f"Panel {n}") for n in range(3))
    for claim in (old, new):
        promote(claim, actor=OPERATOR)
    bob.open(f"/entities/{old.ref}")
    bob.press("supersede", by=new.ref)
    assert fresh(old).successor_id == new.pk
    bob.open(f"/candidates/{no.ref}")
    bob.press("reject")
    bob.open(f"/candidates/{no.ref}")
    bob.press("reopen")
    assert fresh(no).status == "pending"


def test_a_memory_is_proposed_as_an_entity(house: House, bob: Screen) -> None:
    memory = candidate(house.scope, OPERATOR, "I prefer oak", kind="preference")
    promote(memory, actor=OPERATOR)
    bob.open(f"/entities/{memory.ref}")
    bob.press("graduate")
    assert Claim.objects.filter(graduates=memory, status="pending").count() == 1


def test_a_curator_writes_changes_and_retracts(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "Panel one is oak")
    promote(claim, actor=OPERATOR)
    carol = Screen("carol")
    carol.open("/state?scope=studio")
    carol.press("curate", key="panel", statement="Oak.", value="20 mm", cites=claim.ref, reason="I looked")
    row = TrustedState.objects.get()
    page = carol.open(f"/state/{row.ref}")
    assert "words checked" in page.text and claim.ref in page.text and "I looked" in page.text
    assert (row.value, row.cites, row.by) == ({"number": 20, "unit": "mm"}, [claim.ref], "carol")
    page = carol.open(f"/state?scope=studio&key=panel&version={row.version}")
    assert "Oak." in page.text and "20 mm" in page.text
    page = carol.press("curate", statement="Ash.", cites="DEC-20200101-001")
    assert carol.status == 422 and "Ash." in page.text
    carol.press("curate", statement="Ash.", cites="")
    assert TrustedState.objects.get(status="current").statement == "Ash."
    page = carol.open("/state?scope=studio&key=panel")
    assert "Write it again" in page.text
    carol.press("retract", reason="wrong")
    assert not TrustedState.objects.filter(status="current").exists()


def test_two_curators_at_once(house: House) -> None:
    carol, alice = Screen("carol"), Screen("alice")
    for curator in (carol, alice):
        curator.open("/state?scope=studio&version=0")
    carol.press("curate", key="panel", statement="Oak.")
    page = alice.press("curate", key="panel", statement="Ash.")
    assert alice.status == 409 and "Ash." in page.text
    assert TrustedState.objects.get().statement == "Oak."


def test_a_token_is_shown_once_and_revoked(house: House) -> None:
    alice = Screen("alice")
    alice.open("/tokens")
    page = alice.press(
        "make-token", name="reader", kind="agent", scopes=["studio"], grants=["read"], speakers=["agent"]
    )
    secret = next(word for word in page.text.split() if word.startswith("cs_") and len(word) > 20)
    assert alice.client.get("/api/v1/scopes", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert secret not in alice.open("/tokens").text
    alice.press("revoke")
    assert alice.client.get("/api/v1/scopes", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_an_owner_changes_who_may_do_what(house: House) -> None:
    alice = Screen("alice")
    alice.open("/scopes/studio?tab=people")
    alice.press("add-member", username="charlie", role="viewer")
    assert Screen("charlie").open("/scopes/studio") and "charlie" in alice.page.text
    alice.press("add-person", name="Maud", aliases="Maudie, M.", role="painter")
    assert "Maudie" in alice.page.text
    alice.open("/scopes/studio?tab=settings")
    alice.press("settings", stage="planning", packs=["engineering"], timezone="Europe/London", name="Studio")
    alice.press("child", path="lights", tier="item")
    page = alice.open("/scopes/studio")
    assert "planning" in page.text and "studio/lights" in page.text


def test_keys_are_switched_off_and_on(house: House, bob: Screen) -> None:
    assert bob.open("/help").shows("data-keys", "on")
    assert bob.press("keys-off").shows("data-keys", "off")
    assert bob.press("keys-on").shows("data-keys", "on")


def test_an_empty_queue_says_what_to_do(house: House, bob: Screen) -> None:
    assert "drop a folder" in bob.open("/").text
    assert "filters" in bob.open("/?q=nothing").text


def test_pages_of_a_long_queue(house: House, bob: Screen) -> None:
    for n in range(30):
        candidate(house.scope, OPERATOR, f"Panel {n}", confidence=0.9 - n / 100)
    page = bob.open("/")
    (following,) = {
        attrs["href"]
        for tag, attrs in page.elements
        if tag == "a" and "cursor=" in attrs.get("href", "") and "card=" not in attrs["href"]
    }
    page = bob.open(following)
    assert sum(attrs.get("name") == "refs" for _, attrs in page.elements) == 5
    assert bob.press("promote").card()
