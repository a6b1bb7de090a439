"""Each command starts by itself, whatever other module was imported first elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = sorted(
    path.stem
    for room in ("config", "ledger", "extraction", "review")
    for path in (ROOT / room / "management" / "commands").glob("[a-z]*.py")
)


@pytest.mark.parametrize("name", COMMANDS)
def test_its_help_shows(name: str) -> None:
    shown = subprocess.run([sys.executable, "manage.py", name, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr[-500:]
    assert "usage" in shown.stdout
