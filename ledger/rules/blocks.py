"""Knowledge blocks (T8): which block shows a claim, what it says there, and the same as Markdown. Plain values, no database."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from ledger.language.subjects import with_subject

if TYPE_CHECKING:
    from ledger.packs import BlockSpec, KeySpec, PackSet

type Content = dict[str, Any]

MANUAL: Final = "manual"
# Their values are a number with its unit; of all other types a value is what it is.
MEASURED: Final = ("dimension", "currency")
# Of these types the statement stands for a value that nobody gave.
WORDS: Final = ("", "string", "note")


class ShownClaim(Protocol):
    """What a block needs of a claim."""

    ref: str
    key: str
    subject: str
    value: Any
    statement: str
    assignee: str
    promoted_at: datetime | None

    @property
    def kind_id(self) -> str: ...
    @property
    def pk(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A claim in its block, with the ref of what answers it where it is a question."""

    claim: ShownClaim
    answer: str = ""


def block_for(claim: ShownClaim, tier: str, packs: "PackSet") -> "BlockSpec | None":
    """The one block that shows the claim in a scope of this tier: that of its key, else that of its kind."""
    keyed = packs.block_of(claim.key) if claim.key and claim.kind_id not in packs.question_kinds else None
    return keyed or packs.block_of_kind(claim.kind_id, "item" if tier == "item" else "project")


def value_shown(claim: ShownClaim, spec: "KeySpec | None") -> Any:
    """What the claim says of its key; None where it only remarks on it."""
    if claim.value is None and (spec is None or spec.value_type in WORDS):
        return claim.statement
    return claim.value


def answers(claim: ShownClaim, packs: "PackSet") -> bool:
    """Whether the claim, which holds, fills its key and so answers what asks for it."""
    filled = bool(claim.key) and value_shown(claim, packs.keys.get(claim.key)) is not None
    return filled and claim.kind_id not in packs.question_kinds


def newest_first[Shown: ShownClaim](claims: Iterable[Shown]) -> list[Shown]:
    """What somebody typed over it first, then the latest promotion (T10)."""
    return sorted(claims, key=lambda one: (one.kind_id == MANUAL, one.promoted_at, one.pk), reverse=True)


def content_of(block: "BlockSpec", packs: "PackSet", lines: Sequence[ShownLine]) -> Content:
    """The block's JSON. The same claims give the same bytes, in whichever order they come: keys in the order of the packs, lists by
    promotion.

    A key is `{value, unit?, factId, others?}` under its name; where claims of several subjects hold, those of a subject
    stand under `parts`. A kind's claims without a key are `{text, factId, …}` in the list that the pack names; a remark on
    a key without a value of its own stands in `notes`.
    """
    said: dict[str, dict[str, list[ShownClaim]]] = defaultdict(lambda: defaultdict(list))
    listed: list[ShownLine] = []
    notes: list[ShownClaim] = []
    for line in sorted(lines, key=lambda one: (one.claim.promoted_at, one.claim.pk)):
        claim = line.claim
        if not claim.key or claim.kind_id in block.kinds:
            listed.append(line)
        elif value_shown(claim, packs.keys.get(claim.key)) is None:
            notes.append(claim)
        else:
            said[claim.subject][claim.key].append(claim)
    content: Content = {
        name_in(block, key): _cell(packs.keys.get(key), said[""].get(key, ())) for key in _cells(block, packs, said[""])
    }
    parts = {
        subject: {name_in(block, key): _cell(packs.keys.get(key), keys[key]) for key in _cells(block, packs, keys, ())}
        for subject, keys in sorted(said.items())
        if subject
    }
    return (
        content
        | ({"parts": parts} if parts else {})
        | ({block.entries: [_entry(line, block) for line in listed]} if block.kinds else {})
        | ({"notes": [{"text": claim.statement, "factId": claim.ref} for claim in notes]} if notes else {})
    )


def name_in(block: "BlockSpec", key: str) -> str:
    """What a key is called in its block."""
    return key.removeprefix(f"{block.key}.")


