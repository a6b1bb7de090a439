"""What a decision record says of its own state."""

import pytest

from extraction.extractors.documents.records import state_of
from tests.extraction.reading import read

RECORD = """\
# 7. Keep the tide tables in one file

## Status

{status}

## Context

Three copies drifted apart.

## Decision

There is one file, and the harbour office owns it.

## Consequences

Ferries read it over the network.
"""


@pytest.mark.parametrize(
    ("status", "word", "replaced_by"),
    [
        ("Accepted", "accepted", ()),
        ("**Accepted** (2024-02-01)", "accepted", ()),
        ("~~Proposed~~ Accepted", "accepted", ()),
        ("<!-- proposed | rejected -->\nFinal", "final", ()),
        ("Proposed", "proposed", ()),
        ("In consideration", "in consideration", ()),
        ("Superceded by [ADR-0009](./0009-tides.md)", "superseded", ("ADR-9",)),
        ("Deprecated by [12. One feed](0012-one-feed.md).", "deprecated", ("ADR-12",)),
        ("Nobody remembers", "", ()),
    ],
)
def test_the_status_section(status: str, word: str, replaced_by: tuple[str, ...]) -> None:
    state = state_of(RECORD.format(status=status))
    assert (state.word, state.replaced_by) == (word, replaced_by)


def test_front_matter_and_header_fields() -> None:
    front = "---\nstatus: Replaced\nsuperseded_by: ['0031']\n---\n" + RECORD.format(status="Accepted")
    assert state_of(front).tags == ("status:replaced", "replaced-by:ADR-31")
    assert state_of("PEP: 9990\nStatus: Superseded\nSuperseded-By: 9991\n\nWords.\n").tags == (
        "status:superseded",
        "replaced-by:ADR-9991",
    )
    assert state_of("* Status: draft\n\n## Decision\nWords\n").word == "draft"


def test_a_record_that_is_not_in_force_says_so_to_the_reviewer() -> None:
    held = next(hit for hit in read(RECORD.format(status="Accepted")) if hit.rule == "heading.record")
    assert held.tags == ("status:accepted",) and not held.needs_review and held.summary == ""
    gone = next(hit for hit in read(RECORD.format(status="Superseded by ADR-12")) if hit.rule == "heading.record")
    assert gone.needs_review and gone.summary == "The record says of itself: superseded, by ADR-12"
    idea = next(hit for hit in read(RECORD.format(status="Proposed")) if hit.rule == "heading.record")
    assert idea.needs_review and idea.tags == ("status:proposed",)


@pytest.mark.parametrize(
    ("status", "rest", "expected"),
    [
        ("Accepted", "", ["Paint it green."]),
        ("Draft", "", []),
        ("Accepted", "## Decision\n\nPaint it blue.\n", ["Paint it blue."]),
    ],
)
def test_what_was_proposed_is_the_decision_of_an_accepted_record(status: str, rest: str, expected: list[str]) -> None:
    text = f"# The gate\n\n- Status: {status}\n\n## Problem\n\nIt is grey.\n\n## Proposal\n\nPaint it green.\n\n{rest}"
    assert [hit.statement for hit in read(text) if hit.kind == "decision"] == expected
