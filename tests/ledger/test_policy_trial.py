"""What a policy would have done, against the same counted out by hand from the rows; and that looking writes nothing."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ledger.models import Claim, JournalEvent
from ledger.reads.policies.matches import facts_of
from ledger.reads.policies.trial import simulate
from ledger.rules.calibration import wilson
from ledger.rules.policies import fits_at, settings_of, why_left
from tests.ledger.conftest import role
from tests.ledger.policy_world import by_hand, counted, lay_out, past_of
from tests.people import People, candidate, make_scope
from tests.seeds import seeds

CASES = [
    ("confidence", {}), ("confidence", {"threshold": 0.5}), ("first_person", {}), ("references", {"times": 2, "days": 7}),
    ("references", {"times": 3, "days": 12}),
]  # fmt: skip


@pytest.mark.parametrize("seed", seeds())
def test_it_is_what_counting_by_hand_finds(people: People, seed: int) -> None:
    child = make_scope("lab/item", tier="item", parent=people.scope)
    scopes, now = [people.scope, child], timezone.now()
    lay_out(people, scopes, now=now, seed=seed)
    some, past = 0, past_of(scopes)
    for name, given in CASES:
        for days in (10, 30, 60):
            before = (JournalEvent.objects.count(), sum(Claim.objects.values_list("version", flat=True)))
            with role("countersign_web"), CaptureQueriesContext(connection) as captured:
                trial = simulate(people.scope, name, settings_of(name, given), days=days, now=now)
            assert not any(q["sql"].lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")) for q in captured)
            assert before == (JournalEvent.objects.count(), sum(Claim.objects.values_list("version", flat=True)))
            assert len(captured) <= 45, len(captured)
            expected = by_hand(past, name, given, days=days, now=now)
            assert [(one.ref, one.verdict) for one in trial.would] == expected, (name, given, days)
            counts = counted(expected)
            judged = counts["promoted"] + counts["edited"] + counts["rejected"]
            assert trial.judged == judged and not trial.more
            assert trial.interval == wilson(counts["promoted"], judged)
            assert trial.precision == (counts["promoted"] / judged if judged else None)
            assert sum(sum(verdicts.values()) for _, verdicts in trial.by_day) == len(expected)
            assert [day for day, _ in trial.by_day][-1] == now.astimezone(dt.UTC).date()
            some += len(expected)
    assert some > 20


def test_an_empty_past_has_no_precision(people: People) -> None:
    trial = simulate(people.scope, "confidence", settings_of("confidence", {}), days=30, now=timezone.now())
    assert (trial.would, trial.judged, trial.precision, trial.interval, trial.now) == ((), 0, None, (0.0, 1.0), ())


def test_what_it_would_do_now_is_what_is_clear(people: People) -> None:
    heading = {"rule": "heading.typed", "confidence": 0.9}
    fits = candidate(people.scope, people.bob, "The mast is oak", **heading)
    candidate(people.scope, people.bob, "The mast is ash", rule="sentence.x", confidence=0.9)
    elsewhere = make_scope("kitchen")
    candidate(elsewhere, people.machine, "The oven is hot", **heading)
    trial = simulate(people.scope, "confidence", settings_of("confidence", {}), days=30, now=timezone.now())
    assert [one.claim.ref for one in trial.now] == [fits.ref] == [one.ref for one in trial.would]


def test_where_it_would_promote_nothing_it_says_why(people: People) -> None:
    for rule, confidence, more in (
        ("heading.typed", 0.5, {}), ("sentence.first_person", 0.9, {}), ("", 0.9, {"hand_authored": True}),
        ("heading.typed", 0.9, {"needs_review": True}),
    ):  # fmt: skip
        candidate(
            people.scope, people.bob, f"Word {rule} {confidence} {more}", rule=rule, confidence=confidence, **more
        )
    now = timezone.now()
    trial = simulate(people.scope, "confidence", settings_of("confidence", {}), days=7, now=now)
    assert trial.now == () and dict(trial.left) == {
        "a score below 0.80": 1, "found by a rule that it does not go by": 1, "written by hand": 1, "marked for review": 1,
    }  # fmt: skip
    often = simulate(people.scope, "references", settings_of("references", {}), days=7, now=now)
    assert dict(often.left)["too few say it whose words count: 5 sources within 7 days"] == 3
    candidate(people.scope, people.bob, "Fits", rule="heading.typed", confidence=0.9)
    trial = simulate(people.scope, "confidence", settings_of("confidence", {}), days=7, now=timezone.now())
    assert len(trial.now) == 1 and trial.left == ()


@pytest.mark.parametrize("seed", seeds())
def test_what_is_left_has_a_reason_and_what_fits_has_none(people: People, seed: int) -> None:
    now = timezone.now()
    lay_out(people, [people.scope], now=now, seed=seed, many=30)
    facts = facts_of(list(Claim.objects.values_list("pk", flat=True)), seen=True).values()
    for name, given in CASES:
        settings = settings_of(name, given)
        for one in facts:
            fits = fits_at(name, settings, one, since=now, until=now) is not None
            assert fits == (why_left(name, settings, one, now=now) == "")
