"""Laws of the rules, over texts nobody would write."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from extraction.extractors.documents import find_hits
from ledger.rules.sections import sections_of
from tests.extraction.reading import NOW, read, shipped

PIECES = [
    "RESOLUTION: ",
    "**Action #1:** ",
    "AI(Bob): ",
    "## Decision\n",
    "### Conclusion\n\n",
    "- ",
    "> ",
    "1. ",
    "\r\n",
    "\n",
    "\n\n",
    "\r",
    "```\n",
    "I prefer tea. ",
    "max weight: 4.8 kg",
    "= 3 m",
    "***",
    "**",
    "<p>",
    "</p>",
    "<strong>",
    "</strong>:",
    "(Rob)",
    "[Decision] ",
    "\u200b",
    "e\u0301",
    "𝕏👍🏽",
    "שלום ",
    "مرحبا",
    "\u2028",
    "\x85",
    "\u00a0",
    "Decision\n---\n",
    "{: #a}",
    "…",
    "?",
    ": ",
    "ADR-9",
    "supersedes ",
    "\t",
    "ﬁ",
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=40).map("".join)


@given(texts, st.sampled_from(["document", "message", "note"]))
@example("RESOLUTION: 𝕏 e\u0301\r\n- [Decision] שלום\r\n", "document")
def test_every_quote_stands_where_its_offsets_say(text: str, kind: str) -> None:
    hits = read(text, kind=kind)
    assert hits == read(text, kind=kind)
    for hit in hits:
        assert hit.statement and hit.statement == " ".join(hit.statement.split())
        assert 0 < hit.confidence <= 1


@given(texts)
def test_crlf_and_lf_find_the_same(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    found = [(hit.kind, hit.statement) for hit in read(plain)]
    assert [(hit.kind, hit.statement) for hit in read(plain.replace("\n", "\r\n"))] == found


@pytest.mark.parametrize(
    "piece",
    [
        "#",
        " ",
        ">",
        "*",
        "_ ",
        "<h1 ",
        "[",
        "- ",
        "RESOLUTION: ",
        "ACTION: Bob, ",
        "supersedes ADR-1 ",
        "a = 4",
        "I prefer ",
        "**a ",
        "(Bob) ",
        "Name ",
        "no ",
        "```\n",
        "wrote:\n\n",
        "<!--",
        "- a\n\nb\n",
    ],
)
def test_time_grows_with_the_text_only(piece: str) -> None:
    """No pattern runs away: a tenth of a second is usual, and a quadratic one takes many times as long."""
    text = "RESOLUTION: " + piece * (50_000 // len(piece))
    sections = sections_of(text, kind="document", sender_kind="document")
    began = time.process_time()
    find_hits(text, sections, shipped(), kind="document", sent_at=None, now=NOW)
    assert time.process_time() - began < 2.5


MANY = 3_000


@pytest.mark.parametrize(
    "text",
    [
        "a | b\n" + "-" * 300 + "x\n",
        "<table><tr><td>" + "<p>" * MANY + "</p>" * MANY + "x</td></tr></table>",
        "<table>" * MANY + "<tr><td>" * MANY,
        "+---+\n| a |\n" * MANY,
        "=== ==\na b\n" * MANY,
        ".. list-table::\n   * - a\n" * MANY,
        ".. csv-table::\n   :header: a,\n   " + '"a' * MANY,
        "Present: " + "Ann, Bo " * MANY + "\n\nAnn will " + "also " * MANY,
        "# Minutes\n\nPresent: Ann\n\n" + "Ann and " * MANY,
        "# Minutes\n\nPresent: Ann\n\nAnn wird " + "den " * MANY,
        "# Minutes\n\n" + "Ann said Bo, " * MANY,
        "Attendees\n" + "* " * MANY,
        "Present: " + "Ann (Bo, " * MANY,
        "a | b\n" + "--- " * MANY + "x\n",
        "a | b\n---|---\n" + "|" * MANY,
        "x: " + "1" * MANY + " kg",
        "x: 1" + ",234" * MANY + " kg",
        "x: " + "1 h 2 min " * MANY,
        "x: " + "5 kg -> " * MANY + "4 kg",
        "Weight: 5 kg\n" * MANY,
        "never " * 50 + "x = 5 kg " * 300,
        "Present: " + "Ann, " * MANY + "\n" + "Ann: 5 kg\n" * 300,
        "AI: a\n" * MANY,
        "AI: Ann to sweep\nBo: y\n" * MANY,
        "<pre>" * MANY,
        "<example>x" * MANY,
        "~~" * MANY,
        "“a " * MANY,
        "for example:\n" * MANY,
        "how to " * MANY + ":",
        "## Examples\n" * MANY,
        "## Decision: Seal material\n\nWe use x.\n\n" * 3_000,
        "Decision: " + "no " * MANY,
        "Decision: " + "[" * MANY,
        "Decision: x\nstatus " + "*" * MANY,
        "- Decision: x\n" + "  - except a\n" * MANY,
        "Decision: do:\n" + "1. a\n" * MANY,
        "\ufeff" * MANY + "Decision: x",
        "✅ " * MANY + "Decision: x",
        "Ann (10:32" * MANY + ": Decision: x",
        "# Minutes\n\n" + ("after a, " * 50 + ".\n") * 200,
        "# Minutes\n\n" + ("so the group all agreed " * 20 + ".\n") * 200,
        "# Minutes\n\n" + ("the minutes of a " * 28 + ".\n") * 200,
        ("really, " * 45 + ".\n") * 200,
        ("use a instead " * 28 + ".\n") * 200,
    ],
    ids=lambda text: text[:20],
)
@pytest.mark.parametrize(("kind", "speaker"), [("document", "document"), ("message", "user")])
def test_no_text_holds_a_reader_up_or_breaks_it(text: str, kind: str, speaker: str) -> None:
    began = time.process_time()
    find_hits(text, sections_of(text, kind=kind, sender_kind=speaker), shipped(), kind=kind, sent_at=NOW, now=NOW)
    assert time.process_time() - began < 1.5
