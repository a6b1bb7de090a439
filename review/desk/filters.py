"""What a list's address says, with parameters of the same names as the API's, so that a view of the queue is an address."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, Self

from django.utils import timezone
from django.utils.http import urlencode

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Claim
from ledger.reads.page import Page
from ledger.reads.queue.listing import ClaimFilter, claims_page

if TYPE_CHECKING:
    from _typeshed import DataclassInstance as Base
else:
    Base = object


class Address(Base):
    """For frozen dataclasses whose fields are texts, empty by default; `cursor` tells where in the list one is."""

    __slots__ = ()

    @classmethod
    def read(cls, parameters: Mapping[str, str]) -> Self:
        return cls(**{one.name: parameters.get(one.name, "").strip() for one in fields(cls)})

    def query(self, **more: str) -> str:
        """The parameters that are not empty, with `more` in place of its own, as they stand in a URL."""
        values = {one.name: getattr(self, one.name) for one in fields(self)} | more
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def narrowed(self) -> bool:
        """Whether something is left out."""
        return any(getattr(self, one.name) for one in fields(self) if one.name != "cursor")


PER_PAGE: Final = 25
OLDER: Final = {"day": dt.timedelta(days=1), "week": dt.timedelta(weeks=1), "month": dt.timedelta(days=30)}
# What tells where in a list one is, not which list it is.
PLACE: Final = ("cursor",)


@dataclass(frozen=True, slots=True)
class Filters(Address):
    """`scope` takes in what lies below it; `older` is day, week or month; `put_off` "good" lists what never comes back by
    itself."""

    scope: str = ""
    kind: str = ""
    status: str = ""
    order: str = ""
    q: str = ""
    risk: str = ""
    layer: str = ""
    rule: str = ""
    min_confidence: str = ""
    needs_review: str = ""
    older: str = ""
    source: str = ""
    run: str = ""
    wave: str = ""
    put_off: str = ""
    cursor: str = ""

    def page(self, actor: Actor, *, without: Collection[int] = (), limit: int = PER_PAGE) -> Page[Claim]:
        """One page in the queue's own order unless another is asked for. Where only a crowd is left, the crowd is listed.
        Raises `Invalid` by parameter."""
        wanted, order = self.wanted(without), self.sort
        page = self._read(actor, wanted, order, limit)
        if wanted.uncrowded and not page.items and not self.cursor:
            return self._read(actor, self.wanted(without, uncrowded=False), order, limit)
        return page

    def _read(self, actor: Actor, wanted: ClaimFilter, order: str, limit: int) -> Page[Claim]:
        return claims_page(
            actor.access, wanted, scope=self.scope or None, descend=True, order=order, limit=limit, cursor=self.cursor or None
        )  # fmt: skip

    def wanted(self, without: Collection[int] = (), *, uncrowded: bool | None = None) -> ClaimFilter:
        collapse = self.collapsed if uncrowded is None else uncrowded
        return ClaimFilter(
            status=self.status or "pending",
            kind=self.kind,
            layer=self.layer,
            rule=self.rule,
            q=self.q,
            high_risk=True if self.risk == "high" else None,
            needs_review=True if self.needs_review in ("yes", "true") else None,
            min_confidence=_share(self.min_confidence),
            source=_number("source", self.source),
            run=_number("run", self.run),
            wave=_number("wave", self.wave),
            before=_before(self.older),
            comes_back=False if self.put_off and self.status == "deferred" else None,
            without=tuple(without),
            uncrowded=collapse,
        )

    @property
    def sort(self) -> str:
        if self.order:
            return self.order
        if self.status == "deferred":
            return "newest" if self.put_off else "back"
        if self.status not in ("", "pending"):
            return "newest"
        return "age" if self.older else "best"

    @property
    def collapsed(self) -> bool:
        """Whether floods show as one row: in the queue's own order, unless somebody looks into one, or for a word."""
        return self.sort == "best" and not (self.rule or self.source or self.run or self.wave or self.q)

    def without(self, *names: str) -> "Filters":
        """The same view with these filters dropped."""
        return Filters(**{f.name: "" if f.name in names else getattr(self, f.name) for f in fields(self)})

    @property
    def narrowed(self) -> bool:
        return bool(self.status not in ("", "pending") or self.chosen)

    @property
    def chosen(self) -> list[str]:
        """The names of the filters that leave something out."""
        asked = [f.name for f in fields(self) if f.name not in ("status", "order", "put_off", *PLACE)]
        return [name for name in asked if getattr(self, name)]

    @property
    def more_chosen(self) -> bool:
        """Whether one of the filters is set that stand behind "More"."""
        return bool(set(self.chosen) - {"scope", "kind", "q"})


def _number(name: str, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise Invalid(f"{name} is a number", field=name)
    return int(text)


def _share(text: str) -> float | None:
    if not text:
        return None
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise Invalid("min_confidence lies between 0 and 1", field="min_confidence") from None


def _before(older: str) -> dt.datetime | None:
    if not older:
        return None
    if older not in OLDER:
        raise Invalid(f"older is one of {', '.join(OLDER)}", field="older")
    return timezone.now() - OLDER[older]
