"""Megabytes a second of the rules beside markdown-it-py parsing the same text.

`uv run python tests/extraction/bench_rules.py [FILE…]`

Without files it reads prose and minutes made here. Both run in turns on the same text, and the best of three counts.
"""

import random
import sys
import time
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from markdown_it import MarkdownIt  # noqa: E402

from extraction.extractors.documents import RuleSet, find_hits  # noqa: E402
from ledger.rules.sections import sections_of  # noqa: E402

WORDS = "the pump holds water while a valve near our northern gate waits for someone who knows what it should do next".split()


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(6, 18))).capitalize() + "."


def prose(megabytes: float, labelled: bool) -> str:
    """Paragraphs under headings; in minutes every twelfth paragraph is a label line."""
    rng = random.Random(7)
    parts: list[str] = []
    size, at = 0, 0
    while size < megabytes * 1_000_000:
        at += 1
        if at % 15 == 0:
            part = f"## Part {at}"
        elif labelled and at % 12 == 0:
            part = f"**ACTION:** Rob to {sentence(rng).lower()}" if at % 24 else f"> RESOLUTION: {sentence(rng)}"
        elif labelled:
            part = f"**Ann:** {sentence(rng)}"
        else:
            part = " ".join(sentence(rng) for _ in range(5))
        parts.append(part)
        size += len(part) + 2
    return "\n\n".join(parts)


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def main(paths: list[str]) -> None:
    packs = [tomllib.loads(p.read_text(encoding="utf-8")) for p in sorted((ROOT / "ledger" / "packs").glob("*.toml"))]
    rules = RuleSet.from_packs(packs)
    texts = {path: Path(path).read_text(encoding="utf-8") for path in paths}
    if not texts:
        texts = {"prose": prose(1.0, labelled=False), "minutes": prose(1.0, labelled=True)}
    now = datetime(2026, 1, 1, tzinfo=UTC)
    parser = MarkdownIt()
    print(
        f"{'text':<20}{'MB':>8}{'hits':>7}{'rules MB/s':>12}{'sections MB/s':>15}{'markdown-it MB/s':>18}{'ratio':>7}"
    )
    for name, text in texts.items():
        size = len(text.encode()) / 1e6
        sections = sections_of(text, kind="document", sender_kind="document")
        arguments: dict[str, object] = {
            "kind": "document",
            "sent_at": None,
            "now": now,
        }
        hits = find_hits(text, sections, rules, **arguments)
        ours = best(
            lambda text=text, sections=sections, arguments=arguments: find_hits(text, sections, rules, **arguments)
        )
        split = best(lambda text=text: sections_of(text, kind="document", sender_kind="document"))
        theirs = best(lambda text=text: parser.parse(text))
        print(
            f"{Path(name).name[:19]:<20}{size:>8.2f}{len(hits):>7}{size / ours:>12.1f}{size / split:>15.1f}"
            f"{size / theirs:>18.1f}{theirs / ours:>7.1f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
