"""Knowledge blocks (T8): which block shows a claim, what it says there, and the same as Markdown. Plain values, no database."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeGuard

from ledger.language.subjects import with_subject

if TYPE_CHECKING:
    from ledger.packs import BlockSpec, KeySpec, PackSet

type Content = dict[str, Any]

MANUAL: Final = "manual"
# Their values are a number with its unit; of all other types a value is what it is.
MEASURED: Final = ("dimension", "currency")
# Of these types the statement stands for a value that nobody gave.
WORDS: Final = ("", "string", "note")
# The three ways in which a claim stands in its block.
CELLS, ENTRIES, NOTES = "cells", "entries", "notes"


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


def value_shown(claim: ShownClaim, spec: "KeySpec") -> Any:
    """What the claim says of its key; None where it only remarks on it."""
    return claim.statement if claim.value is None and spec.value_type in WORDS else claim.value


def answers(claim: ShownClaim, packs: "PackSet") -> bool:
    """Whether the claim, which holds, fills its key and so answers what asks for it."""
    fills = claim.key and claim.kind_id not in packs.question_kinds
    return bool(fills) and value_shown(claim, packs.spec_of(claim.key)) is not None


def answer_among[Shown: ShownClaim](on_key: Iterable[Shown], packs: "PackSet") -> Shown | None:
    """Of the claims that hold on a question's key the one that answers it."""
    return next((claim for claim in newest_first(on_key) if answers(claim, packs)), None)


def newest_first[Shown: ShownClaim](claims: Iterable[Shown]) -> list[Shown]:
    """What somebody typed over it first, then the latest promotion (T10)."""
    return sorted(claims, key=lambda one: (one.kind_id == MANUAL, one.promoted_at, one.pk), reverse=True)


def _by_promotion(line: ShownLine) -> Any:
    return line.claim.promoted_at, line.claim.pk


def content_of(block: "BlockSpec", packs: "PackSet", lines: Sequence[ShownLine]) -> Content:
    """The block's JSON. The same claims give the same bytes, in whichever order they come: keys in the order of the packs, lists by
    promotion.

    A key is `{value, unit?, factId, others?}` under its name; where claims of several subjects hold, those of a subject
    stand under `parts`. A kind's claims without a key are `{text, factId, …}` in the list that the pack names; a remark on
    a key without a value of its own stands in `notes`.
    """
    groups: dict[str, list[ShownLine]] = defaultdict(list)
    for line in sorted(lines, key=_by_promotion):
        groups[_group(line.claim, block, packs)].append(line)
    parts = _cells(block, packs, [line.claim for line in groups[CELLS]])
    content: Content = parts.pop("")
    if parts:
        content["parts"] = parts
    if block.kinds:
        content[block.entries] = [_entry(line, block) for line in groups[ENTRIES]]
    if notes := groups[NOTES]:
        content["notes"] = [{"text": line.claim.statement, "factId": line.claim.ref} for line in notes]
    return content


def _group(claim: ShownClaim, block: "BlockSpec", packs: "PackSet") -> str:
    if not claim.key or claim.kind_id in block.kinds:
        return ENTRIES
    return NOTES if value_shown(claim, packs.spec_of(claim.key)) is None else CELLS


def _cells(block: "BlockSpec", packs: "PackSet", claims: Iterable[ShownClaim]) -> dict[str, Content]:
    """By subject, what the words name themselves first, a cell for each key of which something is said. Required keys have one
    before anything is known."""
    said: dict[str, dict[str, list[ShownClaim]]] = {"": {key: [] for key in packs.required_keys.get(block.key, ())}}
    for claim in claims:
        said.setdefault(claim.subject, {}).setdefault(claim.key, []).append(claim)
    return {
        subject: {
            name_in(block, key): _cell(packs.spec_of(key), said[subject][key])
            for key in sorted(said[subject], key=packs.key_order)
        }
        for subject in sorted(said)
    }


def name_in(block: "BlockSpec", key: str) -> str:
    """What a key is called in its block."""
    return key.removeprefix(f"{block.key}.")


def _cell(spec: "KeySpec", claims: Iterable[ShownClaim]) -> Content:
    """The value that counts, and the refs of others that hold beside it."""
    ranked = newest_first(claims)
    if not ranked:
        return {**_amount(None, spec), "factId": None}
    others = [claim.ref for claim in ranked[1:]]
    beside = {"others": others} if others else {}
    return {**_amount(value_shown(ranked[0], spec), spec), "factId": ranked[0].ref, **beside}


def _amount(value: Any, spec: "KeySpec") -> Content:
    """A value with the unit that it states, else with that of a key which has one."""
    if is_measure(value):
        return {"value": value["number"], "unit": value["unit"]}
    measured = spec.unit or spec.value_type in MEASURED
    return {"value": value, "unit": spec.unit or None} if measured else {"value": value}


def is_measure(value: Any) -> TypeGuard[Content]:
    return isinstance(value, dict) and value.keys() == {"number", "unit"}


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
            lines += _parts(part, titles)
        else:
            lines.append(_cell_line(name, part, titles))
    return "\n".join(lines).rstrip() + "\n"


def _parts(parts: Content, titles: Mapping[str, str]) -> Iterator[str]:
    for subject, cells in parts.items():
        yield f"- **{inline(subject)}**"
        yield from (f"  {_cell_line(name, cell, titles)}" for name, cell in cells.items())


def _cell_line(name: str, cell: Content, titles: Mapping[str, str]) -> str:
    title = inline(titles.get(name, name))
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
    if is_measure(value):
        return value_words(value["number"], str(value["unit"]))
    return value_words(value)


def _list(name: str, entries: Sequence[Content], titles: Mapping[str, str]) -> list[str]:
    if not entries:
        return []
    return [f"- {inline(titles.get(name, name.capitalize()))}:", *(f"  - {_entry_line(entry)}" for entry in entries)]


def _entry_line(entry: Content) -> str:
    box = {True: "[x] ", False: "[ ] "}.get(entry.get("resolved"), "")  # type: ignore[arg-type]
    who = f" · for {inline(entry['assignee'])}" if "assignee" in entry else ""
    answer = f" · answered by `{entry['answeredBy']}`" if "answeredBy" in entry else ""
    return f"{box}{inline(entry['text'])} `{entry['factId']}`{who}{answer}"
