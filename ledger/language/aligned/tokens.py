"""The words of an English sentence that carry a subject, each with what stands around it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ledger.language.aligned.lexicon import base_of, entry, is_past_form
from ledger.language.aligned.times import is_time
from ledger.language.words import STOP_WORDS

# A hyphen joins a verb to its particle (`stand-up`); other parts are words of their own.
_TOKEN: Final = re.compile(r"[^\W_]+(?:-(?:up|off|in|on|out|by|over|time)\b)?(?:['.&/][^\W_]+)*[+#]*|[:=,]")
_CONTRACTED: Final = re.compile(r"'(?:s|re|ll|ve|d|m)\Z", re.I)
_DETERMINERS: Final = frozenset(
    "the a an our my your his her its their this that these those each every any no some all".split()
)
_AUXILIARIES: Final = frozenset(
    "is are was were be may must can will shall should could would has have had do does did might not never cannot".split()
)
_PREPOSITIONS: Final = frozenset(
    "in at on from by with to into onto for of over under behind through via before after during since until per within as near "
    "between above below against about without outside inside".split()
)
# What carries a plan, a degree or a denial, and no subject.
_LIGHT: Final = frozenset(
    "be have do get make take go come put set let give use need want will may can must shall should would could might allow permit "
    "require there here please only alone solely sole exclusively nowhere also too both either just still already now currently "
    "anymore longer ever once again apiece each every all any some other else one thing way able okay fine welcome mandatory "
    "compulsory obligatory necessary optional voluntary oblige due long along maximum minimum max min limit most least more less "
    "up than not no never nobody none nothing neither nor without cannot forbid prohibit ban avoid disallow off limits refrain "
    "refuse drop cancel skip abolish scrap discontinue case decision requirement constraint decide agree instead rather enough "
    "suffice everyone everybody everything o'clock away straight".split()
)


@dataclass(frozen=True)
class Word:
    """`after` is the preposition that leads to it, or `is` for a colon and any form of it; `lead` and `follow` stand right beside
    it; `ahead` where it only tells which of what follows; `first` where nothing stands before it."""

    said: str
    base: str
    place: int
    after: str
    lead: str
    follow: str
    ahead: bool
    first: bool

    @property
    def sorts(self) -> str:
        return entry(self.base).sorts

    @cached_property
    def is_verb(self) -> bool:
        """As far as its form and its neighbours tell."""
        if "v" not in self.sorts or self.is_name or self.lead in _DETERMINERS or self.follow in _AUXILIARIES:
            return False
        if self.said.endswith(("ing", "ed")):
            return True
        return self.sorts[0] == "v" and not self.said.endswith("er") and self.lead not in _PREPOSITIONS - {"to"}

    @property
    def is_noun(self) -> bool:
        return not self.is_name and self.sorts[:1] in ("n", "")

    @property
    def is_thing(self) -> bool:
        return not self.is_verb and self.sorts[:1] != "r"

    @cached_property
    def is_name(self) -> bool:
        """As written; at the beginning of a sentence where no dictionary has it."""
        return any(map(str.isdigit, self.said)) or (self.said[0].isupper() and not (self.first and self._is_known))

    @property
    def may_be_name(self) -> bool:
        return self.is_name or not self.sorts

    @property
    def _is_known(self) -> bool:
        return bool(self.sorts) or self.said.endswith("s")

    @property
    def is_past(self) -> bool:
        """`started` and `fell`, not `is started`."""
        denied = self.lead in ("being", "not") or self.lead.endswith("n't")
        return self.is_verb and not self.ahead and not denied and self.after != "is" and is_past_form(self.said.lower())


def words_in(text: str) -> Iterator[Word]:
    tokens = [(found[0].rstrip("."), found.start()) for found in _TOKEN.finditer(text)]
    after = ""
    for at, (token, place) in enumerate(tokens):
        after = _leading(token.lower(), after)
        if not _carries(token, place):
            continue
        lead = tokens[at - 1][0].lower() if at else ""
        follow = tokens[at + 1] if at + 1 < len(tokens) else ("", 0)
        base = base_of(_CONTRACTED.sub("", token.lower()).rstrip(".'"))
        yield Word(token, base, place, after, lead, follow[0].lower(), _tells_which(token, place, *follow), place == 0)
        if entry(base).sorts[:1] == "v" and not token[0].isupper():
            after = ""


def _leading(low: str, before: str) -> str:
    if low in (":", "=") or base_of(low) == "be":
        return "is"
    return low if low in _PREPOSITIONS else "" if low == "," else before


def _tells_which(token: str, place: int, follow: str, follow_place: int) -> bool:
    if follow.lower() in ("and", "or"):
        return True
    return follow != "" and follow_place - place - len(token) <= 1 and _carries(follow, follow_place)


def _carries(token: str, place: int) -> bool:
    """A name carries a subject, whatever else it means in lower case (`written in Go`)."""
    low = _CONTRACTED.sub("", token.lower())
    if not low or not low[0].isalnum() or "n't" in low or is_time(low):
        return False
    if token[0].isupper() and place and low not in STOP_WORDS["en"] - {"go"}:
        return True
    return low not in STOP_WORDS["en"] and low not in _PREPOSITIONS and base_of(low) not in _LIGHT
