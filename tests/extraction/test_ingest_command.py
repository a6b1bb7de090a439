"""`manage.py ingest` and its neighbours, on real files."""

import codecs
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from extraction.runs.wave_report import report_of
from ledger.models import Claim, Evidence, JournalEvent, Run, Scope, Source, Wave
from ledger.reads.waves import silent_of_wave

pytestmark = pytest.mark.django_db(transaction=True)


def run(*arguments: Any) -> tuple[dict[str, Any], str]:
    """The command's JSON line and its talk."""
    out, talk = io.StringIO(), io.StringIO()
    call_command("ingest", *map(str, arguments), "--json", verbosity=0, stdout=out, stderr=talk)
    return json.loads(out.getvalue().splitlines()[-1]), talk.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "minutes"
    (root / "deep").mkdir(parents=True)
    (root / "one.md").write_bytes(b"# Notes\r\n\r\n## Decision: Keep the blue door\r\n")
    (root / "deep" / "two.txt").write_text("RESOLUTION: The gate opens at nine 🚪\n")
    (root / "deep" / "marked.txt").write_bytes(codecs.BOM_UTF16_LE + "Decision: paint it green\n".encode("utf-16-le"))
    (root / "bytes.txt").write_bytes(b"\xff\xfeD\x00\x00\x00\xd8")
    (root / "latin.txt").write_bytes("Entschluß".encode("latin-1"))
    (root / "nul.txt").write_bytes(b"a\0b")
    (root / "empty.md").write_bytes(b"")
    (root / "photo.jpg").write_bytes(b"\xff\xd8")
    (root / ".hidden.md").write_text("## Decision: Hidden\n")
    os.symlink("/etc/passwd", root / "link.txt")
    return root


def test_a_folder_is_taken_in_once(folder: Path) -> None:
    said, talk = run(folder, "--scope", "yard/garden", "--create-scope")
    assert (said["sources"], said["duplicates"], said["candidates"]) == (3, 0, 3)
    why = {one["path"]: one["why"] for one in said["skipped"]}
    assert set(why) == {
        "minutes/bytes.txt", "minutes/latin.txt", "minutes/nul.txt", "minutes/empty.md", "minutes/photo.jpg", "minutes/link.txt",
    }  # fmt: skip
    assert "byte 8" in why["minutes/latin.txt"] and "NUL" in why["minutes/nul.txt"] and "minutes/latin.txt" in talk
    assert list(Scope.objects.exclude(path="global").values_list("path", "tier")) == [
        ("yard", "domain"), ("yard/garden", "project"),
    ]  # fmt: skip
    source = Source.objects.get(external_id="minutes/one.md")
    assert "\r\n" in source.text and source.title == "one.md" and source.wave_id == said["wave"]
    assert Source.objects.get(external_id="minutes/deep/marked.txt").text == "Decision: paint it green\n"
    for words in Evidence.objects.select_related("source"):
        assert words.source.text[words.start : words.end] == words.quote
    again, _ = run(folder, "--scope", "yard/garden", "--create-scope")
    assert (again["sources"], again["duplicates"], again["candidates"], again["wave"]) == (0, 3, 0, None)
    assert Wave.objects.count() == 1 and Claim.objects.count() == 3 and Run.objects.count() == 3


def test_it_ends_with_what_was_found_what_was_not_read_and_what_helps(folder: Path) -> None:
    (folder / "zz.md").write_text("Only words.\n")
    out = io.StringIO()
    call_command(
        "ingest", str(folder), "--scope", "yard", "--create-scope", verbosity=0, stdout=out, stderr=io.StringIO()
    )
    said = out.getvalue()
    assert "Found: 3 decision; by rule: " in said
    assert "Not read: 1 × no format is known for .jpg; the first is minutes/photo.jpg" in said
    assert "1 file or conversation yielded nothing; the first is minutes/zz.md" in said
    assert "What helps: uv run manage.py ingest PATH --scope yard --format NAME" in said
    wave = Wave.objects.get()
    assert silent_of_wave(wave).total == 1
    assert report_of(wave)["yielded_nothing"] == {"total": 1, "first": ["minutes/zz.md"]}


def test_a_changed_file_replaces_its_source(folder: Path) -> None:
    run(folder, "--scope", "yard", "--create-scope")
    old = Source.objects.get(external_id="minutes/one.md")
    (folder / "one.md").write_text("## Decision: Keep the red door\n")
    said, _ = run(folder, "--scope", "yard")
    assert said["sources"] == 1 and Source.objects.get(title="one.md", replaces=old)


