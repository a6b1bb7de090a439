"""Two sentences that pick different things for the same use. Pure; words are compared, not meanings."""

import re
from typing import Final

from ledger.language.normalise import normalise_statement
from ledger.language.polarity import Said, stem

_CHOOSING: Final = (
    r"(?:us(?:e|es|ed|ing)|chose|choos(?:e|es|ing)|adopt(?:s|ed|ing)?|pick(?:s|ed|ing)?|go(?:es|"
    r"ing)? with|switch(?:es|ed|ing)? to|"
    r"runs? on|deploy(?:s|ed)? (?:to|on)|host(?:s|ed)? on|writ(?:e|es|ten) (?:\w+ ){0,3}?in|"
    r"buil[dt]s? (?:in|with|on)|stor(?:e|es|ed) in|"
    r"migrat(?:e|es|ed|ing) to|standardi[sz]e on)"
)
_CHOICE: Final = re.compile(
    rf"\b{_CHOOSING}\s+(?:only\s+|the\s+|a\s+|an\s+)?(?P<name>[\w.+#-]+(?:\s[A-Z][\w.+#-]*)?)",
    re.I,
)


def other_choice(said: Said, held: Said) -> str:
    """Another name after the same verb, and all the rest alike: `use MySQL for storage` where it is PostgreSQL."""
    one, other = _CHOICE.search(said.words), _CHOICE.search(held.words)
    if not one or not other:
        return ""
    if not (one["name"][:1].isupper() and other["name"][:1].isupper()):
        return _choice_of_words(said, held)
    a, b = one["name"].casefold().strip("."), other["name"].casefold().strip(".")
    if _one_name(a, b):
        return ""
    names = {stem(w) for w in [*re.split(r"[\s]", one["name"]), *re.split(r"[\s]", other["name"])]}
    if not all(said.terms.get(stem(w), True) for w in a.split()) or not all(
        held.terms.get(stem(w), True) for w in b.split()
    ):
        return ""
    if {stem(w) for w in a.split()} & held.terms.keys() or {stem(w) for w in b.split()} & said.terms.keys():
        return ""
    rest_a, rest_b = said.terms.keys() - names, held.terms.keys() - names
    if not rest_b or not rest_b <= rest_a:
        return ""
    return f"says {one['name'].strip('.')} where it is {other['name'].strip('.')}"


def _one_name(a: str, b: str) -> bool:
    """`Postgres` and `PostgreSQL` name one thing."""
    return a in b or b in a or a[:4] == b[:4]


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


def _choice_of_words(said: Said, held: Said) -> str:
    """`use mysql for the ledger` where it is postgres: one word apart, and all the rest the same."""
    pair = _two_choices(said, held)
    if pair is None or not pair[0]["rest"] or not pair[1]["rest"]:
        return ""
    one, other = pair
    if one["how"].casefold() != other["how"].casefold() or not _same_use(one["rest"], other["rest"]):
        return ""
    return f"says {one['name'].strip('.')} where it is {other['name'].strip('.')}"


def rival_choice(said: Said, held: Said) -> str:
    """`use mysql` where `use postgres` was said of the same topic, for whoever knows that it is the same. Nothing where a
    sentence says more, or that it is for something beside the other (`let's also use redis`)."""
    if said.asks or held.asks or said.normal == held.normal or len(said.terms) != 1 or len(held.terms) != 1:
        return ""
    pair = _two_choices(said, held)
    if pair is None or pair[0]["rest"] or pair[1]["rest"]:
        return ""
    return f"says {pair[0]['name'].strip('.')} where it is {pair[1]['name'].strip('.')}"


def _two_choices(said: Said, held: Said) -> tuple[re.Match[str], re.Match[str]] | None:
    """Both sentences' choices, where each picks a single word with the same verb, stands by it, and is about nothing else."""
    one, other = _CHOICE_OF_WORDS.search(said.words), _CHOICE_OF_WORDS.search(held.words)
    asks = any(each.words.rstrip("\"' )").endswith("?") for each in (said, held))
    if not one or not other or said.conditions or held.conditions or asks:
        return None
    if stem(one["verb"].split()[0]) != stem(other["verb"].split()[0]):
        return None
    a, b = one["name"].casefold().strip("."), other["name"].casefold().strip(".")
    for name, mine, theirs in ((a, said, held), (b, held, said)):
        root = stem(name)
        # A word that carries no subject is no choice; what is denied is none; what both speak of is no other.
        if name in _NO_NAMES or not mine.terms.get(root, False) or root in theirs.terms or name[0].isdigit():
            return None
    if _one_name(a, b) or _BESIDE.search(said.words) or _BESIDE.search(held.words):
        return None
    return one, other


def _same_use(one: str, other: str) -> bool:
    """`for the ledger` and `for our ledger`: the same words but for articles."""
    a, b = ([word for word in normalise_statement(words).split() if word not in _ARTICLES] for words in (one, other))
    return bool(a) and a == b


_ARTICLES: Final = frozenset("a an the this that our your their my its".split())
