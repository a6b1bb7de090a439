"""Insights against a plain loop over all rows: who decides how fast, what comes and goes, how long it waits, what leads to a
source, what is said again, what conflicts."""

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from ledger.actions.conflict import dismiss, resolve
from ledger.actions.decide import defer, reject
from ledger.actions.logs import PatternFound, note_patterns
from ledger.actions.promote import promote
from ledger.actions.tally import tally
from ledger.actions.undo import undo
from ledger.actor import system
from ledger.models import Claim, Conflict, JournalEvent, Pattern
from ledger.reads.insights import throughput, trust
from ledger.reads.insights.throughput import AGES, daily_flow, reviewers, waiting_ages
from ledger.reads.insights.trust import conflicts_by_day, correction_figures, traceability
from ledger.reads.journal import seal
from ledger.reads.why import traced_to_source, why
from review.desk.reservations import reserve
from review.insights.decision_times import decision_times, time_figures
from review.models import DecisionTime, Reservation
from tests.people import People, candidate, make_people, make_scope, tell
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


@pytest.fixture
def people(transactional_db: None) -> People:
    return make_people(make_scope("mill"))


def as_owner(sql: str, params: list[object]) -> None:
    """What no verb writes, such as times of the past: the table's laws look away for one statement."""
    table = sql.split()[1]
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(sql, params)
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def waits(people: People, count: int) -> list[Claim]:
    return [candidate(people.scope, people.bob, f"paddle {n} is oak", key=f"paddle{n}") for n in range(count)]


