"""How often the message that was answered is found in annotated logs, with the weights as they are shipped.

    uv run python -m tests.bench.links FOLDER

For logs that the weights were not learnt from; `extraction.training.reply_links` leaves each log out in turn.
"""

import json
import sys
import time
from pathlib import Path

from extraction.evaluation.annotated_logs import link_lines


def main(folder: Path) -> None:
    begun = time.perf_counter()
    print(json.dumps(link_lines(folder), indent=1))
    print(f"{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
