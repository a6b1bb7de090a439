"""People, agents and places with names that every test may use: Alice owns, Bob reviews, Carol curates, Vera views,
Charlie is an outsider."""

import itertools
from dataclasses import dataclass

from django.contrib.auth.models import User

from ledger.actions.anchoring import find_quotes
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.propose import Draft, Proposal, propose
from ledger.actor import Actor, system
from ledger.models import GLOBAL, Claim, Member, Scope, Source, Tier
from ledger.rules.drafts import Quote
from ledger.rules.permissions import AGENT_GRANTS, Access

ROLES = {"alice": "owner", "bob": "reviewer", "carol": "curator", "vera": "viewer", "charlie": ""}
AGENT_SPEAKERS = frozenset({"agent", "tool", "document"})
counter = itertools.count(1)


@dataclass(frozen=True, slots=True)
class People:
    """Users with a role in one scope, as actors behind the screens."""

    scope: Scope
    alice: Actor
    bob: Actor
    carol: Actor
    vera: Actor
    charlie: Actor
    agent: Actor
    machine: Actor


def make_scope(
    path: str, *, tier: str = Tier.PROJECT, packs: tuple[str, ...] = (), parent: Scope | None = None
) -> Scope:
    """A scope made bare, without a verb: the ground a test stands on."""
    return Scope.objects.create(
        path=path, name=path, tier=tier, parent=parent or Scope.objects.get(path=GLOBAL), packs=list(packs)
    )


def make_people(scope: Scope) -> People:
    users = User.objects.in_bulk(ROLES, field_name="username")
    strangers = User.objects.bulk_create(User(username=name) for name in ROLES if name not in users)
    users |= {user.username: user for user in strangers}
    Member.objects.bulk_create(Member(scope=scope, user=users[name], role=role) for name, role in ROLES.items() if role)
    actors = {}
    for name, role in ROLES.items():
        access = Access(roles={scope.path: role} if role else {})
        actors[name] = Actor("human", name, "screen", user_id=users[name].pk, access=access)
    return People(scope=scope, agent=agent_in(scope), machine=system(), **actors)


def agent_in(scope: Scope, *, speakers: frozenset[str] = AGENT_SPEAKERS, name: str = "scribe") -> Actor:
    access = Access(
        grants=frozenset(str(g) for g in AGENT_GRANTS), token_scopes=(scope.path,), agent=True, speakers=speakers
    )
    return Actor("agent", name, "api", token_id=1, access=access)


def tell(scope: Scope, actor: Actor, text: str, *, by: str = "user", sender: str = "", **more: object) -> Source:
    """One source with one section, spoken by `by`."""
    incoming = Incoming(text=text, kind="message", sender=sender, sender_kind=by, **more)  # type: ignore[arg-type]
    return ingest([incoming], scope=scope, actor=actor)[0].source


def quote_of(source: Source, words: str | None = None) -> Quote:
    found, _ = find_quotes(source, words or source.text, start=None, end=None)
    assert found is not None
    return found


def say(
    scope: Scope,
    actor: Actor,
    statement: str,
    *,
    kind: str = "fact",
    by: str = "user",
    told: Source | None = None,
    **more: object,
) -> Proposal:
    """Propose `statement` on words of its own."""
    source = told or tell(scope, actor, f"{statement} ({next(counter)})", by=by)
    return propose(
        Draft(kind=kind, statement=statement, quotes=(quote_of(source),), **more),
        scope=scope,
        actor=actor,  # type: ignore[arg-type]
    )


def candidate(scope: Scope, actor: Actor, statement: str, **more: object) -> Claim:
    """A candidate that is new."""
    answer = say(scope, actor, statement, **more)
    assert answer.fate == "written", answer.why
    assert answer.claim is not None
    return answer.claim
