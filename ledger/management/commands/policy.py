"""`manage.py policy`: what policies would do, did, and to take it back."""

import datetime as dt
import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from ledger.actions.policy import undo_policy
from ledger.command import ProjectCommand, person
from ledger.models import Scope
from ledger.reads.journal import journal_page
from ledger.reads.packs import kinds
from ledger.reads.policies.in_force import four_eyes_scope, policies_in_force
from ledger.reads.policies.trial import MAX_DAYS, PolicyTrial, simulate
from ledger.reads.scopes import scope_at
from ledger.rules.policies import POLICIES, check_policies, settings_of

MAX_LISTED = 200


class Command(ProjectCommand):
    help = """Try a policy out on what was proposed in the last days before anybody turns it on, list what policies did, and take
back what one did. Turning one on is for a scope's owner, on the page /policies/SCOPE or by PUT /api/v1/scope/policies/NAME."""
    example = """policy simulate confidence --scope studio --days 30 --set threshold=0.75
  uv run manage.py policy list --scope studio
  uv run manage.py policy undo confidence --scope studio --since 2026-05-01"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=ArgumentParser)
        tried = self._verb(
            verbs, "simulate", "what it would have done; changes nothing", "simulate references --scope studio"
        )
        tried.add_argument("name", choices=sorted(POLICIES))
        tried.add_argument("--scope", required=True, metavar="PATH")
        tried.add_argument("--days", type=int, default=30, help="how far back (default 30)")
        tried.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE",
            help="a setting to try instead of the one in force, such as times=3 or kinds=fact,preference",
        )  # fmt: skip
        tried.add_argument("--json", action="store_true", help="one line of JSON")
        listed = self._verb(verbs, "list", "what is on, and what policies did", "list --scope studio")
        listed.add_argument("--scope", default="global", metavar="PATH")
        listed.add_argument("--name", choices=sorted(POLICIES), help="only this one")
        listed.add_argument("--json", action="store_true", help="one JSON object a line")
        undone = self._verb(
            verbs, "undo", "take back what it did, as one", "undo confidence --scope studio --since 2026-05-01"
        )
        undone.add_argument("name", choices=sorted(POLICIES))
        undone.add_argument("--scope", required=True, metavar="PATH")
        undone.add_argument(
            "--since", default="", metavar="TIME", help="a day, or a time with its offset (default: all)"
        )
        undone.add_argument("--reason", default="")

    def _verb(self, verbs: Any, name: str, told: str, example: str) -> ArgumentParser:
        parser: ArgumentParser = verbs.add_parser(
            name, help=told, description=told, epilog=f"Example:\n  uv run manage.py policy {example}",
            formatter_class=RawDescriptionHelpFormatter,
        )  # fmt: skip
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"do_{options['verb']}")(scope_at(options["scope"], person().access), options)

    def do_simulate(self, scope: Scope, options: dict[str, Any]) -> None:
        name, days = options["name"], options["days"]
        if not 1 <= days <= MAX_DAYS:
            raise CommandError(f"--days is 1 to {MAX_DAYS}")
        one = policies_in_force(scope)[name]
        given = dict(_setting(word) for word in options["set"])
        check_policies({name: given}, kinds=kinds())
        settings = settings_of(name, {**one.settings.told(one.policy.fields), **given})
        trial = simulate(scope, name, settings, days=days, now=timezone.now())
        if options["json"]:
            self.stdout.write(json.dumps(_told(trial)))
        else:
            for line in _lines(trial):
                self.stdout.write(line)

    def do_list(self, scope: Scope, options: dict[str, Any]) -> None:
        names = [options["name"]] if options["name"] else list(POLICIES)
        found = policies_in_force(scope)
        for name in names:
            one = found[name]
            told = f"on by {one.named_by}" if one.on else f"off by {one.named_by}" if one.named_by else "off"
            self.say(f"{name}: {told}, {json.dumps(one.settings.told(one.policy.fields))}")
        self.say(f"four_eyes: {'asked for by ' + asks if (asks := four_eyes_scope(scope)) else 'not asked for'}")
        for name in names:
            rows = journal_page(
                person().access, policy=name, scope=scope.path, descend=True, newest=True, limit=MAX_LISTED
            ).items
            for event in rows:
                undone = getattr(event, "undone_by", None)
                row = {
                    "event": event.pk, "at": event.at.isoformat(), "policy": event.actor_name, "scope": event.scope.path,
                    "ref": event.ref, "reason": event.reason, "batch": str(event.batch), "undone_by": undone.pk if undone else None,
                }  # fmt: skip
                words = [str(row[key]) for key in ("at", "policy", "scope", "ref", "reason", "batch")]
                line = json.dumps(row) if options["json"] else "\t".join([*words, "undone" if undone else ""])
                self.stdout.write(line.rstrip())

    def do_undo(self, scope: Scope, options: dict[str, Any]) -> None:
        since = _moment(options["since"]) if options["since"] else None
        done, left = undo_policy(scope, options["name"], actor=person(), since=since, reason=options["reason"])
        for event, why in left:
            self.say(f"{event.ref} left as it is: {why}")
        batch = f", batch {done[0].batch}" if done else ""
        self.stdout.write(f"{len(done)} decisions taken back{batch}, {len(left)} left")


def _setting(word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not {word!r}")
    if name in ("kinds", "never", "classes", "speakers"):
        return name, [one.strip() for one in value.split(",") if one.strip()]
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _moment(word: str) -> dt.datetime:
    try:
        day, moment = parse_date(word), parse_datetime(word)
    except ValueError:
        day = moment = None
    if moment is not None:
        return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    if day is None:
        raise CommandError(f"--since is a day such as 2026-05-01, or a time, not {word!r}")
    return dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)


def _told(trial: PolicyTrial) -> dict[str, Any]:
    low, high = trial.interval
    return {
        "name": trial.name, "settings": trial.settings.told(POLICIES[trial.name].fields), "days": trial.days,
        "would": [{"ref": one.ref, "at": one.at.isoformat(), "verdict": one.verdict} for one in trial.would],
        "contested": trial.contested, "judged": trial.judged, "precision": trial.precision, "low": low, "high": high,
        "decided": trial.decided, "more": trial.more, "now": [one.claim.ref for one in trial.now],
        "left": [{"why": why, "count": count} for why, count in trial.left],
    }  # fmt: skip


def _lines(trial: PolicyTrial) -> list[str]:
    low, high = trial.interval
    found = [
        f"{trial.name} over {trial.days} days: would have promoted {len(trial.would)}"
        f" ({', '.join(f'{trial.count(verdict)} {said}' for verdict, said in SAID.items())}),"
        f" {trial.contested} more would have met something else"
    ]
    if trial.precision is None:
        found.append("people have decided about none of them yet")
    else:
        found.append(
            f"right as they stood: {trial.precision:.2f} ({low:.2f} to {high:.2f}), of {trial.judged} that people decided about;"
            f" in all they decided about {trial.decided}"
        )
    if trial.more:
        found.append("only the newest were looked at")
    found.append(f"would promote now: {len(trial.now)}")
    found += [f"  left: {count}, {why}" for why, count in trial.left]
    return found + [
        f"{one.claim.ref}\t{one.claim.scope.path}\t{one.claim.statement[:120]}\t{one.why}" for one in trial.now
    ]


SAID = {
    "promoted": "people promoted too", "edited": "they changed first", "rejected": "they rejected", "waiting": "wait",
    "by_policy": "a policy promoted",
}  # fmt: skip
