"""Databases of earlier releases come up to this one: rows and journal as they were, `verify`, and undo of what was decided then.

The files are backups of the demo, each named by the last migration that it had. A release that brings a migration adds one:
`uv run manage.py backup tests/upgrade/NAME.backup --no-secrets` on a folder with the demo, before the next migration is written.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config.backup import archive
from tests import services, whole

FILES = sorted(Path(__file__).parent.glob("*.backup"))
# In one process, since each takes seconds to start: `verify`, undo of the latest promotion, `verify` again.
LOOK_AND_UNDO = """
import json
from django.core.management import call_command
from ledger.actor import operator
from ledger.actions.undo import undo
from ledger.models import Claim, JournalEvent
call_command("migrate", "--check", verbosity=0)
call_command("verify", "--json", "--root", {root!r})
event = JournalEvent.objects.filter(verb="promote", undone_by=None, changes__redacted=False).latest("pk")
claim = Claim.objects.get(ref=event.ref)
before = claim.status
undo(event, actor=operator("Alice"))
claim.refresh_from_db()
print(json.dumps([before, claim.status]))
call_command("verify", "--json")
"""


def manage(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=whole.ROOT,
        env=whole.environment(folder),
        capture_output=True,
        text=True,
        timeout=whole.PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_earlier_database_comes_up_to_this_release(file: Path) -> None:
    told = json.loads(archive.check(file, None)[archive.ABOUT])
    with tempfile.TemporaryDirectory(prefix="cs-upgrade-", dir=services.RUN_DIR) as place:
        folder = Path(place) / "var"
        manage(folder, "restore", str(file))
        root = told["journal"]["root"]
        said = manage(folder, "shell", "--no-imports", "-c", LOOK_AND_UNDO.format(root=root)).splitlines()
        report, statuses, afterwards = map(json.loads, said)
        assert report["ok"] and report["events"] >= told["journal"]["events"] and report["rows_replayed"] > 70
        assert statuses == ["active", "pending"]
        assert afterwards["ok"]
