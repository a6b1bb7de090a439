"""An item's prices over time, one plot for each currency and unit, with a line for each supplier."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from ledger.rules.catalogue.prices import Price, per_unit
from review import plots

MAX_SUPPLIERS = 3
MAX_DAYS = 24


@dataclass(frozen=True, slots=True)
class PricePlot:
    """`title` says in which currency and per what; the figures themselves stand in the table beside it."""

    title: str
    svg: SafeString


def price_plots(prices: Sequence[Price], unit: str) -> list[PricePlot]:
    """Converted to the item's unit where they measure the same; currencies are never mixed. The suppliers with the most
    prices, on the latest days."""
    groups: dict[tuple[str, str], list[Price]] = defaultdict(list)
    for price in (per_unit(one, unit) for one in prices):
        groups[price.currency, price.unit].append(price)
    return [_plot(currency, own, group) for (currency, own), group in sorted(groups.items())]


def _plot(currency: str, unit: str, prices: Sequence[Price]) -> PricePlot:
    title = f"{currency} per {unit or 'piece'}"
    days = sorted({one.at.date() for one in prices})[-MAX_DAYS:]
    by_supplier: dict[str, dict[object, float]] = defaultdict(dict)
    for price in reversed(prices):
        by_supplier[price.supplier or "unnamed"][price.at.date()] = float(price.amount)
    chosen = sorted(by_supplier.items(), key=lambda one: (-len(one[1]), one[0]))[:MAX_SUPPLIERS]
    lines = [plots.LineSeries(name, _carried(days, seen)) for name, seen in chosen]
    told = "; ".join(f"{one.name}: {one.values[0]:g} to {one.values[-1]:g}" for one in lines)
    return PricePlot(title, plots.line([day.isoformat() for day in days], lines, alt=f"{title}, {told}"))


def _carried(days: Sequence[object], seen: dict[object, float]) -> tuple[float, ...]:
    """A price holds until the next one; before the first, the first."""
    price = next(iter(seen[day] for day in days if day in seen), 0.0)
    values = []
    for day in days:
        price = seen.get(day, price)
        values.append(price)
    return tuple(values)
