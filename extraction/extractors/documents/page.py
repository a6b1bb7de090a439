"""A text as the rules read it: its words with code and quotations blanked, its headings, label lines, tables, people and sentences.
All offsets hold in the text itself."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extraction.extractors.documents.attendance import NOBODY, Attendance
from extraction.extractors.documents.grids import Grid, in_grids
from extraction.extractors.documents.pieces import Piece, pieces_of
from extraction.extractors.documents.ruleset import RuleSet
from ledger.language.outline import Heading, headings, mask_code, one_break
from ledger.language.own_words import mask_quoted, without_example_sections, without_examples


# Rules and learned reader ask for the same text one after the other.
@lru_cache(maxsize=2)
def own_words_of(text: str, kind: str) -> tuple[str, Sequence[Heading]]:
    """A text of this kind of source with code, quotations and examples blanked, and its headings."""
    shadow = without_examples(mask_quoted(mask_code(one_break(text)), kind))
    heads = tuple(headings(shadow))
    return without_example_sections(shadow, heads), heads


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A label at the head of a line. The words labelled start at `content`; the line stops at `line_end`.

    `kind` is empty for labels that propose or ask (`PROPOSED:`, `Poll:`). `marks` is the emphasis still open after the label.
    """

    kind: str
    label: str
    line_start: int
    line_end: int
    indent: int
    quote: str
    bullet: str
    content: int
    marks: str
    bracketed: bool
    owner: str
    speaker: str
    emphatic: bool
    done: bool = False


@dataclass(frozen=True, slots=True)
class TitledSection:
    """What stands under a heading whose title names a kind: where, and the form that it takes."""

    kind: str
    form: str
    start: int
    end: int
    # What is written below the list of a topic's conclusion are remarks on it; below a list of decisions the page goes on.
    concludes: bool = False
    # Under a heading of actions the title of a heading below it: whose they are, where it is somebody's name.
    owner: str = ""


@dataclass(frozen=True)
class Page:
    """One text with what every rule asks of it. `shadow` has the length and line breaks of `text`; `edges` are the places of
    its label lines and headings, ascending; `known` the nicknames that speak in it, case folded, where it has actions."""

    text: str
    shadow: str
    rules: RuleSet
    headings: Sequence[Heading]
    labels: Sequence[LabelLine]
    sections: Sequence[TitledSection]
    edges: Sequence[int]
    known: frozenset[str]
    # Labels that something else stands before on their line.
    midline: Sequence[LabelLine] = ()
    grids: Sequence[Grid] = ()
    people: Attendance = NOBODY

    @cached_property
    def plain(self) -> str:
        """Its words in lower case, of the same length: the one capital whose small form is longer is spelled without its dot."""
        return self.shadow.replace("İ", "I").lower()

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """Its sentences, in order."""
        return tuple(pieces_of(self.shadow, self.headings))

    def edge_after(self, at: int) -> int:
        """Where the next label line or heading after `at` begins, or the text ends."""
        following = bisect_right(self.edges, at)
        return self.edges[following] if following < len(self.edges) else len(self.shadow)

    def in_table(self, start: int, end: int) -> bool:
        """Whether a table stands in `start:end`, or this in a table."""
        return in_grids(self.grids, start, end)

    def labels_between(self, start: int, end: int) -> Iterator[LabelLine]:
        """The label lines that begin in `start:end`."""
        first = bisect_left(self.labels, start, key=_line_start)
        yield from self.labels[first : bisect_left(self.labels, end, lo=first, key=_line_start)]


def _line_start(line: LabelLine) -> int:
    return line.line_start
