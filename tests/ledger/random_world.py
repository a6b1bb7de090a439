"""The worlds that `random_verbs` drives: a few scopes, people, sources, and one method a verb that picks its own arguments."""

import datetime as dt
import itertools
import random
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.ledger.model import Rows

KINDS = ("fact", "fact", "decision", "preference", "constraint", "episodic", "action_item", "tactic")
KEYS = ("mast.weight", "colour", "a|k:b")
TOPICS = ("paint", "Paint", "rig|k:mast.weight")
STATEMENTS = ("The mast is heavy", "the mast is HEAVY", "It is red", "It is blue", "We ship on Monday")
VALUES = (4, 4.0, 5, {"number": 48, "unit": "cm"}, {"number": 480, "unit": "mm"}, "red", "Red.", "red", True, [1, "a"])
# Blocks for all of it; an episodic memory with a key asks for it.
PACK = b"""
[pack]
name = "random-blocks"
version = "1"

[[blocks]]
key = "project.things"
scope = "project"
prefixes = ["mast", "colour"]
kinds = ["decision", "preference", "constraint"]

[[blocks]]
key = "project.asked"
scope = "project"
kinds = ["episodic", "action_item"]
closes = ["episodic"]

[[blocks]]
key = "item.things"
scope = "item"
prefixes = ["a|k:b"]
kinds = ["fact", "decision"]
"""


