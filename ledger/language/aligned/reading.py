"""An English statement as it is aligned with another: its words, its amounts and times, how often it denies, and how it says it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.language.aligned.moments import moments
from ledger.language.aligned.times import edges_in, times_in
from ledger.language.aligned.tokens import Word, words_in
from ledger.language.fold import LEADING_LABEL, fold, strip_markup
from ledger.language.measures import Measure
from ledger.language.polarity import numbers_a_thing

MAX_READ: Final = 400
# What a sentence is prefixed by or adds as a reason, an aside, a contrast: it says the same without.
_BESIDE: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        LEADING_LABEL,
        r"\A(?:after|given|because|since|considering|following) [^,]{8,90}, (?=\w+ \w+)",
        r",? ?\b(?:without exception|no exceptions)\b|\([^()]*\)|;.*|,\s*(?:please|not even)\b.*",
        r"[,;]?\s*\b(?:because|so that|in order to|due to|given that|thanks to|or else"
        r"|since (?=\w+ (?:is|are|was|were|has|have|can|need|depend|want)\b)"
        r"|as (?=(?:it|they|we|the|he|she|there|that|this|our)\b))\b.*",
    )
)
_INSTEAD: Final = re.compile(
    r",?\s*\b(?:(?:rather than|instead of|in place of|as opposed to) [^,;.]{2,50}"
    r"|not (?:(?:a|an|the|in|on|at|by|with|from) )*[A-Z][\w.+#'-]*(?: [A-Z][\w.+#-]*)*)(?=[.,;!]|\Z)"
)
_DENIES: Final = re.compile(
    r"\b(?:(?:\w+n't|cannot|not|never|neither|nor|nobody|no one|none|nothing|no longer|without)\b"
    r"(?! (?:only|just|merely|necessarily|until)\b)"
    r"|no(?= [a-z])|(?:avoid(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|disallow(?:s|ed)?|off[- ]limits"
    r"|refrain(?:s|ed)?|optional|voluntary|refus(?:e|es|ed)|cancel\w*|abolish\w*|discontinu\w+)\b"
    r"|(?:\A\W*|\b(?:we|to|will|be|shall|must) )(?:drop|skip|scrap)(?:ped)?\b(?! (?:in|into|on|onto|over|off|from|to|by|below)\b))",
    re.I,
)
# `we do not ship until June` says when we ship.
_NOT_UNTIL: Final = re.compile(
    r"\b(?:do|does|is|are|will|shall|must|may|can)(?:n't| not|not) (?P<kept>(?:\w+ ){1,6}(?:until|before) )", re.I
)
# What is denied there denies nothing of what is said: `when nobody is there`.
_WHEN_CLAUSE: Final = re.compile(r"(?<=\w)\s(?:when|whenever|while|if)\s.*", re.I)
# `stays on overnight`, `is off by default`; not `is on Monday`.
_ON_OR_OFF: Final = re.compile(
    r"(?P<before>\b(?:is|are|be|been|stays?|remains?|turn(?:s|ed)?|switch(?:es|ed)?|left|leaves?|keeps?|kept)\s(?:[\w-]+\s){0,4}?)"
    r"(?P<state>on|off)(?=[.,;!]|\Z|\s(?:by|at|in|over|all|when|if|during|every|for|from|until|after|before|always|overnight"
    r"|permanently|automatically)\b)",
    re.I,
)
# How a sentence says what it says.
_CUES: Final = {
    name: re.compile(rf"\b(?:{words})\b", 0 if name == "own" else re.I)
    for name, words in {
        "condition": r"if|unless|when|whenever|while|as long as|in case|provided|except|until|once|only (?:if|when)",
        "part": r"some|sometimes|most|few|many|several|either|not all|not every|hardly|rarely|seldom|often",
        "attitude": r"hop\w+|tr(?:y|ies|ied|ying) to|wish\w*|think\w*|thought|believ\w+|sa(?:y|ys|id)|claim\w*|consider\w*"
        r"|propos\w+|suggest\w*|ask\w*|wonder\w*|doubt\w*|discuss\w*|pretend\w*|fear\w*|expect\w*",
        "spared": r"(?:need|needn't|not(?: \w+)?|n't(?: \w+)?) (?:not|need|required|obliged|mandatory|necessary|compulsory|have to)"
        r"|optional|voluntary|unnecessary|no need|needs? no",
        "leave": r"may|can|could|might|allow(?:s|ed)?|permit(?:s|ted)?|free to",
        "exception": r"notwithstanding|subject to|consent|approval|permission|pursuant to|in accordance with|solely"
        r"|not to exceed|up to",
        "own": r"I|my|mine|me",
        "past": r"was|were|had|did|used to|yesterday|last (?:year|month|week|winter|summer|spring|autumn)|ago",
        "only": r"only|solely|exclusively|alone|nowhere else|nobody else|sole",
        # `nobody … without it`: whoever does has it.
        "twice": r"(?:nobody|no one|never|no|not)\b.*\bwithout",
    }.items()
}
_ALL: Final = re.compile(
    r"\b(?:every|each|all|always|any|everyone|everybody|everything|without exception|no exceptions)\b", re.I
)


@dataclass(frozen=True, slots=True)
class EnglishReading:
    """`said` is the sentence without what it adds, `denials` how many words of it deny, `says` how it says it: by the names of
    `_CUES`, and `all`. `preferred` is what it prefers, and to what."""

    said: str
    words: tuple[Word, ...]
    amounts: tuple[Measure, ...]
    denials: int
    says: frozenset[str]
    times: frozenset[tuple[str, str]]
    edges: frozenset[str]
    preferred: tuple[str, str] | None

    @property
    def denies(self) -> bool:
        return self.denials % 2 == 1

    @property
    def tells(self) -> bool:
        """Whether some verb tells what happened."""
        return any(word.is_past for word in self.words)


@lru_cache(maxsize=4096)
def reading_of(statement: str) -> EnglishReading:
    """Never fails; at most the first 400 characters count."""
    text = strip_markup(fold(statement[:MAX_READ], keep_accents=True, keep_case=True))
    of_all = {"all"} if _ALL.search(text) else set[str]()
    for beside in _BESIDE:
        text = beside.sub(" ", text).strip()
    text = _ON_OR_OFF.sub(
        lambda found: found["before"] + {"on": "enabled", "off": "disabled"}[found["state"].lower()], text
    )
    preferred = _preference(text)
    text = _NOT_UNTIL.sub(r"\g<kept>", _INSTEAD.sub(" ", text))
    amounts = [one for one in moments(text) if not _names_a_thing(text, one)]
    plain = text
    for amount in amounts:
        plain = plain[: amount.start] + " " * (amount.end - amount.start) + plain[amount.end :]
    return EnglishReading(
        said=text,
        words=tuple(words_in(plain)),
        amounts=tuple(amounts),
        denials=len(_DENIES.findall(_WHEN_CLAUSE.sub(" ", plain))),
        says=frozenset(of_all.union(name for name, cue in _CUES.items() if cue.search(plain))),
        times=frozenset(times_in(text)),
        edges=frozenset(edges_in(text)),
        preferred=preferred,
    )


def _names_a_thing(text: str, one: Measure) -> bool:
    return numbers_a_thing(text, one) or text[one.start - 1 : one.start] == "/"


_WORDS: Final = r"[\w' +#.-]{2,40}?"
_PREFERENCES: Final = tuple(
    re.compile(pattern + r"(?=[.,;!]|\s(?:for|in|on|at|when|if|because|as)\b|\Z)", re.I)
    for pattern in (
        rf"\b(?:prefers?|favou?rs?|choose|chooses|pick|picks) (?P<yes>{_WORDS}) (?:to|over) (?P<no>{_WORDS})",
        rf"\b(?:like|likes) (?P<yes>{_WORDS}) (?:better|more) than (?P<no>{_WORDS})",
        rf"\b(?:rather|sooner) (?:have|use|take|eat|drink|go by|work with)? ?(?P<yes>{_WORDS}) than (?P<no>{_WORDS})",
        rf"\A(?P<yes>{_WORDS}) (?:is|are) (?:preferred|favou?red)(?: by [\w ]{{2,30}}?)? (?:to|over) (?P<no>{_WORDS})",
        rf"\b(?P<yes>{_WORDS}) (?:rather than|instead of|in preference to) (?P<no>{_WORDS})",
    )
)


def _preference(text: str) -> tuple[str, str] | None:
    found = next(filter(None, (pattern.search(text) for pattern in _PREFERENCES)), None)
    return (found["yes"], found["no"]) if found else None
