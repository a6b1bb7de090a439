"""Word, OpenDocument and PDF files, made on the spot by the libraries that others write them with."""

import io
import zipfile
from pathlib import Path

import pytest
from docx import Document

from tests.extraction.importers.reading import put, read

MARKDOWN = """# Yard meeting 2026-03-05

Present: Ada, Ben

## Decisions

Decision: the gate is painted red.

- Ada buys the paint
  - two tins
- Ben paints

| Owner | Action |
| --- | --- |
| Ada | order \\| fetch hinges |
"""


def word() -> bytes:
    made = Document()
    made.add_heading("Yard meeting 2026-03-05", 1)
    made.add_paragraph("Present: Ada, Ben")
    made.add_heading("Decisions", 2)
    made.add_paragraph("Decision: the gate is painted red.")
    for words, style in (
        ("Ada buys the paint", "List Bullet"),
        ("two tins", "List Bullet 2"),
        ("Ben paints", "List Bullet"),
    ):
        made.add_paragraph(words, style)
    table = made.add_table(2, 2)
    for cell, words in zip(table._cells, ("Owner", "Action", "Ada", "order | fetch hinges"), strict=True):
        cell.text = words
    made.save(packed := io.BytesIO())
    return packed.getvalue()


def open_document() -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
    )
    rows = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell><text:p>{words}</text:p></table:table-cell>' for words in row)}"
        "</table:table-row>"
        for row in (("Owner", "Action"), ("Ada", "order | fetch hinges"))
    )
    body = f"""<office:document-content {spaces}><office:body><office:text>
        <text:h text:outline-level="1">Yard meeting 2026-03-05</text:h><text:p>Present: Ada,<text:s/>Ben</text:p>
        <text:h text:outline-level="2">Decisions</text:h>
        <text:p>Decision: <text:span>the gate</text:span> is painted
            red.<text:note><text:p>In 2027</text:p></text:note></text:p>
        <text:list><text:list-item><text:p>Ada buys the paint</text:p>
        <text:list><text:list-item><text:p>two tins</text:p></text:list-item></text:list></text:list-item>
        <text:list-item><text:p>Ben paints</text:p></text:list-item></text:list>
        <table:table>{rows}</table:table></office:text></office:body></office:document-content>"""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as box:
        box.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        box.writestr("content.xml", body)
    return packed.getvalue()


def pdf(*pages: str) -> bytes:
    """The least that a PDF needs: each line of a page shown under the one before."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    parts = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for at, page in enumerate(pages):
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in page.splitlines())
        stream = f"BT /F1 11 Tf 50 700 Td {shown}ET"
        parts.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * at} 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
        )
        parts.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    body = "%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += f"{number} 0 obj{part}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        f"{body}xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}"
        f"trailer<</Size {len(parts) + 1}/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF"
    ).encode("latin-1")


@pytest.mark.parametrize(("name", "made"), [("minutes.docx", word), ("minutes.odt", open_document)])
def test_headings_lists_and_tables_become_markdown(name: str, made: object, tmp_path: Path) -> None:
    assert callable(made)
    found = read(put(tmp_path / name, made()))
    one = found.texts[0]
    assert (one.text, one.title, one.external_id) == (MARKDOWN, name, name)
    assert one.sent_at is not None and one.sent_at.date().isoformat() == "2026-03-05"


def test_the_text_of_all_pages_with_its_lines_joined(tmp_path: Path) -> None:
    found = read(
        put(tmp_path / "minutes.pdf", pdf("Decision: the gate is\npainted red.\nAction: Ada to buy paint", "Page 2"))
    )
    assert found.texts[0].text == "Decision: the gate is painted red.\n\nAction: Ada to buy paint\n\nPage 2\n"
    scan = read(put(tmp_path / "scan.pdf", pdf("")))
    assert not scan.texts and "OCR" in scan.skipped["scan.pdf"]


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.pdf"])
@pytest.mark.parametrize("raw", [b"", b"no archive", b"PK\x03\x04 cut off", b"%PDF-1.7 cut off"])
def test_damaged_files_are_told_and_nothing_else_is_lost(name: str, raw: bytes, tmp_path: Path) -> None:
    put(tmp_path / "d" / name, raw)
    put(tmp_path / "d" / "b.md", "Decision: keep it\n")
    found = read(tmp_path / "d")
    assert [one.title for one in found.texts] == ["b.md"] and list(found.skipped) == [f"d/{name}"]


def test_an_archive_that_unpacks_to_far_more_than_a_text_is_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr("word/document.xml", b" " * 80_000_000)
    found = read(put(tmp_path / "bomb.docx", packed.getvalue()))
    assert not found.texts and "far more" in found.skipped["bomb.docx"]
