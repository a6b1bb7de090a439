"""Words: how a text is cut into them, their rough stems, those that carry no subject, and the terms that are indexed."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Final

from ledger.language.scripts import RUNNING

WORD: Final = re.compile(r"[^\W_]+(?:[-.'][^\W_]+)*")

# They turn, bound, place or join what a sentence says: no subject, but no sentence means the same without them.
BINDING: Final = frozenset(
    "a about again all although am an and any are as at be because been being both but by can could did do does even every "
    "for from had has have he her him his i if in into is it its just may me might must my no nor not now of on only onto or "
    "same shall she should since some than that their them then these they this those to unless until up us was we were when "
    "which while who whom whose will with would you your".split()
)
_FILLING: Final = frozenset(
    "already also doing done each having here how let lets ok our own please so still such the there though too very what "
    "where why yes".split()
)
STOP_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "en": BINDING | _FILLING,
        "de": frozenset(
            "der die das den dem ein eine ist sind war wie was wo wer wann warum ich du wir ihr sie es und oder nicht".split()
        ),
        "es": frozenset("el la los las un una es son que como donde cuando quien por yo tu nosotros y o de en".split()),
    }
)

# Only words of at least four ASCII characters without a digit have a stem of their own.
_STEMMED: Final = re.compile(r"[ -/:-~]{4,}")
_ENDING: Final = re.compile(
    r"(?P<base>.{3,}?)(?P<ending>ations?|ingly|ments?|ings?|edly|ied|ies|ed|es|ly|s)(?<!ss)\Z",
)
_DOUBLED: Final = re.compile(r"(?<=..)([^aeiousl])\1\Z")
_LAST_E: Final = re.compile(r"(?<=...)e\Z")


_TOKEN: Final = re.compile(rf"{RUNNING}+|[^\W_]+(?:[-.'’][^\W_]+)*+")
_ASCII_TOKEN: Final = re.compile(r"[a-z0-9]+(?:[-.'][a-z0-9]+)*+")
_STARTS_RUN: Final = re.compile(RUNNING)
_PART: Final = re.compile(r"[-.'’]")
_MARKS: Final = re.compile(r"[\u0300-\u036f\u064b-\u0652\u0670\u0640]")
# Beyond this a token is no word that anybody would ask for.
MAX_WORD: Final = 60
_ARABIC_ENDS: Final = re.compile(
    r"^(?:[وف]?(?:[بك]?ال|لل)|و)(?=...)|(?<=...)(?:تنا|تها|تهم|ات|ان|ون|ين|ها|هم|نا|يه|ه|ي)$"
)
_ARABIC_LETTERS: Final = str.maketrans("أإآٱىةؤئ", "اااايهوي")
_CLITICS: Final = frozenset(
    "s t d m ll re ve don isn wasn didn doesn won couldn wouldn shouldn aren weren haven hasn".split()
)
# Forms that no rule of endings finds: each line is one word.
_IRREGULAR: Final = {
    form: forms.split()[0]
    for forms in """
        become became|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|buy bought
        catch caught|choose chose chosen|come came|cut cutting|deal dealt|dig dug|draw drew drawn|drink drank drunk
        drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
        forget forgot forgotten
        get got gotten getting|give gave given|go went gone goes going|grow grew grown|hang hung|hear heard|hide hid hidden
        hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent|lose lost|make made making|mean meant
        meet met|pay paid|ride rode ridden
        ring rang rung|rise rose risen|run ran running|say said|see saw seen|sell sold|send sent
        shake shook shaken|shoot shot|show shown
        sing sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|swim swam swum
        take took taken|teach taught|tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn
        win won|write wrote written|child children kid kids|person people|man men|woman women|foot feet|tooth teeth|mouse mice
        life lives|wife wives|knife knives|good better best|bad worse worst|photo photos photograph photographs picture pictures pic
        mother mom mum mommy mama|father dad daddy papa|grandmother grandma|grandfather grandpa|tv television|bike bicycle
    """.replace("\n", "|").split("|")
    for form in forms.split()
}  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A rough English stem, enough that `ships`, `shipped` and `shipping` meet. Short words and other scripts stay."""
    word = word.lower().removesuffix("'s").strip("'.-")
    if not _STEMMED.fullmatch(word):
        return word
    if cut := _ENDING.match(word):
        word = cut["base"] + ("y" if cut["ending"] in ("ied", "ies") else "")
    return _LAST_E.sub("", _DOUBLED.sub(r"\1", word))


def stems(words: Iterable[str]) -> set[str]:
    return set(map(stem, words))


def terms(text: str) -> list[str]:
    """What of a text is indexed and looked for, in its order, the repeated ones repeated: the roots of its words, and pairs of
    letters where no blank parts the words. Stop words are none."""
    plain = unicodedata.normalize("NFKC", text).lower()
    tokens = (_ASCII_TOKEN if plain.isascii() else _TOKEN).findall(plain)
    return list(chain.from_iterable(map(_terms_of, tokens)))


@lru_cache(maxsize=50_000)
def _terms_of(token: str) -> tuple[str, ...]:
    if _STARTS_RUN.match(token):
        return tuple(map(stem, map("".join, pairwise(token)))) or (stem(token),)
    parts = [part for part in _PART.split(token) if part not in _CLITICS]
    whole = [token] if len(parts) > 1 and any(map(str.isdigit, token)) else []
    return tuple(filter(None, map(stem, map(_plain, [*whole, *parts]))))


def _plain(word: str) -> str:
    """Without marks and endings of Arabic, and in its regular form; empty for what is no term."""
    word = _MARKS.sub("", unicodedata.normalize("NFKD", word)).translate(_ARABIC_LETTERS)
    if len(word) > MAX_WORD or word in STOP_WORDS["en"]:
        return ""
    return _IRREGULAR.get(word, _ARABIC_ENDS.sub("", word))


@lru_cache(maxsize=50_000)
def term_key(term: str) -> int:
    """Under which a term stands in the index: 32 bits, signed."""
    return int.from_bytes(blake2b(term.encode(), digest_size=4).digest(), signed=True)


def sender_key(term: str) -> int:
    """The same of a word in the name of a text's sender."""
    return term_key(f"from {term}")


def edit_distance(one: str, other: str, *, most: int) -> int:
    """Letters added, left out, changed, or two neighbours swapped (Damerau and Levenshtein, by optimal string alignment);
    `most + 1` where that is certain to be more than `most`."""
    before: list[int] = []
    above, row = before, list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, above, row = above, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and (a, b) == (other[j - 2], one[i - 2]):
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
