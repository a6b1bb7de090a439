"""`manage.py token`: bearer tokens of agents and users."""

import json
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from ledger.command import ProjectCommand, person
from ledger.models import GLOBAL
from ledger.rules.permissions import AGENT_GRANTS, USER_GRANTS
from review.models import AgentToken, TokenKind
from review.tokens import create_token, revoke_token


class Command(ProjectCommand):
    help = """Make, list or revoke tokens. A token is printed once, when it is made, and kept only as a hash."""
    example = "token create scribe --scope studio --grant read --grant ingest"

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        create = verbs.add_parser("create", help="make a token and print it")
        create.add_argument("name", help="what it is for; an agent acts under this name")
        create.add_argument("--scope", action="append", metavar="PATH", help="where it holds (default: everywhere)")
        create.add_argument(
            "--grant", action="append", metavar="GRANT", choices=sorted(USER_GRANTS), help="default: all of its kind"
        )
        create.add_argument("--speaker", action="append", help="whose words an agent may send (agent, tool, document)")
        create.add_argument("--user", default="", help="a user's token, which may do what the user may")
        create.add_argument("--json", action="store_true", help="one line of JSON")
        verbs.add_parser("list", help="all tokens, without their secrets")
        revoke = verbs.add_parser("revoke", help="close a token for good")
        revoke.add_argument("id", type=int)
        revoke.add_argument("--reason", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"do_{options['verb']}")(options)

    def do_create(self, options: dict[str, Any]) -> None:
        user = None
        if options["user"]:
            user = User.objects.filter(username=options["user"]).first()
            if user is None:
                raise CommandError(f"no user {options['user']!r}")
        token, secret = create_token(
            name=options["name"],
            kind=TokenKind.USER if user else TokenKind.AGENT,
            user=user,
            scopes=options["scope"] or [GLOBAL],
            grants=options["grant"] or sorted(USER_GRANTS if user else AGENT_GRANTS),
            speakers=options["speaker"],
            actor=person(),
        )
        self.stdout.write(json.dumps({"id": token.pk, "token": secret}) if options["json"] else secret)

    def do_list(self, options: dict[str, Any]) -> None:
        for token in AgentToken.objects.select_related("user").order_by("id"):
            state = "revoked" if token.revoked_at else f"last used {token.last_used_at or 'never'}"
            whose = token.user.get_username() if token.user else "agent"
            self.stdout.write(
                f"{token.pk}\t{token.prefix}…\t{token.name}\t{whose}\t{','.join(token.scopes)}"
                f"\t{','.join(token.grants)}\t{state}"
            )

    def do_revoke(self, options: dict[str, Any]) -> None:
        token = AgentToken.objects.filter(pk=options["id"]).first()
        if token is None:
            raise CommandError(f"no token {options['id']}")
        revoke_token(token, actor=person(), reason=options["reason"])
        self.stdout.write(f"token {token.pk} revoked")
