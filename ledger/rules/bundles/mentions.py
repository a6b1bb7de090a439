"""`@item` mentions in what was typed: tokens with an id, and names that may fit one item, several or none (T13)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.rules.bundles.turn import TurnItem

TOKEN: Final = re.compile(r"@item\((?P<id>[^():\s]{1,200}):(?P<name>[^()\n]{0,200})\)")
_AT: Final = re.compile(r"(?<![\w@])@(?=[^\W_])")


@dataclass(frozen=True, slots=True)
class Mention:
    """`start:end` in code points of the text it was found in. `fits` are the ids it can mean: one is resolved; several need a
    person, and so does a token whose id is no item's."""

    start: int
    end: int
    words: str
    fits: tuple[str, ...]

    @property
    def item(self) -> str | None:
        return self.fits[0] if len(self.fits) == 1 else None

    @property
    def needs_review(self) -> bool:
        return len(self.fits) != 1


def token(item: TurnItem) -> str:
    """What the picker types for an item."""
    return f"@item({item.id}:{item.name.replace('(', '').replace(')', '')})"


def find_mentions(text: str, items: Sequence[TurnItem]) -> list[Mention]:
    """In the order of the text. A token is resolved by its id alone; its name is what people read. `@name` is resolved by the
    longest name that stands there, whole words, without case; a word after `@` that starts no item's name is no mention."""
    known = {item.id for item in items}
    found = [
        Mention(hit.start(), hit.end(), hit.group(), (hit["id"],) if hit["id"] in known else ())
        for hit in TOKEN.finditer(text)
    ]
    taken = [(one.start, one.end) for one in found]
    names: dict[str, list[str]] = {}
    for item in items:
        names.setdefault(" ".join(item.name.casefold().split()), []).append(item.id)
    longest = max((len(name) for name in names), default=0)
    for at in _AT.finditer(text):
        if any(start <= at.start() < end for start, end in taken):
            continue
        mention = _by_name(text, at.end(), names, longest)
        if mention:
            found.append(mention)
    return sorted(found, key=lambda one: one.start)


def _by_name(text: str, start: int, names: dict[str, list[str]], longest: int) -> Mention | None:
    line = text[start : start + longest + 1].split("\n", 1)[0]
    ends = [found.end() for found in re.finditer(r"\w+(?=\W|$)", line)]
    for end in reversed(ends):
        name = " ".join(line[:end].casefold().split())
        if name in names:
            return Mention(start - 1, start + end, line[:end], tuple(names[name]))
    # Half a name: every item that begins so.
    first = line[: ends[0]].casefold() if ends else ""
    begun = [
        one for name, ids in names.items() if first and re.match(rf"{re.escape(first)}(?!\w)", name) for one in ids
    ]
    return Mention(start - 1, start + ends[0], line[: ends[0]], tuple(begun)) if begun else None
