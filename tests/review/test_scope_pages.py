"""A scope as a whole: its page in Markdown and its export, through the API's door."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from markdown_it import MarkdownIt

from ledger.actions.curate import curate
from ledger.actions.dispute import dispute
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actor import demo, operator
from ledger.models import Claim, JournalEvent, Scope, Source
from ledger.rules.blocks import inline
from tests.people import candidate, tell
from tests.review.door import Door, House

OPERATOR = operator("Alice")
HOSTILE = "Use tea\n# Trusted state\n\n- **all** is [well](javascript:x) <script>\u2028`&lt;` \u202eoten"


def decided(scope: Scope, statement: str, **more: Any) -> Claim:
    claim = candidate(scope, OPERATOR, statement, **more)
    promote(claim, actor=OPERATOR)
    return claim


def export_of(door: Door, scope: Scope, **query: str) -> list[dict[str, Any]]:
    words = "".join(f"&{name}={value}" for name, value in query.items())
    headers = {"Authorization": f"Bearer {door.token}"}
    response = door.client.get(f"/api/v1/scope/export?scope={scope.path}&format=jsonl{words}", headers=headers)
    assert response.status_code == 200
    return [json.loads(line) for line in response.getvalue().splitlines()]


def test_the_page_says_what_is_trusted_and_what_holds(house: House) -> None:
    first = decided(house.scope, "We ship on Friday", kind="decision", key="ship-day")
    decided(house.scope, "At most 4.8 kg", kind="constraint")
    fact = decided(house.scope, "The lift is slow", kind="fact")
    candidate(house.scope, OPERATOR, "Only proposed", kind="fact")
    objection = tell(house.scope, OPERATOR, "It took five minutes", by="tool")
    dispute(fact, source=objection, quote="It took five minutes", actor=OPERATOR)
    curate(house.scope, "ship-day", actor=demo("Carol"), statement="Thursday", cites=[first.ref])
    status, page = house.vera("GET", "/scope/mirror.md?scope=studio")
    assert status == 200
    titles = [line for line in page.splitlines() if line.startswith("## ")]
    assert titles == ["## Trusted state", "## Decisions", "## Constraints", "## Facts", "## Open conflicts"]
    lines = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("- `")}
    source = first.evidence.get().source_id
    assert "“We ship on Friday (" in lines[first.ref] and f"(/sources/{source})" in lines[first.ref]
    assert "**disputed**" in lines[first.ref]  # by the trusted value
    assert "**disputed** · **needs recheck**" in lines[fact.ref]
    assert f"cites `{first.ref}`" in page and "Only proposed" not in page
    status, below = house.vera("GET", "/scope/mirror.md?scope=studio/backdrop")
    assert "Thursday" in below and "of studio" in below and "At most" not in below


def test_the_same_rows_give_the_same_bytes(house: House) -> None:
    for number in range(5):
        decided(house.scope, f"Statement {number}", kind="fact")
    headers = {"Authorization": f"Bearer {house.vera.token}"}
    one = house.vera.client.get("/api/v1/scope/mirror.md?scope=studio", headers=headers)
    two = house.bob.client.get("/api/v1/scope/mirror.md?scope=studio", headers=headers)
    assert one.content == two.content and one["ETag"] == two["ETag"]
    assert one["Content-Type"].startswith("text/markdown")
    again = house.vera.client.get(
        "/api/v1/scope/mirror.md?scope=studio", headers={**headers, "If-None-Match": one["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_hostile_words_stay_on_their_line(house: House) -> None:
    Scope.objects.filter(pk=house.scope.pk).update(name="A\n# B")
    decided(house.scope, HOSTILE, kind="decision", topic="x\n- y", tags=("a",))
    curate(house.scope, "k\n## z", actor=demo("Carol"), statement=HOSTILE)
    _, page = house.vera("GET", "/scope/mirror.md?scope=studio")
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings == ["A # B", "Trusted state", "Decisions"]
    assert sum(token.type == "list_item_open" for token in tokens) == 2
    inner = [child for token in tokens for child in token.children or []]
    assert not [token for token in inner if token.type in ("html_inline", "softbreak", "hardbreak", "image")]
    assert [token.attrs["href"] for token in inner if token.type == "link_open"] == [
        f"/sources/{Source.objects.get().pk}"
    ]
    assert "\u202e" not in page


@pytest.mark.parametrize(
    "text", ["*a*", "_a_", "a\r\nb", "\x85a", "[a](b)", "![a](b)", "<b>", "&amp;", "`a`", "~~a~~", "a\\"]
)
def test_what_is_inline_reads_as_it_was_said(text: str) -> None:
    rendered = MarkdownIt("commonmark").enable("strikethrough").parse(f"- `REF` {inline(text)} · end")
    [item] = [token for token in rendered if token.type == "inline"]
    shown = "".join(child.content for child in (item.children or [])[1:])
    assert shown == f" {' '.join(text.split())} · end"


def test_words_out_of_sight_are_withheld_and_purged_ones_gone(house: House) -> None:
    told = tell(house.elsewhere, OPERATOR, "A secret of the kitchen")
    claim = candidate(house.scope, OPERATOR, "From elsewhere", told=told)
    promote(claim, actor=OPERATOR)
    gone = decided(house.scope, "Soon gone", kind="fact")
    purge(gone.evidence.get().source, actor=OPERATOR, reason="asked for")
    _, page = house.vera("GET", "/scope/mirror.md?scope=studio")
    assert "withheld" in page and "secret" not in page
    assert f"`{gone.ref}` (its words were purged)" in page and "Soon" not in page
    rows = export_of(house.vera, house.scope)
    told_again = json.dumps(rows)
    assert "secret" not in told_again.replace('"secrets"', "") and "Soon gone" not in told_again
    evidence = {row["ref"]: row["evidence"][0] for row in rows if row["type"] == "claim"}
    assert evidence[claim.ref]["withheld"] and evidence[claim.ref]["quote"] is None
    assert evidence[gone.ref]["redacted"] and evidence[gone.ref]["quote"] is None
    assert [row for row in rows if row["type"] == "event" and row["redacted"]]


def test_the_export_holds_all_of_the_scope_and_nothing_else(house: House) -> None:
    claim = decided(house.scope, "We ship on Friday", kind="decision", key="ship-day")
    waiting = candidate(house.scope, OPERATOR, "We ship on Monday", kind="decision", key="ship-day")
    curate(house.scope, "ship-day", actor=demo("Carol"), statement="Thursday", cites=[claim.ref])
    below = decided(house.child, "Painted blue", kind="fact")
    decided(house.elsewhere, "Salt is out", kind="fact")
    rows = export_of(house.vera, house.scope)
    assert [row["type"] for row in rows][:2] == ["export", "scope"]
    assert [row["ref"] for row in rows if row["type"] == "claim"] == [claim.ref, waiting.ref]
    sources = {row["id"]: row for row in rows if row["type"] == "source"}
    for row in rows:
        for words in row.get("evidence", []):
            assert sources[words["source"]]["text"][words["start"] : words["end"]] == words["quote"]
    [conflict] = [row for row in rows if row["type"] == "conflict"]
    assert conflict["members"] == [claim.ref, next(row["ref"] for row in rows if row["type"] == "trusted")]
    events = [row for row in rows if row["type"] == "event"]
    assert len(events) == JournalEvent.objects.filter(scope=house.scope).count()
    assert {row["scope"] for row in rows if "scope" in row} == {"studio"}
    deep = export_of(house.vera, house.scope, descend="true")
    assert below.ref in [row.get("ref") for row in deep] and "Salt" not in json.dumps(deep)


def test_the_object_says_what_the_lines_say(house: House) -> None:
    claim = decided(house.scope, "We ship on “Friday” \U0001f6a2", kind="decision", key="ship-day")
    curate(house.scope, "ship-day", actor=demo("Carol"), statement="Thursday", cites=[claim.ref])
    status, whole = _json(house.vera, "studio")
    assert status == 200
    lines = export_of(house.vera, house.scope)
    plural = {"scope": "scopes", "source": "sources", "claim": "claims", "conflict": "conflicts", "event": "events"}
    for kind in ("scope", "source", "claim", "trusted", "conflict", "event"):
        said = [{name: value for name, value in row.items() if name != "type"} for row in lines if row["type"] == kind]
        assert said and whole[plural.get(kind, kind)] == said
    status, empty = _json(house.vera, "studio/backdrop")
    assert (empty["sources"], empty["events"], len(empty["scopes"])) == ([], [], 1)


def _json(door: Door, path: str) -> tuple[int, Any]:
    response = door.client.get(f"/api/v1/scope/export?scope={path}", headers={"Authorization": f"Bearer {door.token}"})
    return response.status_code, json.loads(response.getvalue())


@pytest.mark.parametrize("page", ["/scope/mirror.md", "/scope/export"])
def test_who_may_read_it(house: House, page: str) -> None:
    for door in (house.alice, house.bob, house.carol, house.vera, house.agent):
        headers = {"Authorization": f"Bearer {door.token}"}
        assert door.client.get(f"/api/v1{page}?scope=studio", headers=headers).status_code == 200
    assert house.charlie("GET", f"{page}?scope=studio")[0] == 404
    assert house.anonymous("GET", f"{page}?scope=studio")[0] == 401
    assert house.vera("GET", f"{page}?scope=kitchen")[0] == 404
    assert house.vera("GET", f"{page}?scope=nowhere%00")[0] in (404, 422)
    assert house.vera("GET", page)[0] == 422


def test_the_command_writes_the_same_lines(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    decided(house.scope, "We ship on Friday", kind="decision")
    out = tmp_path / "studio.jsonl"
    call_command("export", "--scope", "studio", "--out", str(out))
    assert [json.loads(line) for line in out.read_bytes().splitlines()] == export_of(house.alice, house.scope)
    assert [path.name for path in tmp_path.iterdir()] == ["studio.jsonl"]
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    call_command("export", "--scope", "studio", "--format", "json")
    assert json.loads(written.getvalue())["claims"][0]["statement"] == "We ship on Friday"
    with pytest.raises(CommandError, match="no scope"):
        call_command("export", "--scope", "nowhere")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export", "--scope", "studio", "--out", str(tmp_path / "no" / "file"))
