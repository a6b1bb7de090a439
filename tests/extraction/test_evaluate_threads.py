"""Talks as gold: households with their tripwire and duties, logs with their links, minutes without their label lines."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

HOME = {"household": "okafor", "people": [
    {"id": "ada", "name": "Ada", "role": "guardian"}, {"id": "ben", "name": "Ben", "role": "guardian"},
    {"id": "zoe", "name": "Zoe", "role": "child", "also_called": ["zo (at home)"]},
]}  # fmt: skip
PLAIN = {"type": None, "status": None, "assignee": [], "assigned_from": None, "dates": [], "times": [], "child": []}


def message(name: str, sender: str, minute: int, text: str, **gold: Any) -> dict[str, Any]:
    told = {"coordination": False, **PLAIN, **gold}
    return {"id": name, "sender": sender, "sent_at": f"2026-03-02T08:{minute:02}:00+00:00", "text": text, "gold": told}


def chat(folder: Path) -> Path:
    asked = {"coordination": True, "type": "transport", "status": "asked", "assignee": ["unspecified"], "child": ["zoe"],
             "dates": ["2026-03-03"], "times": ["15:00"]}  # fmt: skip
    taken = {**asked, "coordination": "context", "status": "committed", "assignee": ["ben"], "assigned_from": "m1"}
    thread = {"thread": "t", "household": "okafor", "timezone": "UTC", "messages": [
        message("m1", "ada", 0, "Who can pick up Zoe from swimming tomorrow at 3pm?", **asked),
        message("m2", "ben", 1, "I'll do it", **taken),
        message("m3", "ada", 9, "that cat video again, I am crying"),
    ]}  # fmt: skip
    (folder / "households.json").write_text(json.dumps({"households": [HOME]}))
    path = folder / "chats.jsonl"
    path.write_text(json.dumps(thread) + "\n")
    return path


def figures(*paths: Path) -> dict[str, dict[str, Any]]:
    out = StringIO()
    call_command("evaluate", *map(str, paths), "--json", stdout=out)
    return {line["measure"]: line for line in map(json.loads, out.getvalue().splitlines())}


def test_a_household_is_scored_message_by_message(tmp_path: Path) -> None:
    found = figures(chat(tmp_path))
    assert (found["tripwire"]["gold"], found["tripwire"]["recall"], found["tripwire"]["alarmed"]) == (2, 1.0, 0)
    assert found["assignee"]["precision"] == 1.0
    assert figures(tmp_path) == found, "in a folder the people are read with their chats"
    (tmp_path / "households.json").unlink()
    with pytest.raises(CommandError, match="households"):
        figures(tmp_path / "chats.jsonl")


def test_a_folder_of_logs_is_scored_by_its_links(tmp_path: Path) -> None:
    said = [
        "[10:00] <ann> how do I mount a disk?",
        "[10:01] <bob> ann: use mount, see the manual",
        "[10:02] <ann> bob: thanks",
    ]
    (tmp_path / "log.raw.txt").write_text("\n".join(said) + "\n")
    (tmp_path / "log.annotation.txt").write_text("0 0 -\n0 1 -\n1 2 -\n")
    assert figures(tmp_path)["links"]["f1"] == 1.0


def test_minutes_are_scored_without_their_label_lines_too(tmp_path: Path) -> None:
    votes = "".join(f"{who}: +1\n" for who in ("ann", "bob", "cyd"))
    put = f"PROPOSED: Close the ford in spring\n{votes}"
    line = "RESOLUTION: Close the ford in spring\n"
    start = len(put) + len("RESOLUTION: ")
    gold = {"line_start": len(put), "line_end": len(put) + len(line), "start": start, "end": len(put) + len(line) - 1}
    row = {"id": "r", "text": put + line, "resolutions": [gold], "actions": [], "proposals": []}
    path = tmp_path / "minutes.jsonl"
    path.write_text(json.dumps(row) + "\n")
    found = figures(path)
    assert found["overlap"]["f1"] == 1.0 and found["overlap"]["hits"] == 1
    assert (found["hidden"]["recall"], found["hidden"]["precision"]) == (1.0, 1.0)
