"""Lays out the demo scopes through the same verbs that everybody uses; only the door is its own (design §5, law 4)."""

import datetime as dt
import tomllib
from pathlib import Path
from typing import Any

from extraction.intake.take import take
from extraction.runs.pipeline import work_off
from ledger.actions.anchoring import find_quotes
from ledger.actions.curate import curate
from ledger.actions.ingest import Incoming
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.scope import add_person, create_scope
from ledger.actor import Actor
from ledger.models import Claim, Scope, Source

FILES = sorted(Path(__file__).parent.glob("*.toml"))


def lay_out(file: Path, *, actor: Actor) -> bool:
    """One demo file: scopes, people, sources, proposals, promotions, curated values. False where it is laid out already."""
    plan = tomllib.loads(file.read_text(encoding="utf-8"))
    home = plan["scope"]["path"]
    if Scope.objects.filter(path=home).exists():
        return False
    for entry in [plan["scope"], *plan.get("scopes", [])]:
        create_scope(
            entry["path"],
            tier=entry["tier"],
            name=entry["name"],
            packs=entry.get("packs", []),
            timezone=entry["timezone"],
            stage=entry.get("stage", ""),
            actor=actor,
        )
    scopes = {scope.path: scope for scope in Scope.objects.filter(path__startswith=home)}
    for person in plan.get("people", []):
        add_person(scopes[home], person["name"], aliases=person["aliases"], role=person["role"], actor=actor)
    for entry in plan.get("sources", []):
        _send(entry, scopes[entry.get("scope", home)], actor)
    for entry in plan.get("propose", []):
        _propose(entry, scopes[entry.get("scope", home)], actor)
    for entry in plan.get("promote", []):
        promote(_claim_saying(entry["quote"], scopes), actor=actor, on_conflict="coexist")
    for entry in plan.get("curate", []):
        curate(
            scopes[entry.get("scope", home)],
            entry["key"],
            statement=entry["statement"],
            value=entry.get("value"),
            cites=[_claim_saying(quote, scopes).ref for quote in entry["cites"]],
            reason=entry["reason"],
            actor=actor,
        )
    return True


def incoming_of(entry: dict[str, Any]) -> Incoming:
    """A text of the plan."""
    return Incoming(
        text=entry["text"],
        kind=entry["kind"],
        sender=entry.get("sender", ""),
        sender_kind=entry.get("sender_kind", ""),
        sent_at=dt.datetime.fromisoformat(entry["sent_at"]),
        conversation=entry.get("conversation", ""),
        external_id=entry["external_id"],
        title=entry.get("title", ""),
    )


def _send(entry: dict[str, Any], scope: Scope, actor: Actor) -> None:
    results = take([incoming_of(entry)], scope=scope, actor=actor)
    work_off(only=[run.pk for result in results for run in result.runs])


def _propose(entry: dict[str, Any], scope: Scope, actor: Actor) -> None:
    source = Source.objects.get(scope=scope, external_id=entry["source"])
    quote, _ = find_quotes(source, entry["quote"], start=None, end=None)
    if quote is None:
        raise ValueError(f"{entry['source']} says {entry['quote']!r} more than once")
    propose(
        Draft(
            kind=entry["kind"],
            statement=entry["statement"],
            quotes=(quote,),
            topic=entry.get("topic", ""),
            value=entry.get("value"),
            confidence=0.7,
            hand_authored=True,
        ),
        scope=scope,
        actor=actor,
    )


def _claim_saying(quote: str, scopes: dict[str, Scope]) -> Claim:
    claims = Claim.objects.filter(scope__in=scopes.values(), evidence__quote__contains=quote)
    claim = claims.exclude(status__in=["merged", "withdrawn"]).order_by("id").first()
    if claim is None:
        raise ValueError(f"the demo has no claim on the words {quote!r}")
    return claim
