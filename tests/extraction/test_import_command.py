"""Export and back: the same texts, words and values as proposals; twice is once; what is broken names its line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ledger.actions.curate import curate
from ledger.actions.decide import reject
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.scope import add_person
from ledger.actor import demo, operator
from ledger.models import Claim, JournalEvent, Person, Scope, Source, Tier
from ledger.projections.export import export
from ledger.reads.verify import verify
from tests.people import candidate, make_scope, tell

OPERATOR = operator("Olga")


@pytest.fixture
def studio(transactional_db: None) -> Scope:
    """One of everything that an export can hold."""
    scope = make_scope("studio")
    below = make_scope("studio/panel", tier=Tier.ITEM, parent=scope)
    add_person(scope, "Ida <b>", actor=OPERATOR, aliases=["I."], role="painter", telegram_id=7)
    told = tell(
        scope,
        OPERATOR,
        "We use oak 🌳.\r\nThe panel weighs 12 kg.",
        sender="Ida",
        conversation="talk",
        external_id="m1",
    )
    oak = candidate(
        scope,
        OPERATOR,
        "We use oak 🌳.",
        kind="decision",
        told=tell(scope, OPERATOR, "We use oak 🌳.", external_id="m0"),
    )
    weight = candidate(
        below,
        OPERATOR,
        "The panel weighs 12 kg",
        key="weight",
        value=12,
        told=tell(below, OPERATOR, "The panel weighs 12 kg"),
    )
    no = candidate(scope, OPERATOR, "We paint it red")
    waits = candidate(
        scope,
        OPERATOR,
        "We paint it blue",
        tags=("colour",),
        told=tell(scope, OPERATOR, "We paint it blue", by="agent"),
    )
    for claim in (oak, weight):
        promote(claim, actor=OPERATOR)
    reject(no, actor=OPERATOR, reason="no")
    edit(waits, actor=OPERATOR, changes={"statement": "We paint it dark blue"})
    curate(scope, "wood", actor=demo("Carol"), value="oak", statement="Oak it is", cites=[oak.ref])
    curate(scope, "budget", actor=demo("Carol"), value=900, statement="900 EUR")
    gone = tell(scope, OPERATOR, "Forget this")
    purge(gone, actor=OPERATOR, reason="asked for")
    assert told.pk
    return scope


def written(scope: Scope, path: Path, format: str = "jsonl") -> Path:
    path.write_bytes(b"".join(export(scope, OPERATOR.access, format=format, descend=True)))
    return path


def brought(path: Path, *words: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("import", str(path), *words, "--json", stdout=out, stderr=io.StringIO(), verbosity=0)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def told_of(root: str) -> set[tuple[Any, ...]]:
    rows = Claim.objects.filter(scope__path__startswith=root).prefetch_related("evidence").select_related("scope")
    return {
        (
            row.scope.path.removeprefix(root), row.kind_id, row.layer, row.key, row.statement, str(row.value), tuple(row.tags),
            tuple((e.quote, e.start, e.end, e.speaker, e.stance) for e in row.evidence.all()),
        )
        for row in rows
    }  # fmt: skip


@pytest.mark.parametrize("format", ["jsonl", "json"])
def test_the_same_again_as_proposals_and_only_once(studio: Scope, tmp_path: Path, format: str) -> None:
    file = written(studio, tmp_path / f"out.{format}", format)
    first = brought(file, "--scope", "copy", "--create-scope")
    assert (first["sources"], first["people"], first["scopes"], first["purged"], first["left"]) == (5, 1, 1, 1, [])
    before = told_of("studio")
    assert before <= told_of("copy") and first["proposed"] >= len(before)
    assert set(Claim.objects.filter(scope__path__startswith="copy").values_list("status", flat=True)) == {"pending"}
    texts = (
        Source.objects.filter(scope__path="copy", purged_at=None).exclude(kind="note").values_list("text", flat=True)
    )
    assert set(texts) == set(Source.objects.filter(scope=studio, purged_at=None).values_list("text", flat=True))
    person = Person.objects.get(scope__path="copy")
    assert (person.name, person.aliases, person.telegram_id) == ("Ida <b>", ["I."], 7)
    reasons = " | ".join(JournalEvent.objects.filter(scope__path__startswith="copy").values_list("reason", flat=True))
    for words in ("was active; promoted on", "was rejected", "was pending", "trusted TRU", "current, typed by Carol"):
        assert words in reasons
    trusted = Claim.objects.get(scope__path="copy", key="budget")
    assert (trusted.value, trusted.statement, trusted.needs_review) == (900, "900 EUR", True)
    events = JournalEvent.objects.count()
    again = brought(file, "--scope", "copy")
    assert (again["sources"], again["people"], again["proposed"], again["left"]) == (0, 0, 0, [])
    assert JournalEvent.objects.count() == events and not verify().problems


def test_what_was_edited_here_since_does_not_come_back(studio: Scope, tmp_path: Path) -> None:
    file = written(studio, tmp_path / "out.jsonl")
    brought(file, "--scope", "copy", "--create-scope")
    oak = Claim.objects.get(scope__path="copy", statement="We use oak 🌳.", kind="decision")
    edit(oak, actor=OPERATOR, changes={"statement": "We use oak and ash"})
    assert brought(file, "--scope", "copy")["proposed"] == 0


def test_it_comes_back_to_where_it_was_as_known(studio: Scope, tmp_path: Path) -> None:
    file, claims = (
        written(studio, tmp_path / "out.jsonl"),
        Claim.objects.filter(scope__path__startswith="studio").count(),
    )
    brought(file, "--scope", "studio")
    assert Source.objects.filter(scope=studio).exclude(kind="note").count() == 5
    assert set(Claim.objects.order_by("pk")[claims:].values_list("key", flat=True)) <= {"wood", "budget"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: [*lines[:3], lines[3][:-20], *lines[4:]], "line 4"),
        (lambda lines: lines[1:], "line 1: this is no export"),
        (lambda lines: [lines[0], '{"type": "cat"}'], "line 2: no row of an export has the type 'cat'"),
        (lambda lines: [lines[0], "[]"], "line 2"),
        (lambda lines: [line.replace("12 kg", "13 kg") if '"type":"source"' in line else line for line in lines], "hash"),
        (lambda lines: [line.replace('"stance":"supports"', '"stance":"likes"') for line in lines], "evidence.0.stance"),
        (lambda lines: [line.replace('"start":0', '"start":1', 1) if '"type":"source"' in line else line for line in lines],
         "end to end"),
        (lambda lines: ["\x00\xff"], "line 1"),
        (lambda lines: [], "line 1"),
    ],
)  # fmt: skip
def test_a_broken_file_names_the_line_and_leaves_nothing(studio: Scope, tmp_path: Path, change: Any, told: str) -> None:
    make_scope("copy")
    file = written(studio, tmp_path / "out.jsonl")
    file.write_text("\n".join(change(file.read_text(encoding="utf-8").splitlines())), encoding="utf-8")
    with pytest.raises(CommandError, match=told):
        brought(file, "--scope", "copy")
    assert not Source.objects.filter(scope__path="copy").exists()


def test_a_false_quote_is_told_and_the_rest_enters(studio: Scope, tmp_path: Path) -> None:
    make_scope("copy")
    file = written(studio, tmp_path / "out.jsonl")
    lines = [
        line.replace('"quote":"We paint it red', '"quote":"We paint it any') for line in file.read_text().splitlines()
    ]
    file.write_text("\n".join(lines))
    with pytest.raises(CommandError, match="1 rows"):
        brought(file, "--scope", "copy")
    assert Claim.objects.filter(scope__path="copy").count() >= 3
    assert not Claim.objects.filter(scope__path="copy", statement="We paint it red").exists()
