"""Headings that say what follows."""

import pytest

from tests.extraction.reading import decided, quotes, read


@pytest.mark.parametrize(
    "heading",
    [
        "## Decision: Route 4 is closed",
        "### RESOLUTION: Route 4 is closed ##",
        "## 3.1 Decision 2: Route 4 is closed {#d}",
        "## [Decision] Route 4 is closed",
        "## **Decision:** Route 4 is closed",
        "<h3>Decision: Route 4 is closed</h3>",
        "Decision: Route 4 is closed\n---------------------------",
    ],
)
def test_a_typed_heading_states_its_words(heading: str) -> None:
    text = f"# Note\n\nSome words.\n\n{heading}\n\nMore words.\n"
    (hit,) = read(text)
    assert (hit.rule, hit.kind, quotes(text, [hit])) == ("heading.typed", "decision", ["Route 4 is closed"])


def test_a_typed_heading_that_asks_states_nothing() -> None:
    assert decided("## Decision: shall we?\n\n## Decision (proposed): go\n\n## Proposal: go\n") == []


@pytest.mark.parametrize(
    "title",
    [
        "Conclusion",
        "Conclusion/Resolution",
        "Conclusions:",
        "Summary and conclusion",
        "4. Resolution",
        "Concluson/Resolution",
    ],
)
def test_each_item_below_a_conclusion_is_one_hit(title: str) -> None:
    listed = "- buy the pump\n  - the red one\n- keep the old one\n\n(a break)"
    text = f"# Pumps\n\nANN: hm\n\n#### {title}\n\n{listed}\n\n#### Next\n\n- no\n"
    assert [quote for _, quote in decided(text)] == ["buy the pump\n  - the red one", "keep the old one"]


def test_prose_below_a_conclusion_is_one_hit_a_paragraph() -> None:
    text = "### Conclusion\n\nWe buy the pump.\nIt is red.\n\nThe old one stays.\n"
    assert [quote for _, quote in decided(text)] == ["We buy the pump.\nIt is red.", "The old one stays."]


def test_words_that_lead_to_the_list_are_no_conclusion() -> None:
    assert [quote for _, quote in decided("### Decisions\n\nWe agreed that:\n\n1. we buy\n2. we sell\n")] == [
        "we buy",
        "we sell",
    ]


def test_remarks_below_a_conclusion_stand_in_its_quote_and_not_in_its_statement() -> None:
    remark = "Update: the seller called, and it may be blue.\n\nANN: I still doubt it."
    text = f"### Conclusion\n\n- the well stays\n- buy the pump\n\n{remark}\n\n### Next\n\nLunch.\n"
    hits = read(text)
    assert quotes(text, hits) == ["the well stays", f"buy the pump\n\n{remark}"]
    assert [hit.statement for hit in hits] == ["the well stays", "buy the pump"]


@pytest.mark.parametrize(
    "below",
    [
        "(back at two)",
        "---\n\nTaken down by Ann.",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "ACTION: Rob to pay",
        "ANN: and so on\n\n" * 200,
    ],
)
def test_an_aside_a_rule_a_table_a_label_and_pages_of_talk_are_no_remarks(below: str) -> None:
    text = f"### Conclusion\n\n- buy the pump\n\n{below}\n"
    assert decided(text)[0] == ("decision", "buy the pump")


def test_below_a_list_of_decisions_the_page_goes_on() -> None:
    text = "## Decisions\n\n- buy the pump\n\nThe meeting was closed at noon.\n"
    assert decided(text) == [("decision", "buy the pump")]


@pytest.mark.parametrize(
    ("lead", "found"),
    [
        ("Consensus for both pumps:", True),
        ("The budget was approved for all parts:", True),
        ("Consensus on:", False),
        ("We agreed on the following:", False),
        ("Approved with these changes:", False),
    ],
)
def test_a_lead_that_concludes_by_itself_is_a_conclusion(lead: str, found: bool) -> None:
    text = f"### Conclusion\n\n{lead}\n\n- the red one\n- the blue one\n"
    assert [quote for _, quote in decided(text)] == [lead] * found + ["the red one", "the blue one"]


@pytest.mark.parametrize(
    "title",
    [
        "Conclusion (Ann Lee)",
        "Resolution 2",
        "Conclusion/Resolution #3",
        "Final conclusion",
        "List of decisions",
        "What we decided",
        "Beschlüsse",
    ],
)
def test_more_titles_that_conclude(title: str) -> None:
    assert decided(f"### {title}\n\n- buy the pump\n") == [("decision", "buy the pump")]


