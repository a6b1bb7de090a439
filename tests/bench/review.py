"""Measure reviewing as a reviewer feels it, in one run:

    uv run python -m tests.bench.review                                  10 thousand candidates
    uv run python -m tests.bench.review --candidates 10000 1000000       and a million (some minutes, about 4 GB of disk)
    uv run python -m tests.bench.review --only keys --reading 2          one part alone

For every size, four in five claims wait and one in five holds. Prints: the time from a key to the first frame that shows
the next card, in a real browser; the server's time of a decision beside psycopg writing the same rows; every list of the
screens and the admin on its first page, deep down and searched, beside the bare SQL of the same rows; what a hundred open
screens cost that ask whether anything is new; and a session at reading speed, with the share of it that the tool took.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import whole
from tests.bench import desk, screens
from tests.bench.grow import grow
from tests.bench.pages import Api

PARTS = ("lists", "decisions", "polling", "keys", "session")
ACTIVE_EVERY = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", nargs="+", type=int, default=[10_000], help="how many wait, rising")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--keys", type=int, default=100, help="decisions by key")
    parser.add_argument("--reading", type=float, default=2.0, help="seconds a card is read in the session")
    parser.add_argument("--session", type=int, default=40, help="decisions of the session")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cs-bench-"))
    instance = whole.start(folder / "var", "--no-demo")
    try:
        have = 0
        Api(instance.url, instance.said["reviewer_token"])("POST", "/scopes", {"scope": "large", "tier": "project"})
        for size in sorted(options.candidates):
            claims = size * ACTIVE_EVERY // (ACTIVE_EVERY - 1)
            took = grow(instance.said["database_url"], "large", claims - have, active_every=ACTIVE_EVERY)
            have = claims
            print(f"\n{size:,} candidates, {claims - size:,} entities (grown in {took:.0f} s)", flush=True)
            for line in measured(instance, options):
                print(line, flush=True)
    finally:
        instance.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measured(instance: whole.Instance, options: argparse.Namespace) -> Iterator[str]:
    if "lists" in options.only:
        yield from screens.lists(instance, "large")
    if "decisions" in options.only:
        yield from screens.decisions(instance, "large")
    if "polling" in options.only:
        yield from screens.polling(instance, "large")
    if "keys" in options.only:
        yield from desk.keys(instance, "large", options.keys)
    if "session" in options.only:
        yield from desk.session(instance, "large", options.session, options.reading)


if __name__ == "__main__":
    sys.exit(main())
