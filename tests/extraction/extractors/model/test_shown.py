"""What people see of a model at work: the raw answer, the model, what it cost, and why a run failed."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ledger.models import GLOBAL, Member, Scope
from tests.extraction.extractors.model.conftest import op, read
from tests.extraction.extractors.model.server import Model, answers, fails

pytestmark = pytest.mark.django_db(transaction=True)
WIDE = "The back wall is 600 cm wide."


@pytest.fixture
def owner(db: None) -> Client:
    user = User.objects.create(username="alice")
    Member.objects.create(scope=Scope.objects.get(path=GLOBAL), user=user, role="owner")
    client = Client()
    client.force_login(user)
    return client


def test_a_runs_page_and_report_show_the_raw_answer_and_its_cost(hall: Scope, model: Model, owner: Client) -> None:
    model.says(answers({"ops": [op("back wall is 600 cm wide"), op("<b>invented</b>")]}))
    run = read(hall, WIDE)
    page = owner.get(f"/runs/{run.pk}").content.decode()
    assert "small-1" in page and "120 tokens" in page and "the source does not say this" in page
    assert "&quot;quote&quot;: &quot;&lt;b&gt;invented" in page
    report = owner.get(f"/api/v1/runs/{run.pk}").json()
    assert report["raw_answer"] == run.raw_answer and (report["tokens"], report["model"]) == (120, "small-1")
    assert "120" in owner.get("/runs").content.decode()
    figures = owner.get("/api/v1/health").json()["model"]
    assert (figures["calls"], figures["tokens"]) == (1, 120) and figures["tokens_ceiling"] > 0


def test_a_failed_run_says_why_and_when_it_is_tried_again(hall: Scope, model: Model, owner: Client) -> None:
    model.says(fails(401, "no such key"))
    run = read(hall, WIDE)
    page = owner.get(f"/runs/{run.pk}").content.decode()
    assert "no such key" in page and 'data-action="retry"' in page
    model.says(answers({"ops": [op("back wall is 600 cm wide")]}))
    owner.post(f"/runs/{run.pk}/retry")
    run.refresh_from_db()
    assert run.status == "queued"


def test_a_source_is_taken_while_no_server_answers(hall: Scope, model: Model, owner: Client) -> None:
    model.says(fails(503))
    body = {"scope": "hall", "kind": "message", "text": WIDE, "wait": 0}
    answer = owner.post("/api/v1/sources", body, content_type="application/json")
    assert answer.status_code in (201, 202) and model.calls == 0
    dry = {"dry_run": True, "extractors": ["rules", "model"]}
    told = owner.post(f"/api/v1/sources/{answer.json()['source']['id']}/extract", dry, content_type="application/json")
    assert told.status_code == 200 and model.calls == 0
