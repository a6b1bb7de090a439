"""The demo's test family (O15): its week is a calendar, and the four walk-throughs run on it."""

import datetime as dt

import pytest

from config.demo.lay_out import FILES, lay_out
from extraction.observer.replay import replay
from ledger.actor import demo
from ledger.models import Conversation, Scope
from ledger.reads.calendar import occurrences

CENTRAL = dt.timezone(dt.timedelta(hours=-5))


@pytest.mark.django_db(transaction=True)
def test_the_family_has_its_week_and_the_walk_throughs_say_what_the_seed_says() -> None:
    (file,) = [file for file in FILES if file.stem == "family"]
    assert lay_out(file, actor=demo("Ada"))
    miller = Scope.objects.get(path="miller")
    week = dt.datetime(2026, 5, 4, tzinfo=CENTRAL)
    plan = occurrences(miller, week, week + dt.timedelta(days=7))
    told = [f"{one.start:%a %H:%M} {one.entry.title}" for one in plan]
    assert told == [
        "Mon 16:00 Ballet", "Tue 16:30 Soccer", "Wed 15:30 Chess", "Wed 16:00 Ballet", "Thu 16:30 Soccer", "Sat 10:00 Swim"
    ]  # fmt: skip
    said = {
        name: [one.rule for one in replay(miller, Conversation.objects.get(scope=miller, external_id=name)).notices]
        for name in ("walk-1", "walk-2", "walk-3", "walk-4")
    }
    assert said == {"walk-1": ["clarification"], "walk-2": [], "walk-3": [], "walk-4": ["resource_conflict"]}
