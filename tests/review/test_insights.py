"""Insights: precision by rule as reviewers decide, and what was measured against labelled texts, over time."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from extraction.extractors import for_scope
from extraction.pipeline import work_off
from ledger.actions.decide import reject
from ledger.actions.evaluation import keep_evaluation
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.errors import Forbidden
from ledger.models import Claim, Evaluation
from ledger.reads.insights import evaluations_over_time, precision_by_rule
from ledger.rules.proportion import wilson
from tests.people import People, make_people, make_scope

pytestmark = pytest.mark.django_db(transaction=True)
LINE = {
    "file": "<b>notes</b>.jsonl", "measure": "overlap", "precision": 0.9, "recall": 0.8, "f1": 0.847, "exact_share": 0.7, "rows": 9,
    "unlabelled": 4, "alarmed": 1, "texts_per_s": 812.4, "worst": [{"words": "somebody's words"}],
}  # fmt: skip


@pytest.fixture
def people(transactional_db: None) -> People:
    return make_people(make_scope("mill"))


@pytest.fixture
def client(people: People) -> Client:
    from django.contrib.auth.models import User

    client = Client(raise_request_exception=True)
    client.force_login(User.objects.get(username="bob"))
    return client


def body(client: Client, address: str = "/insights") -> str:
    return client.get(address).content.decode()


def decided(people: People, *, promoted: int, rejected: int) -> None:
    lines = "\n\n".join(f"Decision: Wheel {n} turns at dawn" for n in range(promoted + rejected))
    incoming = Incoming(text=lines, kind="document", sender_kind="document")
    ingest([incoming], scope=people.scope, actor=people.bob, extractors=for_scope(people.scope))
    work_off()
    for number, claim in enumerate(Claim.objects.filter(scope=people.scope).order_by("pk")):
        if number < promoted:
            promote(claim, actor=people.bob, on_conflict="coexist")
        else:
            reject(claim, actor=people.bob)


def test_an_empty_page_says_what_to_do(client: Client) -> None:
    page = body(client)
    assert "Nobody has decided yet" in page and "evaluate GOLD --keep" in page


def test_precision_by_rule_counts_what_reviewers_decided(people: People, client: Client) -> None:
    decided(people, promoted=3, rejected=1)
    (figures,) = precision_by_rule(people.bob.access)
    assert (figures.rule, figures.promoted, figures.rejected, figures.precision) == ("line.label", 3, 1, 0.75)
    assert (figures.low, figures.high) == pytest.approx(wilson(3, 4))
    page = body(client, "/insights?scope=mill")
    assert 'data-rule="line.label"' in page and "0.30 to 0.95" in page and " style=" not in page
    assert precision_by_rule(people.charlie.access) == []


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
