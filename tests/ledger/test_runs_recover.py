"""Runs under the rights they are served with, and runs that take their worker with them."""

import pytest
from django.utils import timezone

from ledger.actions.run import (
    MAX_DEATHS,
    ExtractorVersion,
    fail_run,
    request_run,
    retry_run,
    sweep_runs,
    working_on_next,
)
from ledger.models import Run, Scope
from tests.ledger.conftest import role
from tests.people import People, make_scope, tell

RULES = [ExtractorVersion("rules", "1")]


@pytest.mark.parametrize("serving", ["countersign_web", "countersign_worker"])
def test_a_run_is_asked_for_under_a_serving_role(lab: Scope, people: People, serving: str) -> None:
    source = tell(lab, people.bob, "We use PostgreSQL.")
    with role(serving):
        first = request_run(source, actor=people.bob, extractors=RULES)
        again = request_run(source, actor=people.bob, extractors=RULES)
        forced = request_run(source, actor=people.bob, extractors=RULES, forced=True)
    assert first[0].pk == again[0].pk != forced[0].pk


def started(lab: Scope, people: People, attempts: int) -> Run:
    run = request_run(
        tell(lab, people.bob, f"Attempt {attempts} uses PostgreSQL."), actor=people.bob, extractors=RULES
    )[0]
    Run.objects.filter(pk=run.pk).update(status="running", attempts=attempts, started_at=timezone.now())
    run.refresh_from_db()
    return run


def test_what_kills_its_worker_each_time_is_left_to_a_person(lab: Scope, people: People) -> None:
    fine, deadly = started(lab, people, 1), started(lab, people, MAX_DEATHS)
    sweep_runs()
    fine.refresh_from_db()
    deadly.refresh_from_db()
    assert fine.status == "queued"
    assert (deadly.status, "died" in deadly.error) == ("failed", True)
    assert retry_run(deadly, actor=people.bob).status == "queued"


def test_a_failure_is_kept_whatever_characters_it_has(lab: Scope, people: People) -> None:
    run = fail_run(started(lab, people, 1), error="bad \0 byte", raw_answer="half \ud83d pair")
    assert (run.error, run.raw_answer) == ("bad \N{REPLACEMENT CHARACTER} byte", "half \N{REPLACEMENT CHARACTER} pair")


def test_a_scope_at_work_does_not_keep_the_others_waiting(lab: Scope, people: People) -> None:
    def ask(scope: Scope, text: str) -> Run:
        return request_run(tell(scope, people.bob, text), actor=people.bob, extractors=RULES)[0]

    quiet = make_scope("lab/quiet", parent=lab)
    first, second, third = (ask(lab, f"Door {number} is blue.") for number in (1, 2, 3))
    other = ask(quiet, "The gate is red.")
    with working_on_next() as one, working_on_next() as two, working_on_next() as three:
        # The oldest, then the other scope's, then again the oldest, since both scopes are worked on.
        assert [one, two, three] == [first, other, second]
        with working_on_next([first.pk, other.pk]) as none:
            assert none is None
    with working_on_next() as last:
        assert last == third
