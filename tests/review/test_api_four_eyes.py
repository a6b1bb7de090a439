"""Two people about what is risky, over HTTP: 202, who has approved, the same person again, and many at once."""

import pytest
from django.contrib.auth.models import User

from ledger.models import Claim, JournalEvent
from review.tokens import create_token
from tests.people import candidate
from tests.review.door import OPERATOR, Door, House


@pytest.fixture
def show(house: House) -> House:
    status, changed = house.alice(
        "PATCH", "/scope?scope=studio", {"packs": ["production"], "policies": {"four_eyes": {}}}
    )
    assert status == 200 and changed["policies"] == {"four_eyes": {}}
    return house


def risky(house: House, load: int = 400) -> Claim:
    return candidate(
        house.child, OPERATOR, f"The floor bears {load} kg", key="project.constraints.floor_load", value=load
    )


def test_the_first_gets_202_and_the_second_200(show: House) -> None:
    claim = risky(show)
    path = f"/candidates/{claim.ref}"
    assert show.vera("GET", path)[1]["four_eyes"] is True and show.vera("GET", path)[1]["approvals"] == []
    status, answer = show.bob("POST", f"{path}/promote", {"version": claim.version, "reason": "as drawn"})
    assert status == 202 and answer["entity"] is None
    assert (answer["event"]["verb"], answer["candidate"]["status"]) == ("approve", "pending")
    assert [one["by"] for one in answer["candidate"]["approvals"]] == ["bob"]
    status, problem = show.bob("POST", f"{path}/promote", {"version": claim.version})
    assert status == 409 and problem["type"] == "second_person_needed" and "bob has approved" in problem["detail"]
    assert problem["ref"] == claim.ref
    _, secret = create_token(
        name="phone", kind="user", user=User.objects.get(username="bob"), scopes=["studio"], grants=["read", "review"],
        actor=OPERATOR,
    )  # fmt: skip
    assert Door(secret)("POST", f"{path}/promote")[0] == 409
    assert show.session("bob")("POST", f"{path}/promote")[0] == 409
    (listed,) = show.carol("GET", "/candidates?scope=studio&descend=true")[1]["items"]
    assert [one["by"] for one in listed["approvals"]] == ["bob"]
    status, answer = show.carol("POST", f"{path}/promote", {"version": claim.version})
    assert status == 200 and answer["entity"]["status"] == "active" and answer["candidate"]["approvals"] == []


def test_a_repeated_request_answers_alike(show: House) -> None:
    claim = risky(show)
    for _ in range(2):
        status, answer = show.bob("POST", f"/candidates/{claim.pk}/promote", **{"Idempotency-Key": "k1"})
        assert status == 202 and answer["event"]["verb"] == "approve"
    assert JournalEvent.objects.filter(verb="approve").count() == 1


def test_an_edit_and_an_undo_take_it_back(show: House) -> None:
    claim = risky(show)
    path = f"/candidates/{claim.pk}"
    show.bob("POST", f"{path}/promote")
    assert show.carol("PATCH", path, {"topic": "floor"})[1]["candidate"]["approvals"] == []
    status, answer = show.carol("POST", f"{path}/promote")
    assert status == 202
    assert show.bob("POST", f"/journal/{answer['event']['id']}/undo")[0] == 200
    assert show.bob("GET", path)[1]["approvals"] == []
    assert show.bob("POST", f"{path}/promote")[0] == 202
    # An answer with edits of the second person is the first word about them.
    assert show.carol("POST", f"{path}/promote", {"changes": {"topic": "stage floor"}})[0] == 202
    assert show.alice("POST", f"{path}/promote")[0] == 200


def test_many_at_once_say_which_wait(show: House) -> None:
    first, second = risky(show), risky(show, 500)
    plain = candidate(show.child, OPERATOR, "We load in on Monday", kind="decision")
    ids = [first.pk, second.ref, plain.pk]
    for _ in range(2):
        status, answer = show.bob(
            "POST", "/candidates/decide", {"action": "promote", "ids": ids}, **{"Idempotency-Key": "many"}
        )
        assert status == 200 and answer["done"] == [plain.pk] and answer["approved"] == [first.pk, second.pk]
        assert answer["skipped"] == [
            {"id": name, "why": "approved, waits for a second person"} for name in (first.pk, second.ref)
        ]
    assert show.carol("POST", f"/journal/batch/{answer['batch']}/undo")[0] == 200
    assert show.bob("GET", f"/candidates/{first.pk}")[1]["approvals"] == []


def test_a_token_without_read_learns_no_names(show: House) -> None:
    claim = risky(show)
    show.bob("POST", f"/candidates/{claim.pk}/promote")
    _, secret = create_token(
        name="blind", kind="user", user=User.objects.get(username="carol"), scopes=["studio"], grants=["review"],
        actor=OPERATOR,
    )  # fmt: skip
    status, answer = Door(secret)("POST", f"/candidates/{claim.pk}/defer")
    assert status == 200 and answer["candidate"]["approvals"] == [] and answer["candidate"]["statement"] == ""
