"""What the tripwire costs: `uv run python -m tests.bench.tripwire` scores each message of our own chats in its thread.

No text is seen twice with the same words (a number is put behind each), so that nothing comes out of a cache; the context
is read anew with each message. One core, no database. `--slow` shows the slowest messages.
"""

import argparse
import json
from dataclasses import replace
from time import perf_counter_ns, process_time_ns

from extraction.chat.tripwire import score
from extraction.chat.tripwire.message_features import message_features
from extraction.training.chats import labelled_lines, training_chats
from extraction.training.readings import household_tripwire


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", type=int, default=0)
    given = parser.parse_args()
    began = perf_counter_ns()
    tripwire = household_tripwire()
    compiling_ms = (perf_counter_ns() - began) / 1e6
    rows = [row for part in ("tune", "held") for row in labelled_lines(training_chats(part))]
    took: list[tuple[int, str]] = []
    for number in range(given.rounds):
        for row in rows:
            message = replace(row.message, text=f"{row.message.text} x{number}")
            before = [replace(one, text=f"{one.text} x{number}") for one in row.before]
            message_features.cache_clear()
            start = process_time_ns()
            score(tripwire, message, before, row.people)
            took.append((process_time_ns() - start, message.text))
    took.sort()
    us = [one / 1000 for one, _ in took]
    figures = {
        "messages": len(took), "compile_ms": round(compiling_ms, 1), "p50_us": round(us[len(us) // 2], 1),
        "p99_us": round(us[int(len(us) * 0.99)], 1), "max_us": round(us[-1], 1), "mean_us": round(sum(us) / len(us), 1),
    }  # fmt: skip
    print(json.dumps(figures))
    for one, text in took[len(took) - given.slow :]:
        print(f"{one / 1000:8.1f} us  {text}")


if __name__ == "__main__":
    main()
