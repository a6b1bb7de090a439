"""Keyset pages: a cursor holds the last row's order values, so that page ten thousand costs what page one does."""

import base64
import binascii
import datetime as dt
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet

from ledger.errors import Invalid

MAX_LIMIT = 200
MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Page[T]:
    """`next` is the cursor of the following page, None on the last; `total` only where it was asked for."""

    items: list[T]
    next: str | None = None
    total: int | None = None

    def as_json(self, items: Sequence[Any]) -> dict[str, Any]:
        """`items` are those of the page in their outward shape."""
        counted = {} if self.total is None else {"total": self.total}
        return {"items": items, "next": self.next, **counted}


def check_limit(limit: int) -> int:
    """Raises `Invalid` outside 1 to 200."""
    if not 1 <= limit <= MAX_LIMIT:
        raise Invalid(f"limit is 1 to {MAX_LIMIT}", field="limit")
    return limit


def encode_cursor(values: Sequence[Any]) -> str:
    """Order values (numbers, texts, booleans, times) as one opaque word."""
    plain = [value.isoformat() if isinstance(value, dt.datetime) else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain, separators=(",", ":")).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, types: Sequence[type]) -> list[Any]:
    """The values of `encode`, each of the type at its place. Raises `Invalid` (field `cursor`) for anything else."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != len(types):
        raise Invalid("this is no cursor of this list", field="cursor")
    for at, wanted in enumerate(types):
        if wanted is dt.datetime:
            values[at] = _time(values[at])
    for value, wanted in zip(values, types, strict=True):
        number = wanted is float and type(value) in (int, float) and math.isfinite(value)
        if not number and type(value) is not wanted:
            raise Invalid("this is no cursor of this list", field="cursor")
        if wanted is int and abs(value) > MAX_ID:
            raise Invalid("this is no cursor of this list", field="cursor")
        if wanted is str and "\0" in value:
            raise Invalid("this is no cursor of this list", field="cursor")
    return values


def _time(word: Any) -> dt.datetime:
    try:
        found = dt.datetime.fromisoformat(word)
        if found.tzinfo is not None:
            return found.astimezone(dt.UTC)
    except (TypeError, ValueError, OverflowError):
        pass
    raise Invalid("this is no cursor of this list", field="cursor")


def page_of[T](rows: list[T], limit: int, key: Callable[[T], Sequence[Any]], *, total: int | None = None) -> Page[T]:
    """`rows` are at most `limit` + 1 in order; the one too many tells that there is a next page."""
    items = rows[:limit]
    return Page(items, encode_cursor(key(items[-1])) if len(rows) > limit else None, total)


def newest_page[T: Model](rows: QuerySet[T], cursor: str | None, limit: int, *, count: bool = False) -> Page[T]:
    """One page of rows, the latest id first; counted where that is asked for."""
    total = rows.count() if count else None
    if cursor is not None:
        rows = rows.filter(pk__lt=decode_cursor(cursor, [int])[0])
    limit = check_limit(limit)
    return page_of(list(rows.order_by("-id")[: limit + 1]), limit, lambda row: [row.pk], total=total)
