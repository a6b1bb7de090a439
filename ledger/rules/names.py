"""How somebody's names are looked for in texts. Pure: names in, PostgreSQL patterns out.

A name of one short word is an ordinary word in other texts (Will, May, Mark): it counts as it is written only. A longer one,
one of several words or with a digit counts in any case. A short alias (Dad, Coach) is anybody's: it is only told.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

TELLING_LENGTH = 7
# From here on scripts are written without blanks between words, or nearly.
NO_BOUNDARIES = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class NamePatterns:
    """Patterns of PostgreSQL's, for whole words: `any_case`, `exact`, and `doubtful` (exact too, of short aliases)."""

    any_case: tuple[str, ...]
    exact: tuple[str, ...]
    doubtful: tuple[str, ...]


def patterns_of(names: Iterable[str], aliases: Iterable[str] = ()) -> NamePatterns:
    """The patterns of somebody's names, and of what else they are called."""
    full, others = _clean(names), _clean(aliases)
    telling = {name for name in full | others if is_telling(name)}
    return NamePatterns(
        tuple(map(pattern_of, sorted(telling))),
        tuple(map(pattern_of, sorted(full - telling))),
        tuple(map(pattern_of, sorted(others - full - telling))),
    )


def is_telling(name: str) -> bool:
    """Whether hardly anything else is written like this, in whatever case."""
    return len(name) >= TELLING_LENGTH or len(name.split()) > 1 or any(letter.isdigit() for letter in name)


def pattern_of(name: str) -> str:
    """For the whole name: at an end that is a letter or a digit no other follows, but in scripts that set no blanks."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return _edge(name[0]) + words + _edge(name[-1])


def _edge(letter: str) -> str:
    return r"\y" if letter.isalnum() and not NO_BOUNDARIES.match(letter) else ""


def _clean(names: Iterable[str]) -> set[str]:
    return {name.strip() for name in names} - {""}