class Chooser:
    """A world made from one seed, and verbs on what happens to stand in it."""

    numbers = itertools.count(1)

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.steps = 0
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    # The world

    def new_world(self) -> None:
        from ledger.actions.load_pack import load_pack
        from tests.ledger.model import World
        from tests.people import agent_in, make_people, make_scope, tell

        number = f"{self.seed}-{next(self.numbers)}"
        load_pack(PACK, file="random.toml")
        self.scope = make_scope(f"p{number}", packs=("random-blocks",))
        self.child = make_scope(f"p{number}/item", tier="item", parent=self.scope)
        self.people = make_people(self.scope)
        self.actors = [self.people.alice, self.people.bob, self.people.carol, self.people.bob, agent_in(self.scope)]
        self.actors += [self.people.vera, self.people.charlie]
        self.world = World([self.scope, self.child])
        self.sources = []
        sent = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        for at, (by, sender) in enumerate(
            [("user", "ann"), ("user", "ben"), ("agent", "bot"), ("document", ""), ("tool", "")] * 2
        ):
            text = (
                f"{number} {at} " + " ".join(f"{word}." for word in STATEMENTS) + (" Twice. Twice." if at == 0 else "")
            )
            self.sources.append(
                tell(self.scope, self.people.alice, text, by=by, sender=sender, sent_at=sent + dt.timedelta(days=at))
            )
        self.batches: list[uuid.UUID] = []
        self.rows: Rows = {}

    # Choices

    def pick(self, rows: Any) -> Any:
        rows = list(rows)
        return self.random.choice(rows) if rows else None

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def actor(self) -> Any:
        return self.people.bob if self.maybe(0.8) else self.pick(self.actors)

    def claim(self, *statuses: str) -> Any:
        from ledger.models import Claim

        rows = Claim.objects.filter(scope__in=[self.scope, self.child])
        # Mostly where the verb leads somewhere; now and then anywhere.
        return self.pick(rows.filter(status__in=statuses)) if self.maybe(0.9) else self.pick(rows)

    def common(self, claim: Any) -> dict[str, Any]:
        more: dict[str, Any] = {"actor": self.actor()}
        if self.maybe(0.3):
            more["expected_version"] = claim.version + (1 if self.maybe(0.1) else 0)
        if self.maybe(0.2):
            if not self.batches or self.maybe(0.3):
                self.batches.append(uuid.uuid4())
            more["batch"] = self.batches[-1]
        return more

    def content(self) -> dict[str, Any]:
        kind = self.random.choice(KINDS)
        statement = self.random.choice(STATEMENTS)
        choice: dict[str, Any] = {"kind": kind, "statement": statement}
        if self.maybe(0.6):
            choice["key"] = self.random.choice(KEYS)
            if self.maybe(0.7):
                choice["value"] = self.random.choice(VALUES)
        elif self.maybe(0.5):
            choice["topic"] = self.random.choice(TOPICS)
        return choice

    def draft(self) -> Any:
        from ledger.actions.propose import Draft
        from tests.people import quote_of

        content = self.content()
        source = self.pick(self.sources)
        more: dict[str, Any] = {}
        if self.maybe(0.08):
            more["anchors_to_choose"] = tuple(
                {"source": self.sources[0].pk, "start": s, "end": s + 6} for s in self.places("Twice.")
            )
        if self.maybe(0.15) and (other := self.claim("active")):
            more["names_replaced"] = (other.ref if self.maybe(0.7) else other.ref.lower(),)
        source.refresh_from_db()
        quotes = (
            (quote_of(source, f"{content['statement']}."),)
            if not source.purged_at and "anchors_to_choose" not in more
            else ()
        )
        return Draft(quotes=quotes, confidence=0.5, **content, **more)

    def places(self, words: str) -> list[int]:
        text = self.sources[0].text
        return [at for at in range(len(text)) if text.startswith(words, at)] or [0, 1]

    # Verbs

    def propose(self) -> None:
        from ledger.actions.propose import propose

        propose(self.draft(), scope=self.pick([self.scope, self.scope, self.child]), actor=self.actor())

    def propose_all(self) -> None:
        from ledger.actions.propose import propose_all

        batch = uuid.uuid4()
        self.batches.append(batch)
        drafts = [self.draft() for _ in range(self.random.randint(1, 4))]
        propose_all(drafts + drafts[:1], scope=self.scope, actor=self.actor(), batch=batch)

    def edit(self) -> None:
        from ledger.actions.edit import edit

        if claim := self.claim("pending", "deferred"):
            edit(claim, changes=self.changes(claim), **self.common(claim))

    def changes(self, claim: Any) -> dict[str, Any]:
        new = self.content()
        changes = {name: new[name] for name in new if self.maybe(0.4)} or {"tags": ["a"]}
        if self.maybe(0.1):
            changes["scope"] = self.pick([self.scope.path, self.child.path, "nowhere"])
        if claim.anchors_to_choose and self.maybe(0.7):
            changes["anchor"] = self.random.choice([0, 1, 7])
        if self.maybe(0.05):
            changes[self.random.choice(["statement", "key", "value", "tags", "nonsense"])] = self.random.choice(
                ["", "\0", "\ud800", "x" * 500, float("nan"), {"a": float("inf")}, 10**400, None, 3, ["x" * 70], ["\0"]]
            )
        return changes

    def promote(self) -> None:
        from ledger.actions.promote import promote

        if claim := self.claim("pending", "deferred"):
            changes = self.changes(claim) if self.maybe(0.1) else None
            on = self.random.choice([None, None, "supersede", "coexist"])
            into = self.claim("active") if self.maybe(0.1) else None
            promote(claim, on_conflict=on, changes=changes, into=into.ref if into else None, **self.common(claim))

    def simple(self, verb: str, *statuses: str) -> None:
        from ledger.actions import decide

        if claim := self.claim(*statuses):
            common = self.common(claim)
            if verb in ("expire", "wake"):
                common.pop("expected_version", None)
            if verb == "defer" and self.maybe(0.5):
                common["until"] = dt.datetime.now(dt.UTC) + dt.timedelta(days=self.random.choice([-1, 1, 30]))
            getattr(decide, verb)(claim, **common)

    def restore(self) -> None:
        from ledger.actions.decide import restore

        if claim := self.claim("superseded", "archived", "graduated", "withdrawn"):
            restore(claim, **self.common(claim))

    def merge(self) -> None:
        from ledger.actions.merge import merge

        claim, into = self.claim("pending", "deferred", "active"), self.claim("pending", "active")
        if claim and into:
            merge(claim, into=into, **self.common(claim))

    def supersede(self) -> None:
        from ledger.actions.supersede import supersede

        if claim := self.claim("active"):
            by = self.claim("active") if self.maybe(0.5) else None
            draft = None if by else self.draft()
            supersede(claim, by=by, draft=draft, **self.common(claim))

    def graduate(self) -> None:
        from ledger.actions.graduate import graduate

        if claim := self.claim("active"):
            graduate(claim, kind=self.pick([None, "fact", "decision"]), **self.common(claim))

    def dispute(self) -> None:
        from ledger.actions.dispute import dispute

        if claim := self.claim("active"):
            source = self.pick(self.sources)
            source.refresh_from_db()
            dispute(claim, source=source, quote=self.random.choice(STATEMENTS) + ".", **self.common(claim))

    def recheck(self) -> None:
        from ledger.actions.dispute import recheck
        from ledger.models import Claim

        claim = self.pick(Claim.objects.filter(scope=self.scope, disputed=True)) or self.claim("active")
        if claim:
            recheck(claim, **self.common(claim))

    def override(self) -> None:
        from ledger.actions.override import override, release

        common = {"actor": self.actor(), "batch": self.pick(self.batches) if self.maybe(0.1) else None}
        if self.maybe(0.3):
            release(self.child, self.random.choice(KEYS), **common)
        else:
            override(self.child, self.random.choice(KEYS), self.random.choice(VALUES), **common)

    def settle_conflict(self) -> None:
        from ledger.actions.conflict import dismiss, resolve
        from ledger.models import Conflict

        rows = Conflict.objects.filter(scope__in=[self.scope, self.child])
        conflict = self.pick(rows.filter(status="open") if self.maybe(0.9) else rows)
        if conflict is None:
            return
        common = {"actor": self.actor()}
        if self.maybe(0.4):
            dismiss(conflict, **common)
        else:
            member = self.pick(conflict.members.all())
            resolve(conflict, winner=(member.claim or member.trusted).ref, **common)

    def curate(self) -> None:
        from ledger.actions.curate import curate, retract

        actor = self.pick([self.people.carol, self.people.carol, self.people.alice, self.people.bob])
        key = self.random.choice(KEYS)
        if self.maybe(0.3):
            retract(self.scope, key, actor=actor)
        else:
            cited = self.claim("active")
            value = self.random.choice([*VALUES, None])
            curate(
                self.scope, key, actor=actor, statement=self.random.choice(STATEMENTS), value=value,
                cites=[cited.ref] if cited else [],
            )  # fmt: skip

    def undo(self) -> None:
        from ledger.actions.undo import undo
        from ledger.models import JournalEvent
        from tests.ledger.model import Now, put_back

        recent = JournalEvent.objects.filter(scope__in=[self.scope, self.child], undone_by=None).exclude(verb="ingest")
        event = self.pick(recent.order_by("-id")[: self.random.choice([1, 3, 30])])
        if event is None:
            return
        before = Now(self.world.scopes).rows
        undo(event, actor=self.actor())
        put_back(event.pk, before, Now(self.world.scopes).rows)

    def undo_batch(self) -> None:
        from ledger.actions.undo import undo_batch

        if self.batches:
            undo_batch(self.pick(self.batches[-3:]), actor=self.actor())

    def outcome(self) -> None:
        """A pack is shown in a conversation, and what came of it is told: mostly in a user's own words."""
        from ledger.actions.logs import expose, report_outcome
        from ledger.models import Claim, OutcomeType

        conversation, actor = self.random.choice(["c1", "c2", "c3"]), self.actor()
        shown = list(
            Claim.objects.filter(scope=self.scope, status="active", kind="tactic").values_list("ref", flat=True)
        )
        expose(self.scope, shown, channel="auto_pack", actor=actor, conversation=conversation)
        said = (self.pick(self.sources), 0, 1) if self.maybe(0.9) else None
        if said:
            said[0].refresh_from_db()
        report_outcome(
            self.scope,
            conversation=conversation,
            type=self.random.choice(OutcomeType.values),
            actor=actor,
            evidence=said,
        )

    def purge(self) -> None:
        from ledger.actions.purge import purge

        if self.maybe(0.3):
            purge(self.pick(self.sources), actor=self.people.alice, reason="asked to")
