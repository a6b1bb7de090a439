"""Chats of a scope at the screen: what writes there, whose account is whose, and that nobody but its holder names an account."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from config.chats.decisions import person_of
from config.chats.door import ChatAuthor
from config.chats.services import SLACK, TELEGRAM
from ledger.actions.chat_account import make_code
from ledger.actions.chat_link import link_chat
from ledger.actions.scope import add_person
from ledger.actions.undo import undo
from ledger.errors import InTheWay
from ledger.models import ChatCode, ChatLink, JournalEvent, Person
from tests.review.door import OPERATOR

ACCOUNT = ChatAuthor("501", "Bobby")


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


@pytest.fixture
def people(house):
    for name, user in (("Bob", "bob"), ("Alice", "alice")):
        add_person(house.scope, name, username=user, telegram_id=501 if user == "alice" else None, actor=OPERATOR)
    return house


def press(name: str, **form: str) -> str:
    return signed_in(name).post("/chats/studio", form, follow=True).content.decode()


def test_a_code_told_in_the_chat_shows_whose_account_it_is(people):
    assert person_of(TELEGRAM, people.scope, ACCOUNT).name == "Alice"
    code = make_code("telegram", "501")
    assert "no such code" in press("bob", action="confirm", code="AAAAA-AAAAA")
    assert "Bob&#x27;s" in press("bob", action="confirm", code=f" {code[:5].lower()}-{code[5:]} ")
    # What an owner named is not believed against it, and the code is used up.
    assert person_of(TELEGRAM, people.scope, ACCOUNT).name == "Bob"
    assert "no such code" in press("alice", action="confirm", code=code)
    event = JournalEvent.objects.get(verb="confirm_account")
    assert (event.actor_name, event.door, event.scope) == ("bob", "screen", people.scope)
    assert undo(event, actor=OPERATOR) and person_of(TELEGRAM, people.scope, ACCOUNT).name == "Alice"


def test_who_confirmed_an_account_is_no_other(people):
    press("alice", action="confirm", code=make_code("telegram", "77"))
    assert person_of(TELEGRAM, people.scope, ACCOUNT) is None
    assert person_of(TELEGRAM, people.scope, ChatAuthor("77", "x")).name == "Alice"
    press("alice", action="confirm", code=make_code("slack", "U1"))
    press("alice", action="confirm", code=make_code("telegram", "78"))
    assert Person.objects.get(name="Alice").accounts == ["slack:U1", "telegram:78"]
    assert person_of(SLACK, people.scope, ChatAuthor("U1", "x")).name == "Alice"
    # Confirmed by somebody else it is theirs alone.
    press("bob", action="confirm", code=make_code("telegram", "78"))
    assert Person.objects.get(name="Alice").accounts == ["slack:U1"]


def test_an_old_code_is_none_and_a_new_one_takes_its_place(people):
    first, second = make_code("telegram", "501"), make_code("telegram", "501")
    assert "no such code" in press("bob", action="confirm", code=first)
    ChatCode.objects.update(at=timezone.now() - timedelta(minutes=11))
    assert "no such code" in press("bob", action="confirm", code=second)
    assert "among the people" in press("vera", action="confirm", code=second)


def test_an_account_goes_with_its_user(people):
    press("bob", action="confirm", code=make_code("telegram", "501"))
    add_person(people.scope, "Bob", username="alice", actor=OPERATOR)
    assert Person.objects.get(name="Bob").accounts == []
    press("bob", action="confirm", code=make_code("telegram", "501"))
    Person.objects.filter(name="Alice").update(accounts=["telegram:9"])
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_person SET user_id = NULL WHERE name = 'Alice'")
    assert Person.objects.get(name="Alice").accounts == []


def test_among_many_people_everybody_finds_themselves_and_owners_every_account(people):
    for number in range(60):
        add_person(people.scope, f"Aaron {number}", actor=OPERATOR)
    assert "telegram:501" in press("bob", action="confirm", code=make_code("telegram", "501"))
    assert "telegram:501" in signed_in("alice").get("/chats/studio").content.decode()


def test_owners_see_what_writes_here_and_end_it_with_a_way_back(people):
    link = link_chat(people.scope, actor=OPERATOR, door="telegram", bot="1", chat="-5", conversation="telegram:5")
    press("bob", action="confirm", code=make_code("telegram", "501"))
    page = signed_in("alice").get("/chats/studio").content.decode()
    assert "telegram -5" in page and "telegram:501" in page and "themselves" in page and "link chat" in page
    seen = signed_in("bob").get("/chats/studio").content.decode()
    assert "telegram -5" not in seen and "You are" in seen
    assert signed_in("bob").post("/chats/studio", {"action": "end", "link": link.pk}).status_code == 403
    press("alice", action="end", link=str(link.pk))
    assert ChatLink.objects.get().status == "ended"
    event = JournalEvent.objects.get(verb="end_chat_link")
    signed_in("alice").post(f"/journal/{event.pk}/undo", {"back": "/chats/studio"})
    assert ChatLink.objects.get().status == "on"
    press("alice", action="end", link=str(link.pk))
    link_chat(people.scope, actor=OPERATOR, door="telegram", bot="1", chat="-5", conversation="telegram:5")
    last = JournalEvent.objects.filter(verb="end_chat_link").latest("id")
    with pytest.raises(InTheWay, match="linked anew"):
        undo(last, actor=OPERATOR)
    bob = Person.objects.get(name="Bob")
    form = {"person": str(bob.pk), "account": "telegram:501"}
    assert signed_in("vera").post("/chats/studio", {"action": "end_account", **form}).status_code == 403
    press("bob", action="end_account", **form)
    bob.refresh_from_db()
    assert bob.accounts == [] and "no such action" in press("bob", action="fly")
