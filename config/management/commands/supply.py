"""`manage.py supply`: what a deployment is made of: licences, a bill of materials, known vulnerabilities."""

import json
import re
import subprocess
from argparse import ArgumentParser
from collections import Counter
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from config.management.commands.pins import uv
from ledger.command import ProjectCommand

LOCK = "requirements.lock"
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
CLASSIFIER = "License :: "
UNKNOWN = "unknown"
AUDIT = ("uvx", "pip-audit", "--requirement", LOCK, "--require-hashes", "--disable-pip", "--strict")


class Command(ProjectCommand):
    help = """List every package of requirements.lock with its version and licence. --sbom writes a CycloneDX bill of materials with
hashes and licences; --audit asks for known vulnerabilities of just these versions, and fails where there is one or where a package
could not be looked up. uv has to be on the PATH for --sbom and --audit."""
    example = "supply --sbom sbom.json --audit"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="the list as one line of JSON")
        parser.add_argument("--sbom", type=Path, metavar="FILE", help="write a CycloneDX 1.5 file")
        parser.add_argument("--audit", action="store_true", help="look for known vulnerabilities (pip-audit)")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        found = licences((root / LOCK).read_text())
        if options["json"]:
            self.stdout.write(json.dumps({"packages": found}))
        else:
            self.tell(found)
        if options["sbom"]:
            options["sbom"].write_text(json.dumps(bill_of_materials(root, found), indent=1) + "\n")
            self.say(f"wrote {options['sbom']}")
        if options["audit"]:
            audit(root)
            self.say("no known vulnerability")

    def tell(self, found: list[dict[str, str]]) -> None:
        for one in found:
            self.stdout.write(f"{one['name']} {one['version']}: {one['licence']}")
        for licence, count in Counter(one["licence"] for one in found).most_common():
            self.say(f"{count} {licence}")


def licences(lock: str) -> list[dict[str, str]]:
    """Each pinned package with what its own metadata says; `not installed` for what only other platforms take."""
    names = {found["name"]: found["version"] for found in PINNED.finditer(lock)}
    return [{"name": name, "version": version, "licence": licence_of(name)} for name, version in sorted(names.items())]


def licence_of(name: str) -> str:
    """The expression where there is one, else the classifiers, else the first line of the field."""
    try:
        known = metadata(name)
    except PackageNotFoundError:
        return "not installed"
    classified = [one.rpartition(" :: ")[2] for one in known.get_all("Classifier") or () if one.startswith(CLASSIFIER)]
    told = [known.get("License-Expression"), " AND ".join(classified), (known.get("License") or "").partition("\n")[0]]
    return next((words.strip() for words in told if words and words.strip()), UNKNOWN)[:120]


def bill_of_materials(root: Path, found: list[dict[str, str]]) -> dict[str, Any]:
    """uv's own, with the licences beside each component."""
    bill: dict[str, Any] = json.loads(uv(root, "export", "--format", "cyclonedx1.5", "--no-dev", "--frozen", "--quiet"))
    licence = {one["name"]: one["licence"] for one in found}
    for component in bill["components"]:
        if words := licence.get(component["name"]):
            component["licenses"] = [{"license": {"name": words}}]
    return bill


def audit(root: Path) -> None:
    """Raises `CommandError` with what pip-audit says: what it found, or why it could not look."""
    try:
        done = subprocess.run(AUDIT, cwd=root, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise CommandError("uvx is not on the PATH") from None
    if done.returncode:
        raise CommandError(f"not clean, or not looked up:\n{(done.stdout + done.stderr).strip()[-4000:]}")
