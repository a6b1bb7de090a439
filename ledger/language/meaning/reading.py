"""A German, Spanish or French statement as it is compared in other words: what it speaks of, whether it says or denies it, its
amounts and days."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ledger.language.fold import LEADING_LABEL, fold
from ledger.language.meaning.amounts import Amount, amounts_in
from ledger.language.meaning.vocabulary import MAX_READ, Language, Meaning, stem

_WORD: Final = re.compile(r"[^\W\d_]+(?:['~-][^\W\d_]+)*[+#]*|[^\W_]+(?:[.-][^\W_]+)*[+#]*")
_LABEL: Final = re.compile(LEADING_LABEL, re.I)
# A reason or an addition: said beside the statement, and compared with nothing.
_ASIDE: Final = re.compile(
    r"(?:\bweil\b|,? damit\b|,? denn\b|,? obwohl\b|, auch wenn\b|, sonst\b|, da \b|\bum (?:\w+ ){1,4}zu \w+"
    r"|\bporque\b|\bpara que\b|\bya que\b|\baunque\b|\bpuesto que\b|, pues\b"
    r"|\bparce que\b|\bpuisque\b|\bafin (?:de|que|d)\b|\bpour que\b|\bbien que\b|, car\b|\bmeme si\b)[^;]*"
)
_CONDITION: Final = re.compile(
    r"\b(?:wenn|falls|sofern|solange|sobald|ausser|bei (?:regen|schnee|frost|gutem|schlechtem|starkem|hitze|sturm)"
    r"|si|cuando|mientras|salvo|excepto|en caso de|s'ils?|quand|lorsqu\w*|tant que|sauf|en cas de)\b"
)
_END_OF_CLAUSE: Final = re.compile(r"[,;]")
# `sonst nirgends`, `sin excepción`: they deny nothing of what is said, and say that there is no other.
_NO_OTHER: Final = re.compile(
    r"\b(?:sonst (?:niemand|nirgends|nirgendwo|nichts)|(?:niemand|nirgendwo|nichts) (?:sonst|anderes|anderer)|ausnahmslos"
    r"|ohne ausnahme|nirgendwo anders|(?:y )?(?:nadie|nada|ninguna? otr[oa]|ningun otro) mas|(?:y )?en ningun otro \w+"
    r"|sin excepcion(?:es)?|(?:et )?(?:personne d'autre|nulle part ailleurs|rien d'autre)|sans (?:aucune )?exception)\b"
)
_ADDED_DENIAL: Final = re.compile(
    r",? ?\b(?:nicht einmal|nicht nur|no solo|ni siquiera|pas seulement|pas meme)\b[^,;.]*"
)
_INSTEAD: Final = re.compile(
    r"\b(?:statt|anstatt|anstelle (?:von|der|des)|en vez de|en lugar de|au lieu (?:de|d')|plutot qu(?:e(?: de)?|'))"
    r"\s+(?P<out>[^,;.()]{2,60})"
)
_WITHOUT: Final = re.compile(r"\b(?:ohne|sin|sans) (?:une? |eine?[nm]? |la |el |le |les )?(?P<out>[^\W\d_]+)")
_NOT_UNTIL: Final = re.compile(r"\bno (?:\w+ ){1,4}hasta\b|\bpas (?:\w+ ){0,3}avant\b|\bnicht (?:\w+ ){0,3}vor\b")
_RECURRING: Final = re.compile(r"\b(?:\w+tags|jede\w?|los|cada|todos|chaque|tous|le|am)\b")
_DETERMINERS: Final = frozenset(
    "der die das den dem ein eine einen im am zum zur beim vom "
    "el la los las un una al del le les une nos notre au aux du des".split()
)
_ENDS_AS_VERB: Final = {
    "es": re.compile(r"(?:[aei]r(?:se|lo|la|los|las)?|[aei]mos|ando|iendo)\Z"),
    "fr": re.compile(r"(?:er|ees?)\Z"),
    "de": re.compile(r"^(?:\w{0,4}ge\w{3,}(?:t|en)|\w{3,}ier(?:t|en))\Z"),
}
_ELIDED: Final = re.compile(r"^(?:[ldsnjmt]|qu)'(?=\w)")
# `Der Brunnen ist aus`, `… sein muss`.
PARTICLE: Final = re.compile(
    r"(?P<rest>\b(?:ist|sind|bleibt|bleiben|muss|mussen|soll|sollen|darf|durfen)\b.*?)\s(?P<state>an|aus|auf"
    r"|zu)(?=(?: sein| bleiben)?\W*\Z)"
)
STATES: Final = {"an": "eingeschaltet", "aus": "ausgeschaltet", "auf": "offen", "zu": "geschlossen"}
# What turns the whole sentence, whatever else it says.
_MODALS: Final = frozenset({"permit", "oblige"})
# Names of days and months that mean something else as well.
_MAY_BE_NO_DAY: Final = frozenset({"este", "passe", "ete", "manana"})
_BEFORE_A_DAY: Final = frozenset("l la por cet en".split())


@dataclass(frozen=True, slots=True)
class Term:
    """A word that carries a subject: `key` is one for all words of its meaning; `joins` where it is a verb or stands as one."""

    key: str
    root: str
    meanings: frozenset[str]
    joins: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """`denials` are how many words turn the whole; `modal` names permission or obligation; `days` what of the calendar it names;
    `condition` the keys of its if-clause; `excluded` what it does without; `alone` that there is no other; `opposites` and
    `upright` the meanings of which it says the one end and the other."""

    terms: tuple[Term, ...]
    denials: int
    modal: str
    amounts: tuple[Amount, ...]
    days: frozenset[tuple[str, int]]
    recurring: bool
    condition: frozenset[str]
    excluded: frozenset[str]
    alone: bool
    opposites: frozenset[str]
    upright: frozenset[str]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(term.key for term in self.terms)


@lru_cache(maxsize=4096)
def reading_of(statement: str, language: Language) -> Reading:
    """Never fails; at most the first 600 characters count."""
    text = fold(_LABEL.sub("", statement[:MAX_READ])).strip()
    plain = _ASIDE.sub(" ", text, count=1)
    text = plain if len(plain.split()) > 2 else text
    if language.code == "de":
        text = PARTICLE.sub(lambda found: f"{found['rest']} {STATES[found['state']]}", text)
    text = language.phrases.sub(lambda found: found[0].replace(" ", "~"), text)
    no_other = _NO_OTHER.search(text) is not None
    text = _ADDED_DENIAL.sub(" ", _NO_OTHER.sub(" ", text))
    text, excluded = _without_excluded(text, language)
    amounts = amounts_in(text, language)
    not_until = _NOT_UNTIL.search(text) is not None and not any(amount.bound for amount in amounts)
    main, condition = _split_condition(_blanked(text, amounts))
    words = _words_of(main, language)
    return Reading(
        terms=tuple({term.key: term for term in words.terms}.values()),
        denials=words.denials - not_until,
        modal=words.modal,
        amounts=tuple(amounts),
        days=frozenset(_days(text, language)),
        recurring=_RECURRING.search(text) is not None,
        condition=_condition_keys(condition, language),
        excluded=excluded,
        alone=no_other or not language.groups["alone"].isdisjoint(_WORD.findall(main)),
        opposites=frozenset(words.opposites),
        upright=frozenset(words.upright),
    )


def _without_excluded(text: str, language: Language) -> tuple[str, frozenset[str]]:
    left_out = [found["out"] for cue in (_WITHOUT, _INSTEAD) for found in cue.finditer(text)]
    keys = (term.key for part in left_out for term in _words_of(part, language).terms)
    return _INSTEAD.sub(" ", _WITHOUT.sub(" ", text)), frozenset(keys)


def _blanked(text: str, amounts: Iterable[Amount]) -> str:
    for amount in amounts:
        text = text[: amount.start] + " " * (amount.end - amount.start) + text[amount.end :]
    return text


def _split_condition(text: str) -> tuple[str, str]:
    """What is said, and under which condition."""
    found = _CONDITION.search(text)
    if not found:
        return text, ""
    end = _END_OF_CLAUSE.search(text, found.end())
    cut = end.start() if end else len(text)
    before, clause, after = text[: found.start()], text[found.start() : cut], text[cut + 1 :]
    return (f"{before} {after}", clause) if before.strip() or after.strip() else (text, "")


def _condition_keys(text: str, language: Language) -> frozenset[str]:
    """`if it freezes` and `if it does not freeze` are two."""
    words = _words_of(text, language)
    denied = {"not"} if (words.denials + len(words.opposites)) % 2 else set()
    return frozenset(denied.union(term.key for term in words.terms))


def _days(text: str, language: Language) -> Iterable[tuple[str, int]]:
    words = _WORD.findall(text)
    for before, word in zip(["", *words], words, strict=False):
        if word in language.calendar and (word not in _MAY_BE_NO_DAY or before in _BEFORE_A_DAY):
            yield language.calendar[word]


@dataclass(slots=True)
class _Words:
    """What the words of a part of a sentence say."""

    terms: list[Term] = field(default_factory=list)
    denials: int = 0
    modal: str = ""
    opposites: set[str] = field(default_factory=set)
    upright: set[str] = field(default_factory=set)

    def add_meanings(self, meanings: Sequence[Meaning]) -> None:
        for one in meanings:
            if one.name in _MODALS:
                self.modal = self.modal or one.name
                self.denials += one.opposite
            else:
                (self.opposites if one.opposite else self.upright).add(one.name)


def _words_of(text: str, language: Language) -> _Words:
    said = _Words()
    together = False  # `ne … pas`, `no … nunca` deny once
    before = ""
    for word in _WORD.findall(text):
        together = together or word in language.groups["together"]
        said.denials += word in language.groups["deny"]
        if word not in language.denials:
            _add_word(said, _ELIDED.sub("", word), before, language)
        before = word
    said.denials += together
    return said


def _add_word(said: _Words, word: str, before: str, language: Language) -> None:
    root = stem(word, language.code)
    meanings = language.meanings.get(root, ())
    if word not in language.words or any(one.verb for one in meanings[:1]):
        said.add_meanings(meanings)
    names = frozenset(one.name for one in meanings)
    if word in language.words or len(word) < 2 or names & _MODALS:
        return
    verb = any(one.verb for one in meanings) or _stands_as_verb(word, before, language)
    key = meanings[0].name if meanings else root
    said.terms.append(Term(key, root, names, joins=verb and before not in _DETERMINERS))


def _stands_as_verb(word: str, before: str, language: Language) -> bool:
    return before in language.groups["verbish"] or _ends_as_verb(word, before, language)


def _ends_as_verb(word: str, before: str, language: Language) -> bool:
    return before != "" and len(word) > 4 and _ENDS_AS_VERB[language.code].search(word) is not None
