"""PDF files that hold text. A PDF knows letters and places only: what is larger than most is read as a heading, what begins with a
bullet or is set in as an item of a list, and a line that was broken for the page's width is joined with the next. A scan holds no
text: it is told, and not guessed at."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from extraction.importers.files import File
from extraction.importers.found import Found, Into
from extraction.importers.limits import MAX_BYTES, TooMuch
from extraction.importers.texts import document, top_day

SCAN: Final = "no text in it: a scan has to be read by an OCR program first"
MAX_PAGES: Final = 5_000
BULLETS: Final = "•◦▪‣●○■–*·"
# A heading's letters are so much taller than those of most text, and it is no paragraph.
TALLER: Final = 1.15
MAX_HEADING: Final = 150
MAX_LEVEL: Final = 6
# Where so many letters' lines begin, the text may begin.
MARGIN_SHARE: Final = 0.1
# Between two paragraphs stands more than this share of a line's height.
PARAGRAPH_GAP: Final = 0.6


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page with its place in points, from the lower left corner."""

    words: str
    page: int
    left: float
    right: float
    bottom: float
    top: float

    @property
    def height(self) -> float:
        return round(self.top - self.bottom, 1)

    @property
    def first_word(self) -> float:
        """How wide its first word is, about."""
        return (self.right - self.left) * len(self.words.split()[0]) / len(self.words)


def read(file: File, into: Into) -> Iterator[Found]:
    """The text of all pages as Markdown."""
    with file.open() as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise TooMuch(f"larger than {MAX_BYTES // 1024**2} MiB")
    try:
        lines = _lines(raw)
    except Exception as error:  # noqa: BLE001 - a damaged file makes the library raise nearly anything
        yield file.skipped(f"a damaged or locked PDF file: {error}")
        return
    text = _markdown(lines)
    yield document(file, text, top_day(text, file.path.name), into, empty=SCAN)


def _lines(raw: bytes) -> list[_Line]:
    import pypdfium2  # noqa: PLC0415 - only who has such files needs it

    pdf = pypdfium2.PdfDocument(raw)
    try:
        return [line for at in range(min(len(pdf), MAX_PAGES)) for line in _lines_of(pdf[at], at)]
    finally:
        pdf.close()


def _lines_of(page: Any, number: int) -> Iterator[_Line]:
    """A character's box is asked for by its place in the page's text, where every line ends with two characters."""
    shown = page.get_textpage()
    start = 0
    for line in shown.get_text_range().replace("\0", " ").split("\r\n"):
        visible = [start + at for at, char in enumerate(line) if not char.isspace()]
        start += len(line) + 2
        if visible:
            left, bottom, _, top = shown.get_charbox(visible[0], loose=True)
            right = shown.get_charbox(visible[-1], loose=True)[2]
            yield _Line(" ".join(line.split()), number, left, right, bottom, top)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a file is set: how tall most letters are, where text begins, how far it reaches, and how tall its headings are."""

    usual: float
    margin: float
    edge: float
    headings: tuple[float, ...]

    @classmethod
    def of(cls, lines: Sequence[_Line]) -> "_Layout":
        usual = _letters_by({line: line.height for line in lines}).most_common(1)[0][0]
        begun = _letters_by({line: round(line.left) for line in lines if line.height == usual})
        often = [left for left, letters in begun.items() if letters >= MARGIN_SHARE * begun.total()]
        taller = {line.height for line in lines if line.height > TALLER * usual}
        return cls(usual, min(often or begun), max(line.right for line in lines), tuple(sorted(taller, reverse=True)))

    def level(self, line: _Line) -> int:
        """Of a heading from 1, of all else 0."""
        return (
            self.headings.index(line.height) + 1
            if line.height in self.headings and len(line.words) <= MAX_HEADING
            else 0
        )

    def set_in(self, line: _Line) -> bool:
        return line.left > self.margin + self.usual


def _markdown(lines: Sequence[_Line]) -> str:
    if not lines:
        return ""
    layout = _Layout.of(lines)
    text = before = _block(lines[0], layout)
    for line, following in pairwise(lines):
        if _goes_on(line, following, layout.edge):
            text += f" {following.words}"
            continue
        block = _block(following, layout)
        text += ("\n" if _is_item(block) and _is_item(before) else "\n\n") + block
        before = block
    return text + "\n"


def _letters_by(values: dict[_Line, float]) -> Counter[float]:
    """How many letters stand in lines of each value."""
    letters: Counter[float] = Counter()
    for line, value in values.items():
        letters[value] += len(line.words)
    return letters


def _goes_on(line: _Line, following: _Line, edge: float) -> bool:
    """Whether the following line's first word did not fit any more."""
    if following.words[0] in BULLETS or line.height != following.height:
        return False
    if line.page == following.page:
        near = line.bottom - following.top < PARAGRAPH_GAP * line.height
    else:
        near = following.words[0].islower()
    return near and line.right + following.first_word > edge


def _block(line: _Line, layout: _Layout) -> str:
    if level := layout.level(line):
        return f"{'#' * min(level, MAX_LEVEL)} {line.words}"
    words = line.words.lstrip(BULLETS).strip() if line.words[0] in BULLETS else line.words
    return f"- {words}" if words != line.words or (layout.set_in(line) and not words[0].isdigit()) else words


def _is_item(block: str) -> bool:
    return block.startswith("- ")
