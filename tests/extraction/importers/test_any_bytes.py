"""Whatever bytes a file is made of: no importer falls over them, and what it keeps can be stored, sections and all."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.importers import READERS, Into, _safely
from extraction.importers.detect import recognized
from extraction.importers.files import File
from ledger.actions.ingest import Incoming

NAMES = ["a.json", "a.jsonl", "a.txt", "a.eml", "a.mbox", "a.md", "noname"]
KEYS = st.sampled_from(
    "messages type message id from text ts user content timestamp author mapping parent current_node body created_at number title"
    " comments uuid sessionId sender_name timestamp_ms date date_unixtime chats list guild channel reference messageId parts role"
    " attachments files edited action members poll sections html_url event".split()
)
WORDS = st.sampled_from(
    [
        "message",
        "user",
        "assistant",
        "1700000000",
        "2024-01-01T00:00:00Z",
        "9999-12-31T23:59:59-14:00",
        "\ud83d",
        "\0",
        "0001-01-01T00:00:00+14:00",
        "service",
        "text",
        "tool_result",
        "https://github.com/a/b/issues/5",
    ]
)
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text()
JSON = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=8), max_leaves=40
)
CHAT = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.integers(0, 40),
        st.sampled_from(["24", "2024", "0000", "9999"]),
        st.integers(0, 99),
        st.text(max_size=40),
    )
)


def check(raw: bytes, name: str, form: str) -> list[Incoming]:
    file = File(name, lambda: io.BytesIO(raw), asked_for=True)
    kept = [one for one in _safely(file, READERS[form](file, Into("yard"))) if isinstance(one, Incoming)]
    for one in kept:
        assert one.text and len(one.sender) <= 200 and len(one.external_id) <= 500 and len(one.title) <= 500
        assert len(one.conversation) <= 300 and len(one.reply_to) <= 500 and one.external_id
        assert one.sent_at is None or one.sent_at.utcoffset() is not None
        if one.sections is not None:
            assert [one.sections[0].start, one.sections[-1].end] == [0, len(one.text)]
            assert all(a.end == b.start for a, b in zip(one.sections, one.sections[1:], strict=False))
    return kept


@pytest.mark.parametrize("form", sorted(READERS))
@given(raw=st.binary(max_size=300), name=st.sampled_from(NAMES))
def test_any_bytes(form: str, raw: bytes, name: str) -> None:
    check(raw, name, form)
    recognized(File(name, lambda: io.BytesIO(raw)), raw)


@pytest.mark.parametrize("form", ["slack", "telegram", "discord", "chatgpt", "github", "meta", "claude-code", "jsonl"])
@given(value=JSON)
def test_any_json(form: str, value: Any) -> None:
    for shape in (
        value,
        [value],
        {"messages": [value]},
        {"mapping": {"a": {"message": value}}},
        [{"mapping": {"a": {"message": value}}}],
    ):
        raw = json.dumps(shape).encode()
        check(raw, "a.json", form)
        recognized(File("a.json", lambda raw=raw: io.BytesIO(raw)), raw)


@given(rows=CHAT)
def test_any_chat_loses_no_word(rows: list[tuple[int, int, str, int, str]]) -> None:
    lines = [f"{a}/{b}/{year}, 10:{minute} - Ada: {words}" for a, b, year, minute, words in rows]
    raw = "\n".join(lines).encode("utf-8", "replace")
    text = raw.decode()
    for one in check(raw, "a.txt", "whatsapp"):
        assert one.text in text


@given(text=st.text(min_size=1))
def test_a_text_is_kept_to_the_byte(text: str) -> None:
    raw = text.encode("utf-8", "ignore")
    for form in ("text", "markdown", "minutes"):
        kept = check(raw, "a.md", form) if raw.removeprefix(b"\xef\xbb\xbf") else []
        assert not kept or kept[0].text == raw.removeprefix(b"\xef\xbb\xbf").decode()
