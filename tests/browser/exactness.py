"""One text through all doors: sent, cited in many places, and its quotes read back from the API, the database and the page."""

import random
from typing import Any

import psycopg

from tests.browser.conftest import Desk

SHORT = 12
# Every row of evidence in one statement: `substr` counts code points from one.
WRONG = """
    SELECT e.id FROM ledger_evidence e JOIN ledger_source s ON s.id = e.source_id
    WHERE s.id = ANY(%s) AND (substr(s.text, e.start + 1, e."end" - e.start) <> e.quote
       OR e.quote_sha256 <> encode(sha256(convert_to(e.quote, 'UTF8')), 'hex')
       OR s.sha256 <> encode(sha256(convert_to(s.text, 'UTF8')), 'hex'))
"""
PIECES = """all => {
  const found = {};
  for (const mark of all) (found[mark.dataset.evidence] ??= []).push(mark.textContent);
  return found;
}"""


def ranges_of(text: str, most: int = 14) -> list[tuple[int, int]]:
    """The whole, both ends, every single character of a short text, and pieces that touch, nest and cross."""
    length = len(text)
    chosen = random.Random(text)  # noqa: S311 - the same text is always cut the same way
    found = {(0, length), (0, 1), (length - 1, length), (0, (length + 1) // 2), (length // 2, length)}
    if length <= SHORT:
        found |= {(at, at + 1) for at in range(length)}
    while len(found) < min(most, length * (length + 1) // 2):
        start = chosen.randrange(length)
        found.add((start, chosen.randint(start + 1, min(length, start + 60))))
    return sorted(found)


def send(desk: Desk, scope: str, texts: list[str], *, kind: str = "document") -> list[dict[str, Any]]:
    """Each text as a source of its own; what the API says the source is, is what was sent."""
    sources = []
    for first in range(0, len(texts), 100):
        items = [
            {"scope": scope, "kind": kind, "external_id": f"{kind}/{first + at}", "text": text, "extract": False}
            for at, text in enumerate(texts[first : first + 100])
        ]
        sources += [one["source"] for one in desk.api("POST", "/sources", {"sources": items})["results"]]
    for source, text in zip(sources, texts, strict=True):
        assert source["text"] == text, text
        told = "".join(text[part["start"] : part["end"]] for part in source["sections"])
        assert told == text, "the sections tile the text"
    return sources


def cite(desk: Desk, scope: str, source: dict[str, Any]) -> list[dict[str, Any]]:
    """A claim on every range; each quote that comes back is the source's own words."""
    text, pk = source["text"], source["id"]
    quotes = [{"source": pk, "quote": text[a:b], "start": a, "end": b} for a, b in ranges_of(text)]
    body = {"scope": scope, "kind": "fact", "statement": f"source {pk} says so", "evidence": quotes}
    desk.api("POST", "/candidates", body)
    rows: list[dict[str, Any]] = desk.api("GET", f"/sources/{pk}/evidence")["items"]
    assert {(row["start"], row["end"]) for row in rows} == set(ranges_of(text))
    for row in rows:
        assert text[row["start"] : row["end"]] == row["quote"], row
    return rows


def wrong_in_database(address: str, sources: list[dict[str, Any]]) -> list[int]:
    with psycopg.connect(address) as connection:
        return [row[0] for row in connection.execute(WRONG, [[source["id"] for source in sources]])]


def seen_in_browser(desk: Desk, source: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """The page's text is the source's, and the marks of each evidence together are its quote; one mark, unless two cross."""
    desk.page.goto(f"{desk.url}/sources/{source['id']}", wait_until="domcontentloaded")
    assert desk.page.eval_on_selector("#source-text", "e => e.textContent") == source["text"]
    lit = desk.page.eval_on_selector_all("#source-text mark[data-evidence]", PIECES)
    assert {int(pk): "".join(pieces) for pk, pieces in lit.items()} == {row["id"]: row["quote"] for row in rows}
    for row in rows:
        cut = any(a["start"] < row["start"] < a["end"] < row["end"] for a in rows)
        assert cut or len(lit[str(row["id"])]) == 1, row


def all_true(desk: Desk, address: str, scope: str, texts: list[str], *, kind: str = "document") -> int:
    """Through all three; how many quotes were compared."""
    sources = send(desk, scope, texts, kind=kind)
    compared = 0
    for source in sources:
        rows = cite(desk, scope, source)
        if kind == "document":  # the page of a message is made by the same lines
            seen_in_browser(desk, source, rows)
        compared += len(rows)
    assert wrong_in_database(address, sources) == []
    return compared
