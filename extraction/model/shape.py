"""The shape of an answer: FactOps as a JSON schema, and as an example of a few lines for servers that take no schema."""

from collections.abc import Sequence
from typing import Any, Final

from ledger.rules.values import VALUE_TYPES

OPS: Final = ("ADD", "UPDATE", "CONFLICT", "NOTE")
NAME: Final = "fact_ops"

# No value that could be copied: small models hand an example's numbers back.
EXAMPLE: Final = (
    '{"ops": [{"op": <ADD, UPDATE, CONFLICT or NOTE>, "scope": {"type": <project or item>, "itemId": <id or null>}, '
    '"kind": <kind>, "key": <key or null>, "valueType": <type or null>, "value": <value or null>, "statement": <words or null>, '
    '"evidence": {"quote": <copied words>, "startChar": <number or null>, "endChar": <number or null>, '
    '"sourceSection": <S1, S2, …>}, '
    '"confidence": <0 to 1>, "needsReview": <true or false>, "replaces": <ref or null>, "assignee": <name or null>, '
    '"reason": <few words>}, …]}'
)


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
