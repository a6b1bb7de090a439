"""Who acts, through which door."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.http import HttpRequest

from ledger.errors import DomainError, Forbidden, NotFound
from ledger.rules.permissions import Access, Right

if TYPE_CHECKING:
    from ledger.models import Scope


@dataclass(frozen=True, slots=True)
class Actor:
    """`kind` human|agent|policy|system; `door` api|screen|admin|command|worker|demo|telegram|mcp; the name is what the
    journal keeps for good."""

    kind: str
    name: str
    door: str
    user_id: int | None = None
    token_id: int | None = None
    request_id: str = ""
    access: Access = field(default_factory=Access)

    def through(self, door: str) -> Actor:
        return replace(self, door=door)

    def require(self, right: Right, scope: Scope) -> None:
        """Raises `NotFound` where the caller may not know of the scope, `Forbidden` where it may not do this."""
        if self.access.may(right, scope.path):
            return
        if not self.access.sees(scope.path):
            raise NotFound(f"no scope {scope.path!r}")
        raise Forbidden(f"{self.name} may not {right} in {scope.path}")


class ActorRequest(HttpRequest):
    """A request after its door found out who acts."""

    actor: Actor
    request_id: str
    # What of a JSON body PostgreSQL cannot hold; set where a body was read.
    unstorable: DomainError | None


WORKER_RIGHTS = frozenset({Right.READ, Right.INGEST, Right.PROPOSE, Right.OBSERVE})
COMMAND_RIGHTS = frozenset(Right) - {Right.CURATE}


def system(door: str = "worker", name: str = "system") -> Actor:
    """The machine itself: it may read, ingest, propose and observe, and never decides."""
    return Actor("system", name, door, access=Access(everywhere=WORKER_RIGHTS))


def retention() -> Actor:
    """The machine, where it carries out how long a scope keeps raw chat: it purges, and nothing else."""
    return Actor("system", "retention", "worker", access=Access(everywhere=frozenset({Right.READ, Right.ADMINISTER})))


def operator(name: str) -> Actor:
    """A person at the command line of the machine that holds the database; may do all but curate."""
    return Actor("human", name, "command", access=Access(everywhere=COMMAND_RIGHTS))


def policy_actor(name: str) -> Actor:
    """A policy under its name and version, `policy:NAME@VERSION`: it reads and promotes, and `promote` sees to the rest."""
    return Actor("policy", name, "worker", access=Access(everywhere=frozenset({Right.READ, Right.REVIEW})))


def demo(name: str) -> Actor:
    """The one who lays out the demo data, as the database's owner (law 4)."""
    return Actor("human", name, "demo", access=Access(everywhere=frozenset(Right)))
