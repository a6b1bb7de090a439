"""Keep views of the queue, and find them again: one's own, and those that others share where one may read."""

from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q

from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid, NotFound
from ledger.reads.scopes import scope_at, visible
from ledger.rules.columns import check_text
from review.models import SavedView

MAX_VIEWS: Final = 100
MAX_NAME: Final = 80
MAX_QUERY: Final = 2000


@dataclass(frozen=True, slots=True)
class NamedView:
    """One line of the list; `by` is whose it is where it is somebody else's."""

    pk: int
    name: str
    query: str
    shared: bool
    opens: bool
    by: str


def views_of(actor: Actor) -> list[NamedView]:
    """One's own, then what others share, each by name. One query."""
    shared = Q(shared=True, scope__in=visible(actor.access))
    rows = SavedView.objects.filter(Q(user=actor.user_id) | shared).select_related("user").order_by("name", "pk")
    views = sorted(rows[: 2 * MAX_VIEWS], key=lambda view: view.user_id != actor.user_id)
    return [_named(view, own=view.user_id == actor.user_id) for view in views]


def _named(view: SavedView, *, own: bool) -> NamedView:
    by = "" if own else view.user.get_username()
    return NamedView(view.pk, view.name, view.query, view.shared, own and view.opens, by)


def save_view(
    actor: Actor, name: str, query: str, *, scope: str = "", shared: bool = False, opens: bool = False
) -> SavedView:
    """Keep these filters under a name; the same name again keeps the new ones. Raises `Invalid` naming the field."""
    name = " ".join(name.split())
    if not name:
        raise Invalid("give the view a name", field="name")
    check_text("name", name, most=MAX_NAME)
    check_text("query", query, most=MAX_QUERY)
    if shared and not scope:
        raise Invalid("choose a scope first: a view is shared with those who may read there", field="shared")
    if actor.user_id is None:
        raise Forbidden("only people keep views")
    place = scope_at(scope, actor.access) if scope else None
    mine = SavedView.objects.filter(user=actor.user_id)
    with transaction.atomic():
        if not mine.filter(name=name).exists() and mine.count() >= MAX_VIEWS:
            raise Invalid(f"nobody keeps more than {MAX_VIEWS} views; delete one first", field="name")
        if opens:
            mine.filter(opens=True).update(opens=False)
        view, _ = SavedView.objects.update_or_create(
            user_id=actor.user_id,
            name=name,
            defaults={"query": query, "scope": place, "shared": shared, "opens": opens},
        )
    return view


def delete_view(actor: Actor, pk: int) -> str:
    """Its name. Raises `NotFound` for what is none of one's own."""
    view = _own(actor, pk)
    view.delete()
    return view.name


def open_with(actor: Actor, pk: int | None) -> str:
    """The queue opens with this view from now on, with None as it is shipped. Its name."""
    with transaction.atomic():
        SavedView.objects.filter(user=actor.user_id, opens=True).update(opens=False)
        if pk is None:
            return ""
        view = _own(actor, pk)
        view.opens = True
        try:
            with transaction.atomic():
                view.save(update_fields=["opens"])
        except IntegrityError:
            raise Invalid("somebody signed in as you chose another view just now", field="view") from None
    return view.name


def opening_view(actor: Actor) -> str:
    """The parameters that the queue opens with; empty as it is shipped. One probe."""
    rows = SavedView.objects.filter(user=actor.user_id, opens=True)
    return rows.values_list("query", flat=True).first() or ""


def _own(actor: Actor, pk: int) -> SavedView:
    view = SavedView.objects.filter(pk=pk, user=actor.user_id).first()
    if view is None:
        raise NotFound(f"no view {pk}")
    return view
