"""By when an action is due: resolved against when it was said, where that is certain."""

from datetime import UTC, datetime

import pytest

from extraction.extractors.documents import find_hits
from extraction.extractors.documents.due import due_of
from ledger.rules.sections import sections_of
from tests.extraction.reading import shipped

# A Wednesday evening in Berlin.
SAID = datetime(2026, 5, 6, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("send the quote by Friday", "2026-05-08"),
        ("send the quote before Friday", "2026-05-07"),
        ("send the quote by Friday 5pm", "2026-05-08T17:00:00+02:00"),
        ("paint the hall, due June 4th", "2026-06-04"),
        ("renew the lease (deadline: tomorrow)", "2026-05-07"),
        ("Angebot bis spätestens Freitag schicken", "2026-05-08"),
        ("call Mia on Friday", ""),
        ("wait until Friday", ""),
        ("finish by 5", ""),
        ("order more by next Friday", ""),
        ("tidy up", ""),
        ("send it by Friday, no wait, Monday", ""),
        ("send it (due ~~Friday~~ Monday)", "2026-05-11"),
        ("send it by Friday week", ""),
    ],
)
def test_deadlines(text: str, due: str) -> None:
    assert due_of(text, said_at=SAID, zone="Europe/Berlin") == due


def test_nobody_knows_which_friday_of_a_text_without_a_time() -> None:
    assert due_of("send it by Friday", said_at=None, zone="UTC") == ""


def test_an_action_item_keeps_its_words_and_gains_the_day() -> None:
    text = "ACTION: Rob to send the drawings by Friday"
    sections = sections_of(text, kind="message", sender_kind="user")
    (hit,) = find_hits(
        text, sections, shipped(), kind="message", sent_at=SAID, now=SAID, zone="UTC"
    )  # fmt: skip
    assert isinstance(hit.value, dict)
    assert hit.value["due"] == "2026-05-08" and hit.value["task"].endswith("by Friday")
