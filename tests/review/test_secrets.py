"""A password in a source: masked wherever it is read, kept to the byte in the table, and what rests on it needs a person."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from extraction.runs.pipeline import work_off
from ledger.actor import operator
from ledger.models import Claim, Evidence, RunHit, Scope, Source
from ledger.projections.export import export
from tests.matrix.judge import text_of
from tests.review.door import Door, House, build_house

CANARY = "zyxoMorph77"
TEXT = f"## Decision: The gate opens by lamp\n\nThe door password is {CANARY}.\n- [Requirement] The vault password is {CANARY}\n"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house() -> House:
    house = build_house()
    status, _ = house.alice("PATCH", "/scope?scope=studio", {"packs": ["engineering"]})
    assert status == 200
    return house


def send(house: House, text: str = TEXT, **more: Any) -> tuple[int, Any]:
    body = {"scope": "studio", "kind": "document", "text": text, **more}
    return house.alice("POST", "/sources", body)


def read_everywhere(door: Door, source: int) -> dict[str, str]:
    paths = [
        f"/sources/{source}", f"/sources/{source}/evidence", "/candidates?scope=studio",
        "/search?scope=studio&q=password&sources=true",
        "/context?scope=studio&query=vault+password&include_pending=true", "/scope/export?scope=studio",
        "/scope/mirror.md?scope=studio",
        "/journal?scope=studio", "/scope/state?scope=studio", "/runs?scope=studio", "/entities?scope=studio",
        "/tasks/talk?scope=studio", "/scope/export?scope=studio&format=tasks",
    ]  # fmt: skip
    answers = {
        path: door.client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {door.token}"}) for path in paths
    }
    return {path: text_of(answer) for path, answer in answers.items()}


def test_it_is_masked_wherever_it_is_read(house: House) -> None:
    status, sent = send(house, conversation="talk")
    source = sent["source"]["id"]
    assert status == 201 and CANARY not in str(sent)
    work_off()
    claim = Claim.objects.get(statement__contains="vault")
    assert CANARY not in f"{claim.__dict__}" and claim.high_risk and claim.needs_review and "secret" in claim.summary
    shown = house.bob("GET", f"/candidates/{claim.ref}")[1]
    [words] = shown["evidence"]
    text = house.bob("GET", f"/sources/{source}")[1]["text"]
    assert words["masked"] and words["quote"] == text[words["start"] : words["end"]] and "█" * len(CANARY) in text
    assert house.bob("POST", f"/candidates/{claim.ref}/promote", {})[0] == 200
    told = read_everywhere(house.alice, source)
    assert [path for path, body in told.items() if CANARY in body] == []
    assert (
        "█" in told["/scope/mirror.md?scope=studio"]
        and "█" in told["/context?scope=studio&query=vault+password&include_pending=true"]
    )
    assert house.bob("GET", f"/why?ref={claim.ref}")[1]["verified"]
    assert CANARY not in str(house.bob("GET", f"/why?ref={claim.ref}"))
    assert not RunHit.objects.filter(hit__icontains=CANARY).exists()


def test_screens_mask_it_too(house: House) -> None:
    _, sent = send(house, conversation="talk")
    work_off()
    claim = Claim.objects.get(statement__contains="vault")
    pages = [
        "/",
        f"/candidates/{claim.ref}",
        f"/sources/{sent['source']['id']}",
        "/sources?scope=studio",
        "/search?q=password",
    ]
    client = house.session("bob").client
    bodies = {path: client.get(path).content.decode() for path in pages}
    assert [path for path, body in bodies.items() if CANARY in body] == []
    assert "█" in bodies[f"/sources/{sent['source']['id']}"]


def test_the_source_itself_is_not_altered(house: House) -> None:
    _, sent = send(house)
    work_off()
    with connection.cursor() as cursor:
        cursor.execute("SELECT text FROM ledger_source WHERE id = %s", [sent["source"]["id"]])
        assert cursor.fetchone() == (TEXT,)
    row = Source.objects.get(pk=sent["source"]["id"])
    assert CANARY not in row.text and row.raw_words == TEXT
    assert Source.objects.only("text").get(pk=row.pk).text == row.text
    quote = Evidence.objects.filter(quote__contains=CANARY).get()
    assert CANARY not in quote.quote and CANARY in quote.raw_words
    assert house.alice("GET", "/journal/verify")[1]["ok"]


def test_a_scope_keeps_them_or_takes_none(house: House) -> None:
    _, sent = send(house)
    work_off()
    assert house.bob("PATCH", "/scope?scope=studio", {"secrets": "keep"})[0] == 403
    assert house.alice("PATCH", "/scope?scope=studio", {"secrets": "shout"})[0] == 422
    assert house.alice("PATCH", "/scope?scope=studio", {"secrets": "keep"})[1]["secrets"] == "keep"
    told = read_everywhere(house.alice, sent["source"]["id"])
    kept = [path.partition("?")[0] for path, body in told.items() if CANARY in body]
    assert kept == [f"/sources/{sent['source']['id']}", "/candidates"]

    house.alice("PATCH", "/scope?scope=studio", {"secrets": "refuse"})
    assert send(house, "The sky is blue")[0] == 201
    for body in ({"scope": "studio/backdrop", "text": TEXT}, {"scope": "studio", "text": f"password: {CANARY}"}):
        status, refused = house.alice("POST", "/sources", body)
        assert status == 422 and refused["errors"][0]["field"] == "text" and CANARY not in str(refused)
    batch = {"sources": [{"scope": "studio", "text": "Fine"}, {"scope": "studio", "text": f"password: {CANARY}"}]}
    results = house.alice("POST", "/sources", batch)[1]["results"]
    assert "source" in results[0] and "error" in results[1] and CANARY not in str(results)


def test_typed_claims_are_masked_as_well(house: House) -> None:
    claim = {"scope": "studio", "kind": "fact", "statement": f"The cellar password is {CANARY}"}
    made = house.alice("POST", "/candidates", claim)[1]
    ref = (made.get("candidate") or made)["ref"]
    row = Claim.objects.get(ref=ref)
    assert CANARY not in f"{row.__dict__}" and row.high_risk and row.needs_review
    other = house.alice("POST", "/candidates", {**claim, "statement": "The cellar is locked"})[1]
    ref = (other.get("candidate") or other)["ref"]
    assert house.alice("PATCH", f"/candidates/{ref}", {"statement": f"The cellar password is {CANARY}9"})[0] == 200
    row = Claim.objects.get(ref=ref)
    assert CANARY not in f"{row.__dict__}" and row.high_risk


def test_an_export_with_masks_comes_back_in(house: House, tmp_path: Path) -> None:
    send(house)
    work_off()
    written = tmp_path / "studio.jsonl"
    written.write_bytes(b"".join(export(house.scope, operator("Alice").access, format="jsonl")))
    assert CANARY not in written.read_text()
    call_command("import", str(written), "--scope", "kitchen")
    assert Source.objects.filter(scope=house.elsewhere, text__contains="█").exists()


def test_old_sources_are_looked_through(house: House) -> None:
    from importlib import import_module

    from django.apps import apps

    _, sent = send(house)
    work_off()
    with connection.cursor() as cursor:
        for table in ("ledger_source", "ledger_evidence"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(f"UPDATE {table} SET secrets = '[]'")
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    with connection.schema_editor() as editor:
        import_module("ledger.migrations.0025_secrets").look_through(apps, editor)
    assert CANARY not in Source.objects.get(pk=sent["source"]["id"]).text
    assert not [one for one in Evidence.objects.all() if CANARY in one.quote]
    assert Scope.objects.get(path="studio").secrets == ""
