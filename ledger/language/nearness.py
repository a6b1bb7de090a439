"""Whether two statements are the same thing said again (C6): the same words in the same order, apart from what carries
nothing. Pure; English openings, any script.

The relation is strict on purpose. A changed number, unit, date, name, negation, tense, modal or word of any other kind is
another statement, and so are the same words in another order: a duplicate too many costs a reviewer one look, a lost
difference costs the truth. So equal forms are equal statements, and looking one up is looking up a hash.
"""

import hashlib
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from ledger.language.fold import LEADING_LABEL, fold, normalise_label, normalise_statement, strip_markup
from ledger.language.measures import Measure, measures
from ledger.language.values import canonical_value
from ledger.language.words import BINDING

# A whole section is no sentence: it is the same again only to the letter.
LONGEST: Final = 600
# So many words may each be the one that a statement has more than another.
MAX_LEFT_OUT: Final = 8
# Too short to have a word more and still say nearly the same.
LEAST_WORDS: Final = 4

_OPEN, _SHUT = "\ue000", "\ue001"
# One way to say it for several, each read over what those before it have left.
_REWRITTEN: Final = tuple(
    (re.compile(pattern, re.I), said)
    for pattern, said in (
        (r"\bcan(?:not|'t)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"\b(\w+)n't\b", r"\1 not"),
        (r"\blet'?s\b", "let us"),
        (r"\b(\w+)'ll\b", r"\1 will"),
        (r"\b(\w+)'re\b", r"\1 are"),
        (r"\b(\w+)'ve\b", r"\1 have"),
        (r"\bI'm\b", "I am"),
        (LEADING_LABEL, ""),
        # `For storage, we use PostgreSQL` and `We use PostgreSQL for storage`: what stands in front goes to the end.
        (
            r"^((?:for|in|on|at|during|within|until|after|before) [^,?]{1,80}?)(?:,\s*|\s+(?=we\b))([^,]+)$",
            r"\2 \1",
        ),
        # What opens a sentence and says only that it was decided, or that we are the ones.
        (
            r"^(?:(?:ok(?:ay)?|so|well|please)\b[,\s]+)*"
            r"(?:(?:it (?:was|is|has been)|we(?: have)?) (?:decided|agreed|resolved) (?:that|to)\s+)?"
            r"(?:let us\s+|we\s+(?:(?:will|shall|are going to)\s+)?)?(?:please\s+)?(?:do (?=not\b))?",
            "",
        ),
        # `PostgreSQL will be used for storage` is `use PostgreSQL for storage`.
        (
            r"^([^,?]{1,120}?) (?:(?:will|shall) be|is|are) used((?: (?:for|as|in|on|to|with|at)\b.*)?)$",
            r"use \1\2",
        ),
    )
)
_TOKEN: Final = re.compile(
    rf"{_OPEN}\d+{_SHUT}|-(?=\d)|\w+(?:(?:[./'@&+-]|(?<=\d)[,:](?=\d))\w+)*|[^\s\w.,;:!\"'()\[\]{{}}`·•…-]"
)
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_CARRIES_NOTHING: Final = frozenset("the our also please really actually".split())
_SAME: Final = {"each": "every"}
# Never a word that one statement may have more than another: they turn, bound, place or count what is said.
_TURNS: Final = BINDING.union(
    "never none neither nobody nothing nowhere without except instead rather before after during within whether "
    "either most many much few several more less least fewer other another half first last next previous once twice "
    "always sometimes often rarely usually seldom hardly barely almost nearly around maybe perhaps possibly probably "
    "need ought mine yours hers theirs down out off over under above below between against via per through across "
    "along behind beside near toward towards upon today tomorrow yesterday tonight later soon daily weekly monthly "
    "yearly hourly nightly morning afternoon evening night noon midnight monday tuesday wednesday thursday friday "
    "saturday sunday mon tue tues wed thu thurs fri sat sun weekday weekdays weekend weekends day days week weeks "
    "month months year years january february march april june july august september october november december jan "
    "feb mar apr jun jul aug sep sept oct nov dec minimum maximum min max old new former current future draft "
    "proposed".split()
)
_PLAIN_NUMBER: Final = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_POWER: Final = re.compile(r"\de[-+]?\d")
_DIGITS: Final = re.compile(r"\d[\d.,'’\u00a0\u202f]*")
_BOUNDS: Final = {
    "at most": "<=", "up to": "<=", "no more than": "<=", "not more than": "<=", "<=": "<=", "≤": "<=", "or less": "<=",
    "at least": ">=", "no less than": ">=", "not less than": ">=", ">=": ">=", "≥": ">=", "or more": ">=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """A statement as it is compared: its words in order, and which of them another may say more without turning it."""

    words: tuple[str, ...]
    spare: frozenset[int]


def form_of(statement: str) -> Form | None:
    """None for what is compared only to the letter: too long, or without a word."""
    return _form(statement) if len(statement) <= LONGEST else None


@lru_cache(maxsize=4096)
def _form(statement: str) -> Form | None:
    text = fold(statement, keep_accents=True, keep_case=True)
    text = strip_markup(text.replace(_OPEN, " ").replace(_SHUT, " "))
    amounts: list[str] = []
    for measure in reversed(measures(text)):
        amounts.append(_amount(text, measure))
        text = f"{text[: measure.start]} {_OPEN}{len(amounts) - 1}{_SHUT} {text[measure.end :]}"
    text = " ".join(text.split()).rstrip(" .!")
    for pattern, said in _REWRITTEN:
        text = pattern.sub(said, text)
    words: list[str] = []
    spare: set[int] = set()
    for token in _TOKEN.findall(_HYPHEN.sub(" ", text)):
        word = token.casefold()
        if token[0] == _OPEN:
            word = amounts[int(token[1:-1])]
        elif word in _CARRIES_NOTHING:
            continue
        elif token.islower() and word.isalpha() and len(word) > 2 and word not in _TURNS:
            spare.add(len(words))
        words.append(_SAME.get(word, word))
    return Form(tuple(words), frozenset(spare)) if words else None


def _amount(text: str, measure: Measure) -> str:
    """An amount so exact that two are equal only where they say one thing: measures.py compares more loosely."""
    before, _, after = text[measure.start : measure.end].partition(measure.said)
    bound = " ".join(f"{before} {after}".casefold().split()).rstrip(" :=")
    return f"{_OPEN}{measure.what}|{_exactly(measure)}|{_BOUNDS.get(bound, bound)}"


def _exactly(measure: Measure) -> str:
    said = measure.said.casefold()
    if measure.what == "date" or (measure.what == "clock" and _is_clear(said)):
        return f"{measure.low:.0f}"
    # `on Fridays` is another day than `on Friday`.
    meant_as_written = measure.what in ("version", "clock") or said in ("once", "twice") or said.endswith("days")
    if meant_as_written or _POWER.search(said) or not _one_plain_number(_DIGITS.findall(measure.said)):
        return said
    return str(Decimal(repr(measure.low)).normalize())


def _one_plain_number(numbers: list[str]) -> bool:
    return len(numbers) <= 1 and all(_PLAIN_NUMBER.fullmatch(n.rstrip(".,")) and len(n) <= 12 for n in numbers)


def _is_clear(said: str) -> bool:
    """`17:30` and `5:30 pm` are one time; `5:30` may be either."""
    hour, minute = re.match(r"(\d{1,2})(?::(\d{2}))?", said).groups()  # type: ignore[union-attr]
    first, last = (1, 12) if said.rstrip(" .").endswith("m") else (13, 23)
    return int(minute or 0) < 60 and first <= int(hour) <= last


def overlap(one: Form, other: Form) -> float:
    """1 for the same thing said again; where one has spare words more and all else alike, the share they have in common;
    else 0. Symmetric."""
    short, long = sorted((one, other), key=lambda form: (len(form.words), form.words))
    if short.words == long.words:
        return 1.0
    if len(short.words) < LEAST_WORDS:
        return 0.0
    left = deque(short.words)
    for place, word in enumerate(long.words):
        if left and left[0] == word:
            left.popleft()
        elif place not in long.spare:
            return 0.0
    return 0.0 if left else len(short.words) / len(long.words)


def near_keys(
    *,
    scope_id: int,
    layer: str,
    kind: str,
    slot: str,
    key: str,
    value: Any,
    statement: str,
    assignee: str = "",
    subject: str = "",
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
) -> list[int]:
    """Hashes (signed 64 bit) under which a claim is found by its like: that of its form first, then one for each spare word
    left out. Empty where only the letter, or a value on a slot, tells what is the same."""
    has_place = slot or key
    form = form_of(statement) if value is None or not has_place else None
    if form is None:
        return []
    times = [moment.astimezone(UTC).isoformat() if moment else "" for moment in (valid_from, valid_to)]
    about = [str(scope_id), layer, kind, has_place, normalise_label(assignee), *times, _beside(value)]
    about += [normalise_statement(subject)] if subject else []
    left_out = sorted(form.spare)[:MAX_LEFT_OUT] if len(form.words) > LEAST_WORDS else []
    shorter = (form.words[:at] + form.words[at + 1 :] for at in left_out)
    return list(dict.fromkeys(_hash([*about, *words]) for words in (form.words, *shorter)))


def _beside(value: Any) -> str:
    """What a value says beside the statement: a task's or an event's title repeats its words."""
    if isinstance(value, Mapping):
        value = {name: part for name, part in sorted(value.items()) if name not in ("task", "title")}
    return repr(canonical_value(value))


def _hash(parts: Sequence[str]) -> int:
    digest = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
