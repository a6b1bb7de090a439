"""How well labelled chats of households are read, message by message and with nothing later in sight.

    uv run python -m tests.bench.households CHATS.jsonl HOUSEHOLDS.json [--usual] [--watched] [--predictions FILE]

`--usual` lets the household's weekly plan be known, as its confirmed events would make it known. `--watched`: behind the pack's
tripwire, as in a scope. `--predictions` writes one JSON line a message, for a scorer of the labels' own.
"""

import argparse
import json
import time
from pathlib import Path

from extraction.evaluation.household import evaluate_household, predictions, read_households
from extraction.training.readings import household_tripwire


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chats", type=Path)
    parser.add_argument("households", type=Path)
    parser.add_argument("--usual", action="store_true")
    parser.add_argument("--watched", action="store_true")
    parser.add_argument("--predictions", type=Path)
    chosen = parser.parse_args()
    tripwire = household_tripwire() if chosen.watched else None
    begun = time.perf_counter()
    figures = evaluate_household(chosen.chats, chosen.households, usual=chosen.usual, tripwire=tripwire)
    seconds = time.perf_counter() - begun
    for name, marked in figures.items():
        print(f"{name:24} {sum(marked) / len(marked):.3f}  {sum(marked)}/{len(marked)}")
    threads = [json.loads(line) for line in chosen.chats.read_text(encoding="utf-8").splitlines()]
    messages = sum(len(thread["messages"]) for thread in threads)
    print(f"{messages} messages, {1000 * seconds / messages:.2f} ms each")
    if chosen.predictions:
        homes = read_households(chosen.households)
        lines = [
            json.dumps(one, ensure_ascii=False)
            for thread in threads
            for one in predictions(thread, homes[thread["household"]], usual=chosen.usual, tripwire=tripwire)
        ]
        chosen.predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
