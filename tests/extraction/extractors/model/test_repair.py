"""Broken JSON is mended or refused, never guessed at length, and never takes long."""

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extractors.model.ops import read_answer
from extraction.extractors.model.repair import LONGEST_MENDED, read_json

# json_repair's own cases (MIT, see LICENSE.json_repair beside them).
ROWS = [json.loads(line) for line in (Path(__file__).parent / "cases/json_repair.jsonl").read_text().splitlines()]


def anything(value: Any) -> bool:
    return True


def container(value: Any) -> bool:
    return isinstance(value, dict | list)


def test_published_cases_are_read_as_their_author_means_or_refused() -> None:
    same, refused, other = 0, 0, []
    for row in ROWS:
        if not set(row["options"]) <= {"return_objects", "ensure_ascii"}:
            read_json(row["input"], anything)
            continue
        expected = row["expected"]
        if not row["options"].get("return_objects"):
            with suppress(ValueError):
                expected = json.loads(expected)
        if not container(expected):
            continue
        read = read_json(row["input"], container)
        if read is None:
            refused += 1
        elif read.value == expected:
            same += 1
        else:
            other.append((row["input"], read.value, expected))
    told = "\n".join(map(str, other))
    print(same, refused, len(other), told)
    assert same >= 150 and len(other) <= 12, told


@pytest.mark.parametrize(
    "hostile",
    ["[" * 100_000, '{"a":' * 50_000, '"' * 50_000, "{" * 20_000 + "}" * 20_000, "\\" * 50_000, '{"a":"' * 9_000, "[," * 30_000,
     '["a" "b' * 8_000, "{'" * 20_000, "```json\n" * 5_000, "<think>" * 20_000, "9" * 100_000, '{"ops": [' + "9" * 100_000],
)  # fmt: skip
def test_hostile_answers_take_seconds_at_most(hostile: str) -> None:
    started = time.process_time()
    read_answer(hostile)
    assert time.process_time() - started < 12
    assert LONGEST_MENDED < 20_000


@given(st.text(max_size=400))
def test_any_text_is_an_answer_or_a_reason(text: str) -> None:
    answer = read_answer(text)
    assert bool(answer.fault) != bool(answer.how)


leaves = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
NAMES = (
    "op",
    "kind",
    "key",
    "value",
    "statement",
    "confidence",
    "evidence",
    "quote",
    "scope",
    "needsReview",
    "replaces",
)


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), trees, max_size=8), max_size=4), st.integers(0, 200))
def test_any_types_in_an_op_are_read_or_rejected(ops: list[dict[str, Any]], cut: int) -> None:
    text = json.dumps({"ops": ops})
    for words in (text, text[:-cut] if cut else text):
        answer = read_answer(words)
        for op in answer.ops:
            assert 0 <= op.confidence <= 1 and isinstance(op.quote, str) and op.quote
            json.dumps(op.value, allow_nan=False)
