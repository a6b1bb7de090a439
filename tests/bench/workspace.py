"""Measure the working screen on a database of its own: a project with many items and facts, turns and candidates that wait.

uv run python -m tests.bench.workspace --facts 5000 --items 300
"""

import argparse
import os
from typing import TYPE_CHECKING

from tests.bench.blocks import propose_and_hold, timed
from tests.bench.timing import median_ms

if TYPE_CHECKING:
    from django.test import Client

    from ledger.actions.propose import Draft
    from ledger.models import Scope
    from ledger.rules.drafts import Quote
    from tests.people import People

TURNS = 20
WAITING = 200
NUMBERS = ("width", "height", "depth", "thickness")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=5_000)
    parser.add_argument("--items", type=int, default=300)
    options = parser.parse_args()
    from tests import services

    try:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.conf import settings

        from tests import database

        settings.AXES_ENABLED = False
        settings.ALLOWED_HOSTS = ["testserver"]
        with database.ready():
            measure(options.facts, options.items)
    finally:
        services.server.stop()


def measure(facts: int, items: int) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.people import make_people, make_scope

    studio = make_scope("studio", packs=("production",))
    people = make_people(studio)
    seed(studio, people, facts, items)
    client = Client()
    client.force_login(User.objects.get(username="bob"))
    for name, path in (
        ("the working screen", "/workspace/studio?stage=planning"),
        ("the same about one item", "/workspace/studio?stage=planning&item=item-7"),
        ("its right side alone", "/workspace-state/studio"),
        ("the table of items", "/items?scope=studio"),
    ):
        print(f"{name}: {median_ms(lambda path=path: opened(client, path), times=10):.0f} ms")
    tag = client.get("/workspace-state/studio")["ETag"]
    print(f"the same asked again: {median_ms(lambda: asked_again(client, tag), times=10):.0f} ms")
    kept = median_ms(lambda: sent(client), times=5)
    read()
    sent(client)
    print(f"a turn kept: {kept:.0f} ms, and read: {timed(read):.0f} ms")


def opened(client: "Client", path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)


def asked_again(client: "Client", tag: str) -> None:
    assert client.get("/workspace-state/studio", headers={"If-None-Match": tag}).status_code == 304


def sent(client: "Client") -> None:
    answer = client.post(
        "/workspace/studio", {"stage": "planning", "free_chat": "Constraint: the floor is not drilled"}
    )
    assert answer.status_code == 302, answer.status_code


def read() -> None:
    from extraction.runs.pipeline import work_off

    work_off()


def seed(studio: "Scope", people: "People", facts: int, items: int) -> None:
    """A third of the facts are rules of the project, the others cells of its items."""
    from ledger.actions.patch_blocks import rebuild_blocks
    from ledger.actions.propose import Draft, propose_all
    from ledger.models import Scope
    from ledger.rules.permissions import Right
    from tests.people import quote_of, tell

    quotes = (quote_of(tell(studio, people.bob, "All that was agreed")),)
    rules = [Draft(kind="constraint", statement=f"Rule {at} of the hall", quotes=quotes) for at in range(facts // 3)]
    propose_and_hold(studio, people, rules)
    for at in range(items):
        item = Scope.objects.create(path=f"studio/item-{at}", name=f"Item {at}", tier="item", parent=studio)
        propose_and_hold(item, people, [cell(number, quotes) for number in range((facts - len(rules)) // items)])
    rebuild_blocks(Scope.objects.filter(path__startswith="studio"))
    waiting = [Draft(kind="decision", statement=f"Number {at} goes first", quotes=quotes) for at in range(WAITING)]
    propose_all(waiting, scope=studio, actor=people.bob, right=Right.REVIEW)
    for at in range(TURNS):
        tell(studio, people.bob, f"Turn {at}")


def cell(number: int, quotes: "tuple[Quote, ...]") -> "Draft":
    from ledger.actions.propose import Draft

    if number >= len(NUMBERS):
        return Draft(kind="decision", statement=f"Detail {number} of it stays", quotes=quotes)
    key, value = f"item.dimensions.{NUMBERS[number]}", {"number": number + 1, "unit": "m"}
    return Draft(kind="fact", statement=f"{key} {value}", key=key, value=value, quotes=quotes)


if __name__ == "__main__":
    main()
