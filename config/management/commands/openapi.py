"""`manage.py openapi`: the frozen outward contract, and whether the code still keeps it."""

import difflib
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from config.api import api
from ledger.command import ProjectCommand


class Command(ProjectCommand):
    help = "Print the OpenAPI document, write it to docs/openapi.json, or check that the file there is up to date."
    example = "openapi --write"

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--check", action="store_true", help="fail where docs/openapi.json differs from the code")
        what.add_argument("--write", action="store_true", help="renew docs/openapi.json")

    def handle(self, *args: Any, **options: Any) -> None:
        file = Path(settings.BASE_DIR) / "docs" / "openapi.json"
        now = document()
        if options["write"]:
            file.parent.mkdir(exist_ok=True)
            file.write_text(now, encoding="utf-8")
            self.say(f"Wrote {file.relative_to(settings.BASE_DIR)}")
        elif options["check"]:
            kept = file.read_text(encoding="utf-8") if file.exists() else ""
            if kept != now:
                lines = difflib.unified_diff(
                    kept.splitlines(), now.splitlines(), "docs/openapi.json", "code", lineterm="", n=1
                )
                self.say("\n".join(list(lines)[:60]))
                raise CommandError("docs/openapi.json is not what the code says; renew it: manage.py openapi --write")
        else:
            self.stdout.write(now, ending="")


def document() -> str:
    """Sorted, so that only a change of the contract changes the file."""
    schema = api.get_openapi_schema(path_prefix="/api/v1/")
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
