"""A page that outlived its reader's session sends nothing in the name of whoever signed in at that browser since."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ledger.models import Claim, Scope
from tests.people import candidate, make_people, make_scope


@pytest.mark.parametrize("htmx", [True, False])
def test_another_reader_decides_nothing(db: None, htmx: bool) -> None:
    scope: Scope = make_scope("hall")
    people = make_people(scope)
    claim = candidate(scope, people.bob, "The hall has a floor")
    client = Client(headers={"HX-Request": "true"} if htmx else {})
    client.force_login(User.objects.get(username="carol"))
    form = {"action": "reject", "version": str(claim.version), "back": "/", "reader": str(people.bob.user_id)}
    answer = client.post(f"/candidates/{claim.ref}/decide", form)
    assert (answer.headers["HX-Redirect"] if htmx else answer.headers["Location"]).startswith("/login/")
    assert Claim.objects.get(pk=claim.pk).status == "pending"
    client.post(f"/candidates/{claim.ref}/decide", form | {"reader": str(people.carol.user_id)})
    assert Claim.objects.get(pk=claim.pk).status == "rejected"
