"""Waves: a batch is kept, read as one and reported (P2, P12); a dry run writes nothing; what is forced stands beside (P11)."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from extraction.runs.pipeline import work_off
from extraction.runs.sweep import sweep
from extraction.runs.wave_report import forget_reports
from ledger.actions.purge import purge
from ledger.models import Claim, Run, Scope, Source, Wave
from tests.extraction.test_sources_api import DOC, OPERATOR, Door, doors

__all__ = ["doors"]
pytestmark = pytest.mark.django_db(transaction=True)

MINUTES = "## Decision: Keep the blue door\n\nmax weight = 4.8 kg\n"
SAME = "Decision: the blue door, keep it\n\n## Decision: We will keep the blue door!\n"


def raw(door: Door, path: str) -> tuple[int, str, str]:
    answer = door.client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {door.token}"})
    body = b"".join(answer.streaming_content) if getattr(answer, "streaming", False) else answer.content  # type: ignore[attr-defined]
    return answer.status_code, answer.headers["Content-Type"], body.decode()


def lines(door: Door, wave: int, file: str) -> list[dict[str, Any]]:
    code, kind, body = raw(door, f"/waves/{wave}/report/{file}")
    assert code == 200 and kind == "application/x-ndjson"
    return [json.loads(line) for line in body.splitlines()]


def rows() -> dict[str, int]:
    """How many rows each table has."""
    with connection.cursor() as cursor:
        counts = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608
            counts[table] = cursor.fetchone()[0]
    assert set(counts) >= {
        model._meta.db_table for model in apps.get_app_config("ledger").get_models() if not model._meta.proxy
    }
    return counts


def test_a_wave_is_kept_read_as_one_and_reported(doors: tuple[Door, Door]) -> None:
    owner, agent = doors
    _, sent = owner("POST", "/sources", DOC | {"extract": False})
    here = sent["source"]["id"]
    body = {
        "scope": "yard",
        "label": "  Minutes of\n January ",
        "sources": [
            {"text": MINUTES, "external_id": "jan/1.md"},
            {"text": SAME, "external_id": "jan/2.md", "scope": "yard"},
            here,
            {"text": ""},
            {"text": "Decision: never seen\n", "scope": "elsewhere"},
            999_999,
            DOC,
        ],
        "extract": False,
    }
    code, answer = owner("POST", "/waves", body)
    assert code == 201, answer
    wave = answer["wave"]["id"]
    assert answer["wave"]["label"] == "Minutes of January" and answer["wave"]["sources"] == 3
    assert answer["wave"]["known_before"] == 1 and answer["wave"]["runs"]["total"] == 0
    told = [one.get("error", {}).get("status") for one in answer["results"]]
    assert told == [None, None, None, 422, 422, 404, None]
    assert answer["results"][2]["duplicate"] and answer["results"][6]["source"]["id"] == here
    assert not Run.objects.exists() and Source.objects.count() == 3

    before = rows()
    code, tried = owner("POST", f"/waves/{wave}/extract", {"dry_run": True})
    assert code == 200 and tried["sources"] == 3 and tried["sources_left_off"] == 0
    assert [one["would_be"] for one in tried["proposals"] if one["rule"].startswith("heading")] == ["written"] * 3
    assert rows() == before

    code, asked = owner("POST", f"/waves/{wave}/extract", {})
    assert code == 202 and asked["total"] == 3 and len(asked["runs"]) == 3
    again = owner("POST", f"/waves/{wave}/extract", {})[1]
    assert [run["id"] for run in again["runs"]] == [run["id"] for run in asked["runs"]]
    assert work_off() == 3
    code, done = owner("GET", f"/waves/{wave}")
    assert code == 200 and done["finished"] and done["runs"]["succeeded"] == 3
    report = done["report"]
    assert report["candidates"]["total"] == Claim.objects.count() == report["ledger"]["admitted"]
    assert report["candidates"]["by_kind"]["decision"] >= 2
    assert report["ledger"]["merged"] == 1 and report["ledger"]["reasons"][0]["why"] == "… says nearly this already"
    assert report["ledger"]["proposed"] == sum(
        run["stats"]["proposed"] for run in owner("GET", f"/runs?wave={wave}")[1]["items"]
    )
    code, kind, body_ = raw(owner, f"/waves/{wave}/report/report.json")
    assert code == 200 and kind == "application/json" and json.loads(body_) == report

    written = lines(owner, wave, "candidates.ndjson")
    assert {one["ref"] for one in written} == set(Claim.objects.values_list("ref", flat=True))
    for one in written:
        for cited in one["evidence"]:
            assert Source.objects.get(pk=cited["source"]).text[cited["start"] : cited["end"]] == cited["quote"]
    joined = [one for one in lines(owner, wave, "dropped.ndjson") if one["fate"] == "duplicate"]
    assert len(joined) == 1 and joined[0]["claim"] in {one["ref"] for one in written}
    assert raw(owner, f"/waves/{wave}/report/errors.log")[1:] == ("text/plain; charset=utf-8", "")
    assert raw(owner, f"/waves/{wave}/report/else.txt")[0] == 404
    assert owner("GET", f"/candidates?wave={wave}&count=true")[1]["total"] == len(written)

    listed = owner("GET", "/waves?scope=yard&count=true")[1]
    assert listed["total"] == 1 and listed["items"][0]["written"] == len(written)
    assert owner("GET", "/waves/99999999999999999999999")[0] == 404
    assert owner("POST", "/waves", body | {"sources": []})[0] == 422
    for wrong in (
        {"label": ""},
        {"label": 3},
        {"label": "a\0b"},
        {"extract": "no"},
        {"scope": None},
        {"sources": [{"text": ""}]},
        {"x": 1},
    ):
        assert owner("POST", "/waves", body | wrong)[0] == 422, wrong
    assert (
        agent("POST", "/waves", body | {"sources": [{"text": "I say", "kind": "message", "sender_kind": "system"}]})[0]
        == 422
    )


def test_a_wave_is_read_when_it_comes_unless_told_otherwise(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    body = {"scope": "yard", "label": "all", "sources": [{"text": MINUTES}]}
    code, answer = owner("POST", "/waves", body, **{"Idempotency-Key": "w1"})
    assert code == 201 and answer["results"][0]["run"]["status"] == "queued"
    assert owner("POST", "/waves", body, **{"Idempotency-Key": "w1"})[1]["wave"]["id"] == answer["wave"]["id"]
    assert Wave.objects.count() == Run.objects.count() == 1
    work_off()
    code, again = owner("POST", f"/waves/{answer['wave']['id']}/extract", {"wait": 5})
    assert code == 200 and again["runs"][0]["id"] == answer["results"][0]["run"]["id"] and again["wave"]["finished"]


def test_what_is_forced_stands_beside_and_says_which_version_made_it(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    _, answer = owner("POST", "/waves", {"scope": "yard", "label": "all", "sources": [{"text": MINUTES}]})
    work_off()
    old = list(Claim.objects.order_by("id").values())
    Claim.objects.filter(kind="decision").update(status="archived")
    owner("POST", f"/waves/{answer['wave']['id']}/extract", {"force": True})
    work_off()
    kept = {row["ref"]: row for row in Claim.objects.values()}
    for row in old:
        now = kept[row["ref"]]
        assert all(
            now[name] == row[name] for name in ("statement", "run_id", "extractor_version", "proposed", "created_at")
        )
    _, run = owner("GET", f"/runs/{Run.objects.get(forced=True).pk}")
    assert [one["kind"] for one in run["written"]] == ["decision"] and run["written"][0]["ref"] not in {
        r["ref"] for r in old
    }
    assert [hit["fate"] for hit in run["hits"]] == ["duplicate"] and run["hits"][0]["claim"] in {r["ref"] for r in old}
    assert run["ledger"]["admitted"] == 1 and run["ledger"]["merged"] == 1 and run["ledger"]["proposed"] == 2
    assert set(run["ledger"]["by_rule"]) == {run["written"][0]["rule"], run["hits"][0]["hit"]["rule"]}
    candidate = owner("GET", f"/candidates/{run['written'][0]['ref']}")[1]
    assert candidate["extractor_version"] == run["extractor_version"] and candidate["run"] == run["id"]
    gates = owner("GET", f"/gates?run={run['id']}")[1]["items"]
    assert len(gates) == 2 and {gate["run"] for gate in gates} == {run["id"]}
    assert owner("GET", "/gates")[0] == 422


def test_the_command_writes_the_files_and_tells_of_a_failure(doors: tuple[Door, Door], tmp_path: Path) -> None:
    owner, _ = doors
    _, answer = owner(
        "POST", "/waves", {"scope": "yard", "label": "all", "sources": [{"text": MINUTES}, {"text": "Decision: b\n"}]}
    )
    work_off()
    wave = answer["wave"]["id"]
    Run.objects.filter(source__text__startswith="Decision: b").update(status="failed", error="the mill\nburnt")
    out = io.StringIO()
    call_command("wave", "report", str(wave), "--out", str(tmp_path / "r"), stdout=out, stderr=io.StringIO())
    made = {path.name: path.read_text() for path in (tmp_path / "r").iterdir()}
    assert set(made) == {"report.json", "candidates.ndjson", "dropped.ndjson", "errors.log"}
    assert (
        json.loads(made["report.json"]) == json.loads(out.getvalue()) and json.loads(made["report.json"])["errors"] == 1
    )
    assert made["errors.log"].endswith("failed attempt 1: the mill burnt\n") and made["errors.log"].count("\n") == 1
    source = Source.objects.get(text=MINUTES)
    purge(source, actor=OPERATOR, reason="private")
    call_command("wave", "report", str(wave), "--out", str(tmp_path / "r"), stdout=io.StringIO(), stderr=io.StringIO())
    assert "blue door" not in "".join(path.read_text() for path in (tmp_path / "r").iterdir())
    out = io.StringIO()
    call_command("wave", "list", stdout=out)
    assert out.getvalue().startswith(f"{wave}\tyard\t2\t2/2\t")


def test_a_dry_run_of_the_command_writes_nothing(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    owner("POST", "/sources", DOC | {"text": MINUTES, "extract": False})
    before = rows()
    out, talk = io.StringIO(), io.StringIO()
    call_command("extract", "--scope", "yard", "--dry-run", stdout=out, stderr=talk)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["would_be"] for one in told] == ["written", "written"] and {one["kind"] for one in told} == {
        "decision",
        "fact",
    }
    assert rows() == before
    call_command("extract", "--scope", "yard", stdout=io.StringIO(), stderr=talk)
    assert Claim.objects.count() == 2


def test_a_dry_run_of_a_source_or_a_thread_writes_nothing(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    for at, text in enumerate((MINUTES, SAME)):
        told = {"scope": "yard", "text": text, "external_id": f"t{at}", "conversation": "talk", "extract": at == 0}
        _, sent = owner("POST", "/sources", told)
    work_off()
    before = rows()
    _, one = owner("POST", f"/sources/{sent['source']['id']}/extract", {"dry_run": True})
    assert [hit["would_be"] for hit in one["proposals"]] == ["written", "duplicates"] and one["proposals"][1]["ref"]
    _, both = owner("POST", "/conversations/talk/extract?scope=yard", {"dry_run": True})
    assert len(both["proposals"]) == 4 and rows() == before
    ledger = owner("GET", f"/sources/{Claim.objects.first().run.source_id}/ledger")[1]  # type: ignore[union-attr]
    assert ledger["admitted"] == ledger["proposed"] == 2 and set(ledger["by_rule"]) == set(
        Claim.objects.values_list("rule", flat=True)
    )


def test_files_in_the_data_folder_go_when_the_scope_forgets(
    doors: tuple[Door, Door], tmp_path: Path, settings: Any
) -> None:
    owner, _ = doors
    settings.DATA_DIR = tmp_path
    _, answer = owner("POST", "/waves", {"scope": "yard", "label": "all", "sources": [{"text": MINUTES}]})
    folder = tmp_path / "extraction-reports" / str(answer["wave"]["id"])
    call_command("wave", "report", str(answer["wave"]["id"]), stdout=io.StringIO(), stderr=io.StringIO())
    assert len(list(folder.iterdir())) == 4 and folder.stat().st_mode & 0o777 == 0o700
    for path in folder.iterdir():
        os.utime(path, (0, 0))
    assert forget_reports() == 0
    Scope.objects.filter(path="yard").update(retention_days=30)
    sweep()
    assert not folder.exists() and forget_reports() == 0


def test_a_wave_that_no_row_can_hold_is_refused_and_a_bad_source_does_not_spoil_it(doors: tuple[Door, Door]) -> None:
    owner, _ = doors
    body = {"scope": "yard", "label": "w", "sources": [DOC]}
    for field, value in {"scope": "\ud800", "label": "a\0b", "extract": "\0"}.items():
        code, told = owner("POST", "/waves", body | {field: value})
        assert code == 422 and told["errors"][0]["field"] == field
    # A NUL in a source must not hide the one in the label.
    bad = {"scope": "yard", "kind": "document", "text": "a\0"}
    assert owner("POST", "/waves", body | {"label": "\0", "sources": [bad, DOC]})[0] == 422
    code, told = owner("POST", "/waves", body | {"sources": [bad, DOC], "extract": False})
    assert code == 201 and "error" in told["results"][0] and "source" in told["results"][1]
    assert owner("POST", "/waves", body | {"wait": 10**400, "extract": False})[0] == 201
