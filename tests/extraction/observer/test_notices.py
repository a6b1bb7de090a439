"""What the observer says is kept once, listed over HTTP, and goes with the words that it rests on."""

import datetime as dt

import pytest
from django.utils import timezone

from extraction.observer.live import observe, observe_recent
from ledger.actions.decide import reject
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.purge import purge
from ledger.errors import Forbidden
from ledger.models import Conversation, JournalEvent, Notice
from ledger.reads.insights.observer import observer_figures
from ledger.rules.permissions import Access
from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house, say
from tests.people import agent_in, quote_of, tell
from tests.review.door import OPERATOR, House

__all__ = ["house"]

CLASH = ("10:20 cole Dentist had a slot, grabbed 4pm today for Jude", "10:26 samira great")
AT = dt.datetime(2026, 9, 15, 10, 30, tzinfo=dt.timezone(dt.timedelta(hours=-4)))


def thread(house: House) -> Conversation:
    return Conversation.objects.get(scope=house.scope, external_id="family")


def test_it_is_said_once_and_listed_with_what_was_compared(house):
    event = confirmed(house, ROBOTICS)
    say(house, *CLASH)
    (said,) = observe(thread(house), now=AT)
    assert observe(thread(house), now=AT + dt.timedelta(minutes=5)) == []
    status, shown = house.vera("GET", "/notices?scope=studio")
    assert status == 200 and shown["next"] is None
    (item,) = shown["items"]
    assert (item["id"], item["rule"], item["after"]) == (said.pk, "temporal_conflict", "m1")
    assert event.ref in item["claims"] and item["conversation"] == "family" and len(item["text"]) <= 280
    assert house.vera("GET", f"/notices?scope=studio&after={said.pk}")[1]["items"] == []
    assert house.charlie("GET", "/notices?scope=studio")[0] == 404
    journalled = JournalEvent.objects.get(verb="notify")
    assert journalled.scope == house.scope and journalled.actor_name == "observer"


def test_history_that_came_late_and_what_is_not_due_are_not_said(house):
    confirmed(house, ROBOTICS)
    say(house, *CLASH)
    assert observe(thread(house), now=AT + dt.timedelta(days=2)) == []
    say(house, *CLASH, "10:28 samira who gets Jude at 8pm tonight?")
    said = observe(thread(house), now=AT)
    assert [one.rule for one in said] == ["temporal_conflict"]


def test_the_worker_looks_at_threads_of_late_where_an_observer_is(house):
    day = f"{timezone.localdate():%Y-%m-%d}"
    say(house, *CLASH, day=day)
    assert observe_recent() == []
    assert observe_recent(since=dt.timedelta(0)) == []


def test_an_agent_that_may_not_propose_says_nothing(house):
    from ledger.actions.notify import notify
    from ledger.rules.permissions import Access

    say(house, *CLASH)
    actor = agent_in(house.scope)
    reader = type(actor)(
        "agent", "reader", "api", access=Access(grants=frozenset({"read"}), token_scopes=("studio",), agent=True)
    )
    source = house.scope.sources.get(external_id="m1")
    asked = {"rule": "x", "text": "x", "matter": "x", "after": source, "refs": [], "sources": [], "due_at": AT}
    with pytest.raises(Forbidden):
        notify(thread(house), actor=reader, **asked)
    assert not Notice.objects.exists()


def test_a_purge_of_the_message_takes_the_words_of_its_notice(house):
    confirmed(house, ROBOTICS)
    say(house, *CLASH)
    (said,) = observe(thread(house), now=AT)
    purge(house.scope.sources.get(external_id="m1"), actor=OPERATOR, reason="asked for")
    said.refresh_from_db()
    assert said.text == "" and said.refs


def test_what_people_press_is_counted_and_nothing_else_is_kept(house, django_assert_max_num_queries):
    confirmed(house, ROBOTICS)
    say(house, *CLASH)
    (said,) = observe(thread(house), now=AT)
    before = house.vera("GET", "/observer/figures?scope=studio")[1]
    assert (before["notices"], before["precision"], before["days_without_why"]) == (1, None, None)
    status, answered = house.vera("POST", f"/notices/{said.pk}/answer", {"answer": "why"})
    assert status == 200 and answered["claims"] == said.refs
    assert house.vera("POST", f"/notices/{said.pk}/answer", {"answer": "wrong"})[0] == 403
    assert house.bob("POST", f"/notices/{said.pk}/answer", {"answer": "wrong"})[0] == 200
    assert house.bob("POST", f"/notices/{said.pk}/answer", {"answer": "right"})[0] == 200
    assert house.charlie("POST", f"/notices/{said.pk}/answer", {"answer": "why"})[0] == 404
    assert house.bob("POST", f"/notices/{said.pk}/answer", {"answer": "maybe"})[0] == 422
    for verb, title in ((promote, "chess"), (reject, "judo")):
        source = tell(house.scope, OPERATOR, f"{title} is on Friday")
        draft = Draft(kind="event", statement=source.text, quotes=(quote_of(source),), value={"title": title})
        verb(propose(draft, scope=house.scope, actor=OPERATOR).claim, actor=OPERATOR)
    after = house.vera("GET", "/observer/figures?scope=studio&days=7")[1]
    assert (after["right"], after["wrong"], after["precision"], after["days_without_why"]) == (1, 0, 1.0, 0)
    assert (after["decided"], after["confirmed"], after["confirmed_share"]) == (2, 1, 0.5) and len(after["said"]) == 8
    assert after["seconds_to_confirm"] is not None
    access = Access(roles={"studio": "viewer"})
    with django_assert_max_num_queries(4):
        observer_figures(access, since=timezone.now() - dt.timedelta(days=30), now=timezone.now())
