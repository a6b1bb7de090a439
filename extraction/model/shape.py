"""The shape of an answer: FactOps as a JSON schema, and as an example of a few lines for servers that take no schema."""

import json
from collections.abc import Sequence
from typing import Any, Final

from ledger.rules.values import VALUE_TYPES

OPS: Final = ("ADD", "UPDATE", "CONFLICT", "NOTE")
NAME: Final = "fact_ops"

EXAMPLE: Final = json.dumps(
    {
        "ops": [
            {
                "op": "ADD", "scope": {"type": "project", "itemId": None}, "kind": "fact", "key": "…", "valueType": "…",
                "value": "…", "statement": None,
                "evidence": {"quote": "…", "startChar": None, "endChar": None, "sourceSection": "S1"},
                "confidence": 0.0, "needsReview": False, "replaces": None, "assignee": None, "reason": "…",
            }
        ]
    },
    ensure_ascii=False,
)  # fmt: skip


def schema(kinds: Sequence[str], most_quote: int) -> dict[str, Any]:
    """As strict structured output wants it: every field required, nothing beside them, what may be absent is null."""
    text = {"type": "string"}
    maybe = {"type": ["string", "null"]}
    place = {"type": ["integer", "null"]}
    evidence = _object(quote=text | {"maxLength": most_quote}, startChar=place, endChar=place, sourceSection=text)
    op = _object(
        op=text | {"enum": list(OPS)},
        scope=_object(type=text | {"enum": ["project", "item"]}, itemId=maybe),
        kind=text | {"enum": list(kinds)},
        key=maybe,
        valueType={"type": ["string", "null"], "enum": [*VALUE_TYPES, None]},
        value={"type": ["string", "number", "boolean", "null"]},
        statement=maybe,
        evidence=evidence,
        confidence={"type": "number"},
        needsReview={"type": "boolean"},
        replaces=maybe,
        assignee=maybe,
        reason=text,
    )
    return _object(ops={"type": "array", "items": op})


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
