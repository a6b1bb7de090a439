"""A list by year, month and day. Nothing is counted and no extreme is searched for: the day becomes a range of ids."""

import calendar
import datetime as dt
import re
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from review.admin.keyset_scan import id_at

PERIOD = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
# Ids are handed out when a row is written, and rows of one moment may come to be seen in another order.
MAX_YEARS = 12
DISORDER = dt.timedelta(hours=1)


class WhenFilter(admin.ListFilter):
    """`when=2026`, `2026-11` or `2026-11-28` (UTC), over a column that is set once, as the row is written."""

    template = "admin/countersign/when.html"
    column = "created_at"
    bounds_ids = True
    # It stands over the list, not among the other filters.
    range_on_top = True

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.title = model._meta.get_field(self.column).verbose_name
        super().__init__(request, params, model, model_admin)
        self.model = model
        given = params.pop("when", None)
        self.period = ""
        self.range: tuple[dt.datetime, dt.datetime] | None = None
        if given and given[-1]:
            self.used_parameters["when"] = self.period = given[-1][:20]
            self.range = range_of(self.period)

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return ["when"]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.period:
            return queryset
        if self.range is None:
            return queryset.none()
        start, end = self.range
        inside = {f"{self.column}__gte": start, f"{self.column}__lt": end}
        if not self.bounds_ids:
            return queryset.filter(**inside)
        ids: tuple[int, int] | None = getattr(request, "_when_ids", None)
        if ids is None:
            ids = id_at(self.model, self.column, start - DISORDER), id_at(self.model, self.column, end + DISORDER)
            request._when_ids = ids  # type: ignore[attr-defined]
        return queryset.filter(pk__gte=ids[0], pk__lt=ids[1], **inside)

    def first_year(self) -> int:
        """The year of the oldest row, which has the lowest id; this year where there is none. No query inside a period."""
        rows = self.model._default_manager.order_by("pk").values_list(self.column, flat=True) if not self.period else []
        oldest: dt.datetime | None = next(iter(rows[:1]), None)
        return oldest.year if oldest else timezone.now().year

    def choices(self, changelist: Any) -> list[dict[str, Any]]:  # type: ignore[override]
        """One choice: the way back up, and what the period shown consists of."""

        def link(period: str) -> str:
            if not period:
                return str(changelist.get_query_string(remove=["when", PAGE_VAR]))
            return str(changelist.get_query_string({"when": period}, remove=[PAGE_VAR]))

        parts = self.period.split("-") if self.range is not None else []
        up = [("All", link(""))] + [
            (told(parts[: n + 1]), link("-".join(parts[: n + 1]))) for n in range(len(parts) - 1)
        ]
        return [
            {
                "up": up if self.period else [],
                "here": told(parts) if parts else "",
                "unknown": bool(self.period) and self.range is None,
                "into": [(name, link(period)) for name, period in into(parts, timezone.now(), self.first_year())],
            }
        ]


def when(column: str, *, bounds_ids: bool = True) -> type[WhenFilter]:
    """The filter over a column. `bounds_ids` false for one that may change later; such tables are small."""
    return type("WhenFilter", (WhenFilter,), {"column": column, "bounds_ids": bounds_ids})


def range_of(period: str) -> tuple[dt.datetime, dt.datetime] | None:
    """First moment and the first after it, in UTC; None for what is no period."""
    found = PERIOD.fullmatch(period)
    if found is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        start = dt.datetime(year or 0, month or 1, day or 1, tzinfo=dt.UTC)
        if day is not None:
            return start, start + dt.timedelta(days=1)
        if month is not None:
            return start, start + dt.timedelta(days=calendar.monthrange(start.year, month)[1])
        return start, start.replace(year=start.year + 1)
    except (ValueError, OverflowError):
        return None


def told(parts: list[str]) -> str:
    """A period as people say it."""
    if len(parts) == 1:
        return parts[0]
    month = calendar.month_name[int(parts[1])]
    return f"{month} {parts[0]}" if len(parts) == 2 else f"{int(parts[2])} {month} {parts[0]}"


def into(parts: list[str], now: dt.datetime, first_year: int) -> list[tuple[str, str]]:
    """What a period consists of, nothing that is yet to come; at the top the last days, this month, and the years
    of which there is something."""
    if not parts:
        days = [now.date() - dt.timedelta(days=back) for back in range(2)]
        return [
            ("Today", f"{days[0]:%Y-%m-%d}"),
            ("Yesterday", f"{days[1]:%Y-%m-%d}"),
            ("This month", f"{now:%Y-%m}"),
            *((str(year), f"{year:04}") for year in range(now.year, max(first_year, now.year - MAX_YEARS) - 1, -1)),
        ]
    if len(parts) == 1:
        months = (f"{parts[0]}-{month:02}" for month in range(1, 13))
        return [(calendar.month_abbr[int(m[-2:])], m) for m in months if m <= f"{now:%Y-%m}"]
    if len(parts) == 2:
        last = calendar.monthrange(int(parts[0]), int(parts[1]))[1]
        days_of = (f"{parts[0]}-{parts[1]}-{day:02}" for day in range(1, last + 1))
        return [(str(int(d[-2:])), d) for d in days_of if d <= f"{now:%Y-%m-%d}"]
    return []
