"""Pins every version: in pyproject.toml for people, in requirements.lock with hashes for deployments."""

import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.core.management.base import BaseCommand

BLOCK = re.compile(r"^constraint-dependencies = \[\n(?:.*\n)*?\]\n", re.MULTILINE)
PIN = re.compile(r"^(?P<pin>(?P<name>[A-Za-z0-9._-]+)==[^\s;]+)\s*(?:;\s*(?P<marker>.+))?$")


class Command(BaseCommand):
    help = "Write the resolver's versions to pyproject.toml and requirements.lock. Example: manage.py pins --upgrade"
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--upgrade", action="store_true", help="ask for the newest versions that fit")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        project = root / "pyproject.toml"
        before = project.read_text()
        try:
            if options["upgrade"]:
                project.write_text(BLOCK.sub("", before))
                uv(root, "lock", "--upgrade")
            else:
                uv(root, "lock")
            everything = pins(uv(root, "export", "--all-groups", "--no-hashes", *PLAIN))
            project.write_text(with_pins(project.read_text(), everything))
            uv(root, "lock")
        except BaseException:
            project.write_text(before)
            raise
        # No addresses: where packages come from is the deployment's own business.
        (root / "requirements.lock").write_text(uv(root, "export", "--no-dev", *PLAIN))
        self.stderr.write(f"{len(everything)} versions pinned")


PLAIN = ("--format", "requirements.txt", "--no-emit-project", "--no-annotate", "--no-header", "--frozen")


def uv(root: Path, *arguments: str) -> str:
    """Run uv in the project. Raises CommandError with what it said."""
    try:
        done = subprocess.run(["uv", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    except FileNotFoundError:
        raise CommandError("uv is not on the PATH") from None
    if done.returncode:
        raise CommandError(done.stderr)
    return done.stdout


def pins(exported: str) -> list[str]:
    """`name==version` of each exported line, with its marker where the version depends on the platform."""
    found = [match for line in exported.splitlines() if (match := PIN.match(line.strip()))]
    versions = Counter(match["name"] for match in found)
    # A marker only matters where one package has several versions.
    return sorted({match["pin"] if versions[match["name"]] == 1 else match[0].strip() for match in found})


def with_pins(project: str, versions: list[str]) -> str:
    lines = "".join(f'  "{version}",\n' for version in versions)
    block = f"constraint-dependencies = [\n{lines}]\n"
    without = BLOCK.sub("", project)
    return without.replace("[tool.uv]\n", f"[tool.uv]\n{block}", 1)
