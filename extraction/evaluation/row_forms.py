"""What a file is that holds no gold of a known form, and which forms there are: for the message that says so."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

KNOWN: Final = """\
The known forms:
  minutes       JSONL: text, resolutions, actions (proposals)
  notes         JSONL: section_text, labels; or section_text, gold with items
  records       JSONL: text, sections with decision or rejection (status, supersedes or replaces)
  times         JSONL: model, input, results
  requests      JSONL: text, intent (true or false)
  households    JSONL: household, messages; with a households*.json beside it
  dialogues     JSON: a list of objects with dialogue_id and turns
  who answers   a folder of *.annotation.txt beside *.raw.txt"""
MAX_FIELDS = 8


def is_roster(path: Path) -> bool:
    """`households.json` tells who is who in the chats beside it, and is read with them."""
    return path.suffix == ".json" and path.name.startswith("households")


def unknown(path: Path, number: int, data: Any) -> str:
    """`path:number: …`: what stands there as far as it can be told, and the forms that are known."""
    return f"{path}:{number}: {_told(path, data)}.\n{KNOWN}"


def _told(path: Path, data: Any) -> str:
    rows = data if isinstance(data, list) else [data]
    first = rows[0] if rows else None
    if isinstance(data, Mapping) and isinstance(data.get("households"), list):
        beside = sorted(one.name for one in path.parent.glob("*.jsonl"))
        where = f": name {', '.join(beside[:3])}" if beside else ""
        return f"the people of households, who are read with their chats beside them{where}"
    if isinstance(first, Mapping) and {"conversation", "qa"} <= first.keys():
        return (
            "long conversations with questions and where their answers stand, which measure a search; evaluate measures what "
            "is extracted"
        )
    if isinstance(first, Mapping) and ("ts" in first or "mapping" in first or "author" in first):
        return "messages without gold, as a chat exports them; `manage.py ingest` reads those"
    shape = f"a list of {len(rows)}, the first " if isinstance(data, list) else ""
    return shape + _shape(first) + ", which is no gold that evaluate knows"


def _shape(value: Any) -> str:
    if isinstance(value, Mapping):
        names = [str(name)[:40] for name in value]
        more = ", …" if len(names) > MAX_FIELDS else ""
        return f"an object with {', '.join(names[:MAX_FIELDS])}{more}" if names else "an object without fields"
    return {"list": "a list", "str": "a text", "NoneType": "nothing"}.get(type(value).__name__, "a value")
