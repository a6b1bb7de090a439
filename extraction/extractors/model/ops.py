"""FactOps out of an answer, however it is put: renamed keys, bare lists, wrong types. What is no op is counted, not guessed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from extraction.extractors.model.repair import JsonAnswer, read_json
from extraction.extractors.model.shape import OPS
from ledger.rules.columns import UNSTORABLE

MAX_OPS: Final = 200
LONGEST_VALUE: Final = 2_000
# Names under which models hand in the list, beside `ops`; compared without case, `_` and `-`.
_LISTS: Final = ("ops", "factops", "operations", "facts", "results", "items", "output", "data", "answer")
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "op": ("op", "operation", "action"),
    "kind": ("kind", "factkind", "claimtype"),
    "key": ("key", "factkey", "field", "name", "attribute"),
    "value": ("value", "factvalue", "val"),
    "value_type": ("valuetype", "datatype"),
    "statement": ("statement", "text", "content", "description"),
    "confidence": ("confidence", "confidencescore", "score", "certainty"),
    "needs_review": ("needsreview", "review", "requiresreview"),
    "reason": ("reason", "rationale", "explanation", "note"),
    "replaces": ("replaces", "supersedes", "ref", "replacesref"),
    "assignee": ("assignee", "owner", "assignedto", "who"),
    "evidence": ("evidence", "source", "citation", "span"),
    "scope": ("scope", "target"),
}
_EVIDENCE: Final[dict[str, tuple[str, ...]]] = {
    "quote": ("quote", "exactquote", "quotation", "text", "excerpt", "snippet"),
    "start": ("startchar", "start", "startoffset", "begin"),
    "end": ("endchar", "end", "endoffset", "stop"),
    "section": ("sourcesection", "section", "sectionid", "sectionnumber"),
}


def _storable(text: str) -> str:
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _text(value: Any, longest: int) -> str:
    """A number is told by its digits; what is neither text nor number is nothing."""
    if isinstance(value, str):
        return _storable(value)[:longest]
    return str(value) if type(value) in (int, float) else ""


def _text_up_to(longest: int) -> PlainValidator:
    return PlainValidator(lambda value: _text(value, longest).strip())


def _op_word(value: Any) -> str:
    word = str(value or "ADD").strip().upper()
    if word not in OPS:
        raise ValueError(f"op {word[:20]!r} is none of {', '.join(OPS)}")
    return word


def _quote(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("it has no quote")
    return _text(value, 4_000)


def _kind(value: Any) -> str:
    if value and not isinstance(value, str):
        raise ValueError("its kind is no word")
    return _text(value, 40).strip().lower() or "fact"


def _value(value: Any) -> Any:
    if isinstance(value, list | dict) and len(json.dumps(value, default=str)) > LONGEST_VALUE:
        raise ValueError("its value is too long")
    return _scrubbed(value)


def _number(value: float) -> float | None:
    return value if abs(value) < 1e300 else None


_SCALARS: Final[dict[type, Callable[[Any], Any]]] = {str: _storable, bool: bool, int: _number, float: _number}


def _scrubbed(value: Any, depth: int = 0) -> Any:
    """As the database can hold it."""
    if type(value) in _SCALARS:
        return _SCALARS[type(value)](value)
    if depth < 4 and isinstance(value, dict):
        return {_storable(str(name)): _scrubbed(part, depth + 1) for name, part in value.items()}
    if depth < 4 and isinstance(value, list):
        return [_scrubbed(part, depth + 1) for part in value]
    return None


def _place(value: Any) -> int | None:
    whole = type(value) in (int, float) and value % 1 == 0
    return int(value) if whole and 0 <= value < 2**31 else None


def _share(value: Any) -> float:
    """0 to 1. A percentage is read as one; what is no number is no confidence."""
    try:
        number = float(str(value).strip().rstrip("%"))
    except ValueError:
        return 0.0
    if 0 <= number <= 1:
        return number
    return number / 100 if 1 < number <= 100 else 0.0


type _Offset = Annotated[int | None, PlainValidator(_place)]


class FactOp(BaseModel):
    """One op as the model gave it, its types made sure. Nothing of it is believed yet."""

    model_config = ConfigDict(frozen=True)

    op: Annotated[str, PlainValidator(_op_word)] = "ADD"
    quote: Annotated[str, PlainValidator(_quote)] = Field("", validate_default=True)
    section: Annotated[str, PlainValidator(lambda value: _text(value, 500))] = ""
    start: _Offset = None
    end: _Offset = None
    item: str = ""
    on_item: bool = False
    kind: Annotated[str, PlainValidator(_kind)] = "fact"
    key: Annotated[str, _text_up_to(200)] = ""
    value_type: Annotated[str, PlainValidator(lambda value: _text(value, 40).strip().lower())] = ""
    value: Annotated[Any, PlainValidator(_value)] = None
    statement: Annotated[str, _text_up_to(2_000)] = ""
    confidence: Annotated[float, PlainValidator(_share)] = 0.0
    needs_review: Annotated[bool, PlainValidator(lambda value: value in (True, "true", "True"))] = False
    replaces: Annotated[str, _text_up_to(200)] = ""
    assignee: Annotated[str, _text_up_to(200)] = ""
    reason: Annotated[str, _text_up_to(300)] = ""

    @property
    def identity(self) -> tuple[str, ...]:
        """What makes two ops of one answer the same."""
        value = json.dumps(self.value, sort_keys=True)
        return (self.op, self.item, self.kind, self.key, value, self.statement, self.quote, self.section)


@dataclass(frozen=True, slots=True)
class Answer:
    """`fault` tells why it is none. `rejected` are the parts that are no op, with the reason; `repeated` counts what was said
    twice. `cut` where the end is missing, and the op that it cuts through with it; `beyond` how many ops were left unread."""

    ops: Sequence[FactOp] = ()
    rejected: Sequence[tuple[str, str]] = ()
    repeated: int = 0
    how: str = ""
    cut: bool = False
    beyond: int = 0
    fault: str = ""


def read_answer(text: str) -> Answer:
    """The ops of an answer, or its fault."""
    if not text.strip():
        return Answer(fault="the answer is empty")
    read = read_json(text, lambda value: _list_of(value) is not None or _is_schema(value))
    if read is None:
        return Answer(fault="the answer holds no list of ops")
    listed = _list_of(read.value)
    if listed is None:
        return Answer(fault="the answer is the schema itself")
    return _ops(listed[:-1] if read.cut else listed, read)


def _ops(listed: Sequence[Any], read: JsonAnswer) -> Answer:
    ops: dict[tuple[str, ...], FactOp] = {}
    rejected: list[tuple[str, str]] = []
    repeated = 0
    for given in listed[:MAX_OPS]:
        try:
            op = _op(given)
        except ValidationError as error:
            rejected.append((str(error.errors()[0]["ctx"]["error"]), _short(given)))
        except ValueError as error:
            rejected.append((str(error), _short(given)))
        else:
            repeated += op.identity in ops
            ops.setdefault(op.identity, op)
    return Answer(list(ops.values()), rejected, repeated, read.how, read.cut, max(0, len(listed) - MAX_OPS))


def _list_of(value: Any, depth: int = 0) -> list[Any] | None:
    """The list that holds the ops; None where nothing here can be one."""
    if isinstance(value, list):
        return value if not value or any(map(_looks_like_op, value)) else None
    if depth > 2 or not isinstance(value, dict) or _is_schema(value):
        return None
    if _looks_like_op(value) and "ops" not in value:
        return [value]
    return _list_inside(value, depth)


def _list_inside(value: Mapping[str, Any], depth: int) -> list[Any] | None:
    """The list under the likeliest of the names; what is text may be JSON once more."""
    names = {_plain(name): part for name, part in value.items()}
    for name in sorted(names, key=lambda name: _LISTS.index(name) if name in _LISTS else len(_LISTS)):
        part = names[name] if depth else _unpacked(names[name])
        listed = part if name == "ops" and isinstance(part, list) else _list_of(part, depth + 1)
        if listed is not None:
            return listed
    return None


def _unpacked(part: Any) -> Any:
    """What a text holds that is itself JSON."""
    if not isinstance(part, str) or not part.lstrip().startswith(("[", "{")):
        return part
    inner = read_json(part, lambda value: _list_of(value, 1) is not None)
    return inner.value if inner else None


def _looks_like_op(value: Any) -> bool:
    if not isinstance(value, dict) or _is_schema(value):
        return False
    return not {"evidence", "quote", "exactquote"}.isdisjoint(map(_plain, value))


def _is_schema(value: Any) -> bool:
    if not isinstance(value, dict) or isinstance(value.get("ops"), list):
        return False
    return not {"properties", "$schema", "json_schema"}.isdisjoint(value)


def _op(given: Any) -> FactOp:
    """Raises ValueError where it is no op; the message tells why."""
    if not isinstance(given, dict):
        raise ValueError("an op is an object")
    if _is_schema(given):
        raise ValueError("an op is no schema")
    fields = _renamed(given, _NAMES)
    cited = _renamed(_evidence(fields.pop("evidence", None), given), _EVIDENCE)
    item, on_item = _target(fields.pop("scope", None))
    # An op without a name was not asked for; what it says is looked at twice.
    unnamed = {} if fields.get("op") else {"needs_review": True}
    return FactOp.model_validate({**fields, **cited, "item": item, "on_item": on_item, **unnamed})


def _evidence(evidence: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first citation, however it is put; the op's own fields where it has none."""
    if isinstance(evidence, list) and evidence:
        evidence = evidence[0]
    if isinstance(evidence, str):
        return {"quote": evidence}
    return evidence if isinstance(evidence, dict) else given


def _renamed(given: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The fields that are given, by our names."""
    plain = {_plain(name): value for name, value in given.items()}
    firsts = {ours: [plain[name] for name in known if plain.get(name) is not None] for ours, known in names.items()}
    return {ours: values[0] for ours, values in firsts.items() if values}


def _plain(name: Any) -> str:
    return str(name).translate(_BETWEEN_WORDS).casefold()


_BETWEEN_WORDS: Final = str.maketrans("", "", "_- ")


def _target(scope: Any) -> tuple[str, bool]:
    """The item that is named, and whether one is meant."""
    if isinstance(scope, dict):
        fields = {_plain(name): value for name, value in scope.items()}
        item = fields.get("itemid") or fields.get("item") or fields.get("id")
        return _text(item, 200).strip() if type(item) in (str, int) else "", _plain(fields.get("type") or "") == "item"
    word = _text(scope, 200).strip()
    tier = word.casefold()
    return ("", tier == "item") if tier in ("", "project", "item") else (word, True)


def _short(value: Any) -> str:
    try:
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        words = str(type(value))
    return _storable(words)[:500]
