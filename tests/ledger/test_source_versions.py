"""The same external id with another text: a new source that replaces the old one (design §4)."""

import pytest

from ledger.actions.ingest import Incoming, IngestResult, ingest
from ledger.models import Scope, Source
from tests.people import People

pytestmark = pytest.mark.usefixtures("as_web")


def send(lab: Scope, people: People, *texts: str, thread: str = "room", name: str = "m1") -> list[IngestResult]:
    items = [Incoming(text=text, kind="message", conversation=thread, external_id=name) for text in texts]
    return ingest(items, scope=lab, actor=people.bob)


def test_one_after_the_other(lab: Scope, people: People) -> None:
    old = send(lab, people, "at four")[0]
    assert send(lab, people, "at four")[0] == IngestResult(old.source, True)
    new = send(lab, people, "at five")[0]
    assert (new.duplicate, new.source.replaces_id) == (False, old.source.pk)
    newest = send(lab, people, "at six")[0]
    assert newest.source.replaces_id == new.source.pk


def test_all_in_one_request_and_again(lab: Scope, people: People) -> None:
    first, second, third = send(lab, people, "at four", "at five", "at six")
    assert [first.source.replaces_id, second.source.replaces_id, third.source.replaces_id] == [
        None, first.source.pk, second.source.pk,
    ]  # fmt: skip
    assert [first.source.position, second.source.position, third.source.position] == [0, 1, 2]
    again = send(lab, people, "at four", "at five", "at six")
    assert [answer.duplicate for answer in again] == [True, True, True]
    assert [answer.source.pk for answer in again] == [first.source.pk, second.source.pk, third.source.pk]
    assert Source.objects.count() == 3


def test_a_request_that_says_one_twice_and_goes_on(lab: Scope, people: People) -> None:
    old = send(lab, people, "at four")[0]
    same, new, back = send(lab, people, "at four", "at five", "at four")
    assert (same.duplicate, new.duplicate, back.duplicate) == (True, False, True)
    assert (new.source.replaces_id, back.source.pk) == (old.source.pk, old.source.pk)


def test_another_thread_is_another_message(lab: Scope, people: People) -> None:
    here, there = send(lab, people, "at four")[0], send(lab, people, "at five", thread="hall")[0]
    loose = send(lab, people, "at six", thread="")[0]
    assert not (here.duplicate or there.duplicate or loose.duplicate)
    assert there.source.replaces_id is None and loose.source.replaces_id is None
