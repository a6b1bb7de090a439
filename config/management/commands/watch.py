"""`manage.py watch PATH…`: what agents write down while they work, taken in as it is written."""

import hashlib
import json
import time
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections

from config.embedded import folder
from extraction.importers import Into
from extraction.intake.batches import IngestReport, batches, conversation_of, create_scopes, finish, take_batch
from extraction.intake.following import QUIET_S, Follower, News, Position
from ledger.actor import Actor
from ledger.command import ProjectCommand, person
from ledger.models import Scope, Wave
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right

PAUSE_AFTER_FAULT_S = 5.0


class Command(ProjectCommand):
    help = """Follow session logs as they grow and take each new event in, once.

Files or folders; logs of Claude Code and Codex, JSONL, and whatever else `ingest` knows. Lines are taken when they are whole; a
text or an export of a chat when nobody has written to it for three seconds. How far each file has come is kept in the data folder,
so that a restart goes on from there, and a renamed file is still the same. Runs are worked off by `up`, with --once by the
command itself."""
    example = "watch ~/.claude/projects ~/.codex/sessions --scope studio/backdrop"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a log, or a folder of logs")
        parser.add_argument("--scope", required=True, help="where it belongs, such as studio/backdrop")
        parser.add_argument("--create-scope", action="store_true", help="make the scope where it does not exist")
        parser.add_argument(
            "--new-only", action="store_true", help="of files not seen before only what comes from now on"
        )
        parser.add_argument("--no-extract", action="store_true", help="only keep the texts")
        parser.add_argument("--once", action="store_true", help="take in what is new, and end")
        parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS", help="how often to look (1)")
        parser.add_argument("--json", action="store_true", help="a line of JSON for each file with something new")

    def handle(self, *args: Any, **options: Any) -> None:
        actor = person()
        if options["create_scope"]:
            create_scopes(options["scope"], packs=(), actor=actor)
        scope = scope_at(options["scope"], actor.access, Right.INGEST)
        kept = kept_positions(scope.path)
        try:
            with folder.locked(kept.with_suffix(".lock"), wait=False), suppress(KeyboardInterrupt):
                self.watch(scope, actor, kept, options)
        except folder.Locked:
            raise CommandError(f"another watch is at work for {scope.path}") from None

    def watch(self, scope: Scope, actor: Actor, kept: Path, options: dict[str, Any]) -> None:
        into = Into(scope.path, ZoneInfo(scope.timezone), lambda ids: conversation_of(scope, ids))
        follower = Follower(options["paths"], into, load(kept), 0.0 if options["once"] else QUIET_S)
        for path in options["paths"]:
            if not path.exists():
                self.say(f"{path} is not there yet")
        wave = Wave(
            scope=scope, label=f"watch {', '.join(path.name for path in options['paths'])}"[:200], by=actor.name
        )
        if options["new_only"]:
            self.pass_by(follower)
            save(kept, follower.positions)
        report = IngestReport(wave)
        while self.one_pass(follower, report, kept, actor, options) or not options["once"]:
            time.sleep(0 if options["once"] else options["every"])
        for _ in finish(report):
            pass

    def pass_by(self, follower: Follower) -> None:
        """What is in files that were never seen is not taken in."""
        seen = {*follower.positions, ""}
        while fresh := [news for news in follower.look() if news.key not in seen]:
            for news in fresh:
                follower.keep(news)

    def one_pass(
        self, follower: Follower, report: IngestReport, kept: Path, actor: Actor, options: dict[str, Any]
    ) -> bool:
        """Whether a file was not read to its end. What the database could not take now is tried again: the position stands."""
        unfinished = False
        try:
            for news in follower.look():
                self.take(news, report, actor, options)
                follower.keep(news)
                save(kept, follower.positions)
                unfinished = unfinished or bool(news.key and news.position.size < 0)
        except (OperationalError, InterfaceError) as error:
            if options["once"]:
                raise
            self.say(f"The database does not answer: {str(error).strip()[:200]}")
            close_old_connections()
            time.sleep(PAUSE_AFTER_FAULT_S)
        return unfinished

    def take(self, news: News, report: IngestReport, actor: Actor, options: dict[str, Any]) -> None:
        before = (report.sources, report.duplicates, len(report.skipped))
        for batch in batches(news.findings, report):
            take_batch(batch, report, scope=report.wave.scope, actor=actor, extract=not options["no_extract"])
        sources, duplicates = report.sources - before[0], report.duplicates - before[1]
        for skipped in report.skipped[before[2] :]:
            self.say(f"Passed over {skipped.path}: {skipped.why}")
        if not options["once"]:
            # Whoever watches for weeks keeps no list of what there was; `up` works off the runs.
            report.runs.clear()
            report.skipped.clear()
            report.remarks.clear()
        if options["json"] and news.findings:
            self.stdout.write(json.dumps({"path": news.position.path, "sources": sources, "duplicates": duplicates}))
        elif sources:
            self.say(f"{news.position.path}: {sources} new")


def kept_positions(scope: str) -> Path:
    """The file in the data folder where the positions of a scope's logs stand."""
    name = hashlib.sha256(scope.encode()).hexdigest()[:16]
    return folder.private(Path(settings.DATA_DIR) / "watch") / f"{name}.json"


def load(path: Path) -> dict[str, Position]:
    """Without a readable file from the beginning: what was taken in before is known by its ids."""
    try:
        return {key: Position(**row) for key, row in json.loads(path.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def save(path: Path, positions: dict[str, Position]) -> None:
    folder.write_private(path, json.dumps({key: asdict(one) for key, one in positions.items()}))
