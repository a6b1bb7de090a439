"""How well two statements are told apart that cannot both be true, on pairs written without sight of the program:

    uv run python -m tests.bench.contradictions
    uv run python -m tests.bench.contradictions --set open --failing

The set `open` may be read by whoever writes rules; `kept` is for judging alone, and its failing pairs are never shown. A row is a
language: how many of the contradicting pairs are found, and how many of the found ones contradict.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ledger.language.contradiction import Statement, contradicts
from ledger.rules.reconcile import CHOICES

PAIRS = Path(__file__).parent.parent / "ledger" / "language" / "pairs"
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French"}


def pairs(name: str) -> list[dict[str, str | bool]]:
    return [json.loads(line) for line in (PAIRS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def judged(pair: dict[str, str | bool]) -> str:
    one, other = (Statement(side, str(pair[side]), names_choice=str(pair["kind"]) in CHOICES) for side in ("a", "b"))
    return contradicts(one, other)


def table(rows: Iterable[tuple[dict[str, str | bool], str]]) -> str:
    """By language: pairs, recall, precision, and how many are missed or wrongly accused."""
    counts = Counter((str(pair["lang"]), bool(pair["contradict"]), bool(why)) for pair, why in rows)
    lines = ["| language | pairs | recall | precision | missed | wrongly |", "|---|---|---|---|---|---|"]
    for code, name in LANGUAGES.items():
        right, missed, wrong = (counts[code, *which] for which in ((True, True), (True, False), (False, True)))
        every = sum(count for (lang, _, _), count in counts.items() if lang == code)
        recall, precision = right / (right + missed), right / (right + wrong) if right + wrong else 0.0
        lines.append(f"| {name} | {every} | {recall:.2f} | {precision:.2f} | {missed} | {wrong} |")
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--set", choices=("open", "kept"), action="append", help="both by default")
    asked.add_argument("--failing", action="store_true", help="the pairs of the open set that fail")
    options = asked.parse_args()
    for name in options.set or ("open", "kept"):
        rows = [(pair, judged(pair)) for pair in pairs(name)]
        print(f"{name}\n\n{table(rows)}\n")
        for pair, why in rows if options.failing and name == "open" else ():
            if bool(why) != pair["contradict"]:
                print(f"{pair['id']} {pair['why']}: {pair['a']} / {pair['b']} {why and f'({why})'}")


if __name__ == "__main__":
    main()
