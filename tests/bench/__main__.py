"""Measure Countersign beside what it stands on, in one run:

    uv run python -m tests.bench                          10 thousand claims
    uv run python -m tests.bench --claims 10000 1000000   and a million (some minutes and about 3 GB of disk)

Prints ratios: queue pages by API against the bare SQL of the same page; ingest and promote against psycopg writing the
same rows, with statements per item; the rules against markdown-it parsing the same text.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests import whole
from tests.bench import pages, writes
from tests.bench.grow import grow
from tests.extraction import bench_rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", nargs="+", type=int, default=[10_000], help="sizes of the large scope, rising")
    parser.add_argument("--skip-writes", action="store_true")
    parser.add_argument("--skip-rules", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cs-bench-"))
    instance = whole.start(folder / "var", "--no-demo")
    try:
        api = pages.Api(instance.url, instance.said["reviewer_token"])
        url = instance.said["database_url"]
        for scope in ("large", "small"):
            api("POST", "/scopes", {"scope": scope, "tier": "project"})
        grow(url, "small", 200)
        print(f"{'':<46} {'Countersign':>12} {'bare':>12} {'ratio':>8}")
        have = 0
        for size in sorted(options.claims):
            took = grow(url, "large", size - have)
            print(f"\n{size:,} claims (grown in {took:.0f} s)", flush=True)
            have = size
            for line in pages.measure(api, url, "large", depth=min(size // 2, 100_000)):
                print(line, flush=True)
            for line in pages.measure(api, url, "small", depth=0):
                print(line, flush=True)
            if not options.skip_writes:
                for line in writes.measure(instance, "large"):
                    print(line, flush=True)
        if not options.skip_rules:
            print("\nrules")
            bench_rules.main([])
    finally:
        instance.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
