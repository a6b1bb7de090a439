"""A scripted production of forty turns in two languages, through the working screen: every fact with its source, the sheets right
after each decision, corrections, undos, an override, a conflict; a worker killed midway loses nothing, and the journal alone tells
the same sheets (T1 to T11, T15, C17)."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from extraction.runs import pipeline
from extraction.runs.pipeline import work_off
from ledger.actions.override import override
from ledger.actions.promote import promote
from ledger.actions.run import sweep_runs
from ledger.actions.scope import create_scope
from ledger.actions.undo import undo
from ledger.actor import operator
from ledger.models import Claim, Conflict, JournalEvent, Scope, Source
from ledger.projections.blocks import block_of, blocks_among, blocks_of
from ledger.projections.items import items_of
from ledger.reads.claims import evidence_of
from ledger.reads.packs import packs_of
from ledger.reads.replay import rows_at
from review.tokens import provision

pytestmark = pytest.mark.django_db(transaction=True)
OPERATOR = operator("Alice")
SCOPES = Scope.objects.filter(path__startswith="stage")
# What is asked and answered: item or none, key, words, the value that then stands in the sheet.
ANSWERS: list[tuple[str, str, str, Any]] = [
    ("", "project.timeline.event_start", "1 December 2026", "2026-12-01"),
    ("", "project.timeline.deadline", "2026-11-25", "2026-11-25"),
    ("", "project.logistics.venue", "Halle 7, Messe", "Halle 7, Messe"),
    ("", "project.logistics.address", "Am Wasserturm 3", "Am Wasserturm 3"),
    ("", "project.logistics.contact", "Frau Özdemir", "Frau Özdemir"),
    ("", "project.logistics.access", "über das Tor an der Nordseite", "über das Tor an der Nordseite"),
    ("", "project.logistics.door_width", "180 cm", 180),
    ("", "project.logistics.door_height", "2,2 m", 2.2),
    ("", "project.logistics.ceiling_height", "4.5 m", 4.5),
    ("", "project.logistics.parking", "two vans", "two vans"),
    ("", "project.budget.total", "12000 EUR", 12000),
    ("", "project.budget.transport", "800 EUR", 800),
    ("", "project.budget.approved_by", "Frau Özdemir", "Frau Özdemir"),
    ("backdrop", "item.dimensions.width", "600 cm", 600),
    ("backdrop", "item.dimensions.height", "2.4 m", 2.4),
    ("backdrop", "item.dimensions.depth", "40 cm", 40),
    ("backdrop", "item.dimensions.weight", "85 kg", 85),
    ("backdrop", "item.summary.purpose", "Rückwand der Bühne", "Rückwand der Bühne"),
    ("backdrop", "item.materials.main", "Birkensperrholz 18 mm", "Birkensperrholz 18 mm"),
    ("backdrop", "item.materials.colour", "RAL 9005", "RAL 9005"),
    ("backdrop", "item.materials.finish", "matt", "matt"),
    ("floor", "item.dimensions.width", "8 m", 8),
    ("floor", "item.dimensions.depth", "6 m", 6),
    ("floor", "item.dimensions.thickness", "19 mm", 19),
    ("floor", "item.summary.quantity", "24", 24),
    ("floor", "item.materials.main", "MDF schwarz", "MDF schwarz"),
    ("floor", "item.materials.finish", "satin", "satin"),
    ("floor", "item.production.lead_time", "5 d", 5),
    ("floor", "item.production.cost", "1450 EUR", 1450),
    ("floor", "item.installation.crew", "3", 3),
]
SAID = [
    ("Constraint: nothing may be drilled into the floor", "nothing may be drilled into the floor"),
    ("Entscheidung: Der Boden wird zuerst gelegt.", "Der Boden wird zuerst gelegt."),
    ("Decision: the backdrop stands on its own feet", "the backdrop stands on its own feet"),
    ("Constraint: no work between 22:00 and 06:00", "no work between 22:00 and 06:00"),
]
CORRECTED = [
    ("backdrop", "item.dimensions.width", "620 cm", 620),
    ("", "project.timeline.deadline", "2026-11-27", "2026-11-27"),
    ("floor", "item.production.cost", "1600 EUR", 1600),
]


class Production:
    """The studio at work: a turn is sent and read, what it says is countersigned, the sheet is looked at."""

    def __init__(self) -> None:
        provision(username="alice", password="a long password", reviewer_token="cs_owner", agent_token="cs_agent")
        create_scope("stage", tier="project", packs=["production"], stage="planning", actor=OPERATOR)
        for item in ("backdrop", "floor"):
            create_scope(f"stage/{item}", tier="item", name=item.capitalize(), actor=OPERATOR)
        self.client = Client()
        self.client.force_login(User.objects.get(username="alice"))
        self.turns = 0

    def turn(self, **typed: Any) -> list[Claim]:
        before = set(Claim.objects.values_list("pk", flat=True))
        self.send(**typed)
        work_off()
        # What the enricher asks on top of it is no fact of the turn.
        return list(Claim.objects.exclude(pk__in=before).exclude(extractor="enricher").select_related("scope"))

    def send(self, **typed: Any) -> None:
        self.turns += 1
        sent = self.client.post("/workspace/stage", {"stage": "planning", "bundle": f"turn-{self.turns}", **typed})
        assert sent.status_code == 302

    def answer(self, item: str, key: str, words: str) -> Claim:
        (claim,) = self.turn(**{f"text.{key}": words, "selected": [item] if item else []})
        assert (claim.key, claim.scope.path) == (key, f"stage/{item}" if item else "stage")
        (cited,) = evidence_of([claim.pk])[claim.pk]
        assert cited.quote == words and Source.objects.get(pk=cited.source_id).text[cited.start : cited.end] == words
        return claim

    def promote(self, claim: Claim, **more: Any) -> JournalEvent:
        return promote(claim, actor=OPERATOR, **more)

    def cell(self, claim: Claim) -> dict[str, Any]:
        block = block_of(Scope.objects.get(pk=claim.scope_id), claim.key.rpartition(".")[0])
        found: dict[str, Any] = block.content[claim.key.rpartition(".")[2]]
        return found


def killed(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def sheets() -> dict[str, list[dict[str, Any]]]:
    return {scope.path: [block.content for block in blocks_of(scope)] for scope in SCOPES.order_by("path")}


def sheets_by_journal() -> dict[str, list[dict[str, Any]]]:
    """The same out of nothing but the journal's changes."""
    told = {}
    for scope in SCOPES.order_by("path"):
        held = rows_at(Claim, [scope.pk], at=timezone.now(), status=["active"])
        told[scope.path] = [block.content for block in blocks_among(scope, held, packs_of(scope))]
    return told