@pytest.mark.parametrize(
    "title",
    [
        "Conclusion (draft)",
        "Resolution (proposed)",
        "Decision process",
        "Decision drivers",
        "Speaker's Summary of Key Points",
        "Next steps for the reader",
    ],
)
def test_titles_that_decide_nothing(title: str) -> None:
    assert decided(f"### {title}\n\n- buy the pump\n") == []


@pytest.mark.parametrize("title", ["Next steps / Action items", "Action items and next steps", "Follow-up actions"])
def test_more_titles_of_actions(title: str) -> None:
    text = f"### {title}\n\n- Ann -- buy the pump\n"
    (hit,) = read(text)
    assert (hit.kind, hit.assignee) == ("action_item", "Ann")


def test_a_record_reasons_under_the_same_heading() -> None:
    text = "## Status\n\nAccepted\n\n## Decision and rationale\n\nWe use pumps.\n\n- they are red\n\n## Consequences\n\nNoise.\n"
    assert decided(text) == [("decision", "We use pumps.\n\n- they are red")]


NOTHING = ["", "None", "- None recorded", "- No record made", "No conclusion reached.", "- n/a", "- Should we buy it?"]


@pytest.mark.parametrize("body", NOTHING)
def test_an_empty_conclusion_gives_nothing(body: str) -> None:
    assert decided(f"### Conclusion\n\n{body}\n") == []


def test_what_there_is_none_of_is_a_conclusion() -> None:
    assert decided("### Conclusion\n\n- No colour picked yet\n") == [("decision", "No colour picked yet")]


def test_a_label_under_a_heading_speaks_for_itself() -> None:
    text = "## Decisions\n\n- Agreed: we buy\n- ACTION: Rob to pay\n- PROPOSED: we sell\n"
    assert decided(text) == [("decision", "we buy"), ("action_item", "Rob to pay")]


def test_a_label_that_repeats_its_heading_is_no_part_of_the_words() -> None:
    text = "## Actions\n\n- Action: Rob to pay\n- Ann to count\n\n## Decisions\n\n- Decision: we buy\n"
    assert decided(text) == [("action_item", "Rob to pay"), ("action_item", "Ann to count"), ("decision", "we buy")]


def test_words_before_the_colon_that_say_what_was_decided_stay() -> None:
    text = "## Decisions\n\n- Consensus for the middle column: an error in both cases\n"
    assert decided(text) == [("decision", "Consensus for the middle column: an error in both cases")]


def test_action_items_below_their_heading() -> None:
    text = "## Action items\n\nThese came up.\n\n- [ ] @rob call the plumber\n- [x] Ann to pay\n- none\n"
    hits = read(text)
    assert [(hit.kind, hit.assignee) for hit in hits] == [("action_item", "rob")]
    assert quotes(text, hits) == ["call the plumber"]


RECORD = """---
title: Pumps
supersedes: ["0007"]
---

# 12. Pumps

## Status

Accepted. Supersedes [3. Wells](0003-wells.md)

## Context

Wells are deep.

## Decision

We use pumps.

### Details

- a red one

```sh
buy pump
```

## Consequences

Noise.
"""


def test_the_decision_of_a_record_is_its_whole_section() -> None:
    (hit,) = read(RECORD)
    assert (hit.rule, hit.kind) == ("heading.record", "decision")
    assert quotes(RECORD, [hit])[0].startswith("We use pumps.") and quotes(RECORD, [hit])[0].endswith("buy pump\n```")
    assert [int(ref.rsplit("-")[-1]) for ref in hit.supersedes] == [7, 3]


def test_the_statement_of_a_long_section_is_its_beginning() -> None:
    text = "## Status\n\nAccepted\n\n## Decision\n\n" + "We use the red pump here. " * 2_000
    (hit,) = read(text)
    assert len(hit.statement) < 1_600 and hit.statement.endswith("…")
    assert len(quotes(text, [hit])[0]) > 40_000


@pytest.mark.parametrize(
    ("words", "refs"),
    [
        ("We use pumps. This supersedes ADR-0009 and ADR 10.", ("ADR-9", "ADR-10")),
        ("use pumps (replaces DEC-20260130-001)", ("DEC-20260130-001",)),
        ("this was superseded by ADR-9", ()),
        ("we replaces nothing; ADR-9 stays", ()),
    ],
)
def test_a_decision_names_what_it_replaces(words: str, refs: tuple[str, ...]) -> None:
    (hit,) = read(f"Decision: {words}")
    assert hit.supersedes == refs
