"""Two sentences that pick different things for the same use. Pure; words are compared, not meanings."""

import re
from typing import Final

from ledger.language.fold import normalise_statement
from ledger.language.polarity import Assertion
from ledger.language.words import stem

_CHOOSING: Final = (
    r"(?:us(?:e|es|ed|ing)|chose|choos(?:e|es|ing)|adopt(?:s|ed|ing)?|pick(?:s|ed|ing)?|go(?:es|ing)? with|"
    r"switch(?:es|ed|ing)? to|runs? on|deploy(?:s|ed)? (?:to|on)|host(?:s|ed)? on|writ(?:e|es|ten) (?:\w+ ){0,3}?in|"
    r"buil[dt]s? (?:in|with|on)|stor(?:e|es|ed) in|migrat(?:e|es|ed|ing) to|standardi[sz]e on)"
)
_CHOICE: Final = re.compile(
    rf"\b{_CHOOSING}\s+(?:only\s+|the\s+|a\s+|an\s+)?(?P<name>[\w.+#-]+(?:\s[A-Z][\w.+#-]*)?)",
    re.I,
)


def other_choice(said: Assertion, held: Assertion) -> str:
    """Another name after the same verb, and all the rest alike: `use MySQL for storage` where it is PostgreSQL."""
    one, other = _CHOICE.search(said.words), _CHOICE.search(held.words)
    if not one or not other:
        return ""
    if not (one["name"][0].isupper() and other["name"][0].isupper()):
        return _choice_of_words(said, held)
    mine, theirs = frozenset(map(stem, one["name"].split())), frozenset(map(stem, other["name"].split()))
    if not _one_act(one, other):
        return ""
    denied, in_both = mine & said.denied | theirs & held.denied, mine & held.terms | theirs & said.terms
    alike = frozenset() < held.terms - theirs <= said.terms
    return "" if denied or in_both or not alike or _one_name(one, other) else _instead(one, other)


# `use`, `go with` and `switch to` pick the same; who writes it in Go may run it on Linux.
_PICKS: Final = re.compile(r"us(?:e|ing)|cho|adopt|pick|go|switch|migrat|standard", re.I)


def _one_act(one: re.Match[str], other: re.Match[str]) -> bool:
    a, b = one[0].lower().split()[0], other[0].lower().split()[0]
    return stem(a) == stem(b) or a[:4] == b[:4] or bool(_PICKS.match(a) and _PICKS.match(b))


def _plain_name(choice: re.Match[str]) -> str:
    return choice["name"].lower().strip(".")


def _one_name(one: re.Match[str], other: re.Match[str]) -> bool:
    """`Postgres` and `PostgreSQL` name one thing."""
    a, b = _plain_name(one), _plain_name(other)
    return a in b or b in a or a[:4] == b[:4]


def _instead(one: re.Match[str], other: re.Match[str]) -> str:
    return f"says {one['name'].strip('.')} where it is {other['name'].strip('.')}"


# A single word chosen, and what for: `use postgres for the ledger`. Without a capital nothing else tells a name, so what it is
# for must be the same to the word.
_CHOICE_OF_WORDS: Final = re.compile(
    rf"\b(?P<verb>{_CHOOSING})\s+(?P<name>[\w+#-][\w.+#-]*)"
    r"(?:\s+(?P<how>for|as|in|on|at|to|when|with|inside|behind)\s+(?P<rest>[^.,;:!?()]+?))?(?P<end>\s*(?:[.,;:!?()]|\Z))",
    re.I,
)
_NO_NAMES: Final = frozenset(
    "it this that these those them they one ones both either neither any some all each none more most less same other another "
    "others what which whatever something anything nothing everything my your our their his her its us me you him".split()
)
_BESIDE: Final = re.compile(
    r"\b(?:also|too|as well|both|either|or|plus|additionally|alongside|besides|together|another|first|second)\b", re.I
)


def _choice_of_words(said: Assertion, held: Assertion) -> str:
    """`use mysql for the ledger` where it is postgres: one word apart, and all the rest the same."""
    pair = _two_choices(said, held)
    return _instead(*pair) if pair and _use_of(pair[0]) and _use_of(pair[0]) == _use_of(pair[1]) else ""


def rival_choice(said: Assertion, held: Assertion) -> str:
    """`use mysql` where `use postgres` was said of the same topic, for whoever knows that it is the same. Nothing where a
    sentence says more, or that it is for something beside the other (`let's also use redis`)."""
    if said.normal == held.normal or not len(said.terms) == len(held.terms) == 1:
        return ""
    pair = _two_choices(said, held)
    return _instead(*pair) if pair and not pair[0]["rest"] and not pair[1]["rest"] else ""


def _two_choices(said: Assertion, held: Assertion) -> tuple[re.Match[str], re.Match[str]] | None:
    """Both sentences' choices, where each picks a single word with the same verb, and what one picks the other does not name."""
    one, other = _only_choice(said), _only_choice(held)
    if not one or not other or stem(one["verb"].split()[0]) != stem(other["verb"].split()[0]) or _one_name(one, other):
        return None
    return (one, other) if _picks(one, said, held) and _picks(other, held, said) else None


def _only_choice(said: Assertion) -> re.Match[str] | None:
    """What a sentence picks, where it stands by that and by nothing beside it."""
    asks = said.words.rstrip("\"' )").endswith("?")
    return None if asks or said.conditions or _BESIDE.search(said.words) else _CHOICE_OF_WORDS.search(said.words)


def _picks(choice: re.Match[str], mine: Assertion, theirs: Assertion) -> bool:
    """A word that carries no subject is no choice; what is denied is none; what both speak of is no other."""
    name = _plain_name(choice)
    return name not in _NO_NAMES and not name[0].isdigit() and stem(name) in mine.affirmed - theirs.terms


def _use_of(choice: re.Match[str]) -> list[str]:
    """What it is for; `for the ledger` and `for our ledger` are one. Empty where it is for nothing named."""
    words = [word for word in normalise_statement(choice["rest"] or "").split() if word not in _ARTICLES]
    return [choice["how"].lower(), *words] if words else []


_ARTICLES: Final = frozenset("a an the this that our your their my its".split())
