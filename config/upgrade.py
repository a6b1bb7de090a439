"""Databases of the past whose migrations had other numbers."""

from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

# Two migrations of one day, numbered in the order in which they were written before it was the order in which they run.
RENUMBERED = {"0006_order_in_threads": "0007_order_in_threads", "0007_nearness": "0006_nearness"}


def bring_over(say: Any) -> None:
    """Tell the database the numbers that its migrations have now. Does nothing where it knows them."""
    recorder = MigrationRecorder(connection)
    applied = {name for app, name in recorder.applied_migrations() if app == "ledger"}
    old = applied & RENUMBERED.keys()
    if not old:
        return
    for name in old:
        recorder.record_unapplied("ledger", name)
    known = applied - old | {RENUMBERED[name] for name in old}
    if "0006_nearness" not in known:
        # Its later number ran alone: the earlier one is made up for first.
        call_command("migrate", "ledger", "0006_nearness", interactive=False, verbosity=0)
    for name in sorted(RENUMBERED[name] for name in old):
        recorder.record_applied("ledger", name)
    say(f"ledger: {', '.join(sorted(old))} have other numbers by now; the database was told")
