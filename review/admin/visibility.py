"""What a member of staff sees in the admin, worked out once a request."""

from dataclasses import replace

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from ledger.actor import Actor
from ledger.models import GLOBAL, Scope
from ledger.reads.scopes import visible
from ledger.rules.permissions import Right
from review.access import actor_of_request

# Up to here the ids stand in the query as literals, so that the planner knows how rare their rows are.
MAX_LITERALS = 2000


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in person, through the door named admin."""
    known: Actor | None = getattr(request, "_admin_actor", None)
    if known is None:
        known = actor_of_request(request, "admin")
        request._admin_actor = known  # type: ignore[attr-defined]
    return known


def reader_of(request: HttpRequest) -> Actor:
    """The same person as a reader: a superuser without a role reads everything, and decides nothing."""
    actor = actor_of(request)
    if request.user.is_active and request.user.is_superuser:
        return replace(actor, access=replace(actor.access, everywhere=frozenset({Right.READ})))
    return actor


def sees_everything(request: HttpRequest) -> bool:
    """A superuser, and whoever has a role in the global scope. What they may do is asked by each verb all the same."""
    user = request.user
    return bool(user.is_active and user.is_superuser) or actor_of(request).access.may(Right.READ, GLOBAL)


def scopes_in_sight(request: HttpRequest) -> QuerySet[Scope]:
    if sees_everything(request):
        return Scope.objects.all()
    return visible(actor_of(request).access)


def ids_in_sight(request: HttpRequest) -> list[int] | None:
    """The scopes in sight by id; None where all are, or too many to name."""
    if sees_everything(request):
        return None
    if not hasattr(request, "_admin_scopes"):
        ids = list(visible(actor_of(request).access).order_by().values_list("pk", flat=True)[: MAX_LITERALS + 1])
        request._admin_scopes = ids if len(ids) <= MAX_LITERALS else None  # type: ignore[attr-defined]
    known: list[int] | None = request._admin_scopes  # type: ignore[attr-defined]
    return known


def in_sight(request: HttpRequest, lookup: str) -> Q:
    """The condition that keeps rows whose scope is at `lookup` (`scope`, `claim__scope`) within sight."""
    if sees_everything(request):
        return Q()
    ids = ids_in_sight(request)
    return Q(**{f"{lookup}__in": visible(actor_of(request).access).order_by() if ids is None else ids})
