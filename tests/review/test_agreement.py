"""Two people judge one sample blind; what they said is shown once both are through, and decides nothing (P13)."""

import pytest

from ledger.actor import operator
from ledger.models import Claim, JournalEvent
from review.models import AgreementSample, BlindAnswer
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)
OPERATOR = operator("Alice")


@pytest.fixture
def sample(house: House) -> AgreementSample:
    for n in range(6):
        candidate(house.scope, OPERATOR, f"Panel {n} waits")
    alice = Screen("alice")
    alice.open("/agreement")
    alice.press("draw", scope="studio", first="bob", second="carol", size="5")
    return AgreementSample.objects.get()


def judge(name: str, sample: AgreementSample, verdicts: list[str]) -> None:
    """In the order of the sample's claims."""
    screen = Screen(name)
    for verdict in verdicts:
        page = screen.open(f"/agreement/{sample.pk}")
        assert "rank" not in page.text.lower() and "0." not in page.text
        screen.press(f"judge-{verdict}")


def test_a_sample_is_judged_by_two_and_counted(sample: AgreementSample) -> None:
    events = JournalEvent.objects.count()
    judge("bob", sample, ["promote", "promote", "edit", "reject", "reject"])
    page = Screen("carol").open(f"/agreement/{sample.pk}")
    assert "1 of 5" in page.text and "kappa" not in page.text
    assert "bob has judged 5, carol 0 of 5" in Screen("bob").open(f"/agreement/{sample.pk}").text
    judge("carol", sample, ["promote", "promote", "reject", "reject", "reject"])
    page = Screen("alice").open(f"/agreement/{sample.pk}")
    assert "4 of 5 judged alike" in " ".join(page.text.split()) and "kappa 0.67" in " ".join(page.text.split())
    assert Claim.objects.get(pk=sample.claims[2]).statement in page.text
    assert "kappa" not in Screen("vera").open("/insights").text
    assert "kappa 0.67" in " ".join(Screen("bob").open("/insights").text.split())
    assert JournalEvent.objects.count() == events and not Claim.objects.exclude(status="pending").exists()


def test_nobody_judges_twice_or_for_another(sample: AgreementSample) -> None:
    bob = Screen("bob")
    bob.open(f"/agreement/{sample.pk}")
    bob.press("judge-promote")
    token = {"csrfmiddlewaretoken": bob.client.cookies["csrftoken"].value}
    form = token | {"claim": str(sample.claims[0]), "verdict": "reject"}
    assert bob.client.post(f"/agreement/{sample.pk}", form).status_code == 302
    assert [row.verdict for row in BlindAnswer.objects.all()] == ["promote"]
    alice = Screen("alice")
    alice.open(f"/agreement/{sample.pk}")
    form["csrfmiddlewaretoken"] = alice.client.cookies["csrftoken"].value
    assert alice.client.post(f"/agreement/{sample.pk}", form).status_code == 404
    alice.open(f"/agreement/{sample.pk}")
    alice.press("end-sample")
    assert "0 of 0 judged alike" in " ".join(alice.page.text.split())
    assert bob.client.post(f"/agreement/{sample.pk}", token | {"claim": str(sample.claims[1]), "verdict": "reject"})
    assert BlindAnswer.objects.count() == 1
    vera = Screen("vera")
    vera.open(f"/agreement/{sample.pk}")
    assert vera.status == 403


@pytest.mark.parametrize(
    ("first", "second", "size", "why"),
    [
        ("vera", "bob", "5", "may not decide in studio; who may: alice, bob, carol"),
        ("bob", "bob", "5", "two different people"),
        ("bob", "carol", "500", "size is 5 to 200"),
        ("bob", "carol", "x", "size is a number"),
        ("bob", "carol", "7", "only 6 wait in studio"),
    ],
)
def test_bad_input_says_what_good_input_is(
    sample: AgreementSample, first: str, second: str, size: str, why: str
) -> None:
    alice = Screen("alice")
    alice.open("/agreement")
    page = alice.press("draw", scope="studio", first=first, second=second, size=size)
    assert alice.status == 422 and why in page.text and AgreementSample.objects.count() == 1
