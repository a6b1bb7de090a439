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
# Django starts once. What a command imports beyond that is imported in a process of its own.
START_EACH = """
import os, sys
from pathlib import Path
import django
from django.core.management import execute_from_command_line
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
for name in sys.argv[2:]:
    if os.fork() == 0:
        sys.stdout = sys.stderr = Path(sys.argv[1], name).open("w")
        execute_from_command_line(["manage.py", name, "--help"])
        break
    os.wait()
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file for each command: what it wrote when it was asked for help."""
    folder = tmp_path_factory.mktemp("help")
    subprocess.run([sys.executable, "-c", START_EACH, folder, *COMMANDS], cwd=ROOT, check=True)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_its_help_shows(shown: Path, name: str) -> None:
    assert (shown / name).read_text().startswith(f"usage: manage.py {name}")
