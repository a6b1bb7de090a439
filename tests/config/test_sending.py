"""Three ways in at the screens: a pasted text, dropped files, an example; each becomes a wave whose page tells what came of it."""

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ledger.models import Claim, Run, Scope, Source, Wave
from tests.review.conftest import house as house  # noqa: F401, PLC0414 - a fixture
from tests.review.door import House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)
JSON = {"Accept": "application/json"}


def drop(screen: Screen, files: dict[str, bytes], **fields: str) -> Any:
    screen.open("/send")
    form: dict[str, Any] = {"csrfmiddlewaretoken": screen.client.cookies["csrftoken"].value, "action": "drop", **fields}
    form["files"] = [SimpleUploadedFile(path.rsplit("/", 1)[-1], text) for path, text in files.items()]
    form["paths"] = list(files)
    return screen.client.post("/send", form, headers=JSON)


def test_a_pasted_text_becomes_a_wave_that_is_read(house: House) -> None:  # noqa: F811
    bob = Screen("bob")
    bob.open("/send")
    page = bob.press("paste", scope="studio", title="Minutes", text="Decision: We use oak\r\nfor the bench")
    source = Source.objects.latest("pk")
    assert (source.text, source.title, source.scope.path) == (
        "Decision: We use oak\nfor the bench",
        "Minutes",
        "studio",
    )
    assert source.wave is not None and Run.objects.filter(source=source, status="queued").exists()
    assert "1 text taken in" in page.text and "Decide about what was found" in " ".join(page.text.split())
    assert page.shows("href", f"/?wave={source.wave_id}")


def test_a_folder_comes_in_parts_of_one_wave_and_twice_adds_nothing(house: House) -> None:  # noqa: F811
    bob = Screen("bob")
    first = drop(bob, {"notes/a.md": b"# A\n\nDecision: oak", "notes/../b.txt": b"plain words"}, scope="studio").json()
    assert (first["sources"], first["duplicates"], first["skipped"]) == (2, 0, [])
    second = drop(
        bob, {"notes/c.md": b"# C\n\nwords", "notes/d.png": b"\x89PNG\r\n\0\0"}, scope="studio", wave=str(first["wave"])
    )
    assert second.json()["wave"] == first["wave"] and [one["path"] for one in second.json()["skipped"]] == [
        "notes/d.png"
    ]
    assert set(Source.objects.filter(wave=first["wave"]).values_list("external_id", flat=True)) >= {
        "notes/a.md",
        "notes/c.md",
    }
    again = drop(bob, {"notes/a.md": b"# A\n\nDecision: oak"}, scope="studio").json()
    assert (again["sources"], again["duplicates"], again["wave"]) == (0, 1, None)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as box:
        box.writestr("in.md", "# In\n\nDecision: elm")
    assert drop(bob, {"box.zip": packed.getvalue()}, scope="studio").json()["sources"] == 1


def test_names_that_no_file_system_takes_or_that_come_twice(house: House) -> None:  # noqa: F811
    """What can be kept is kept; what would lie where another file does is named."""
    bob = Screen("bob")
    long = f"notes/{'日本' * 100}.md"
    sent = drop(bob, {long: b"# Long\n\nDecision: oak", "a": b"plain", "a/b.md": b"# B\n\nwords"}, scope="studio")
    assert sent.status_code == 200, sent.content
    assert sent.json()["sources"] >= 1 and Source.objects.filter(external_id__startswith="notes/日本").exists()
    assert {one["path"] for one in sent.json()["skipped"]} >= {"a/b.md"}
    same = [SimpleUploadedFile("n.md", text) for text in (b"# One\n\nwords", b"# Two\n\nwords")]
    twice = bob.client.post(
        "/send",
        {"csrfmiddlewaretoken": bob.client.cookies["csrftoken"].value, "action": "drop", "scope": "studio",
         "files": same, "paths": ["x/n.md", "x/n.md"]},
        headers=JSON,
    ).json()  # fmt: skip
    assert twice["sources"] == 1 and [one["path"] for one in twice["skipped"]] == ["x/n.md"]


def test_an_example_makes_its_place_and_waits_for_decisions(house: House) -> None:  # noqa: F811
    Scope.objects.filter(path="hexapod").delete()
    from django.contrib.auth.models import User

    User.objects.filter(username="alice").update(is_staff=True)
    alice = Screen("alice")
    alice.open("/send")
    page = alice.press("example")
    assert alice.status == 200 and Wave.objects.filter(scope__path="hexapod").count() == 1, page.text
    assert not Claim.objects.filter(scope__path="hexapod").exclude(status="pending").exists()


@pytest.mark.parametrize(
    ("fields", "why", "status"),
    [
        ({"scope": "studio", "text": " "}, "paste some text first", 422),
        ({"scope": "", "text": "words"}, "choose where it belongs", 422),
        ({"scope": "kitchen", "text": "words"}, "no scope", 404),
    ],
)
def test_bad_input_says_what_is_missing(house: House, fields: dict[str, str], why: str, status: int) -> None:  # noqa: F811
    bob = Screen("bob")
    bob.open("/send")
    page = bob.press("paste", **fields)
    assert bob.status == status and why in page.text and not Source.objects.exists()
    assert drop(bob, {}, scope="studio").json() == {"error": "choose files or a folder first"}


def test_who_only_reads_sends_nothing_and_nobody_joins_anothers_wave(house: House) -> None:  # noqa: F811
    vera = Screen("vera")
    vera.open("/send")
    assert drop(vera, {"a.md": b"words"}, scope="studio").status_code == 403
    wave = drop(Screen("bob"), {"a.md": b"words"}, scope="studio").json()["wave"]
    assert drop(Screen("carol"), {"b.md": b"words"}, scope="studio", wave=str(wave)).status_code == 422
    charlie = Screen("charlie")
    charlie.open("/send")
    assert drop(charlie, {"a.md": b"words"}, scope="studio").status_code == 404
