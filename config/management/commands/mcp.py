"""`manage.py mcp`: the Model Context Protocol over standard input and output."""

import os
from typing import Any

import anyio
from django.core.management.base import BaseCommand, CommandError, CommandParser
from mcp.server.stdio import stdio_server

from config.mcp.server import server
from review.access import token_of

EXAMPLE = """
example, for a client's configuration:
  {"command": "uv", "args": ["run", "manage.py", "mcp"], "env": {"COUNTERSIGN_TOKEN": "cs_…"}}

The tools act with the token's rights. None of them promotes, rejects or curates.
"""


class Command(BaseCommand):
    help = "Serve an agent over standard input and output (Model Context Protocol), with a token's rights." + EXAMPLE

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--token", default="", help="the token to act with; else COUNTERSIGN_TOKEN")

    def handle(self, *args: Any, **options: Any) -> None:
        secret = options["token"] or os.environ.get("COUNTERSIGN_TOKEN", "")
        if token_of(secret) is None:
            raise CommandError(
                "no such token: make one with `token create`, and name it by --token or COUNTERSIGN_TOKEN"
            )
        anyio.run(_serve, secret)


async def _serve(secret: str) -> None:
    running = server({"HTTP_AUTHORIZATION": f"Bearer {secret}", "REMOTE_ADDR": "127.0.0.1"})
    async with stdio_server() as (incoming, outgoing):
        await running.run(incoming, outgoing, running.create_initialization_options())
