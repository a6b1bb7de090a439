"""`manage.py second_factor`: who has one, and the reset of a lost one."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from ledger.command import ProjectCommand
from review.models import AppCode, Passkey
from review.second_factor import remove_second_factor


class Command(ProjectCommand):
    help = """List who signs in with a second factor, or reset it for somebody who has lost phone, passkeys and recovery codes."""
    example = "second_factor reset alice"

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        verbs.add_parser("list", help="who has one")
        reset = verbs.add_parser("reset", help="the password alone signs them in again; their sessions end")
        reset.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            apps = AppCode.objects.filter(confirmed=True).select_related("user")
            devices = [*apps, *Passkey.objects.select_related("user")]
            for device in sorted(devices, key=lambda one: one.user.username):
                self.stdout.write(f"{device.user.username}  {device.name}  last used {device.last_used_at or 'never'}")
            return
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"no user {options['username']!r}")
        remove_second_factor(user, by="the command line")
        self.stdout.write(f"{user.username} signs in by the password alone")
