"""`manage.py compact`: archive what nobody saw for long and that is of low use or stands on little."""

import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from ledger.actions.compact import compact
from ledger.command import ProjectCommand, person
from ledger.reads.compaction import stale_claims
from ledger.reads.scopes import scope_at


class Command(ProjectCommand):
    help = """Archive what holds in a scope, was shown to nobody for long, and never helped or rests on few sources. Nothing is
deleted: archived claims stay searchable by status and are restored one by one, or all together by undoing the batch. Norms,
disputed claims, and what trusted state, a block or a downstream use needs are left alone. Thresholds: [compaction] of the packs."""
    example = "compact --scope studio/backdrop --dry-run"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scope", required=True, help="the scope's path; what lies below it is not touched")
        parser.add_argument(
            "--dry-run", action="store_true", help="list what would be archived and why, and do nothing"
        )
        parser.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        actor, now = person(), timezone.now()
        scope = scope_at(options["scope"], actor.access)
        batch, left, more = None, [], False
        if options["dry_run"]:
            rows = stale_claims(scope, now=now)
        else:
            done = compact(scope, actor=actor, now=now)
            rows, left, more = done.archived, done.left, done.more
            batch = str(done.batch) if rows else None
        if options["json"]:
            listed = [{"ref": one.ref, "kind": one.kind, "statement": one.statement, "why": one.why} for one in rows]
            skipped = [{"ref": ref, "why": why} for ref, why in left]
            told = {"dry_run": options["dry_run"], "archived": listed, "left": skipped, "batch": batch, "more": more}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        for one in rows:
            self.stdout.write(f"{one.ref} {one.kind} {' '.join(one.statement.split())[:100]} ({one.why})")
        for ref, why in left:
            self.say(f"{ref} left as it is: {why}")
        self.say(f"{len(rows)} {'would be archived' if options['dry_run'] else f'archived, batch {batch}'}")
        if more:
            self.say("There are more: run it again.")
