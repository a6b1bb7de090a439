"""Scripts whose words a blank does not cut out: Chinese and Japanese run on, Korean and Arabic grow particles at their ends.

Their texts are indexed by pairs of letters, or without what Arabic grows; a question in them is cut into the pieces that say
what it is about.
"""

import re
import unicodedata
from typing import Final

_HAN: Final = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA: Final = "\u3041-\u309f"
_KATAKANA: Final = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
# Thai, Lao, Burmese and Khmer.
_UNSPACED_SOUTH: Final = "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u104f\u1780-\u17d3"
# Character classes for PostgreSQL and Python alike.
RUNNING: Final = f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_UNSPACED_SOUTH}]"
ARABIC: Final = "[\u0621-\u064a\u0671-\u06d3]"
INSIDE: Final = f"{RUNNING[:-1]}{ARABIC[1:]}"

_PIECE: Final = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<katakana>[{_KATAKANA}]+)|(?P<hiragana>[{_HIRAGANA}]+)|(?P<hangul>[{_HANGUL}]+)"
    f"|(?P<south>[{_UNSPACED_SOUTH}]+)|(?P<arabic>{ARABIC}+)"
)
_INSIDE: Final = re.compile(INSIDE)
# What asks, points or joins in Chinese says nothing about what is asked for.
_ASKING_HAN: Final = re.compile(
    "为什么|為什麼|怎么样|怎麼樣|什么|什麼|怎么|怎麼|怎样|如何|哪里|哪裡|哪儿|哪个|哪些|哪|谁|誰|多少|几点|何时|是否|有没有|请问|告诉|"
    "我们|我們|你们|你們|他们|他們|咱们|这里|這裡|那里|这个|那个|这些|那些|可以|应该|(?<!目)的|[是吗嗎呢吧]"
)
# The particles that Korean sets after a noun, longest first.
_JOSA: Final = re.compile(
    "(?<=..)(?:에서는|으로는|에게서|이라는|입니까|입니다|인가요|에서|에게|으로|까지|부터|처럼|보다|이나|이란|이다|하고|은|는|이|가|을|를|에|의|와|과|도|로|만|랑)$"
)
_DIACRITICS: Final = re.compile("[\u064b-\u0652\u0670\u0640]")
_ASKING_ARABIC: Final = frozenset(
    "ما ماذا من متى أين اين كيف كم هل لماذا هو هي في على عن إلى الى هذا هذه ذلك التي الذي".split()
)
# A longer run of Chinese is several words: nobody says where they are cut.
MAX_HAN_WORD: Final = 3
MAX_SOUTH_WORD: Final = 10


def holds_runs(word: str) -> bool:
    return _INSIDE.search(word) is not None


def spaced_words(word: str) -> list[str]:
    """The parts of a word in other scripts: `数据库PostgreSQL` holds `PostgreSQL`."""
    return [part for part in _PIECE.sub(" ", word).split() if part.isalnum()]


def pieces(text: str) -> list[str]:
    """What of a question is looked for inside runs, each once and in order.

    Of Japanese what stands in Kanji and Katakana, without the endings beside it; of Korean words without their particles;
    of a long run of Chinese each pair of letters.
    """
    text = unicodedata.normalize("NFKC", _DIACRITICS.sub("", text))
    runs = [(found.lastgroup, found[0]) for found in _PIECE.finditer(text)]
    full = [(script, word) for script, word in runs if script != "hiragana"] or runs
    return list(dict.fromkeys(piece for script, word in full for piece in _cut(script, word)))


def _cut(script: str | None, word: str) -> list[str]:
    if script == "han":
        return [piece for part in _ASKING_HAN.split(word) if part for piece in _pairs(part, MAX_HAN_WORD)]
    if script == "south":
        return _pairs(word, MAX_SOUTH_WORD)
    if script == "arabic":
        return [] if word in _ASKING_ARABIC else [word]
    return [_JOSA.sub("", word)]


def _pairs(word: str, longest: int) -> list[str]:
    return [word] if len(word) <= longest else [word[at : at + 2] for at in range(len(word) - 1)]
