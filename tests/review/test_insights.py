"""Insights: precision by rule as reviewers decide, what was measured against labelled texts over time, and the page and the
API that show them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pydantic import TypeAdapter

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.decide import reject
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.logs import keep_evaluation
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.actor import operator
from ledger.errors import Forbidden
from ledger.models import Claim, Evaluation, JournalEvent, Scope
from ledger.reads.insights.precision import decision_figures, evaluations_over_time
from ledger.rules.calibration import wilson
from review.api.insights import InsightsShape
from review.insights.figures import days_of
from tests.people import People, make_people, make_scope
from tests.review.door import House
from tests.review.screen import Page

pytestmark = pytest.mark.django_db(transaction=True)
LINE = {
    "file": "<b>notes</b>.jsonl", "measure": "overlap", "precision": 0.9, "recall": 0.8, "f1": 0.847, "exact_share": 0.7, "rows": 9,
    "unlabelled": 4, "alarmed": 1, "texts_per_s": 812.4, "worst": [{"words": "somebody's words"}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def people(transactional_db: None) -> People:
    return make_people(make_scope("mill"))


@pytest.fixture
def client(people: People) -> Client:
    return signed_in("bob")


def signed_in(name: str) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(User.objects.get(username=name))
    return client


def body(client: Client, address: str = "/insights") -> str:
    return client.get(address).content.decode()


def read(people: People, lines: list[str], scope: Scope | None = None) -> list[Claim]:
    place = scope or people.scope
    incoming = Incoming(text="\n\n".join(lines), kind="document", sender_kind="document")
    ingest([incoming], scope=place, actor=people.bob, extractors=for_scope(place))
    work_off()
    return list(Claim.objects.filter(scope=place).order_by("pk"))


def decide(people: People, *, promoted: int, rejected: int) -> list[Claim]:
    claims = read(people, [f"Decision: Wheel {n} turns at dawn" for n in range(promoted + rejected)])
    for number, claim in enumerate(claims):
        if number < promoted:
            promote(claim, actor=people.bob, on_conflict="coexist")
        else:
            reject(claim, actor=people.bob)
    return claims


def test_an_empty_page_says_what_to_do(client: Client) -> None:
    page = body(client)
    assert "Nobody has decided yet" in page and "evaluate GOLD --keep" in page
    for words in (
        "Nothing waits",
        "Nobody decided at a desk",
        "Nothing holds yet",
        "No conflict was open",
        "Choose one scope",
    ):
        assert words in page
    assert "<svg" not in page.partition("<main")[2]


def test_precision_by_rule_counts_what_reviewers_decided(people: People, client: Client) -> None:
    decide(people, promoted=3, rejected=1)
    (figures,) = decision_figures(people.bob.access).rules
    assert (figures.rule, figures.promoted, figures.rejected, figures.precision) == ("line.label", 3, 1, 0.75)
    assert (figures.low, figures.high) == pytest.approx(wilson(3, 4))
    page = body(client, "/insights?scope=mill")
    assert 'data-rule="line.label"' in page and "0.30 to 0.95" in page and " style=" not in page
    assert decision_figures(people.charlie.access).rules == []


def test_what_was_taken_back_or_decided_before_the_period_says_nothing(people: People) -> None:
    claims = decide(people, promoted=2, rejected=2)
    undo(JournalEvent.objects.get(ref=claims[0].ref, verb="promote"), actor=people.bob)
    (figures,) = decision_figures(people.bob.access).rules
    assert (figures.promoted, figures.rejected) == (1, 2)
    later = JournalEvent.objects.get(ref=claims[3].ref, verb="reject").at
    (figures,) = decision_figures(people.bob.access, since=later).rules
    assert (figures.promoted, figures.rejected) == (0, 1)


def test_calibration_is_what_a_plain_loop_counts(people: People) -> None:
    decide(people, promoted=3, rejected=2)
    read(people, ["# Status", "Decision: the sluice opens at six", "Decision: the weir is mended in May"])
    first, second = Claim.objects.filter(status="pending").order_by("pk")
    promote(first, actor=people.bob)
    reject(second, actor=people.bob)
    claims = list(Claim.objects.filter(status__in=["active", "rejected"]))
    assert len({round(claim.confidence, 2) for claim in claims}) > 1
    (found,) = decision_figures(people.bob.access).calibrations
    error = 0.0
    for one in found.bins:
        held = [c for c in claims if one.low <= c.confidence < one.high]
        right = [c for c in held if c.status == "active"]
        assert one.count == len(held)
        if held:
            mean = sum(c.confidence for c in held) / len(held)
            assert (one.mean, one.share) == pytest.approx((mean, len(right) / len(held)))
            assert (one.share_low, one.share_high) == pytest.approx(wilson(len(right), len(held)))
            error += len(held) / len(claims) * abs(one.share - one.mean)
    assert found.error == pytest.approx(error) and found.decided == len(claims)


def test_every_plot_is_an_image_with_words_and_a_table(people: People, client: Client) -> None:
    decide(people, promoted=3, rejected=1)
    page = body(client, "/insights?scope=mill&days=7").partition("<main")[2]
    images = re.findall(r"<svg class=\"plot.*?</svg>", page, re.S)
    assert len(images) >= 5
    for image in images:
        root = ElementTree.fromstring(image)  # noqa: S314 - our own bytes
        assert root.get("role") == "img" and root.get("aria-label")
    assert " style=" not in page and "<script" not in page and page.count("As a table") >= 3
    parsed = Page(page)
    ids = [attrs["id"] for _, attrs in parsed.elements if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_figures_are_only_of_scopes_in_sight(people: People) -> None:
    decide(people, promoted=1, rejected=0)
    page = body(signed_in("charlie"))
    assert "Nobody has decided yet" in page and "line.label" not in page
    assert signed_in("charlie").get("/insights?scope=mill").status_code == 404
    assert signed_in("charlie").post("/insights/prior", {"scope": "mill"}).status_code == 404


def test_the_page_asks_a_fixed_number_of_questions_and_keeps_the_answers(people: People, client: Client) -> None:
    counts = []
    for more in (2, 20):
        decide(people, promoted=more, rejected=more) if more == 2 else read(
            people, [f"Decision: oar {n}" for n in range(20)]
        )
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            body(client)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 40
    with CaptureQueriesContext(connection) as queries:
        body(client)
    assert len(queries) <= counts[0] - 10


def test_an_owner_applies_a_prior_by_hand_and_takes_it_back(people: People) -> None:
    decide(people, promoted=5, rejected=15)
    client = signed_in("alice")
    page = body(client, "/insights?scope=mill")
    assert "0.38" in page and "below the gate" in page and 'data-prior="line.label"' in page
    form = next(one for one in Page(page).forms if one.action == "/insights/prior")
    fields = {name: values[0] for name, values in form.fields.items()}
    assert fields["prior"] == "0.38" and Scope.objects.get(path="mill").priors == {}
    answer = client.post("/insights/prior", fields | {"prior": "0.55"}, follow=True)
    assert "line.label has the prior 0.55 in mill" in answer.content.decode()
    assert answer.redirect_chain[0][0] == "/insights?scope=mill&days=30#priors"
    assert Scope.objects.get(path="mill").priors == {"line.label": 0.55} and "set by scope" in answer.content.decode()
    stale = client.post("/insights/prior", fields, follow=True).content.decode()
    assert "is at version 2" in stale
    event = JournalEvent.objects.get(verb="set_prior")
    client.post(f"/journal/{event.pk}/undo", {"back": "/journal"})
    assert Scope.objects.get(path="mill").priors == {}
    assert "Apply by hand" not in body(signed_in("bob"), "/insights?scope=mill")
    assert signed_in("bob").post("/insights/prior", fields).status_code == 403
    for wrong in ("", "x", "nan", "2"):
        told = client.post("/insights/prior", {"scope": "mill", "rule": "line.label", "prior": wrong}, follow=True)
        assert "prior" in told.content.decode() and Scope.objects.get(path="mill").priors == {}


def test_the_api_says_the_same(house: House) -> None:
    status, told = house.vera("GET", "/insights?scope=studio&days=7")
    assert status == 200 and told["days"] == 7 and told["priors"] == [] and len(told["daily"]) == 8
    TypeAdapter(InsightsShape).validate_python(told)
    assert house.vera("GET", "/insights")[1]["priors"] is None
    assert house.vera("GET", "/insights?days=5")[0] == 422
    assert house.charlie("GET", "/insights?scope=studio")[0] == 404
    assert house.agent("GET", "/insights?scope=studio")[0] == 200


def test_a_period_is_one_of_those_offered() -> None:
    assert [days_of(said) for said in ("7", "90", "", "8", "x", "1e1")] == [7, 90, 30, 30, 30, 30]


def test_figures_are_kept_over_time_without_words_of_the_texts(client: Client) -> None:
    for f1 in (0.8, 0.847):
        keep_evaluation([LINE | {"f1": f1}], version="rules 1", actor=operator("Alice"))
    (series,) = evaluations_over_time()
    assert [one.figures["f1"] for one in series.kept] == [0.8, 0.847]
    assert series.change == pytest.approx(0.047) and "worst" not in series.latest.figures
    page = body(client)
    assert "&lt;b&gt;notes" in page and "<b>notes" not in page
    assert "F1 of 2 runs, oldest first: 0.800, 0.847" in page and "+0.047" in page and "1 of 4" in page


def test_only_the_command_line_keeps_figures(people: People) -> None:
    with pytest.raises(Forbidden):
        keep_evaluation([LINE], version="1", actor=people.alice)


def test_the_command_keeps_what_it_measured(tmp_path: Path) -> None:
    row = {"id": "i1", "intent": True, "text": "Could you oil the wheel?"}
    (tmp_path / "asks.jsonl").write_text(json.dumps(row), encoding="utf-8")
    call_command("evaluate", str(tmp_path), "--keep")
    kept = Evaluation.objects.order_by("pk")
    assert [one.measure for one in kept] == ["requests", "keywords"] and len({one.batch for one in kept}) == 1


def test_wilson_bounds_a_share_of_few_cases() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(10, 10) == pytest.approx((0.722, 1.0), abs=0.001)
    assert wilson(0, 10)[0] == 0 and wilson(1, 2) == pytest.approx((0.095, 0.905), abs=0.001)
