"""A colleague is welcomed in one page, and sets their own password by the link that they are handed."""

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger.models import JournalEvent, Member
from tests.review.admin.conftest import signed_in

PAGE = "/admin/auth/user/onboard/"
PASSWORD = "a heron sleeps at noon"


def welcomed(client, **said):
    typed = {"username": "heidi", "email": "heidi@example.org", "role": "reviewer", **said}
    return client.post(PAGE, typed)


def test_user_role_scope_and_link_in_one_page(committed):
    people = committed
    User.objects.filter(username="alice").update(is_superuser=True)
    alice = signed_in("alice")
    assert reverse("admin:auth_user_onboard") == PAGE
    assert alice.get(PAGE).status_code == 200
    page = welcomed(alice, scope=people.scope.path)
    user = User.objects.get(username="heidi")
    assert not user.has_usable_password() and not user.is_staff
    assert Member.objects.get(user=user).role == "reviewer"
    event = JournalEvent.objects.filter(verb="set_member").latest("pk")
    assert (event.actor_name, event.door, event.scope) == ("alice", "admin", people.scope)
    link = page.context["link"]
    heidi = Client()
    form = heidi.get(link, follow=True)
    address = form.redirect_chain[-1][0]
    done = heidi.post(address, {"new_password1": PASSWORD, "new_password2": PASSWORD}, follow=True)
    assert done.status_code == 200 and done.wsgi_request.user == user
    assert "used already" in Client().get(link, follow=True).content.decode()
    assert Client().login(username="heidi", password=PASSWORD)


def test_both_or_neither_and_only_by_who_may(committed):
    people = committed
    assert welcomed(signed_in("alice"), scope=people.scope.path).status_code == 403
    assert welcomed(signed_in("root"), scope=people.scope.path).status_code == 200
    User.objects.filter(username="alice").update(is_superuser=True)
    alice = signed_in("alice")
    for wrong in (
        {"scope": "nowhere"},
        {"scope": people.scope.path, "role": "king"},
        {"username": "BOB"},
        {"username": "a b"},
    ):
        page = welcomed(alice, **{"scope": people.scope.path, **wrong})
        assert page.context["form"].errors, wrong
    assert not User.objects.filter(username="heidi").exists()
