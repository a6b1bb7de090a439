"""A text without its secrets: each character of one becomes `MASK`, so that offsets and lengths stay what they are."""

from collections.abc import Sequence
from typing import Any

from ledger.rules.secrets.finding import SecretSpan, find_secrets

MASK = "█"


def masked(text: str, spans: Sequence[Sequence[Any]], *, start: int = 0) -> str:
    """`text` begins at `start` of the source whose `spans` are given."""
    for begin, end, _ in spans:
        first, last = max(begin - start, 0), min(end - start, len(text))
        if first < last:
            text = text[:first] + MASK * (last - first) + text[last:]
    return text


def masked_in[Value](value: Value) -> Value:
    """The same with every secret that is recognised in its words masked; in lists and objects too."""
    if isinstance(value, str):
        spans = find_secrets(value)
        return masked(value, spans) if spans else value  # type: ignore[return-value]
    if isinstance(value, dict):
        return {name: masked_in(one) for name, one in value.items()}  # type: ignore[return-value]
    return [masked_in(one) for one in value] if isinstance(value, list) else value  # type: ignore[return-value]


def is_masked(text: str) -> bool:
    return MASK in text


def secrets_within(spans: Sequence[Sequence[Any]], start: int, end: int) -> tuple[SecretSpan, ...]:
    """Those that lie in the range, or reach into it."""
    return tuple(SecretSpan(*one) for one in spans if one[0] < end and start < one[1])
