"""Sentences that are one but for a single place: which of them leave no room for both."""

import pytest

from ledger.language.contradiction import Statement, contradicts
from ledger.language.replaced import replaced, tied_elsewhere

ONE_OF_BOTH = [
    ("The button is blue.", "The button is green."),
    ("Paint the door red.", "Paint the door white."),
    ("The frame must be steel.", "The frame must be aluminium."),
    ("Invoices are sent monthly.", "Invoices are sent weekly."),
    ("Standups are daily.", "Standups are weekly."),
    ("I prefer dark mode.", "I prefer light mode."),
    ("Approve the budget.", "Reject the budget."),
    ("Cancel the trip.", "Book the trip."),
    ("Buy the bolts from Acme.", "Buy the bolts from Bolton."),
    ("The server is in Frankfurt.", "The server is in Dublin."),
    ("Store sessions in Redis.", "Store sessions in PostgreSQL."),
    ("Our database is PostgreSQL.", "Our database is MySQL."),
    ("The meeting is led by Ann.", "The meeting is led by Bob."),
    ("Maria owns the billing module.", "Jonas owns the billing module."),
    ("Ann is the release manager.", "Bob is the release manager."),
    ("The project is called Heron.", "The project is called Egret."),
    ("Only owners may invite guests.", "Anyone may invite guests."),
]
ROOM_FOR_BOTH = [
    ("The red door stays locked.", "The blue door stays locked."),
    ("The weekly report goes to Ann.", "The monthly report goes to Ann."),
    ("The left door is locked.", "The right door is locked."),
    ("The lid must be red.", "The lid must be waterproof."),
    ("The sign may be red.", "The sign may be blue."),
    ("The lid must not be red.", "The lid must not be blue."),
    ("Ann is a release manager.", "Bob is a release manager."),
    ("We have an office in Berlin.", "We have an office in Munich."),
    ("Ann speaks German.", "Ann speaks French."),
    ("I worked with Ann.", "I worked with Bob."),
    ("Invite Ann to the review.", "Invite Bob to the review."),
    ("The kitchen is blue.", "The bathroom is green."),
    ("The server is in Frankfurt.", "The server is in Frankfurt."),
    ("", "Ann"),
]


@pytest.mark.parametrize(("one", "other"), ONE_OF_BOTH)
def test_another_name_colour_or_verb_in_the_same_place(one: str, other: str) -> None:
    assert replaced(one, other) and replaced(other, one)


@pytest.mark.parametrize(("one", "other"), ROOM_FOR_BOTH)
def test_what_tells_two_things_apart_or_may_be_rules_nothing_out(one: str, other: str) -> None:
    assert not replaced(one, other) and not replaced(other, one)


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("In 2024 the budget was 12,000 EUR.", "In 2025 the budget was 15,000 EUR.", False),
        ("2025: 8 people", "2026: 12 people", False),
        ("On Mondays we open at 9.", "On Saturdays we open at 10.", False),
        ("Last year's fair raised £2,100.", "This year's fair raised £2,840.", False),
        ("The budget of this year is £2,100.", "The budget of this year is £2,840.", True),
        ("In summer the pool opens at 8.", "In winter the pool opens at 10.", False),
        ("In summer the pool opens at 8.", "In summer the pool opens at 10.", True),
        ("In 2026 we move to Hamburg.", "In 2027 we move to Hamburg.", True),
    ],
)
def test_what_is_said_of_two_times_is_compared_with_nothing(one: str, other: str, contradict: bool) -> None:
    assert bool(contradicts(Statement("a", one), Statement("b", other))) is contradict


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("Feed is bought from Hansen only.", "We buy the feed from Brandt.", True),
        ("Photos are kept in S3.", "We keep the photos in Azure.", True),
        ("Move the site to Hetzner.", "The site moves to OVH.", True),
        ("We buy the feed from Brandt.", "We buy the oats from Hansen.", False),
        ("We store backups in Dublin.", "Backups are stored in Frankfurt too.", False),
        ("We met Ann in Dublin.", "We met Ann in Frankfurt.", False),
    ],
)
def test_the_order_of_the_words_hides_no_other_source_or_place(one: str, other: str, contradict: bool) -> None:
    assert bool(tied_elsewhere(one, other)) is bool(tied_elsewhere(other, one)) is contradict
