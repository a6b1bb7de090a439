"""After an erasure and `erase --compact` no byte of somebody is left in the data folder, the write-ahead log apart."""

import json
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.embedded import postgres
from tests import database, services, whole

CANARY = "zanzibarquokka"


@pytest.fixture
def server() -> Iterator[whole.Instance]:
    parent = Path(tempfile.mkdtemp(prefix="cs-compact-", dir=services.RUN_DIR))
    made = whole.start(database.serve_from(parent / "var"), "--no-demo")
    yield made
    made.stop()
    shutil.rmtree(parent, ignore_errors=True)


def ask(server: whole.Instance, method: str, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(
        server.url + "/api/v1" + path,
        data=json.dumps(body).encode() if body is not None else None,
        method=method,
        headers={"Authorization": f"Bearer {server.said['reviewer_token']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=whole.PATIENCE_S) as answer:
        return json.load(answer)


def left_in(folder: Path) -> list[str]:
    files = (file for file in folder.rglob("*") if file.is_file() and "pg_wal" not in file.parts)
    return [str(file.relative_to(folder)) for file in files if CANARY.encode() in file.read_bytes().lower()]


def test_no_byte_of_somebody_is_left(server: whole.Instance) -> None:
    name = CANARY.title()
    ask(server, "POST", "/scopes", {"scope": "lab", "tier": "project", "packs": ["engineering"]})
    ask(server, "POST", "/scope/people", {"scope": "lab", "name": name, "aliases": [f"{CANARY} the second"]})
    for n in range(30):
        text = f"Decision: {CANARY} keeps key number {n}.\n" * 40
        sent = {"scope": "lab", "kind": "message", "sender": name, "sender_kind": "user", "text": text}
        ask(
            server,
            "POST",
            "/sources",
            sent | {"conversation": f"{CANARY}-{n}", "external_id": f"{CANARY}{n}", "wait": 20 * (n == 29)},
        )
    ask(server, "POST", "/sources", {"scope": "lab", "kind": "document", "text": f"Ask {name} about the lid.\n"})
    for claim in ask(server, "GET", "/candidates?scope=lab&limit=20")["items"]:
        body = {"version": claim["version"], "reason": f"{name} said so"}
        ask(server, "POST", f"/candidates/{claim['id']}/promote", body)
    ask(server, "GET", f"/search?scope=lab&q={CANARY}&sources=true")
    with postgres.PostgresServer(server.data_dir).superuser(postgres.DATABASE) as admin:
        admin.execute("ANALYZE")
        admin.execute("CHECKPOINT")
    assert len(left_in(server.data_dir)) > 3
    assert ask(server, "POST", "/scope/erase", {"scope": "lab", "person": name})["status"] == "done"
    done = server.manage("erase", "--compact")
    assert done.returncode == 0, done.stderr
    assert ask(server, "GET", "/journal/verify")["ok"]
    assert server.stop() == 0
    assert left_in(server.data_dir) == []
