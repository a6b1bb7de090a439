"""What PostgreSQL cannot hold as text: NUL characters and lone surrogates. Pure."""

import re
from typing import Any

from ledger.errors import Invalid

UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(value: Any, field: str) -> Any:
    """`value` itself (texts, lists and objects of them). Raises `Invalid` with the path and place of what cannot be kept."""
    match value:
        case str() if not value.isascii() or "\0" in value:
            if bad := UNSTORABLE.search(value):
                what = "a NUL character" if bad[0] == "\0" else "a lone surrogate"
                raise Invalid(f"{field} has {what} at {bad.start()}", field=field)
        case dict():
            for name, item in value.items():
                storable(name, field)
                storable(item, f"{field}.{name}")
        case list() | tuple():
            for at, item in enumerate(value):
                storable(item, f"{field}.{at}")
    return value
