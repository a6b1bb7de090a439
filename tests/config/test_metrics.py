"""Figures for Prometheus: off by default, for those who may read everything, and without a word of anybody."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from prometheus_client.parser import text_string_to_metric_families

from config import metrics
from ledger.actor import operator
from ledger.models import GLOBAL
from review.tokens import create_token
from tests.people import tell
from tests.review.door import Door, House, build_house

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return build_house()


@pytest.fixture
def scraper(house: House) -> Door:
    _, secret = create_token(name="prometheus", kind="agent", scopes=[GLOBAL], grants=["read"], actor=operator("Alice"))
    return Door(secret)


def figures(text: str) -> dict[str, float]:
    return {
        f"{one.name} {' '.join(sorted(one.labels.values()))}".strip(): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_they_are_off_by_default_and_for_readers_of_everything(house: House, scraper: Door, settings: Any) -> None:
    assert scraper("GET", "/metrics")[0] == 404
    settings.COUNTERSIGN_METRICS = True
    assert house.alice("GET", "/metrics")[0] == 403
    assert scraper("GET", "/metrics")[0] == 200


def test_rows_requests_and_tasks_are_counted(house: House, scraper: Door, settings: Any) -> None:
    settings.COUNTERSIGN_METRICS = True
    tell(house.scope, operator("Alice"), "The heronry is zyxomorph.")
    metrics.note_task("extraction.work", "SUCCESS", 0.2)
    request = RequestFactory().generic("BREW", "/zyxomorph")
    metrics.LatencyMiddleware(lambda _: HttpResponse(status=404))(request)
    text = scraper("GET", "/metrics")[1]
    told = figures(text)
    waiting = ("countersign_runs queued", "countersign_candidates_pending", "countersign_oldest_queued_run_seconds")
    assert [told[name] for name in waiting] == [0, 0, 0]
    assert told["countersign_task_seconds_count SUCCESS extraction.work"] == 1
    assert told["countersign_request_seconds_count 4xx none other"] == 1
    assert told["countersign_worker_seen_timestamp_seconds"] > 0
    assert "zyxomorph" not in text
