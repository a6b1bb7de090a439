"""What a list's address says, with parameters of the same names as the API's, so that a view of the queue is an address."""

import datetime as dt
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, Self

from django.utils import timezone
from django.utils.http import urlencode

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Claim
from ledger.reads.page import Page, check_choice
from ledger.reads.queue.listing import ClaimFilter, claims_page

if TYPE_CHECKING:
    from _typeshed import DataclassInstance as Base
else:
    Base = object

PER_PAGE: Final = 25
OLDER: Final = {"day": dt.timedelta(days=1), "week": dt.timedelta(weeks=1), "month": dt.timedelta(days=30)}
HANDED: Final = ("me", "others")
YES: Final = {"yes": True, "true": True}
# What tells where in a list one is, or how it is sorted, and leaves nothing out.
NOT_NARROWING: Final = {"status", "order", "put_off", "cursor"}
_NUMBER: Final = re.compile(r"[0-9]{1,18}", re.ASCII)


def number_in(text: str, field: str) -> int | None:
    """A whole number, None where nothing is said. Raises `Invalid`."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise Invalid(f"{field} is a number", field=field)
    return int(text)


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

    def next_page(self, page: Page[Any]) -> str:
        """The parameters of the page that follows; empty behind the last."""
        return self.query(cursor=page.next) if page.next else ""

    @property
    def narrowed(self) -> bool:
        """Whether something is left out."""
        return any(getattr(self, one.name) for one in fields(self) if one.name != "cursor")


@dataclass(frozen=True, slots=True)
class Filters(Address):
    """The queue's. `scope` takes in what lies below it; `older` is day, week or month; `put_off` "good" lists what never comes
    back by itself. `handed` is "me" or "others": whose turn it is. `held` is of the runs: those that held something back."""

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
    handed: str = ""
    held: str = ""
    cursor: str = ""

    def page(self, actor: Actor, *, without: Collection[int] = (), limit: int = PER_PAGE) -> Page[Claim]:
        """One page in the queue's own order unless another is asked for. Where only a crowd is left, the crowd is listed.
        Raises `Invalid` by parameter."""
        wanted = self._claim_filter(without, actor.user_id)
        page = self._read(actor, wanted, limit)
        if wanted.uncrowded and not page.items and not self.cursor:
            return self._read(actor, replace(wanted, uncrowded=False), limit)
        return page

    def _read(self, actor: Actor, wanted: ClaimFilter, limit: int) -> Page[Claim]:
        return claims_page(
            actor.access, wanted, scope=self.scope or None, descend=True, order=self.sort, limit=limit,
            cursor=self.cursor or None,
        )  # fmt: skip

    def _claim_filter(self, without: Collection[int], user_id: int | None) -> ClaimFilter:
        if self.handed:
            check_choice(self.handed, HANDED, "handed")
        return ClaimFilter(
            status=self.status or "pending",
            kind=self.kind,
            layer=self.layer,
            rule=self.rule,
            q=self.q,
            high_risk={"high": True}.get(self.risk),
            needs_review=YES.get(self.needs_review),
            min_confidence=_share(self.min_confidence),
            source=number_in(self.source, "source"),
            run=number_in(self.run, "run"),
            wave=number_in(self.wave, "wave"),
            before=_before(self.older),
            comes_back=False if self.put_off and self.status == "deferred" else None,
            handed_to=user_id if self.handed == "me" else None,
            not_handed_to=user_id if self.handed == "others" else None,
            without=tuple(without),
            uncrowded=self.collapsed,
        )

    @property
    def sort(self) -> str:
        waiting = "age" if self.older else "best"
        usual = {"": waiting, "pending": waiting, "deferred": "newest" if self.put_off else "back"}
        return self.order or usual.get(self.status, "newest")

    @property
    def collapsed(self) -> bool:
        """Whether floods show as one row: in the queue's own order, unless somebody looks into one, or for a word."""
        return self.sort == "best" and not any((self.rule, self.source, self.run, self.wave, self.q))

    @property
    def narrowed(self) -> bool:
        return bool(self.status not in ("", "pending") or self.chosen)

    @property
    def chosen(self) -> set[str]:
        """The names of the filters that leave something out."""
        return {one.name for one in fields(self) if one.name not in NOT_NARROWING and getattr(self, one.name)}

    @property
    def more_chosen(self) -> bool:
        """Whether one of the filters is set that stand behind "More"."""
        return bool(self.chosen - {"scope", "kind", "q", "handed"})


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
