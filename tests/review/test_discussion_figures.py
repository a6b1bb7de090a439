"""What a scope's discussions give, at the API and on the scope's page (D2, D13)."""

import pytest

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.models import Claim, Scope
from ledger.reads.insights.discussions import discussion_figures
from tests.review.door import OPERATOR, House
from tests.review.screen import Screen

TALK = [
    ("agent", "I put the minutes into the chat."),
    ("user", "No, that's wrong. The minutes go into the card."),
    ("agent", "These are in the chat as well, for speed."),
    ("user", "I told you that the minutes always go into the card."),
    ("user", "Where is the deploy key kept?"),
    ("user", "Where is the deploy key?"),
    ("user", "Where is the deploy key kept?"),
]


def discuss(scope: Scope) -> None:
    Scope.objects.filter(pk=scope.pk).update(packs=["discussion"])
    scope.refresh_from_db()
    items = [
        Incoming(text=text, kind="message", sender_kind=by, conversation="T1", external_id=f"m{at}")
        for at, (by, text) in enumerate(TALK)
    ]
    ingest(items, scope=scope, actor=OPERATOR, extractors=for_scope(scope))
    work_off()


def test_figures_of_a_discussion(house: House) -> None:
    status, empty = house.vera("GET", "/scope/figures?scope=studio")
    assert status == 200 and empty["context_recovery"]["share"] is None and empty["traceability"]["share"] is None
    discuss(house.scope)
    for claim in Claim.objects.filter(scope=house.scope, kind="constraint"):
        promote(claim, actor=OPERATOR, on_conflict="coexist")
    told = house.vera("GET", "/scope/figures?scope=studio")[1]
    assert told["repeated_corrections"] == {"repeated": 1, "corrections": 2, "target": 0}
    assert told["traceability"]["share"] == 1.0
    words = sum(len(text.split()) for _, text in TALK)
    state = sum(len(claim.statement.split()) for claim in Claim.objects.filter(status="active"))
    assert told["context_recovery"] == {
        "state_words": state, "talk_words": words, "messages": len(TALK), "share": pytest.approx(state / words),
    }  # fmt: skip
    assert discussion_figures(house.scope).more is False


def test_the_state_names_each_open_question_once(house: House) -> None:
    discuss(house.scope)
    state = house.vera("GET", "/scope/state?scope=studio")[1]
    (question,) = state["open_questions"]
    assert len(question["sources"]) == 3 and question["type"] == "repeated_question"
    assert {row["type"] for row in state["patterns"]} == {"correction", "repeated_question"}
    assert state["last_extracted"]


def test_the_scopes_page_shows_patterns_and_figures(house: House) -> None:
    discuss(house.scope)
    screen = Screen("vera")
    page = screen.open("/scopes/studio?tab=discussion")
    assert screen.status == 200 and "Corrections made again" in page.text
    assert sum("data-pattern" in attrs for _, attrs in page.elements) == 4
