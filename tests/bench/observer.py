"""What the observer says to families written as plain text (`tests/extraction/observer/families.py` tells the form).

uv run python -m tests.bench.observer tests/extraction/observer/families/*.txt [--show]
"""

import argparse
from pathlib import Path

from tests.extraction.observer.families import read_family
from tests.extraction.observer.reading import Outcome, said_in


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="every notice")
    given = parser.parse_args()
    every = Outcome()
    for path in given.files:
        family, outcome = read_family(path), Outcome()
        for thread in family.threads:
            said = said_in(family, thread)
            outcome.count(thread, said)
            every.count(thread, said)
            for one in said if given.show else ():
                print(f"  {thread.name} after {one.after + 1}: {one.rule}: {one.text}")
        print(path.stem, outcome)
    print("all", every)


if __name__ == "__main__":
    main()
