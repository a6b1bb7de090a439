"""The shape of an answer: FactOps as a JSON schema, and as an example of a few lines for servers that take no schema."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.language.values import VALUE_TYPES

OPS: Final = ("ADD", "UPDATE", "CONFLICT", "NOTE")
NAME: Final = "fact_ops"
# Servers bound how many words a schema may list.
MAX_NAMED: Final = 150

# No value that could be copied: small models hand an example's numbers back.
EXAMPLE: Final = (
    '{"ops": [{"op": <ADD, UPDATE, CONFLICT or NOTE>, "scope": {"type": <project or item>, "itemId": <id or null>}, '
    '"kind": <kind>, "key": <key or null>, "valueType": <type or null>, "value": <value or null>, "statement": <words or null>, '
    '"evidence": {"quote": <copied words>, "startChar": <number or null>, "endChar": <number or null>, '
    '"sourceSection": <S1, S2, …>}, '
    '"confidence": <0 to 1>, "needsReview": <true or false>, "replaces": <ref or null>, "assignee": <name or null>, '
    '"reason": <few words>}, …]}'
)


@dataclass(frozen=True, slots=True)
class Choices:
    """What an answer can name: kinds, keys (empty where any may be), items, refs and sections."""

    kinds: Sequence[str]
    keys: Sequence[str] = ()
    items: Sequence[str] = ()
    refs: Sequence[str] = ()
    sections: Sequence[str] = ()


def schema(choices: Choices, most_quote: int) -> dict[str, Any]:
    """As strict structured output wants it: every field required, nothing beside them, what may be absent is null. A server
    that keeps to it can name nothing that is not there."""
    text = {"type": "string"}
    maybe = {"type": ["string", "null"]}
    place = {"type": ["integer", "null"]}
    where = text | {"enum": list(choices.sections)} if len(choices.sections) <= MAX_NAMED else text
    evidence = _object(quote=text | {"maxLength": most_quote}, startChar=place, endChar=place, sourceSection=where)
    op = _object(
        op=text | {"enum": list(OPS)},
        scope=_object(
            type=text | {"enum": ["project", "item"] if choices.items else ["project"]}, itemId=_one_of(choices.items)
        ),
        kind=text | {"enum": list(choices.kinds)},
        key=_one_of(choices.keys) if 0 < len(choices.keys) <= MAX_NAMED else maybe,
        valueType=_one_of(VALUE_TYPES),
        value={"type": ["string", "number", "boolean", "null"]},
        statement=maybe,
        evidence=evidence,
        confidence={"type": "number"},
        needsReview={"type": "boolean"},
        replaces=_one_of(choices.refs),
        assignee=maybe,
        reason=text,
    )
    return _object(ops={"type": "array", "items": op})


def _one_of(words: Sequence[str]) -> dict[str, Any]:
    return {"type": ["string", "null"], "enum": [*words, None]} if words else {"type": "null"}


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
