"""What every command of the project shares: help with an example, and domain errors as one clear line."""

import getpass
import os
from argparse import RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError

from ledger.actor import Actor, operator
from ledger.errors import DomainError

NO_SUCH_TABLE = "42P01"


class ProjectCommand(BaseCommand):
    """`example` is shown under the help. Data goes to stdout (`self.stdout`), talk to stderr (`self.say`)."""

    example = ""
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        kwargs.setdefault("formatter_class", RawDescriptionHelpFormatter)
        kwargs.setdefault("epilog", f"Example:\n  uv run manage.py {self.example}")
        return super().create_parser(prog_name, subcommand, **kwargs)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DomainError as error:
            raise CommandError(f"{error.title}: {error.message}") from error
        except ProgrammingError as error:
            if getattr(error.__cause__, "sqlstate", None) != NO_SUCH_TABLE:
                raise
            raise CommandError(
                "The database has no tables yet, or not all: start everything with `uv run manage.py up`, or prepare the"
                " database alone with `uv run manage.py migrate`."
            ) from error

    def say(self, text: str) -> None:
        self.stderr.write(text, self.style.NOTICE)


def person() -> Actor:
    """Whoever sits at the command line, under their name on this machine."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        name = str(os.getuid())
    return operator(name)
