"""Raw chat that nothing cites goes after its time, with a report first; what is cited, read or of another kind stays."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from extraction.intake.take import take
from extraction.runs.pipeline import work_off
from extraction.runs.retention import overdue, purge_old_chat
from ledger.actions.ingest import Incoming
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import JournalEvent, Source
from tests.people import say, tell

pytestmark = pytest.mark.django_db
ALICE = operator("Alice")


def chat(scope, *texts: str, conversation: str = "family") -> list[Source]:
    messages = [
        Incoming(text=text, kind="message", sender="Sam", conversation=conversation, external_id=f"{conversation}{at}")
        for at, text in enumerate(texts)
    ]
    return [one.source for one in take(messages, scope=scope, actor=ALICE)]


def test_what_nothing_cites_goes_after_its_days_and_is_told_first() -> None:
    home = create_scope("home", tier="project", packs=["household"], actor=ALICE)
    small_talk, _ = chat(home, "lol", "Pick up Mia tomorrow at 5?")
    cited = tell(home, ALICE, "Swimming is on Mondays", conversation="family")
    assert say(home, ALICE, "Swimming is on Mondays", told=cited).claim
    (note,) = (one.source for one in take([Incoming(text="a letter")], scope=home, actor=ALICE, extract=False))
    elsewhere = create_scope("office", tier="project", actor=ALICE)
    chat(elsewhere, "nobody set any days here")
    now = timezone.now()
    assert list(overdue(now + timedelta(days=29))) == []
    later = now + timedelta(days=31)
    # What still waits to be read is left alone.
    assert [one.rows.count() for one in overdue(later)] == [1]
    work_off()
    (found,) = overdue(later)
    assert found.told.startswith("home: 2 messages that nothing cites, kept for 30 days, the oldest of ")
    out = io.StringIO()
    call_command("sweep", "--dry-run", stdout=out)
    assert out.getvalue() == "no chat was kept long enough to be purged\n" and not Source.objects.exclude(
        purged_at=None
    )
    assert purge_old_chat(later) == 2 and purge_old_chat(later) == 0
    small_talk.refresh_from_db()
    assert small_talk.text == "" and small_talk.purged_at is not None
    assert set(Source.objects.filter(purged_at=None, scope=home).values_list("pk", flat=True)) == {cited.pk, note.pk}
    events = JournalEvent.objects.filter(verb="purge")
    assert {(one.actor_kind, one.actor_name, one.batch) for one in events} == {("system", "retention", events[0].batch)}


def test_a_scope_sets_its_own_days() -> None:
    home = create_scope("home", tier="project", packs=["household"], actor=ALICE)
    type(home).objects.filter(pk=home.pk).update(retention_days=3)
    chat(home, "lol")
    assert [one.days for one in overdue(timezone.now() + timedelta(days=4))] == [3]
