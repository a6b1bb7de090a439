"""What of a text is indexed and looked for: the roots of its words, and pairs of letters where no blank parts the words."""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

from ledger.language.scripts import RUNNING
from ledger.language.words import STOP_WORDS, stem

_TOKEN: Final = re.compile(rf"(?P<run>{RUNNING}+)|[^\W_]+(?:[-.'’][^\W_]+)*+")
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


def terms(text: str) -> list[str]:
    """The terms of a text in its order, the repeated ones repeated; stop words are none."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return [term for match in _TOKEN.finditer(plain) for term in _terms_of(match[0], run=match["run"] is not None)]


@lru_cache(maxsize=50_000)
def _terms_of(token: str, *, run: bool) -> tuple[str, ...]:
    if run:
        return tuple(map("".join, pairwise(token))) or (token,)
    parts = [part for part in _PART.split(token) if part not in _CLITICS]
    whole = [token] if len(parts) > 1 and any(map(str.isdigit, token)) else []
    return tuple(filter(None, map(_root, [*whole, *parts])))


def _root(word: str) -> str:
    """Empty for what is no term."""
    word = _MARKS.sub("", unicodedata.normalize("NFKD", word)).translate(_ARABIC_LETTERS)
    if len(word) > MAX_WORD or word in STOP_WORDS["en"]:
        return ""
    return stem(_IRREGULAR.get(word, _ARABIC_ENDS.sub("", word)))


@lru_cache(maxsize=50_000)
def term_key(term: str) -> int:
    """Under which a term stands in the index: 32 bits, signed."""
    return int.from_bytes(blake2b(term.encode(), digest_size=4).digest(), signed=True)


def sender_key(term: str) -> int:
    """The same of a word in the name of a text's sender."""
    return term_key(f"from {term}")
