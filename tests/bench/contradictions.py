"""How well two statements are told apart that cannot both be true, on pairs written without sight of the program:

    uv run python -m tests.bench.contradictions
    uv run python -m tests.bench.contradictions --set open --failing

    uv run python -m tests.bench.contradictions --kinds --lang en
    uv run python -m tests.bench.contradictions --file PAIRS.jsonl

The sets `open`, `second` (English, written later by another author), `third` (short norms and facts) and `fifth` (whole
sentences) may be read by whoever writes rules; `kept`, `fourth` (as `third`, of other things) and `sixth` (as `fifth`) are for
judging alone, and their failing pairs are never shown.
A row is a language: how many of the contradicting pairs are found, and how many of the found ones contradict. With `--kinds` a
row is a way in which two contradict or seem to. PAIRS are other people's, a
line each with `a`, `b` and `contradict`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ledger.language.contradiction import Statement, contradicts
from ledger.rules.reconcile import CHOICES

PAIRS = Path(__file__).parent.parent / "ledger" / "language" / "pairs"
OF_OTHERS: dict[str, str | bool] = {"id": "", "lang": "en", "kind": "decision", "why": ""}
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French"}


SETS = ("open", "second", "third", "fourth", "fifth", "sixth", "kept")
FOR_JUDGING = ("fourth", "sixth", "kept")


def pairs(name: str | Path) -> list[dict[str, str | bool]]:
    """One of our sets, or a file of others, whose pairs are decisions in English where they say nothing else."""
    file = name if isinstance(name, Path) else PAIRS / f"{name}.jsonl"
    return [OF_OTHERS | json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def judged(pair: dict[str, str | bool]) -> str:
    one, other = (Statement(side, str(pair[side]), names_choice=str(pair["kind"]) in CHOICES) for side in ("a", "b"))
    return contradicts(one, other)


def kinds(rows: Iterable[tuple[dict[str, str | bool], str]]) -> str:
    """By the way in which they contradict, or seem to: found of how many, and wrongly accused of how many."""
    counts = Counter((str(pair["why"]), bool(pair["contradict"]), bool(why)) for pair, why in rows)
    lines = ["| kind | found | wrongly |", "|---|---|---|"]
    for kind in sorted({kind for kind, _, _ in counts}):
        told = [
            f"{counts[kind, is_so, True]} of {counts[kind, is_so, True] + counts[kind, is_so, False]}"
            for is_so in (True, False)
        ]
        lines.append(f"| {kind} | {' | '.join('' if one == '0 of 0' else one for one in told)} |")
    return "\n".join(lines)


def table(rows: Iterable[tuple[dict[str, str | bool], str]]) -> str:
    """By language: pairs, recall, precision, and how many are missed or wrongly accused."""
    counts = Counter((str(pair["lang"]), bool(pair["contradict"]), bool(why)) for pair, why in rows)
    lines = ["| language | pairs | recall | precision | missed | wrongly |", "|---|---|---|---|---|---|"]
    for code, name in LANGUAGES.items():
        right, missed, wrong = (counts[code, *which] for which in ((True, True), (True, False), (False, True)))
        if not right + missed:
            continue
        every = sum(count for (lang, _, _), count in counts.items() if lang == code)
        recall, precision = right / (right + missed), right / (right + wrong) if right + wrong else 0.0
        lines.append(f"| {name} | {every} | {recall:.2f} | {precision:.2f} | {missed} | {wrong} |")
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--set", choices=SETS, action="append", help="all by default")
    asked.add_argument("--kinds", action="store_true", help="by the way in which they contradict")
    asked.add_argument("--lang", choices=LANGUAGES, help="one language only")
    asked.add_argument("--file", type=Path, help="pairs of other people, in English")
    asked.add_argument("--failing", action="store_true", help="the pairs of the open set that fail")
    options = asked.parse_args()
    for name in [options.file] if options.file else options.set or SETS:
        rows = [(pair, judged(pair)) for pair in pairs(name) if options.lang in (None, pair["lang"])]
        print(f"{name}\n\n{(kinds if options.kinds else table)(rows)}\n")
        for pair, why in rows if options.failing and name not in FOR_JUDGING else ():
            if bool(why) != pair["contradict"]:
                print(f"{pair['id']} {pair['why']}: {pair['a']} / {pair['b']} {why and f'({why})'}")


if __name__ == "__main__":
    main()
