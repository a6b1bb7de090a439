"""What every command says when the database is not there yet."""

import psycopg
import pytest
from django.core.management.base import CommandError
from django.db import ProgrammingError

from ledger.command import ProjectCommand


class Asking(ProjectCommand):
    """A command whose statement fails with the error it is given."""

    def __init__(self, cause: psycopg.Error) -> None:
        super().__init__()
        self.cause = cause

    def handle(self, *args: object, **options: object) -> None:
        raise ProgrammingError("refused") from self.cause


def run(cause: psycopg.Error) -> None:
    Asking(cause).execute(no_color=True, force_color=False, skip_checks=True)


def test_a_database_without_tables_is_told_with_what_to_do():
    with pytest.raises(CommandError, match="manage.py migrate"):
        run(psycopg.errors.UndefinedTable("no table"))


def test_another_mistake_is_not_hidden():
    with pytest.raises(ProgrammingError):
        run(psycopg.errors.SyntaxError("wrong"))
