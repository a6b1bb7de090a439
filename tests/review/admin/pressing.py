"""Pressing the admin's buttons, and what it answers."""

from django.urls import reverse

from ledger.actions.promote import promote
from ledger.models import JournalEvent
from tests.people import candidate


def decide(client, claim, verb, noun="claim", **data):
    url = reverse(f"admin:ledger_{noun}_decide", args=[claim.pk, verb])
    return client.post(url, {"version": claim.version, **data}, follow=True)


def said(answer):
    return [(m.level_tag, m.message) for m in answer.context["messages"]]


def last():
    return JournalEvent.objects.latest("id")


def active(people, statement, **more):
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def quote_of_claim(claim):
    return claim.evidence.get().quote
