"""No list and no page of the admin asks once a row: with 2 rows and with 14 it makes the same number of statements."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger.actions.decide import defer, reopen
from ledger.models import CatalogItem, Claim, Conflict, ConflictMember, JournalEvent, Member, Scope, Source, Synonym
from tests.people import candidate, make_scope, say, tell
from tests.review.admin.conftest import fill, signed_in
from tests.review.admin.pressing import active

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.model_name or "")
FEW, MANY = 2, 14
# What `fill` makes more than one of for each count, so that its list may have more than a page.
FULL = {"Claim", "Source", "Section", "Evidence", "JournalEvent", "Seal"}


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def statements(client, url, posted=None):
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url) if posted is None else client.post(url, posted)
        assert answer.status_code == 200, (url, answer.status_code)
    return len(queries), [query["sql"][:160] for query in queries]


def test_every_list_and_every_page(people):
    client = signed_in("root")
    counts = {}
    for rows, name in ((FEW, "a"), (MANY - FEW, "b")):
        fill(people, rows, name)
        for n in range(rows):
            User.objects.create(username=f"user-{name}{n}")
        for model in MODELS:
            row = model._default_manager.order_by("pk").first()
            if row is None:
                continue
            for page in ("changelist", "change"):
                url = address(model, page) if page == "changelist" else address(model, page, row.pk)
                counts.setdefault((model.__name__, page), []).append(statements(client, url))
    assert len(counts) >= 2 * (len(MODELS) - 1)
    for (noun, page), (few, many) in counts.items():
        # One more where the list no longer fits on a page: the planner's estimate of its size.
        assert many[0] <= few[0] + (page == "changelist" and noun in FULL), (noun, page, few, many)


@pytest.mark.parametrize("noun", ["history", "members", "users", "evidence", "conflict", "synonyms", "changes"])
def test_a_page_with_much_that_belongs_to_it(people, noun):
    """As many statements for a row with 14 of something as for one with 2."""
    client = signed_in("root")
    few, many = (made(people, noun, count) for count in (FEW, MANY))
    statements(client, few)  # what a process asks once in its life, whichever page is its first
    assert statements(client, many)[0] <= statements(client, few)[0], (
        statements(client, few),
        statements(client, many),
    )


def made(people, noun, count):
    """The address of a page with `count` of something."""
    scope, bob = people.scope, people.bob
    if noun == "history":
        claim = candidate(scope, bob, f"post {count} is tall", key=f"post-{count}")
        for _ in range(count):
            defer(claim, actor=bob)
            reopen(claim, actor=bob)
        return address(Claim, "change", claim.pk)
    if noun in ("members", "users"):
        place = make_scope(f"place-{noun}-{count}")
        for n in range(count):
            Member.objects.create(scope=place, user=User.objects.create(username=f"{noun}-{count}-{n}"), role="viewer")
        return address(Scope, "change", place.pk)
    if noun == "evidence":
        claim = active(people, f"the wall is {count} m", key=f"wall-{count}")
        for n in range(count):
            told = tell(scope, bob, f"the wall is {count} m", sender=f"sender {n}")
            say(scope, bob, f"the wall is {count} m", key=f"wall-{count}", told=told)
        assert claim.evidence.count() > count / 2
        return address(Claim, "change", claim.pk)
    if noun == "conflict":
        conflict = Conflict.objects.create(scope=scope, slot=f"fact|k:many-{count}", status="open")
        for n in range(count):
            row = active(people, f"the {count} roof {n} is tin", key=f"roof-{count}-{n}")
            ConflictMember.objects.create(conflict=conflict, claim=row)
        return address(Conflict, "change", conflict.pk)
    if noun == "synonyms":
        item = CatalogItem.objects.create(scope=scope, name=f"screw {count}")
        for n in range(count):
            Synonym.objects.create(item=item, name=f"bolt {count} {n}")
        return address(CatalogItem, "change", item.pk)
    candidate(scope, bob, f"a door {count}", key=f"door-{count}")
    return address(JournalEvent, "change", JournalEvent.objects.latest("pk").pk)


def test_the_front_page_and_the_page_between(people):
    client = signed_in("bob")
    counts = []
    for rows, name in ((FEW, "a"), (MANY - FEW, "b")):
        fill(people, rows, name)
        ids = list(Claim.objects.filter(status="pending").values_list("pk", flat=True)[:MANY])
        picked = {"action": "promote_selected", "index": 0, "_selected_action": ids}
        front = statements(client, reverse("admin:index"))
        between = statements(client, reverse("admin:ledger_candidate_changelist"), picked)
        counts.append((front, between))
    for few, many in zip(*counts, strict=True):
        assert many[0] <= few[0], (few, many)
    assert Source.objects.exists()
