"""Records of a JSON file larger than memory: the same values as the whole decoded at once, whatever the window."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.importers import json_stream
from extraction.importers.json_stream import Broken, Record, records

LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUE = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


class Drip(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, raw: bytes, size: int) -> None:
        super().__init__(raw)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size)


def found(raw: bytes, *wanted: tuple[str, ...], size: int = 7) -> Iterator[Record | Broken]:
    return records(Drip(raw, size), wanted)


@given(
    items=st.lists(VALUE, max_size=8),
    before=VALUE,
    after=VALUE,
    size=st.integers(1, 40),
    indent=st.sampled_from([None, 1]),
    ascii=st.booleans(),
)
def test_the_same_as_decoded_at_once(
    items: list[Any], before: Any, after: Any, size: int, indent: int | None, ascii: bool
) -> None:
    whole = {"about": before, "box": {"name": "x", "list": items}, "after": after}
    raw = json.dumps(whole, indent=indent, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    got = list(found(raw, ("box", "list", "*"), ("after",), size=size))
    assert [one.value for one in got if isinstance(one, Record)] == [*items, after]
    assert [
        one.value for one in found(json.dumps(items).encode(), ("*",), size=size) if isinstance(one, Record)
    ] == items


def test_half_an_emoji_is_not_mended() -> None:
    (one,) = found(rb'[{"text": "a\ud83d"}]', ("*",))
    assert isinstance(one, Record) and one.value["text"] == "a\ud83d"


@pytest.mark.parametrize(
    "broken",
    [
        '{"id": 2, "text": nope}',
        '{"id": 2, "text": "cut}',
        '{"id": 2 "text": "x"}',
        '{"id": 2, "text": "a"b"}',
        "{'id': 2}",
        '{"id": 2,}',
        '{"id": ' + "9" * 5000 + "}",
        '{"id": ' + "[" * 200_000 + "]" * 200_000 + "}",
        '{"id": 2, "text": "\n"}',
        '{"id": 2, "text": "\\q"}',
    ],
)
def test_the_records_around_a_broken_one_are_kept(broken: str) -> None:
    rows = [
        '{"id": 0, "text": "x", "who": "a", "in": [{"id": 7}, {"id": 8}]}',
        '{"id": 1, "text": "y", "who": "b"}',
        broken,
        '{"id": 3, "text": "z", "who": "c"}',
        '{"id": 4, "text": "w", "who": "c"}',
    ]
    got = list(
        found(f'{{"messages": [{", ".join(rows)}], "end": 1}}'.encode(), ("messages", "*"), ("end",), size=1 << 20)
    )
    ids = [one.value["id"] for one in got if isinstance(one, Record) and one.path[0] == "messages"]
    assert ids in ([0, 1, 3, 4], [0, 1, 4]) and got[-1] == Record(("end",), 1)
    assert [one.place for one in got if isinstance(one, Broken)] == ["messages.2"]


def test_ends_that_come_too_early() -> None:
    got = list(found(b'{"messages": [{"id": 1}, {"id": 2, "te', ("messages", "*")))
    assert isinstance(got[0], Record) and isinstance(got[1], Broken) and "the file ends" in got[1].why
    for raw in (b"", b"[", b"{", b'{"a"', b"[1,]", b"[1] x", b"nope", b'{"a": [}', b"[01]"):
        assert all(isinstance(one, Record | Broken) for one in found(raw, ("*",), ("a", "*")))
        assert raw == b"" or any(isinstance(one, Broken) for one in found(raw, ("*",), ("a", "*"))), raw


def test_a_record_that_is_too_long_is_not_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_BYTES", 1000)
    got = list(found(b'[{"a": 1}, "' + b"x" * 100_000 + b'"]', ("*",), size=64))
    assert isinstance(got[1], Broken) and "longer than" in got[1].why
