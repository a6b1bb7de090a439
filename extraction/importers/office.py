"""Word and OpenDocument texts as Markdown: headings, lists and tables as such, all else as paragraphs. What is struck out by a
tracked change is gone, as it is for whoever opens the file; pictures, comments, headers and footers are left out."""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from extraction.importers.files import File
from extraction.importers.found import Found, Into
from extraction.importers.limits import MAX_BYTES, MAX_RATIO, SLACK_BYTES, TooMuch
from extraction.importers.texts import document, top_day

MAX_LEVEL: Final = 6
INDENT: Final = "  "
# OpenDocument repeats an empty cell thousands of times to the edge of the sheet.
MAX_COLUMNS: Final = 100
_NAMESPACE: Final = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE, TEXT, TABLE = (f"{{{_NAMESPACE}:{part}:1.0}}" for part in ("office", "text", "table"))
# What stands for a blank inside a paragraph, and what stands beside its words.
BLANKS: Final = frozenset({"s", "tab", "line-break"})
BESIDE: Final = frozenset({"note", "annotation", "change", "tracked-changes"})


def read_word(file: File, into: Into) -> Iterator[Found]:
    """A `.docx` file (Office Open XML), whole."""
    yield _read(file, into, _word_blocks)


def read_open_document(file: File, into: Into) -> Iterator[Found]:
    """An `.odt` file (OpenDocument), whole."""
    yield _read(file, into, _open_document_blocks)


def _read(file: File, into: Into, blocks_of: Callable[[io.BytesIO], Iterable[str]]) -> Found:
    packed = _checked(file)
    try:
        text = _joined(blocks_of(packed))
    except Exception as error:  # noqa: BLE001 - a damaged file makes the libraries raise nearly anything
        return file.skipped(f"a damaged {file.suffix.removeprefix('.')} file: {error}")
    return document(file, f"{text}\n" if text else "", top_day(text, file.path.name), into, empty="no text in it")


def _checked(file: File) -> io.BytesIO:
    """The file in memory, when it is a zip archive that does not unpack to far more than a text does."""
    with file.open() as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise TooMuch(f"larger than {MAX_BYTES // 1024**2} MiB")
    packed = io.BytesIO(raw)
    with zipfile.ZipFile(packed) as box:
        unpacked = sum(entry.file_size for entry in box.infolist() if entry.filename.endswith(".xml"))
    if unpacked > MAX_RATIO * len(raw) + SLACK_BYTES or unpacked > 4 * MAX_BYTES:
        raise TooMuch("it unpacks to far more than a text does")
    return packed


def _joined(blocks: Iterable[str]) -> str:
    """Blocks with a blank line between them, the items of one list without."""
    text, before = "", ""
    for block in filter(None, blocks):
        text += ("\n" if _is_item(before) and _is_item(block) else "\n\n") + block
        before = block
    return text.strip()


def _is_item(block: str) -> bool:
    return block.lstrip(" ").startswith("- ")


def _word_blocks(packed: io.BytesIO) -> Iterator[str]:
    from docx import Document  # noqa: PLC0415 - it takes a fifth of a second to load
    from docx.table import Table  # noqa: PLC0415

    for block in Document(packed).iter_inner_content():
        yield _word_table(block) if isinstance(block, Table) else _word_paragraph(block)


def _word_table(table: Any) -> str:
    """A merged cell stands once in its row."""
    rows = ({id(cell._tc): cell for cell in row.cells}.values() for row in table.rows)  # noqa: SLF001
    return _table([" ".join(_word_text(part) for part in cell.paragraphs) for cell in row] for row in rows)


def _word_paragraph(block: Any) -> str:
    style = (block.style.name if block.style is not None else "") or ""
    kind, _, number = style.rpartition(" ")
    text, numbering = _word_text(block), block._p.xpath("./w:pPr/w:numPr/w:ilvl/@w:val")  # noqa: SLF001
    if style == "Title" or (kind == "Heading" and number.isdigit()):
        return _heading(text, int(number) if number.isdigit() else 1)
    if numbering or style.startswith("List "):
        return _item(text, int(numbering[0]) if numbering else int(number) - 1 if number.isdigit() else 0)
    return _plain(text)


def _word_text(paragraph: Any) -> str:
    """Its words, those of links and tracked insertions too, which the library's own `text` leaves out."""
    parts = paragraph._p.xpath(".//w:t | .//w:tab[not(parent::w:tabs)] | .//w:br")  # noqa: SLF001
    return "".join(part.text or "" if part.tag.endswith("}t") else " " for part in parts)


def _open_document_blocks(packed: io.BytesIO) -> Iterator[str]:
    from lxml import etree  # noqa: PLC0415 - only who has such files needs it

    with zipfile.ZipFile(packed) as box:
        content = box.read("content.xml")
    tree = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    for text in tree.iterfind(f"{OFFICE}body/{OFFICE}text"):
        yield from _open_blocks(text, -1)


def _open_blocks(nodes: Iterable[Any], level: int) -> Iterator[str]:
    for node in nodes:
        match _local_name(node):
            case "h":
                yield _heading(_open_text(node), int(node.get(f"{TEXT}outline-level") or 1))
            case "p":
                yield _item(_open_text(node), level) if level >= 0 else _plain(_open_text(node))
            case "list":
                yield from _open_blocks(node, level + 1)
            case "list-item" | "list-header" | "section":
                yield from _open_blocks(node, level)
            case "table":
                yield _table(_open_rows(node))


def _open_rows(table: Any) -> Iterator[list[str]]:
    for row in table.iter(f"{TABLE}table-row"):
        yield [_open_text(cell) for cell in list(row.iterfind(f"{TABLE}table-cell"))[:MAX_COLUMNS]]


def _open_text(node: Any) -> str:
    """Its words; notes and comments inside are left out."""
    parts = [node.text or ""]
    for child in node:
        name = _local_name(child)
        parts.append(" " if name in BLANKS else "" if name in BESIDE else _open_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _local_name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2]


def _heading(text: str, level: int) -> str:
    words = _plain(text)
    return words and f"{'#' * min(max(level, 1), MAX_LEVEL)} {words}"


def _item(text: str, level: int) -> str:
    words = _plain(text)
    return words and f"{INDENT * level}- {words}"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _table(rows: Iterable[Sequence[str]]) -> str:
    """A pipe table; the first row is its head, as Markdown has no table without one."""
    lines = [[_plain(cell.replace("|", "\\|")) for cell in row] for row in rows]
    first, *rest = [line for line in lines if any(line)] or [[]]
    return "\n".join(f"| {' | '.join(line)} |" for line in (first, ["---"] * len(first), *rest)) if first else ""