def _cells(
    block: "BlockSpec", packs: "PackSet", said: Mapping[str, Any], required: Iterable[str] | None = None
) -> list[str]:
    """The keys that have a cell: the required ones, and those of which something is said; what no pack lists comes last."""
    if required is None:
        required = [key for key, spec in packs.keys.items() if spec.required and packs.block_of(key) == block]
    wanted = {*required, *said}
    return [key for key in packs.keys if key in wanted] + sorted(wanted - packs.keys.keys())


def _cell(spec: "KeySpec | None", claims: Iterable[ShownClaim]) -> Content:
    """The value that counts, and the refs of others that hold beside it."""
    ranked = newest_first(claims)
    best = ranked[0] if ranked else None
    value = value_shown(best, spec) if best else None
    measured = spec is not None and spec.value_type in MEASURED
    if isinstance(value, dict) and value.keys() == {"number", "unit"}:
        cell = {"value": value["number"], "unit": value["unit"]}
    elif spec is not None and (measured or spec.unit):
        cell = {"value": value, "unit": spec.unit or None}
    else:
        cell = {"value": value}
    beside = {"others": [one.ref for one in ranked[1:]]} if ranked[1:] else {}
    return {**cell, "factId": best.ref if best else None, **beside}


def _entry(line: ShownLine, block: "BlockSpec") -> Content:
    claim = line.claim
    entry: Content = {"text": with_subject(claim.statement, claim.subject), "factId": claim.ref}
    entry |= block.marks.get(claim.kind_id, {})
    if claim.assignee:
        entry["assignee"] = claim.assignee
    if claim.kind_id in block.closes:
        entry |= {"key": claim.key or None, "resolved": bool(line.answer)}
        entry |= {"answeredBy": line.answer} if line.answer else {}
    return entry


_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def inline(text: str) -> str:
    """`text` as words on one line of Markdown: no line break, control or direction character, no markup or HTML."""
    words = _DIRECTIONS.sub("", _BREAKS.sub(" ", text))
    return _MARKUP.sub(r"\\\g<0>", " ".join(words.split()))


def markdown_of(title: str, content: Content, titles: Mapping[str, str]) -> str:
    """The block's JSON for people: the same JSON gives the same bytes. `titles` are names of its keys for people."""
    lines = [f"## {inline(title)}", ""]
    for name, part in content.items():
        if isinstance(part, list):
            lines += _list(name, part, titles)
        elif name == "parts":
            for subject, cells in part.items():
                lines += [f"- **{inline(subject)}**"]
                lines += [f"  {_cell_line(key, cell, titles)}" for key, cell in cells.items()]
        else:
            lines.append(_cell_line(name, part, titles))
    return "\n".join(lines).rstrip() + "\n"


def _cell_line(name: str, cell: Content, titles: Mapping[str, str]) -> str:
    title = inline(titles.get(name) or name)
    if cell["factId"] is None:
        return f"- {title}: –"
    others = "".join(f" (also `{ref}`)" for ref in cell.get("others", ()))
    return f"- {title}: {inline(value_words(cell['value'], cell.get('unit')))} `{cell['factId']}`{others}"


def value_words(value: Any, unit: str | None = None) -> str:
    """A value for people: `600 cm`, `yes`, `2026-12-01`; an object by its parts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_words(part)}" for name, part in value.items() if part not in (None, "", []))
    if isinstance(value, list):
        return ", ".join(map(value_words, value))
    return " ".join(filter(None, (f"{value}", unit)))


def value_in_words(value: Any) -> str:
    """A claim's value for people: `6 m`, `yes`."""
    if isinstance(value, dict) and value.keys() == {"number", "unit"}:
        return value_words(value["number"], str(value["unit"]))
    return value_words(value)


def _list(name: str, entries: Sequence[Content], titles: Mapping[str, str]) -> list[str]:
    if not entries:
        return []
    return [f"- {inline(titles.get(name) or name.capitalize())}:", *(f"  - {_entry_line(entry)}" for entry in entries)]


def _entry_line(entry: Content) -> str:
    box = {True: "[x] ", False: "[ ] "}.get(entry.get("resolved"), "")  # type: ignore[arg-type]
    who = f" · for {inline(entry['assignee'])}" if "assignee" in entry else ""
    answer = f" · answered by `{entry['answeredBy']}`" if "answeredBy" in entry else ""
    return f"{box}{inline(entry['text'])} `{entry['factId']}`{who}{answer}"
