"""Whether two statements are the same thing said again (C6): the same words in the same order, apart from what carries
nothing. Pure; English openings, any script.

The relation is strict on purpose. A changed number, unit, date, name, negation, tense, modal or word of any other kind is
another statement, and so are the same words in another order: a duplicate too many costs a reviewer one look, a lost
difference costs the truth. So equal forms are equal statements, and looking one up is looking up a hash.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from ledger.language.fold import fold
from ledger.language.measures import Measure, measures
from ledger.language.normalise import strip_markup
from ledger.language.values import canonical_value

# A whole section is no sentence: it is the same again only to the letter.
LONGEST: Final = 600
# So many words may each be the one that a statement has more than another.
MAX_LEFT_OUT: Final = 8
# Too short to have a word more and still say nearly the same.
LEAST_WORDS: Final = 4

_OPEN, _SHUT = "\ue000", "\ue001"
_CONTRACTED: Final = (
    (re.compile(r"\bcan(?:not|'t)\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\bshan't\b", re.I), "shall not"),
    (re.compile(r"\b(\w+)n't\b", re.I), r"\1 not"),
    (re.compile(r"\blet'?s\b", re.I), "let us"),
    (re.compile(r"\b(\w+)'ll\b", re.I), r"\1 will"),
    (re.compile(r"\b(\w+)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(\w+)'ve\b", re.I), r"\1 have"),
    (re.compile(r"\bI'm\b", re.I), "I am"),
)
_LABEL: Final = re.compile(
    r"^\W*(?:decision|decided|constraint|requirement|resolution|resolved|fact|note|agreed|commitment)\s*:\s*", re.I
)
# `For storage, we use PostgreSQL` and `We use PostgreSQL for storage`: what stands in front goes to the end.
_IN_FRONT: Final = re.compile(
    r"^(?P<front>(?:for|in|on|at|during|within|until|after|before) [^,?]{1,80}?)(?:,\s*|\s+(?=we\b))"
    r"(?P<rest>[^,]+?)(?P<end>[\s.!]*)$",
    re.I,
)
# What opens a sentence and says only that it was decided, or that we are the ones.
_OPENING: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|please)\b[,\s]+)*"
    r"(?:(?:it (?:was|is|has been)|we(?: have)?) (?:decided|agreed|resolved) (?:that|to)\s+)?"
    r"(?:let us\s+|we\s+(?:(?:will|shall|are going to)\s+)?)?(?:please\s+)?(?:do (?=not\b))?",
    re.I,
)
# `PostgreSQL will be used for storage` is `use PostgreSQL for storage`.
_USED: Final = re.compile(
    r"^(?P<what>[^,?]{1,120}?) (?:(?:will|shall) be|is|are) used(?P<rest>(?: (?:for|as|in|on|to|with|at)\b.*)?)$",
    re.I | re.S,
)
_TOKEN: Final = re.compile(
    rf"{_OPEN}\d+{_SHUT}|-(?=\d)|\w+(?:(?:[./'@&+-]|(?<=\d)[,:](?=\d))\w+)*|[^\s\w.,;:!\"'()\[\]{{}}`·•…-]"
)
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_CARRIES_NOTHING: Final = frozenset("the our also please really actually".split())
_SAME: Final = {"each": "every"}
# Never a word that one statement may have more than another: they turn, bound, place or count what is said.
_TURNS: Final = frozenset(
    "a an not no never none nor neither nobody nothing nowhere without unless except but only just even instead rather if when "
    "while until before after since by during within because although whether or and either both all every any some most "
    "many much few several more less least fewer other another same half first last next previous again once twice always "
    "sometimes often rarely usually seldom hardly barely almost nearly about around maybe perhaps possibly probably must "
    "should shall will would can could may might need ought have has had do does did am is are was were be been being i me "
    "my mine you your yours he him his she her hers it its we us they them their theirs who whom whose which that this these "
    "those of to in on at for from with as into onto than up down out off over under above below between against via per "
    "through across along behind beside near toward towards upon today tomorrow yesterday tonight now later soon then daily "
    "weekly monthly yearly hourly nightly morning afternoon evening night noon midnight monday tuesday wednesday thursday "
    "friday saturday sunday mon tue tues wed thu thurs fri sat sun weekday weekdays weekend weekends day days week weeks month "
    "months year years january february march april june july august september october november december jan feb mar apr jun "
    "jul aug sep sept oct nov dec minimum maximum min max old new former current future draft proposed".split()
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
    if len(statement) > LONGEST:
        return None
    text = fold(statement, keep_accents=True, keep_case=True)
    text = strip_markup(text.replace(_OPEN, " ").replace(_SHUT, " "))
    amounts: list[str] = []
    for measure in reversed(measures(text)):
        amounts.append(_amount(text, measure))
        text = f"{text[: measure.start]} {_OPEN}{len(amounts) - 1}{_SHUT} {text[measure.end :]}"
    text = " ".join(text.split())
    for short, long in _CONTRACTED:
        text = short.sub(long, text)
    text = _LABEL.sub("", text)
    if front := _IN_FRONT.match(text):
        text = f"{front['rest']} {front['front']}{front['end']}"
    text = _OPENING.sub("", text, count=1)
    if used := _USED.match(text.rstrip(" .!")):
        text = f"use {used['what']}{used['rest']}"
    words: list[str] = []
    spare: set[int] = set()
    for token in _TOKEN.findall(_HYPHEN.sub(" ", text)):
        if token[0] == _OPEN:
            words.append(amounts[int(token[1:-1])])
            continue
        word = token.casefold()
        if word in _CARRIES_NOTHING and len(token) > 1:
            continue
        if token.islower() and word.isalpha() and len(word) > 2 and word not in _TURNS:
            spare.add(len(words))
        words.append(_SAME.get(word, word))
    return Form(tuple(words), frozenset(spare)) if words else None


def _amount(text: str, measure: Measure) -> str:
    """An amount so exact that two are equal only where they say one thing: measures.py compares more loosely."""
    at = text.find(measure.said, measure.start, measure.end + 1)
    before = text[measure.start : at].casefold() if at >= 0 else ""
    after = text[at + len(measure.said) : measure.end].casefold() if at >= 0 else ""
    bound = " ".join(f"{before} {after}".split()).rstrip(" :=")
    said = measure.said.casefold()
    numbers = _DIGITS.findall(measure.said)
    plain = all(_PLAIN_NUMBER.fullmatch(n.rstrip(".,")) and len(n) <= 12 for n in numbers)
    plain = plain and len(numbers) <= 1 and not _POWER.search(said)
    if measure.what == "date" or (measure.what == "clock" and _clear_clock(said)):
        exact = f"{measure.low:.0f}"
    elif measure.what in ("version", "clock") or not plain or said in ("once", "twice") or said.endswith("days"):
        # `on Fridays` is another day than `on Friday`.
        exact = said
    else:
        exact = str(Decimal(repr(measure.low)).normalize())
    return f"{_OPEN}{measure.what}|{measure.unit}|{exact}|{_BOUNDS.get(bound, bound)}"


def _clear_clock(said: str) -> bool:
    """`17:30` and `5:30 pm` are one time; `5:30` may be either."""
    hour, minute = re.match(r"(\d{1,2})(?::(\d{2}))?", said).groups()  # type: ignore[union-attr]
    named = said.rstrip(" .").endswith("m")
    return int(minute or 0) < 60 and (1 <= int(hour) <= 12 if named else 13 <= int(hour) <= 23)


def overlap(one: Form, other: Form) -> float:
    """1 for the same thing said again; where one has spare words more and all else alike, the share they have in common;
    else 0. Symmetric."""
    short, long = sorted((one, other), key=lambda form: (len(form.words), form.words))
    if short.words == long.words:
        return 1.0
    if len(short.words) < LEAST_WORDS:
        return 0.0
    at = 0
    for place, word in enumerate(long.words):
        if at < len(short.words) and short.words[at] == word:
            at += 1
        elif place not in long.spare:
            return 0.0
    return len(short.words) / len(long.words) if at == len(short.words) else 0.0


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
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
) -> list[int]:
    """Hashes (signed 64 bit) under which a claim is found by its like: that of its form first, then one for each spare word
    left out. Empty where only the letter, or a value on a slot, tells what is the same."""
    if value is not None and (slot or key):
        return []
    form = form_of(statement)
    if form is None:
        return []
    times = [moment.astimezone(UTC).isoformat() if moment else "" for moment in (valid_from, valid_to)]
    about = [str(scope_id), layer, kind, slot or key, " ".join(assignee.casefold().split()), *times, _beside(value)]
    sequences: list[Sequence[str]] = [form.words]
    if len(form.words) > LEAST_WORDS:
        left_out = sorted(form.spare)[:MAX_LEFT_OUT]
        sequences += [form.words[:at] + form.words[at + 1 :] for at in left_out]
    return list(dict.fromkeys(_hash([*about, *words]) for words in sequences))


def _beside(value: Any) -> str:
    """What a value says beside the statement: a task's or an event's title repeats its words."""
    if isinstance(value, Mapping):
        value = {name: part for name, part in sorted(value.items()) if name not in ("task", "title")}
    return repr(canonical_value(value))


def _hash(parts: Sequence[str]) -> int:
    digest = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
