"""Sections: who speaks where, under which headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.sections import SectionSpan, sections_of


def split(text: str) -> list[SectionSpan]:
    return sections_of(text, kind="document", sender_kind="document")


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("intro\n\n# A\nx\n## B ##\ny\n# C {#c}\n", [(), ("A",), ("A", "B"), ("C",)]),
        ("# A\r\n\r\n## B\r\nx\r\n", [("A",), ("A", "B")]),
        ("A\n===\n\nx\n\nB\n---\ny\n", [("A",), ("A", "B")]),
        ("=====\n Top\n=====\n\nA\n-\n\nSub\n~~~\n\nx\n", [("Top",), ("Top", "Sub")]),
        (
            "Abstract\n========\n\nx\n\nMotive\n------\n\ny\n\nEnd\n===\n",
            [("Abstract",), ("Abstract", "Motive"), ("End",)],
        ),
        ("<h1>A <em>b</em></h1><p>x</p>\n<h3 class='y'>C &amp; D</h3>\n", [("A b",), ("A b", "C & D")]),
        ("# **A** [b](http://x)\n", [("A b",)]),
        ("```\n# no\n```\n# yes\n~~~ text\n# no\n", [(), ("yes",)]),
        ("---\ntitle: x\n---\n\n# A\n", [(), ("A",)]),
        ("#hash\n#\n- a\n---\n| a |\n----\n\nfirst line\nsecond\n---\n", [()]),
        ("### deep\n# wide\n### deep\n", [("deep",), ("wide",), ("wide", "deep")]),
        ("no headings", [()]),
        ("", []),
    ],
)
def test_documents_are_split_at_headings(text: str, paths: list[tuple[str, ...]]) -> None:
    sections = split(text)
    assert [section.heading_path for section in sections] == paths
    assert [section.name for section in sections] == [path[-1] if path else "" for path in paths]
    assert {section.speaker for section in sections} <= {"document"}


@pytest.mark.parametrize("kind", ["message", "interaction", "note", "turn", "episode"])
@pytest.mark.parametrize("text", ["USER:\nyes\n\n# User\n\n## Decision: go", "hello"])
def test_other_sources_are_one_section_of_their_sender(kind: str, text: str) -> None:
    assert sections_of(text, kind=kind, sender_kind="agent") == [SectionSpan("", "agent", (), 0, len(text))]


def test_a_document_speaks_for_whom_its_sender_is() -> None:
    assert [section.speaker for section in sections_of("# A\n# B", kind="document", sender_kind="user")] == [
        "user",
        "user",
    ]


PIECES = [
    "# A\n",
    "## B",
    "\n",
    "\r\n",
    "\n\n",
    "T\n===\n",
    "```\n",
    "~~~\n",
    "<h2>x</h2>",
    "<h2>",
    "---\n",
    "𝕏",
    "e\u0301",
    "שלום",
    "\u200b",
    " ",
    "=====\n",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=30).map("".join))
def test_sections_tile_the_text(text: str) -> None:
    sections = split(text)
    assert "".join(text[section.start : section.end] for section in sections) == text
    assert all(section.start < section.end for section in sections)
    assert [section.start for section in sections[1:]] == [section.end for section in sections[:-1]]
