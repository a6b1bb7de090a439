"""manage.py load_demo"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from config.demo.lay_out import FILES, lay_out
from ledger.actor import demo


class Command(BaseCommand):
    help = (
        "Lay out five small scopes with candidates waiting, two conflicts and some trusted state. A scope that is there "
        "already is left alone.  Example: uv run manage.py load_demo"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--only", help="one of: " + ", ".join(file.stem for file in FILES))

    def handle(self, *args: Any, **options: Any) -> None:
        for file in FILES:
            if options["only"] in (None, file.stem):
                with transaction.atomic():
                    done = lay_out(file, actor=demo("demo"))
                self.stderr.write(f"{file.stem}: {'laid out' if done else 'already there'}")
