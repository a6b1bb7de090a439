"""What the importers make of files, and at what cost: `uv run python -m tests.extraction.importers.measure PATH…`.

For each path: messages, those of people, agents and the system, authors, replies, edits, texts without a time, what was passed
over; seconds, and the peak of memory beyond an empty process. `--make FORM MEBIBYTES FILE` writes a long file to try it on.
"""

import argparse
import json
import os
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

WORDS = "the door stays blue — we paint 🍵 gate café again tomorrow maybe not".split()


def peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(path: Path) -> str:
    from extraction.importers import Into, read_paths
    from ledger.actions.ingest import Incoming

    before, begun = peak_mib(), time.monotonic()
    kinds: Counter[str] = Counter()
    told: Counter[str] = Counter()
    authors: set[str] = set()
    for one in read_paths([path], "auto", Into("measured")):
        if isinstance(one, Incoming):
            kinds[one.sender_kind or "document"] += 1
            authors.add(one.sender)
            told.update(
                {
                    "replies": int(bool(one.reply_to)),
                    "edited": int(one.edited_at is not None),
                    "without a time": int(one.sent_at is None),
                }
            )
        else:
            told["passed over or remarked"] += 1
    spent = time.monotonic() - begun
    parts = [f"{sum(kinds.values())} texts", ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))]
    parts += [f"{len(authors - {''})} authors", *(f"{number} {what}" for what, number in told.items() if number)]
    return f"{path.name}: {'; '.join(parts)}; {spent:.1f} s, {peak_mib() - before} MiB more"


def made(form: str) -> Iterator[str]:
    for number in count(1):
        text = " ".join(random.choices(WORDS, k=random.randint(3, 60)))
        second = 1700000000 + number
        if form == "telegram":
            row = {"id": number, "type": "message", "date_unixtime": str(second), "from": "Ada", "text": text}
            yield json.dumps(row | {"text_entities": [{"type": "plain", "text": text}]}, ensure_ascii=False, indent=1)
        elif form == "slack":
            row = {"type": "message", "user": "U1", "text": text, "ts": f"{second}.000100"}
            yield json.dumps(row | {"blocks": [{"type": "rich_text", "elements": [{"text": text}]}]}, indent=1)
        elif form == "chatgpt":
            names = [f"{number}-{at}" for at in range(200)]
            nodes = {
                name: {
                    "parent": names[at - 1] if at else None,
                    "message": {
                        "id": name,
                        "author": {"role": "user"},
                        "create_time": second,
                        "content": {"parts": [text]},
                    },
                }
                for at, name in enumerate(names)
            }
            yield json.dumps({"title": "x", "conversation_id": str(number), "mapping": nodes})
        elif form == "mbox":
            yield f"From a@b.example Tue Nov 14 10:00:00 2023\nFrom: a@b.example\nMessage-ID: <{number}@x>\n\n{text}\n{text}\n"
        else:
            yield f"{number // 9000 % 27 + 1:02}/11/23, {number // 60 % 24:02}:{number % 60:02} - Ada: {text}"


def make(form: str, mebibytes: int, file: Path) -> None:
    is_json = form in ("telegram", "slack", "chatgpt")
    with file.open("w", encoding="utf-8") as out:
        out.write('{"name": "Long", "id": 1, "messages": [' if form == "telegram" else "[" if is_json else "")
        size, first = 0, True
        for row in made(form):
            bit = row if is_json and first else ",\n" + row if is_json else row + "\n"
            out.write(bit)
            size, first = size + len(bit.encode()), False
            if size > mebibytes * 1024**2:
                break
        out.write("]}" if form == "telegram" else "]" if is_json else "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--make", nargs=3, metavar=("FORM", "MEBIBYTES", "FILE"))
    asked = parser.parse_args()
    if asked.make:
        make(asked.make[0], int(asked.make[1]), Path(asked.make[2]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    for given in asked.paths:
        print(measure(given))
