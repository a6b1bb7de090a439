"""Keyset pages: a cursor holds the last row's order values, so that page ten thousand costs what page one does."""

import base64
import datetime as dt
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from django.db.models import Model, QuerySet
from pydantic import AwareDatetime, Field, FiniteFloat, TypeAdapter

from ledger.errors import Invalid

MAX_LIMIT = 200
MAX_ID = 2**63 - 1
# What a value of each type may be; PostgreSQL takes no larger number and no NUL.
_VALUES = {
    int: Annotated[int, Field(ge=-MAX_ID, le=MAX_ID)],
    float: FiniteFloat,
    str: Annotated[str, Field(pattern=r"^[^\x00]*$")],
    bool: bool,
    dt.datetime: AwareDatetime,
}


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


def check_choice(value: str, choices: Collection[str], field: str) -> str:
    """Raises `Invalid` for anything but one of `choices`."""
    if value not in choices:
        raise Invalid(f"{field} is one of {', '.join(choices)}", field=field)
    return value


def encode_cursor(values: Sequence[Any]) -> str:
    """Order values (numbers, texts, booleans, times) as one opaque word."""
    plain = json.dumps(values, separators=(",", ":"), default=dt.datetime.isoformat)
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, types: Sequence[type]) -> list[Any]:
    """The values of `encode_cursor`, each of the type at its place. Raises `Invalid` (field `cursor`) for anything else."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        written = base64.b64decode(padded, altchars=b"-_", validate=True)
        return list(_reader(tuple(types)).validate_json(written, strict=True))
    except ValueError:
        raise Invalid("this is no cursor of this list", field="cursor") from None


@cache
def _reader(types: tuple[type, ...]) -> TypeAdapter[tuple[Any, ...]]:
    row: Any = tuple[*(_VALUES[one] for one in types)]  # type: ignore[misc]
    return TypeAdapter(row)


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
