"""`manage.py context`: the pack for an agent that begins, as a page of cited lines."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from pydantic_core import to_json

from ledger.command import ProjectCommand, person
from ledger.recall.context import DEFAULT_BUDGET, build_context
from review.access import actor_of_token, token_of
from review.api.recall_shapes import context_shape

# No more is read of what a hook is handed.
MAX_HOOK_BYTES = 1024 * 1024
HOOKS = ("claude-code", "codex", "cursor")


class Command(ProjectCommand):
    help = """Print what an agent should know before it begins: what holds in a scope, each line with its reference.

As a hook at the start of a session (docs/hooks.md) it prints the pack, which becomes part of the session's context; nothing is
printed where nothing is known. With --hook it reads the session's id from the hook's own input, so that the exposure is noted for
it, and answers as that program wants it. Without a token it reads as whoever has the machine."""
    example = 'context --scope studio/backdrop --query "which drive"'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scope", required=True, help="where, such as studio/backdrop")
        parser.add_argument("--query", default="", help="what it is about; without, what holds and the newest")
        parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET, metavar="TOKENS", help="how long it may be")
        parser.add_argument("--conversation", default="", help="the session that it is shown to")
        parser.add_argument("--hook", choices=HOOKS, default="", help="the program whose hook this is")
        parser.add_argument("--token", default="", help="act with this token's rights")
        parser.add_argument("--json", action="store_true", help="the whole answer, as the API gives it")

    def handle(self, *args: Any, **options: Any) -> None:
        token = token_of(options["token"]) if options["token"] else None
        if options["token"] and token is None:
            raise CommandError("no such token: make one with `token create`")
        actor = actor_of_token(token).through("command") if token else person()
        conversation = options["conversation"] or (options["hook"] and session_of(options["hook"]))
        pack = build_context(
            options["scope"], actor=actor, query=options["query"], budget_tokens=options["budget"],
            conversation=conversation,
        )  # fmt: skip
        if options["json"]:
            self.stdout.write(to_json(context_shape(pack, actor.access)).decode())
        elif pack.items and options["hook"] == "cursor":
            self.stdout.write(json.dumps({"additional_context": pack.markdown}))
        elif pack.items:
            self.stdout.write(pack.markdown)


def session_of(program: str) -> str:
    """The conversation that `watch` makes of the same session; empty where the hook's input tells none."""
    try:
        given = json.loads(sys.stdin.read(MAX_HOOK_BYTES))
        return f"{program}:{given.get('session_id') or given['conversation_id']}"[:300]
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
