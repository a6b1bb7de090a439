"""Random verbs and undos over a few scopes, slots and people, with every invariant of `model` checked after each; and what is
derived, at the end, with what is made of everything anew.

As a command, on a database of its own:

    uv run python -m tests.ledger.random_verbs --steps 100000 --seed 1
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from tests.ledger.random_world import Chooser

WORLD_STEPS = 120
SEAL_EVERY = 50


class Driver(Chooser):
    """One world after the other. `run(steps)` raises at the first step that breaks something, with seed and step."""

    VERBS: tuple[tuple[int, str], ...] = (
        (14, "propose"), (3, "propose_all"), (6, "edit"), (16, "promote"), (4, "restore"), (4, "merge"),
        (5, "supersede"), (5, "override"), (3, "graduate"), (5, "dispute"), (2, "recheck"), (6, "settle_conflict"), (5, "curate"),
        (20, "undo"), (3, "undo_batch"), (1, "purge"), (5, "outcome"),
    )  # fmt: skip
    SIMPLE: tuple[tuple[int, str, tuple[str, ...]], ...] = (
        (3, "reject", ("pending", "deferred")), (3, "defer", ("pending", "deferred")),
        (4, "reopen", ("rejected", "expired", "merged", "deferred")), (2, "expire", ("pending", "deferred")),
        (2, "wake", ("deferred",)), (2, "withdraw", ("active",)), (4, "archive", ("active",)),
    )  # fmt: skip

    def verb(self) -> tuple[str, Callable[[], None]]:
        chosen: list[tuple[int, str, Callable[[], None]]] = [(w, name, getattr(self, name)) for w, name in self.VERBS]
        for weight, name, statuses in self.SIMPLE:
            chosen.append((weight, name, lambda n=name, s=statuses: self.simple(n, *s)))  # type: ignore[misc]
        at = self.random.choices(range(len(chosen)), weights=[weight for weight, _, _ in chosen])[0]
        return chosen[at][1], chosen[at][2]

    # Steps

    def run(self, steps: int, *, told: Callable[[int], None] = lambda done: None) -> None:
        for at in range(steps):
            if at % WORLD_STEPS == 0:
                self.new_world()
            name, act = self.verb()
            try:
                self.step(name, act)
            except Exception as error:
                error.add_note(f"seed {self.seed}, step {at}: {name}")
                raise
            self.steps += 1
            if self.steps % SEAL_EVERY == 0:
                from tests.ledger.model import verify_journal

                verify_journal()
            told(at + 1)

    def step(self, name: str, act: Callable[[], None]) -> None:
        from ledger.errors import DomainError
        from tests.ledger.conftest import role
        from tests.ledger.model import Broken, Now

        before = self.rows
        try:
            with role("countersign_web"):
                act()
            self.done[name] += 1
        except DomainError as error:
            self.refused[type(error).__name__] += 1
            now = Now(self.world.scopes)
            if now.rows != before:
                changed = [where for where in now.rows if before.get(where) != now.rows[where]]
                raise Broken(f"{type(error).__name__} ({error}) left changes in {changed}") from error
            return
        now = Now(self.world.scopes)
        self.world.check(now)
        self.rows = now.rows


class Progress:
    """One line on stderr, with the seed that is at work."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.started = time.monotonic()
        self.before = 0
        self.seed = 0

    def told(self, at: int) -> None:
        done = self.before + at
        if done % 20 == 0:
            pace = done / (time.monotonic() - self.started)
            print(f"\rseed {self.seed}: {done} of {self.wanted} steps, {pace:.0f}/s ", end="", file=sys.stderr)


def drive(steps: int, seed: int) -> None:
    """In a database that stays small, which is checked faster; every seed is a run of its own and can be repeated."""
    from tests import clearing
    from tests.ledger.model import check_derived

    progress = Progress(steps)
    done, refused = Counter[str](), Counter[str]()
    while progress.before < steps:
        part = min(steps - progress.before, 10 * WORLD_STEPS)
        progress.seed, seed = seed, seed + 1
        driver = Driver(progress.seed)
        driver.run(part, told=progress.told)
        check_derived()
        done += driver.done
        refused += driver.refused
        progress.before += part
        clearing.clear()
    print(file=sys.stderr)
    print(f"{steps} steps, all invariants hold; done: {dict(done)}; refused: {dict(refused)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None, help="another one each time where it is not given")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)

    from tests import services

    try:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from tests import database

        with database.ready():
            drive(options.steps, seed)
    finally:
        services.server.stop()


if __name__ == "__main__":
    main()
