"""The shipped rules over one text, as the tests read it."""

import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from extraction.extractors.documents import Hit, RuleSet, find_hits
from ledger.rules.sections import sections_of

PACKS = Path(__file__).resolve().parents[2] / "ledger" / "packs"
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@cache
def shipped() -> RuleSet:
    return RuleSet.from_packs(
        [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(PACKS.glob("*.toml"))]
    )


def read(text: str, *, kind: str = "document", sender_kind: str = "", sent_at: datetime | None = None) -> list[Hit]:
    """Hits of a text; each quote is checked against its offsets on the way."""
    speaker = sender_kind or ("document" if kind == "document" else "user")
    sections = sections_of(text, kind=kind, sender_kind=speaker)
    hits = find_hits(
        text, sections, shipped(), kind=kind, sent_at=sent_at, now=NOW
    )  # fmt: skip
    for hit in hits:
        span = hit.spans[0]
        words = text[span.start : span.end]
        assert words and words == words.strip()
        assert sections[span.section_index].start <= span.start < sections[span.section_index].end
    return hits


def quotes(text: str, hits: list[Hit]) -> list[str]:
    return [text[hit.spans[0].start : hit.spans[0].end] for hit in hits]


def decided(text: str, **how: str) -> list[tuple[str, str]]:
    """(kind, quote) of what was decided or is to be done."""
    hits = [hit for hit in read(text, **how) if hit.kind in ("decision", "action_item")]  # type: ignore[arg-type]
    return [(hit.kind, quote) for hit, quote in zip(hits, quotes(text, hits), strict=True)]