def test_forty_turns_fill_the_sheets_with_their_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Production()
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(pipeline, "finish_run", killed)
        studio.turn(**{"text.project.summary.client": "Museum für Naturkunde"})
    assert not Claim.objects.exists() and Source.objects.count() == 1
    assert sweep_runs() > 0
    work_off()
    client = Claim.objects.exclude(extractor="enricher").select_related("scope").get()
    studio.promote(client)
    assert studio.cell(client)["value"] == "Museum für Naturkunde"
    for item, key, words, value in ANSWERS:
        claim = studio.answer(item, key, words)
        studio.promote(claim)
        assert studio.cell(claim)["value"] == value and studio.cell(claim)["factId"] == claim.ref, key
    for words, statement in SAID:
        (claim,) = studio.turn(free_chat=words)
        assert claim.statement == statement
        studio.promote(claim)
        page = studio.client.get("/workspace/stage").content.decode()
        assert claim.ref in page
    for item, key, words, value in CORRECTED:
        claim = studio.answer(item, key, words)
        studio.promote(claim, on_conflict="supersede")
        assert studio.cell(claim)["value"] == value
    claim = studio.answer("backdrop", "item.dimensions.weight", "92 kg")
    event = studio.promote(claim, on_conflict="supersede")
    assert studio.cell(claim)["value"] == 92
    undo(event, actor=OPERATOR)
    assert studio.cell(claim)["value"] == 85
    other = studio.answer("floor", "item.installation.crew", "4")
    both = studio.promote(other, on_conflict="coexist")
    assert Conflict.objects.filter(status="open").count() == 1
    undo(both, actor=OPERATOR)
    assert not Conflict.objects.filter(status="open").exists() and studio.cell(other)["value"] == 3
    floor = Scope.objects.get(path="stage/floor")
    typed = override(floor, "item.dimensions.width", "8.2 m", actor=OPERATOR)
    field = items_of([floor])[0].field("item.dimensions.width")
    assert field is not None and (field.origin, field.value) == ("override", {"number": 8.2, "unit": "m"})
    assert block_of(floor, "item.dimensions").content["width"]["factId"] == typed.ref
    assert studio.turns == 40 and Source.objects.filter(kind="turn").count() == 40
    now = sheets()
    assert sheets_by_journal() == now
    call_command("rebuild", "--check")
    call_command("rebuild")
    assert sheets() == now
