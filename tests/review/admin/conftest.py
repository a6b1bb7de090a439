"""The admin's ground: staff with each role in one scope, a superuser without any, and rows of every noun."""

import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ledger.actions.curate import curate
from ledger.actions.dispute import dispute
from ledger.actions.promote import promote
from ledger.actions.scope import add_person
from ledger.models import (
    Block,
    CatalogItem,
    CatalogLink,
    Channel,
    Conflict,
    ConflictMember,
    Conversation,
    Evaluation,
    Exposure,
    Gate,
    IdempotencyRecord,
    JournalEvent,
    Notice,
    Outcome,
    OutcomeType,
    Pattern,
    PriceObservation,
    Run,
    RunHit,
    Scope,
    Seal,
    Synonym,
    Wave,
)
from review.models import AgentToken, Reservation
from tests.people import ROLES, People, candidate, make_people, make_scope, tell

PASSWORD = "a long enough password"


def staff_of(scope: Scope) -> People:
    """Everybody may enter the admin; Root is a superuser with no role at all."""
    people = make_people(scope)
    User.objects.filter(username__in=ROLES).update(is_staff=True)
    User.objects.get_or_create(username="root", defaults={"is_staff": True, "is_superuser": True})
    return people


def signed_in(name: str, *, csrf: bool = False) -> Client:
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(User.objects.get(username=name))
    return client


@pytest.fixture
def people(db: None) -> People:
    return staff_of(make_scope("lab"))


@pytest.fixture
def committed(transactional_db: None) -> People:
    """As `people`, but everything commits, so that the laws that wait for the commit speak."""
    return staff_of(make_scope("lab"))


@pytest.fixture
def enter() -> Callable[..., Client]:
    return signed_in


def fill(people: People, count: int, name: str = "a") -> None:
    """`count` rows of every noun in the people's scope; where verbs make them, by verbs."""
    scope = people.scope
    for n in range(count):
        part = f"{name}{n}"
        claim = candidate(scope, people.bob, f"the {part} beam weighs {n} kg", key=f"beam-{part}")
        promote(claim, actor=people.bob)
        waiting = candidate(scope, people.bob, f"the {part} post may be {n} m high", key=f"post-{part}")
        against = tell(scope, people.bob, f"No, the {part} beam is another one.", by="tool", sender="scale")
        dispute(claim, source=against, quote="another one", actor=people.bob)
        curate(scope, f"safety-{part}", actor=people.carol, statement=f"factor {n}", cites=[claim.ref])
        add_person(scope, f"Person {part}", actor=people.alice, aliases=[f"P{n}"])
        thread = Conversation.objects.create(scope=scope, external_id=f"thread-{part}")
        wave = Wave.objects.create(scope=scope, label=f"wave {part}")
        run = Run.objects.create(
            scope=scope,
            source=against,
            input_hash=against.sha256,
            extractor="rules",
            extractor_version=part,
            status="failed",
        )
        RunHit.objects.create(run=run, number=1, fate="dropped", why="too weak", hit={"text": part})
        Gate.objects.create(source=against, run=run, stage="tripwire", score=0.8, threshold=0.7, passed=True)
        conflict = Conflict.objects.create(scope=scope, slot=f"fact|k:made-{part}", status="closed")
        ConflictMember.objects.create(conflict=conflict, claim=claim)
        item = CatalogItem.objects.create(scope=scope, name=f"screw {part}")
        Synonym.objects.create(item=item, name=f"bolt {part}")
        PriceObservation.objects.create(
            scope=scope, name=f"screw {part}", form=part, supplier="Shop", amount=1, currency="EUR", source=against,
            observed_at=timezone.now(),
        )  # fmt: skip
        CatalogLink.objects.create(scope=scope, claim=claim, item=item)
        Exposure.objects.create(scope=scope, channel=Channel.SEARCH, refs=[claim.ref], shown_to="scribe")
        Outcome.objects.create(
            scope=scope,
            conversation=thread.external_id,
            type=OutcomeType.TOOL_SUCCESS,
            source=against,
            reported_by="scribe",
        )
        Pattern.objects.create(ref=f"PAT-20260101-{name}{n:03}", scope=scope, type="correction", claim=waiting)
        Block.objects.create(scope=scope, key=f"block-{part}", author="system")
        Notice.objects.create(scope=scope, rule="backlog", text=f"look at {part}", claim=claim)
        Reservation.objects.create(claim=waiting, user_id=people.bob.user_id, until=timezone.now())
        Evaluation.objects.create(
            gold=f"minutes {part}", measure="overlap", version="1", batch=uuid.uuid4(), by="alice"
        )
        IdempotencyRecord.objects.create(caller="1", route=f"/{wave.pk}", key=part, body_sha256="0" * 64)
        AgentToken.objects.create(
            kind="agent", name=f"scribe {part}", sha256=f"{name}{n}-".ljust(64, "0"), prefix="cs_abcde", scopes=["lab"],
            grants=["read"], created_by="alice",
        )  # fmt: skip
    for event in JournalEvent.objects.filter(seal=None):
        Seal.objects.create(event=event, payload_digest=b"p" * 32, digest=b"d" * 32)


@pytest.fixture
def bob(committed):
    return signed_in("bob")
