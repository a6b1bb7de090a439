"""Marked sentences of strangers' public files: where each stands, what it is and whose, without its text.

    uv run python -m extraction.training.gold CLONES

`gold/files.csv` lists the files: repository, commit, path, SHA-256 of the bytes, kind of document, the window `start:end` that was
read (code points), and how many sentences it holds; those without a mark are nothing. `gold/marks.csv` holds the marks: file,
`start:end`, kind (decision, action, constraint, preference), owner as written, `sure`, and `labelled` where a label or a heading
says it already. `gold/second.csv` holds the marks of a second reading of some files, blind to the first.

The texts come from clones below the folder CLONES: `git clone https://HOST/OWNER/NAME CLONES/OWNER+NAME`, with the commit in it.
Printed is what was read, by kind of document, how many files are at hand, and how well both readings agree (Cohen's kappa over
sentences: one reader read twice).
"""

import argparse
import csv
import hashlib
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from extraction.extractors.unlabelled.features import Manner, Sentence, sentences_of
from ledger.language.outline import mask_code, one_break

FOLDER: Final = Path(__file__).with_name("gold")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked sentence `start:end`; not `sure` where a careful reader may see it otherwise."""

    start: int
    end: int
    kind: str
    owner: str
    sure: bool
    labelled: bool

    def meets(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class GoldFile:
    """A file of a repository of which `start:end` was read whole."""

    number: str
    repository: str
    commit: str
    path: str
    sha256: str
    document: str
    start: int
    end: int
    sentences: int
    marks: tuple[Mark, ...]

    def text(self, clones: Path) -> str | None:
        """The file's text out of a clone; None where none is at hand. Raises ValueError for another text."""
        clone = clone_of(self.repository, clones)
        shown = clone and _git(clone, "show", f"{self.commit}:{self.path}")
        if not shown:
            return None
        if hashlib.sha256(shown).hexdigest() != self.sha256:
            raise ValueError(f"{self.repository} {self.path} is not the text that was read")
        return shown.decode()

    def sentences_in(self, text: str, manner: Manner | None = None) -> Iterator[Sentence]:
        """The sentences that were read; `manner` as for `sentences_of`."""
        for sentence in sentences_of(mask_code(one_break(text)), manner):
            if self.start <= sentence.piece.start and sentence.piece.end <= self.end:
                yield sentence

    def mark_at(self, start: int, end: int) -> Mark | None:
        return next((mark for mark in self.marks if mark.meets(start, end)), None)


def clone_of(repository: str, clones: Path) -> Path | None:
    folder = clones / repository.replace("/", "+")
    places = (folder / "repo" / ".git", folder / "repo", folder / ".git", folder)
    return next((place for place in places if (place / "HEAD").exists()), None)


def _git(clone: Path, *words: str) -> bytes:
    """What git prints; nothing where it fails."""
    return subprocess.run(["git", "-C", str(clone), *words], capture_output=True, check=False).stdout  # noqa: S603, S607


@cache
def gold_files(marks: str = "marks.csv") -> tuple[GoldFile, ...]:
    """Every file with its marks out of `marks`; of a second reading only the files that it read."""
    by_file: dict[str, list[Mark]] = {}
    for row in _rows(FOLDER / marks):
        found = by_file.setdefault(row["file"], [])
        if row["kind"]:
            sure, labelled = row["sure"] == "1", row["labelled"] == "1"
            found.append(Mark(int(row["start"]), int(row["end"]), row["kind"], row["owner"], sure, labelled))
    files = [_file(row, by_file.get(row["file"], [])) for row in _rows(FOLDER / "files.csv")]
    return tuple(files if marks == "marks.csv" else [file for file in files if file.number in by_file])


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _file(row: dict[str, str], marks: Sequence[Mark]) -> GoldFile:
    start, end, sentences = int(row["start"]), int(row["end"]), int(row["sentences"])
    place = (row["file"], row["repository"], row["commit"], row["path"], row["sha256"], row["document"])
    return GoldFile(*place, start, end, sentences, tuple(marks))


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa of two readings of the same sentences."""
    count = len(pairs)
    agreed = sum(one == other for one, other in pairs) / count
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum(first[name] * second[name] for name in first) / count**2
    return (agreed - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


def read_twice(clones: Path) -> list[tuple[str, str]]:
    """What each sentence of the second reading is by the first reading and by the second; `none` where nothing."""
    first = {file.number: file for file in gold_files()}
    pairs = []
    for again in gold_files("second.csv"):
        text = again.text(clones)
        for sentence in again.sentences_in(text) if text else ():
            at = (sentence.piece.start, sentence.piece.end)
            marks = (first[again.number].mark_at(*at), again.mark_at(*at))
            pairs.append((marks[0].kind if marks[0] else "none", marks[1].kind if marks[1] else "none"))
    return pairs


def _table(files: Iterable[GoldFile]) -> Iterator[dict[str, Any]]:
    by_document: dict[str, list[GoldFile]] = {}
    for file in files:
        by_document.setdefault(file.document, []).append(file)
    for document, group in sorted(by_document.items()):
        marks = [mark for file in group for mark in file.marks]
        yield {
            "document": document,
            "groups": len({file.repository for file in group}),
            "files": len(group),
            "sentences": sum(file.sentences for file in group),
            "marks": dict(Counter(mark.kind for mark in marks)),
            "sure": sum(mark.sure for mark in marks),
            "labelled": sum(mark.labelled for mark in marks),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    given = parser.parse_args()
    files = gold_files()
    for line in _table(files):
        print(line)
    print(len({file.repository for file in files}), "groups,", sum(file.sentences for file in files), "sentences")
    print(sum(file.text(given.clones) is not None for file in files), "of", len(files), "files at hand")
    pairs = read_twice(given.clones)
    if pairs:
        print(f"read twice: {len(pairs)} sentences, kappa {kappa(pairs):.3f}")


if __name__ == "__main__":
    main()
