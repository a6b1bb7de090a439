"""Ask an `up` of its own what schemathesis makes of the API's document, examples, edges, random calls and chains of calls:

    uv run python -m tests.conformance --calls 10000

Goes on in slices, each with a seed of its own, until so many calls were made, and tells what answered 5xx, with a status that the
document has not, or not in the shape that it promises. Exits 1 where anything did. uv fetches schemathesis for the run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests import whole

PROGRAM = ("uvx", "--from", "schemathesis==4.32.5", "st", "run")
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
)  # fmt: skip
# Whoever asks would lose the right to; waiting for what does not come is no call.
LEFT_OUT = ("/api/v1/scope/members/{username}",)
TIMEOUT_S = 120


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slice-s", type=int, default=600)
    options = parser.parse_args()
    calls, found, seed = 0, Counter[str](), options.seed
    with tempfile.TemporaryDirectory(prefix="cs-conformance-") as folder:
        instance = whole.start(Path(folder) / "var")
        try:
            while calls < options.calls:
                report = asked(instance, Path(folder) / f"{seed}.json", seed, options.slice_s)
                made = report["test_cases"]["generated"]
                if not made:
                    print(f"nothing could be asked: {report['errors']}")
                    return 1
                calls += made
                found.update(map(described, report["failures"]))
                print(f"seed {seed}: {made} calls, {calls} in all, {found.total()} faults", flush=True)
                seed += 1
        finally:
            instance.stop()
    for fault, times in found.most_common():
        print(f"{times} times {fault}")
    return int(bool(found))


def asked(instance: whole.Instance, report: Path, seed: int, seconds: int) -> dict[str, Any]:
    """What schemathesis reports of one slice; its own words go to `report`.txt."""
    command = [*PROGRAM, f"{instance.url}/api/v1/openapi.json", "--checks", ",".join(CHECKS)]
    command += ["--header", f"Authorization: Bearer {instance.said['reviewer_token']}", "--seed", str(seed)]
    command += ["--max-time", str(seconds), "--workers", "4", "--request-timeout", str(TIMEOUT_S), "--warnings", "off"]
    command += ["--continue-on-failure", "--no-shrink", "--report", "json", "--report-json-path", str(report)]
    command += [word for path in LEFT_OUT for word in ("--exclude-path", path)]
    with report.with_suffix(".txt").open("wb") as words:
        subprocess.run(command, stdout=words, stderr=subprocess.STDOUT, check=False)
    return dict(json.loads(report.read_text()))


def described(failure: dict[str, Any]) -> str:
    return json.dumps(failure, ensure_ascii=False)[:400]


if __name__ == "__main__":
    sys.exit(main())
