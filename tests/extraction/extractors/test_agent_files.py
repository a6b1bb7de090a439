"""Files that tell agents how to work: which they are, and what of them is an order."""

import pytest

from extraction.extractors.agent_files import RULE, is_for_agents
from extraction.extractors.documents.extractor import hits_in
from ledger.rules.sections import sections_of
from tests.extraction.reading import NOW, shipped

GUIDE = """# Harbour service

The service keeps the tide tables.

## Commands

- Run `make tides` to print today's table.
- Build: `make`

## Conventions

- Use metres, never feet.
- **Names**: Keep them short.
- When you add a field, update the table in the docs.
- Do not touch the archive.
- Prefer small functions over clever ones.
- Every table must have a title.
- Host names are told by the config.
- The tables live in `data/`.
- Who reads this?

```
Always run this example.
```
"""


def orders(
    text: str, name: str, kind: str = "document", speaker: str = "document"
) -> list[tuple[str, str, bool, bool]]:
    sections = sections_of(text, kind=kind, sender_kind=speaker)
    hits = hits_in(text, sections, shipped(), kind=kind, sent_at=None, now=NOW, name=name)
    return [(hit.kind, hit.statement, hit.explicit, hit.anchored) for hit in hits if hit.rule == RULE]


def test_each_order_of_a_file_for_agents_is_a_constraint() -> None:
    assert orders(GUIDE, "docs/AGENTS.md") == [
        ("constraint", statement, True, True)
        for statement in (
            "Use metres, never feet.",
            "Names: Keep them short.",
            "When you add a field, update the table in the docs.",
            "Do not touch the archive.",
            "Prefer small functions over clever ones.",
            "Every table must have a title.",
        )
    ]


def test_another_document_lays_nothing_down() -> None:
    assert orders(GUIDE, "README.md") == []


def test_a_talk_is_no_file_for_agents() -> None:
    assert orders(GUIDE, "AGENTS.md", kind="message", speaker="agent") == []


@pytest.mark.parametrize(
    "name",
    [
        "CLAUDE.md",
        "a/b/agents.md",
        ".cursorrules",
        ".github/copilot-instructions.md",
        ".cursor/rules/style.md",
        "x/y.mdc",
        "GEMINI.md",
    ],
)
def test_files_for_agents_are_told_by_their_name(name: str) -> None:
    assert is_for_agents(name, "")


@pytest.mark.parametrize(
    "name", ["README.md", "agents-of-change.md", "notes/claude-shannon.md", ".claude/commands/review.md"]
)
def test_other_names_say_nothing(name: str) -> None:
    assert not is_for_agents(name, "")


@pytest.mark.parametrize(
    "opening",
    [
        "This file provides guidance to coding agents working here.",
        "You are an expert in tide tables.",
        "# Instructions for AI assistants",
    ],
)
def test_how_it_opens_says_so_too(opening: str) -> None:
    assert is_for_agents("", opening)
