"""Files made on the spot, and what the importers find in them."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from extraction.importers import Found, Into, Remark, Skipped, read_paths
from ledger.actions.ingest import Incoming


class Read(list[Found]):
    """Everything found, in order."""

    @property
    def texts(self) -> list[Incoming]:
        return [one for one in self if isinstance(one, Incoming)]

    @property
    def skipped(self) -> dict[str, str]:
        return {one.path: one.why for one in self if isinstance(one, Skipped)}

    @property
    def remarks(self) -> list[str]:
        return [one.what for one in self if isinstance(one, Remark)]


def read(path: Path, form: str = "auto", zone: str = "UTC") -> Read:
    return Read(read_paths([path], form, Into("yard", ZoneInfo(zone))))


def put(path: Path, content: Any) -> Path:
    """Bytes and text as they are, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = content if isinstance(content, bytes | str) else json.dumps(content, ensure_ascii=False)
    path.write_bytes(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw)
    return path
