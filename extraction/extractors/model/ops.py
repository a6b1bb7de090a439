"""FactOps out of an answer, however it is put: renamed keys, bare lists, wrong types. What is no op is counted, not guessed."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from extraction.extractors.model.repair import Read, read_json
from extraction.extractors.model.shape import OPS
from ledger.rules.columns import UNSTORABLE

MAX_OPS: Final = 200
LONGEST: Final = {"quote": 4_000, "statement": 2_000, "reason": 300, "key": 200, "kind": 40, "section": 500}
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


@dataclass(frozen=True, slots=True)
class FactOp:
    """One op as the model gave it, its types made sure. Nothing of it is believed yet."""

    op: str
    quote: str
    section: str = ""
    start: int | None = None
    end: int | None = None
    item: str = ""
    on_item: bool = False
    kind: str = "fact"
    key: str = ""
    value_type: str = ""
    value: Any = None
    statement: str = ""
    confidence: float = 0.0
    needs_review: bool = False
    replaces: str = ""
    assignee: str = ""
    reason: str = ""

    @property
    def says(self) -> tuple[str, ...]:
        """What makes two ops of one answer the same."""
        value = json.dumps(self.value, sort_keys=True)
        return (self.op, self.item, self.kind, self.key, value, self.statement, self.quote, self.section)


@dataclass(frozen=True, slots=True)
class Answer:
    """`rejected` are the parts that are no op, with the reason; `repeated` counts what was said twice. `cut` where the end is
    missing, and the op that it cuts through with it."""

    ops: Sequence[FactOp]
    rejected: Sequence[tuple[str, str]] = ()
    repeated: int = 0
    how: str = "strict"
    cut: bool = False
    beyond: int = 0


def read_answer(text: str) -> Answer | str:
    """The ops of an answer, or why it is none."""
    if not text.strip():
        return "the answer is empty"
    read = read_json(text, lambda value: _list_of(value) is not None or _is_schema(value))
    if read is None:
        return "the answer holds no list of ops"
    if _list_of(read.value) is None:
        return "the answer is the schema itself"
    return _ops(read)


def _ops(read: Read) -> Answer:
    found = _list_of(read.value) or []
    if read.cut and found:
        found = found[:-1]
    ops: dict[tuple[str, ...], FactOp] = {}
    rejected: list[tuple[str, str]] = []
    repeated = 0
    for one in found[:MAX_OPS]:
        op = _op(one)
        if isinstance(op, str):
            rejected.append((op, _short(one)))
        elif op.says in ops:
            repeated += 1
        else:
            ops[op.says] = op
    return Answer(list(ops.values()), rejected, repeated, read.how, read.cut, max(0, len(found) - MAX_OPS))


def _list_of(value: Any, depth: int = 0) -> list[Any] | None:
    """The list that holds the ops; None where nothing here can be one."""
    if isinstance(value, list):
        return value if not value or any(isinstance(one, dict) and _looks_like_op(one) for one in value) else None
    if not isinstance(value, dict) or _is_schema(value):
        return None
    if _looks_like_op(value) and "ops" not in value:
        return [value]
    names = {_plain(name): part for name, part in value.items()}
    for name in [*(name for name in _LISTS if name in names), *(name for name in names if name not in _LISTS)]:
        part = names[name]
        if isinstance(part, str) and depth == 0 and part.lstrip()[:1] in ("[", "{"):
            inner = read_json(part, lambda v: _list_of(v, 1) is not None)
            part = inner.value if inner else None
        if isinstance(part, list) and (name == "ops" or _list_of(part) is not None):
            return part
        if isinstance(part, dict) and depth < 2 and (inside := _list_of(part, depth + 1)) is not None:
            return inside
    return None


def _looks_like_op(value: Mapping[str, Any]) -> bool:
    names = {_plain(name) for name in value}
    return bool(names & {"evidence", "quote", "exactquote"}) and not _is_schema(value)


def _is_schema(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and ("properties" in value or "$schema" in value or "json_schema" in value)
        and not isinstance(value.get("ops"), list)
    )


def _op(given: Any) -> FactOp | str:
    if not isinstance(given, dict):
        return "an op is an object"
    if _is_schema(given):
        return "an op is no schema"
    fields = _renamed(given, _NAMES)
    evidence = fields.get("evidence")
    if isinstance(evidence, list) and evidence:
        evidence = evidence[0]
    if isinstance(evidence, str):
        evidence = {"quote": evidence}
    if not isinstance(evidence, dict):
        evidence = given
    cited = _renamed(evidence, _EVIDENCE)
    word = str(fields.get("op") or "ADD").strip().upper()
    if word not in OPS:
        return f"op {word[:20]!r} is none of {', '.join(OPS)}"
    quote = cited.get("quote")
    if not isinstance(quote, str) or not quote.strip():
        return "it has no quote"
    if not isinstance(fields.get("kind") or "", str):
        return "its kind is no word"
    scope = fields.get("scope")
    item, on_item = _target(scope)
    value = fields.get("value")
    if isinstance(value, list | dict) and len(json.dumps(value, default=str)) > LONGEST["statement"]:
        return "its value is too long"
    return FactOp(
        op=word,
        quote=_text(quote, "quote"),
        section=_text(cited.get("section"), "section"),
        start=_place(cited.get("start")),
        end=_place(cited.get("end")),
        item=item,
        on_item=on_item,
        kind=_text(fields.get("kind"), "kind").strip().lower() or "fact",
        key=_text(fields.get("key"), "key").strip(),
        value_type=_text(fields.get("value_type"), "kind").strip().lower(),
        value=_scrubbed(value),
        statement=_text(fields.get("statement"), "statement").strip(),
        confidence=_share(fields.get("confidence")),
        # An op without a name was not asked for; what it says is looked at twice.
        needs_review=fields.get("needs_review") in (True, "true", "True", 1) or not fields.get("op"),
        replaces=_text(fields.get("replaces"), "key").strip(),
        assignee=_text(fields.get("assignee"), "key").strip(),
        reason=_text(fields.get("reason"), "reason").strip(),
    )


def _renamed(given: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    plain = {_plain(name): value for name, value in given.items()}
    return {
        ours: next((plain[theirs] for theirs in known if plain.get(theirs) is not None), None)
        for ours, known in names.items()
    }


def _plain(name: Any) -> str:
    return str(name).replace("_", "").replace("-", "").replace(" ", "").casefold()


def _target(scope: Any) -> tuple[str, bool]:
    if isinstance(scope, dict):
        fields = {_plain(name): value for name, value in scope.items()}
        item = fields.get("itemid") or fields.get("item") or fields.get("id")
        word = _text(item, "key").strip() if isinstance(item, str | int) and not isinstance(item, bool) else ""
        return word, _plain(fields.get("type") or "") == "item"
    word = _text(scope, "key").strip()
    return ("", word.casefold() == "item") if word.casefold() in ("", "project", "item") else (word, True)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)[: LONGEST[what]]


def _scrubbed(value: Any, depth: int = 0) -> Any:
    """As the database can hold it."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict) and depth < 4:
        return {_scrubbed(str(name)): _scrubbed(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list) and depth < 4:
        return [_scrubbed(part, depth + 1) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if math.isfinite(value) and abs(value) < 1e300 else None
    return value if isinstance(value, bool) else None


def _place(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def _share(value: Any) -> float:
    """0 to 1. A percentage is read as one; what is no number is no confidence."""
    if isinstance(value, str):
        try:
            value = float(value.strip().rstrip("%"))
        except ValueError:
            return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return 0.0
    if value <= 1:
        return float(value)
    return value / 100 if value <= 100 else 0.0


def _short(value: Any) -> str:
    try:
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        told = str(type(value))
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", told)[:500]
