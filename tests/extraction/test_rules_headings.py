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


@pytest.mark.parametrize("body", ["", "None", "- None recorded", "No conclusion reached.", "- n/a"])
def test_an_empty_conclusion_gives_nothing(body: str) -> None:
    assert decided(f"### Conclusion\n\n{body}\n") == []


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
    assert [(hit.kind, hit.assignee) for hit in hits] == [("action_item", "rob"), ("action_item", "Ann")]
    assert quotes(text, hits) == ["@rob call the plumber", "Ann to pay"]


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
