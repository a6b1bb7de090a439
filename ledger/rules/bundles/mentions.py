"""`@item` mentions in what was typed: tokens with an id, and names that may fit one item, several or none (T13)."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from ledger.language.fold import normalise_label
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
    names: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        names[normalise_label(item.name)].append(item.id)
    tokens = [Mention(*hit.span(), hit[0], tuple({hit["id"]} & known)) for hit in TOKEN.finditer(text)]
    beside = TOKEN.sub(lambda hit: " " * len(hit[0]), text)
    longest = max(map(len, names), default=0)
    named = (_by_name(beside, at.end(), names, longest) for at in _AT.finditer(beside))
    return sorted([*tokens, *filter(None, named)], key=lambda one: one.start)


def _by_name(text: str, start: int, names: Mapping[str, list[str]], longest: int) -> Mention | None:
    line = text[start : start + longest + 1].split("\n", 1)[0]
    ends = [word.end() for word in re.finditer(r"\w+(?=\W|$)", line)]
    for end in reversed(ends):
        if fits := names.get(normalise_label(line[:end])):
            return Mention(start - 1, start + end, line[:end], tuple(fits))
    # Half a name: every item that begins so.
    half = re.compile(rf"{re.escape(line[: ends[0]].casefold())}(?!\w)")
    begun = tuple(chain.from_iterable(ids for name, ids in names.items() if half.match(name)))
    return Mention(start - 1, start + ends[0], line[: ends[0]], begun) if begun else None
