"""Pressing the admin's buttons, and what it answers."""

from django.urls import reverse

from ledger.actions.promote import promote
from ledger.models import JournalEvent
from tests.people import candidate


def decide(client, claim, action, noun="claim", **data):
    """A button of the claim's card."""
    url = reverse(f"admin:ledger_{noun}_decide", args=[claim.ref])
    back = reverse(f"admin:ledger_{noun}_change", args=[claim.pk])
    return client.post(url, {"version": claim.version, "action": action, "back": back, **data}, follow=True)


def act(client, url, name, rows, **data):
    """A list action: first the page between, then its button over what it showed."""
    picked = {"action": name, "index": 0, "_selected_action": [row.pk for row in rows]}
    page = client.post(url, picked)
    assert page.status_code == 200 and "lines" in page.context, page
    versions = {f"version-{line.pk}": line.version for line in page.context["lines"] if line.version is not None}
    return page, client.post(url, picked | versions | {"sure": "yes"} | data, follow=True)


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
