"""Write everything of a scope to a file or to the standard output."""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.actor import operator
from ledger.errors import DomainError
from ledger.projections.export import FORMATS, export
from ledger.reads.scopes import scope_at

EXAMPLE = "example: manage.py export --scope studio/backdrop --descend --out backdrop.jsonl"


class Command(BaseCommand):
    help = (
        "Write sources, claims with evidence, trusted state, conflicts and journal of a scope, one JSON object a line."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        kwargs |= {"epilog": EXAMPLE, "formatter_class": argparse.RawDescriptionHelpFormatter}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--scope", required=True, help="the scope's path")
        parser.add_argument(
            "--format",
            choices=FORMATS,
            default="jsonl",
            help="jsonl (default): one object a line; json: one object; prov: W3C PROV-JSON; tasks, decisions and patterns: the "
            "files of the discussions; ics: the confirmed calendar",
        )
        parser.add_argument("--out", type=Path, help="a file; it appears when it is complete. Default: standard output")
        parser.add_argument("--descend", action="store_true", help="the scopes below as well")

    def handle(self, **options: Any) -> None:
        access = operator("export").access
        try:
            scope = scope_at(options["scope"], access)
        except DomainError as error:
            raise CommandError(error.message) from None
        pieces = export(scope, access, format=options["format"], descend=options["descend"])
        out: Path | None = options["out"]
        if out is not None:
            try:
                _to_file(pieces, out)
            except OSError as error:
                raise CommandError(f"{out} cannot be written: {error.strerror}") from None
            self.stderr.write(f"wrote {out}")
        else:
            _to_stdout(pieces)


def _to_file(pieces: Iterator[bytes], out: Path) -> None:
    """Beside its place first, so that a broken-off export never looks like a whole one."""
    handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            _write(pieces, file)
        os.replace(name, out)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _to_stdout(pieces: Iterator[bytes]) -> None:
    try:
        _write(pieces, sys.stdout.buffer)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read (`| head`) has enough. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(pieces: Iterator[bytes], file: BinaryIO) -> None:
    for piece in pieces:
        file.write(piece)
