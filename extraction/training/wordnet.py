"""The lexicon of `ledger/language/aligned`, made of WordNet 3.0's own files:

    uv run python -m extraction.training.wordnet DICT

DICT is the folder of `data.noun`, `index.noun`, `cntlist.rev`, `noun.exc` … (Debian's package `wordnet-base` brings it). Of each
single word that the counted texts use the senses that make up a fair share of its uses are kept, with what they derive from and
what is opposed to them. The same files always give the same lexicon.
"""

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

LEXICON: Final = Path(__file__).parents[2] / "ledger" / "language" / "aligned" / "wordnet.txt.gz"
_FILES: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SORT_OF_KEY: Final = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_SINGLE: Final = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FORM: Final = re.compile(r"[a-z]+(?<!ied)(?<!ies)(?<!ing)")
# Of a word's first three senses those that were met, of all others those that make up so much of its uses.
FIRST, LEAST_SHARE = 3, 0.15


@dataclass(frozen=True, slots=True)
class _Sense:
    words: list[str]
    pointers: list[list[str]]


@dataclass(slots=True)
class _Row:
    uses: Counter[str] = field(default_factory=Counter)
    sorts: set[str] = field(default_factory=set)
    meanings: set[str] = field(default_factory=set)
    opposites: set[str] = field(default_factory=set)


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith(" "))


def _uses(folder: Path) -> Counter[tuple[str, str, int]]:
    uses: Counter[tuple[str, str, int]] = Counter()
    for line in _lines(folder / "cntlist.rev"):
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        uses[word, _SORT_OF_KEY[rest[0]], int(number)] += int(count)
    return uses


def _senses(folder: Path) -> Iterator[tuple[tuple[str, str], _Sense]]:
    for name, sort in _FILES.items():
        for line in _lines(folder / f"data.{name}"):
            parts = line.partition("|")[0].split()
            end = 4 + 2 * int(parts[3], 16)
            words = [re.sub(r"\(.*\)", "", word).lower() for word in parts[4:end:2]]
            pointers = [parts[at : at + 4] for at in range(end + 1, end + 1 + 4 * int(parts[end]), 4)]
            yield (sort, parts[0]), _Sense(words, pointers)


def _rows(folder: Path) -> dict[str, _Row]:
    uses, senses = _uses(folder), dict(_senses(folder))
    rows: dict[str, _Row] = defaultdict(_Row)
    for name, sort in _FILES.items():
        for line in _lines(folder / f"index.{name}"):
            word, _, count, *rest = line.split()
            if _SINGLE.fullmatch(word) and len(word) > 1:
                _read_word(rows[word], word, sort, rest[-int(count) :], uses, senses)
    return {word: row for word, row in rows.items() if row.uses.total() or row.opposites}


def _read_word(
    row: _Row, word: str, sort: str, places: list[str], uses: Mapping[tuple[str, str, int], int],
    senses: Mapping[tuple[str, str], _Sense],
) -> None:  # fmt: skip
    counts = [uses[word, sort, at] for at in range(1, len(places) + 1)]
    row.uses[sort] += sum(counts)
    row.sorts.add(sort)
    for at, (place, count) in enumerate(zip(places, counts, strict=True)):
        if at == 0 or (at < FIRST and count) or (count and count / sum(counts) >= LEAST_SHARE):
            row.meanings.add(sort + place)
            _read_pointers(row, word, senses[sort, place], senses)


def _read_pointers(row: _Row, word: str, sense: _Sense, senses: Mapping[tuple[str, str], _Sense]) -> None:
    own = sense.words.index(word) + 1
    for symbol, place, sort, ends in sense.pointers:
        if int(ends[:2], 16) != own:
            continue
        sort = "a" if sort == "s" else sort
        if symbol == "+":
            row.meanings.add(sort + place)
        elif symbol == "!":
            row.opposites.add(senses[sort, place].words[int(ends[2:], 16) - 1])


def _told(word: str, row: _Row, numbers: Mapping[str, int], rows: Mapping[str, _Row]) -> str:
    """Its sorts, the one of most uses first; the meanings that some other word has too; its opposites."""
    most = max("nvar", key=lambda sort: (row.uses[sort], sort in row.sorts))
    common = [sort for sort in "nvar" if sort in row.sorts and sort != most and row.uses[sort] * 4 >= row.uses.total()]
    meanings = sorted(numbers[one] for one in row.meanings if one in numbers)
    opposites = sorted(row.opposites & rows.keys())
    return "\t".join([word, most + "".join(common), " ".join(map(str, meanings)), " ".join(opposites)])


def _forms(folder: Path, rows: Mapping[str, _Row]) -> Iterator[str]:
    """Forms that no ending tells, but for those that are another word's plain form as well (`leaves`)."""
    for name in ("verb", "noun", "adj"):
        for line in _lines(folder / f"{name}.exc"):
            form, base, *_ = line.split()
            if base in rows and form != base and form[:-1] not in rows and _FORM.fullmatch(form):
                yield f"{form} {base}"


def lexicon(folder: Path) -> str:
    rows = dict(sorted(_rows(folder).items()))
    shared = Counter(one for row in rows.values() for one in row.meanings)
    numbers = {one: at for at, one in enumerate(sorted(one for one, count in shared.items() if count > 1))}
    words = [_told(word, row, numbers, rows) for word, row in rows.items()]
    return "\n".join([*words, "", *_forms(folder, rows), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="WordNet's files")
    LEXICON.write_bytes(gzip.compress(lexicon(parser.parse_args().folder).encode("ascii"), 9, mtime=0))


if __name__ == "__main__":
    main()