def test_jsonl_keeps_the_good_lines(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    lines = [
        '{"text": "Decision: go by train", "id": "a1", "gold": [1]}',
        "{broken",
        "",
        '{"text": 4}',
        '{"text": "x", "kind": "nope"}',
        '{"text": "\\u0000"}',
        '{"text": "I prefer tea", "kind": "message", "sender": "Ada", "sender_kind": "user",'
        ' "sent_at": "2026-01-05T10:00:00Z", "conversation": "c1"}',
        "[]",
        '{"text": "elsewhere", "scope": "other"}',
    ]
    file.write_bytes("\n".join(lines).encode() + b'\n{"text": "\xff"}\n')
    said, _ = run(file, "--scope", "yard", "--create-scope")
    assert said["sources"] == 2
    numbers = [int(one["path"].rpartition("#")[2]) for one in said["skipped"]]
    assert sorted(numbers) == [2, 4, 5, 6, 8, 9, 10]
    assert Source.objects.get(external_id="a1").kind == "document"
    message = Source.objects.get(external_id="talk.jsonl#7")
    assert message.conversation is not None and message.conversation.external_id == "c1"
    assert message.sender == "Ada" and Claim.objects.filter(kind="preference").exists()
    assert run(file, "--scope", "yard")[0]["duplicates"] == 2


def test_archives_neither_leave_their_place_nor_burst(tmp_path: Path) -> None:
    file = tmp_path / "box.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr("in/good.md", "## Decision: Keep the box\n")
        box.writestr("../evil.md", "## Decision: Leave\n")
        box.writestr("/root.md", "## Decision: Leave\n")
        box.writestr("bomb.txt", "0" * 50_000_000)
        box.writestr("again.zip", b"PK")
    said, _ = run(file, "--scope", "yard", "--create-scope")
    assert said["sources"] == 1 and len(said["skipped"]) == 4, said
    assert Source.objects.get().external_id == "box.zip/in/good.md"
    file.write_bytes(b"no archive")
    with pytest.raises(CommandError):
        run(file, "--scope", "yard")


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no scope"):
        run(tmp_path, "--scope", "nowhere")
    with pytest.raises(CommandError, match="not every path"):
        run(tmp_path / "gone.md", "--scope", "yard", "--create-scope")
    with pytest.raises(CommandError, match="lower-case"):
        run(tmp_path, "--scope", "Not A Scope", "--create-scope")


def test_texts_without_a_pass_are_extracted_later(folder: Path) -> None:
    said, _ = run(folder, "--scope", "yard", "--create-scope", "--no-extract")
    assert said["candidates"] == 0 and not Run.objects.exists()
    out = io.StringIO()
    call_command("extract", "--scope", "yard", "--json", stdout=out, stderr=io.StringIO())
    assert json.loads(out.getvalue()) == {"runs": 3, "written": 3, "failed": 0}
    out = io.StringIO()
    call_command("extract", "--scope", "yard", "--json", stdout=out, stderr=io.StringIO())
    assert json.loads(out.getvalue())["runs"] == 0


def test_verify_and_purge(folder: Path) -> None:
    run(folder, "--scope", "yard", "--create-scope")
    out = io.StringIO()
    call_command("verify", "--json", stdout=out, stderr=io.StringIO())
    report = json.loads(out.getvalue())
    assert report["ok"] and report["events"] == JournalEvent.objects.count() == report["sealed"], report
    source = Source.objects.get(title="one.md")
    call_command("purge", str(source.pk), "--reason", "asked for", stdout=io.StringIO())
    out = io.StringIO()
    call_command("verify", "--json", "--root", report["root"], stdout=out, stderr=io.StringIO())
    assert json.loads(out.getvalue())["redacted"] > 0
    with pytest.raises(CommandError):
        call_command("verify", "--root", "00" * 32, stdout=io.StringIO(), stderr=io.StringIO())
    with pytest.raises(CommandError, match="purged already"):
        call_command("purge", str(source.pk), "--reason", "again", stdout=io.StringIO())


def test_packs(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("packs", "list", stdout=out)
    assert {"core", "engineering"} <= {line.split("\t")[0] for line in out.getvalue().splitlines()}
    bad = tmp_path / "bad.toml"
    bad.write_text('[pack]\nname = "bad"\nversion = "1"\n\n[[rules.sentences]]\nkind = "fact"\npattern = "(a"\n')
    with pytest.raises(CommandError, match=r"bad\.toml:7"):
        call_command("packs", "check", str(bad), stdout=io.StringIO())
