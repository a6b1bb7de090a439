"""What marked words of a source could be: a kind and a key for the form, which a person confirms or changes."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ledger.language.fold import slug_key
from ledger.language.values import parse_value
from ledger.language.words import terms
from ledger.models import Claim, Kind, Source
from ledger.packs import PackSet
from ledger.recall.find import find_claims, read_question

# What a person says by what it is, the more telling sign first; the rest is a fact.
SIGNS: Final = (
    ("action_item", r"\b(?:to-?do|action(?: item)?|follow[- ]up|by (?:mon|tues|wednes|thurs|fri)day)\b"),
    ("constraint", r"\b(?:must not|mustn't|may not|never|at (?:most|least)|no (?:more|less) than|not allowed)\b"),
    ("requirement", r"\b(?:must|shall|has to|have to|required?|requirement)\b"),
    ("decision", r"\b(?:decid|decision|agreed|resolved|chose|we(?:'ll| will)? (?:use|go with|went with|take|keep))"),
    ("commitment", r"\b(?:i(?:'ll| will)|we(?:'ll| will)|i promise|count on me)\b"),
    ("preference", r"\b(?:prefer|rather|i (?:do(?:n't| not) )?like|favourite|favorite)"),
    ("negative_result", r"\b(?:did(?:n't| not) work|does(?:n't| not) (?:work|help)|failed|no effect)\b"),
)
_SIGNS: Final = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in SIGNS)
_NAMED: Final = re.compile(r"\s*+(?:[-*•]\s++)?+(?P<name>[^\n=:?]{2,60})[=:]\s*+(?P<value>\S[^\n]{0,200})")
# A claim that says so much of the same words is about the same thing.
MUCH_ALIKE: Final = 0.7
USUAL: Final = "fact"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`why` says where the key comes from, for a person who wonders."""

    kind: str
    key: str
    value: str
    why: str


def kinds_for(speaker: str, kinds: Collection[Kind]) -> list[str]:
    """The kinds that this speaker's words may anchor (law 8), by name."""
    return sorted(kind.name for kind in kinds if not kind.anchors or speaker in kind.anchors)


def suggestion_for(words: str, source: Source, allowed: Collection[str], packs: PackSet) -> Suggestion:
    """By what the words say, by the scope's keys, and by what is known already and says much the same. Two or three queries."""
    text = " ".join(words.split())
    named = _NAMED.match(text)
    value = named["value"].rstrip(".") if named and parse_value(named["value"].rstrip("."))[0] != "string" else ""
    kind = USUAL if value else next((kind for kind, sign in _SIGNS if kind in allowed and sign.search(text)), USUAL)
    known = _much_alike(text, source)
    if known and known.kind_id in allowed:
        return Suggestion(known.kind_id, known.key, value, f"{known.ref} says much the same")
    if key := _key_in(text, packs):
        return Suggestion(kind, key, value, "a key of this scope's packs that the words name")
    open_key = slug_key(named["name"]) if named and not packs.keys_closed else ""
    return Suggestion(kind, open_key, value, "what stands before the sign" if open_key else "")


def _much_alike(text: str, source: Source) -> Claim | None:
    found = find_claims(read_question(text), [source.scope_id], statuses=("active", "pending"))
    best = found.order[:1]
    if not best or found.weight.get(best[0], 0) < MUCH_ALIKE:
        return None
    return Claim.objects.defer("search").get(pk=best[0])


def _key_in(text: str, packs: PackSet) -> str:
    """The key whose name, or another name of it, has the most words and all of them in the text."""
    said = set(terms(text))
    names = [(spec.key, name) for spec in packs.keys.values() for name in (spec.key, spec.title, *spec.also)]
    words = [(key, set(terms(re.sub(r"[._-]+", " ", name)))) for key, name in names]
    fitting = [(len(parts), key) for key, parts in words if parts and parts <= said]
    return max(fitting, default=(0, ""))[1]