def test_decisions_an_hour_by_reviewer(people: People) -> None:
    now, chance = timezone.now(), random.Random(7)
    verbs: list[Callable[..., JournalEvent]] = [promote, reject, defer]
    for claim in waits(people, 24):
        event = chance.choice(verbs)(claim, actor=chance.choice([people.bob, people.carol]))
        at = now - DAY + chance.random() * 6 * HOUR
        as_owner("UPDATE ledger_journalevent SET at = %s WHERE id = %s", [at, event.pk])
    undo(JournalEvent.objects.filter(verb="promote").order_by("-pk")[0], actor=people.bob)
    found = {one.name: one for one in reviewers(people.vera.access, since=now - 2 * DAY).rows}
    for name in ("bob", "carol"):
        events = list(JournalEvent.objects.filter(actor_name=name, verb__in=["promote", "reject", "merge", "defer"]))
        slots = {int(event.at.timestamp()) // 600 for event in events}
        verbs_of = Counter(event.verb for event in events)
        one = found[name]
        assert (one.decided, one.hours) == (len(events), pytest.approx(len(slots) / 6))
        assert (one.promoted, one.rejected) == (verbs_of["promote"], verbs_of["reject"])
        assert one.per_hour == pytest.approx(len(events) / (len(slots) / 6), abs=0.001)
    assert sum(one.undone for one in found.values()) == 1
    assert reviewers(people.charlie.access, since=now - 2 * DAY).rows == []
    assert reviewers(people.vera.access, since=now + HOUR).rows == []


def test_only_the_newest_are_read_and_that_is_said(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in waits(people, 5):
        reject(claim, actor=people.bob)
    monkeypatch.setattr(throughput, "MAX_DECISIONS", 3)
    found = reviewers(people.vera.access, since=timezone.now() - DAY)
    assert found.more and found.rows[0].decided == 3


def test_what_comes_and_goes_is_what_was_tallied(people: People) -> None:
    for number, claim in enumerate(waits(people, 7)):
        if number < 3:
            reject(claim, actor=people.bob)
    seal()
    tally()
    now = timezone.now()
    found = daily_flow(people.vera.access, since=now - 6 * DAY, now=now)
    assert len(found.days) == 7 and found.days[-1] == now.date()
    assert (sum(found.came), sum(found.went)) == (7, 3)
    assert sum(daily_flow(people.charlie.access, since=now - 6 * DAY, now=now).came) == 0


def test_ages_fall_where_a_plain_loop_puts_them(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    now, chance = timezone.now(), random.Random(3)
    for claim in waits(people, 30):
        since = now - chance.random() ** 4 * 60 * DAY
        as_owner("UPDATE ledger_claim SET created_at = %s WHERE id = %s", [since, claim.pk])
    found = waiting_ages(people.vera.access, now=now)
    edges = [dt.timedelta(0), *(edge for edge, _ in AGES), dt.timedelta.max]
    waited = [now - claim.created_at for claim in Claim.objects.filter(status="pending")]
    assert [count for _, count in found.classes] == [sum(a <= w < b for w in waited) for a, b in pairwise(edges)]
    assert found.waiting == 30 and not found.about
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE ledger_claim")
    monkeypatch.setattr(throughput, "MAX_WAITING", 10)
    # A small table is read whole: then it is no estimate either.
    assert waiting_ages(people.vera.access, now=now) == found


def test_an_estimate_does_not_pretend_to_be_exact() -> None:
    assert [throughput.scaled_estimate(n, 3.0) for n in (0, 1, 14_927)] == [0, 33, 498_000]
    assert throughput.scaled_estimate(14_927, 100) == 14_927


def test_the_share_that_leads_to_a_source_is_what_why_says_of_each(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = waits(people, 6)
    for claim in claims[:4]:
        promote(claim, actor=people.bob)
    access = people.vera.access
    assert traceability(access) == trust.Traceability(4, 4, pytest.approx(0.51, abs=0.01), 1.0, "")
    # Behind the laws' back one value is changed and one source.
    as_owner("UPDATE ledger_claim SET statement = 'paddle 0 is ash' WHERE id = %s", [claims[0].pk])
    source = claims[1].evidence.get().source_id
    as_owner("UPDATE ledger_source SET text = 'paddle 1 is elm' WHERE id = %s", [source])
    live = list(Claim.objects.filter(status="active").select_related("scope", "kind"))
    told = traced_to_source(live, access)
    assert told == {claim.pk: why(claim.ref, access).verified for claim in live}
    assert sum(told.values()) == 2 and traceability(access).traced == 2
    assert traceability(people.charlie.access).share is None
    monkeypatch.setattr(trust, "SAMPLE", 3)
    some = traceability(access)
    assert (some.looked_at, some.sample) == (3, "newest")
    monkeypatch.setattr(trust, "FEWEST", 1)
    assert traceability(access).sample == "any"


def correct(people: People, claim: Claim) -> None:
    source = tell(people.scope, people.bob, f"No, once more: {claim.statement} {Pattern.objects.count()}")
    found = PatternFound("correction", (source.pk,), "corrected")
    note_patterns([found], scope=people.scope, actor=system("worker", "extraction"), claims=[claim])


def test_corrections_said_again(people: People) -> None:
    first = candidate(people.scope, people.bob, "never oil the upper wheel bearing", kind="constraint")
    near = candidate(people.scope, people.bob, "never oil the upper wheel bearing today", kind="constraint")
    other = candidate(people.scope, people.bob, "close the sluice before noon", kind="constraint")
    correct(people, first)
    correct(people, other)
    correct(people, near)
    promote(first, actor=people.bob)
    correct(people, first)
    found = correction_figures(people.vera.access, since=timezone.now() - DAY)
    (row,) = found.rows
    assert (row.scope, row.corrections, row.again, row.signed) == ("mill", 4, 2, 1)
    later = Pattern.objects.order_by("-pk")[0].detected_at
    assert correction_figures(people.vera.access, since=later).again == 1
    assert correction_figures(people.charlie.access, since=timezone.now() - DAY).rows == []


def test_open_conflicts_go_back_by_the_journal(people: People) -> None:
    now = timezone.now()
    for key in ("mast", "boom", "keel"):
        for value in (1, 2):
            claim = candidate(people.scope, people.bob, f"{key} is {value}", key=key, value=value)
            promote(claim, actor=people.bob, on_conflict="coexist")
    rows = list(Conflict.objects.order_by("pk"))
    assert len(rows) == 3
    as_owner("UPDATE ledger_journalevent SET at = %s", [now - 5 * DAY])
    winner = rows[0].members.order_by("pk")[0].claim
    events = [resolve(rows[0], winner=winner.ref, actor=people.bob), dismiss(rows[1], actor=people.bob)]
    for days, event in zip((3, 1), events, strict=True):
        as_owner("UPDATE ledger_journalevent SET at = %s WHERE id = %s", [now - days * DAY, event.pk])
    found = conflicts_by_day(people.vera.access, since=now - 6 * DAY, now=now)
    assert found.open == (0, 3, 3, 2, 2, 1, 1) and not found.about
    assert sum(found.opened) == 3 and sum(found.closed) == 2
    assert sum(conflicts_by_day(people.charlie.access, since=now - 6 * DAY, now=now).open) == 0


def test_time_runs_from_when_a_card_could_be_read(people: People) -> None:
    bob = User.objects.get(username="bob")
    screen = Screen("bob")
    claims = waits(people, 4)
    screen.open("/")
    ref = screen.page.card()
    opened = Claim.objects.get(ref=ref)
    assert Reservation.objects.filter(user=bob).count() >= 2
    shown = timezone.now() - dt.timedelta(seconds=30)
    Reservation.objects.filter(user=bob).update(shown_at=shown)
    reserve(bob.pk, [opened.pk])
    assert Reservation.objects.get(claim=opened).shown_at == shown, "what stays on the desk was shown when it came"
    screen.press("reject")
    first = DecisionTime.objects.get()
    assert first.event_id == JournalEvent.objects.get(ref=ref, verb="reject").pk and first.scope_id == people.scope.pk
    assert 30_000 <= first.ms < 40_000
    screen.press("promote")
    second = DecisionTime.objects.exclude(pk=first.pk).get()
    assert second.ms < 10_000, "the card after it came up with the decision before"
    reject(claims[-1], actor=people.bob)
    assert DecisionTime.objects.count() == 2
    found = decision_times(people.vera.access, since=timezone.now() - DAY)
    assert found.count == 2 and dict(found.classes)["< 1 min"] == 1
    assert decision_times(people.charlie.access, since=timezone.now() - DAY).count == 0


def test_a_reservation_that_ran_out_begins_anew(people: People) -> None:
    bob, carol = (User.objects.get(username=name) for name in ("bob", "carol"))
    (claim,) = waits(people, 1)
    reserve(bob.pk, [claim.pk])
    past = timezone.now() - DAY
    Reservation.objects.update(shown_at=past, until=past)
    reserve(bob.pk, [claim.pk])
    assert Reservation.objects.get().shown_at > past
    Reservation.objects.update(shown_at=past, until=past)
    reserve(carol.pk, [claim.pk])
    assert Reservation.objects.get().shown_at > past and Reservation.objects.get().user == carol


def test_times_in_classes() -> None:
    found = time_figures([1500, 2000, 4999, 30_000, 10**7], more=False)
    assert found.classes == (
        ("< 2 s", 1),
        ("< 5 s", 2),
        ("< 10 s", 0),
        ("< 20 s", 0),
        ("< 1 min", 1),
        ("< 5 min", 0),
        ("longer", 1),
    )
    assert found.median_s == pytest.approx(4.999) and found.p90_s == pytest.approx(30 + 0.6 * (10_000 - 30))
    assert time_figures([], more=False).median_s is None
