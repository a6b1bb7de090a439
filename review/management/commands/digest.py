"""`manage.py digest`: tell those who are not looking what has waited too long, once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from ledger.command import ProjectCommand
from review.digest.digests import send_all


class Command(ProjectCommand):
    help = """Send the digests that are due: scopes where the oldest candidate has waited longer than their owners allow, at most
one a day. The scheduler does this every ten minutes; here it is done once. A dry run sends nothing and prints what it would."""
    example = "digest --dry-run"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="send nothing, print what would be sent")

    def handle(self, *args: Any, **options: Any) -> None:
        everything = send_all(dry_run=options["dry_run"])
        for sent in everything:
            if options["dry_run"]:
                to = [f"mail to {len(sent.to)}"] if sent.to else []
                self.stdout.write(
                    f"{sent.scope}: would go by {', '.join([*to, *(w for w in sent.done if w != 'mail')])}"
                )
                self.stdout.write(sent.text)
            for way in () if options["dry_run"] else sent.done:
                self.stdout.write(f"{sent.scope}: sent by {way}")
            for way, why in sent.failed.items():
                self.stderr.write(f"{sent.scope}: {way} failed, {why}; tried again later")
        if not everything:
            self.stderr.write("No digest is due.")
        if any(sent.failed for sent in everything):
            raise CommandError("not everything was sent")
