"""Whoever is named in a decision's words, or handed a candidate, finds it on a list and in a mail (P13)."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from ledger.actions.decide import reject
from ledger.actions.hand_over import hand_over
from ledger.actions.undo import undo
from ledger.actor import operator
from review.digest.mentions import mail_mentions, names_in, note_mentions
from review.models import Mention
from tests.people import candidate
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("@bob, see this", {"bob"}),
        ("ask @Ann.Lee.", {"ann.lee"}),
        ("(@bob) and @carol+x", {"bob", "carol+x"}),
        ("mail bob@example.org", set()),
        ("@@bob @ bob @.", set()),
        ("@" * 4000, set()),
    ],
)
def test_who_is_named(words: str, named: set[str]) -> None:
    assert names_in(words) == named


@pytest.fixture
def told(house: House) -> House:
    """Everybody has an address, and what was said before is no news."""
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
    note_mentions()
    return house


@pytest.mark.django_db(transaction=True)
def test_a_colleague_is_told_once_by_list_and_mail(told: House) -> None:
    one, two = (candidate(told.scope, OPERATOR, f"Panel {n} waits") for n in (1, 2))
    reject(one, actor=OPERATOR, reason="not agreed, @bob: you wrote it. @charlie and @nobody may not read this")
    hand_over(two, to="alice", actor=OPERATOR)
    assert note_mentions() == 2 and note_mentions() == 0
    assert mail_mentions() == 2 and mail_mentions() == 0
    letters = {letter.to[0]: letter for letter in mail.outbox}
    assert set(letters) == {"bob@example.org", "alice@example.org"}
    assert letters["bob@example.org"].subject == "[Countersign] Alice named you in studio"
    assert (
        "@bob: you wrote it" in letters["bob@example.org"].body and one.statement not in letters["bob@example.org"].body
    )
    assert f"handed {two.ref} over to you" in letters["alice@example.org"].subject
    bob = Screen("bob")
    assert "1 mention of you" in bob.open("/").text
    page = bob.open("/mentions")
    assert "@bob: you wrote it" in page.text and page.text.count("new") == 1
    assert "mention of you" not in bob.open("/").text
    assert "Nobody has named you yet" in Screen("vera").open("/mentions").text


@pytest.mark.django_db(transaction=True)
def test_what_was_taken_back_or_fails_is_not_sent_for_ever(told: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (candidate(told.scope, OPERATOR, f"Panel {n} waits") for n in (1, 2))
    undo(reject(one, actor=OPERATOR, reason="@bob"), actor=OPERATOR)
    reject(two, actor=OPERATOR, reason="@bob")
    assert note_mentions() == 2

    def refused(letter: object) -> int:
        raise OSError("no server")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refused)
    assert mail_mentions() == 0
    row = Mention.objects.get(tries=1)
    assert row.mailed_at is None and row.retry_at is not None and row.event.ref == two.ref
    monkeypatch.undo()
    assert mail_mentions() == 0 and mail_mentions(now=timezone.now() + dt.timedelta(minutes=3)) == 1
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]
