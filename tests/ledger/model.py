"""What must hold after every verb, told apart from how the verbs do it: legal steps, a journal that replays, conflicts
that follow the live claims."""

import time
from io import StringIO
from itertools import combinations
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.models import Q

from ledger.actions.patch_blocks import rebuild_blocks
from ledger.actions.tally import tally
from ledger.journal import NOUNS, snapshot
from ledger.models import (
    Block,
    Claim,
    Conflict,
    ConflictMember,
    Dispute,
    JournalChange,
    JournalEvent,
    Kind,
    Scope,
    TrustedState,
)
from ledger.reads.sql import fetch_rows
from ledger.rules.slots import dedup_of, same_content, slot_of
from ledger.verbs import REDACTED

Rows = dict[tuple[str, int], dict[str, Any]]
MAX_WAIT_S = 120

GAVE_WAY = ("merged", "superseded", "graduated")
RETIRED = ("superseded", "archived", "graduated", "withdrawn")
CLAIM_EDGES = {
    *(("pending", to) for to in ("deferred", "active", "rejected", "expired", "merged")),
    *(("deferred", to) for to in ("pending", "active", "rejected", "expired", "merged")),
    *(("active", to) for to in (*RETIRED, "merged")),
    *((since, "pending") for since in ("rejected", "expired", "merged")),
    *((since, "active") for since in RETIRED),
}
# An undo goes any step backwards, and takes back what was only proposed.
UNDO_EDGES = {(b, a) for a, b in CLAIM_EDGES} | CLAIM_EDGES | {
    ("pending", "withdrawn"), ("deferred", "withdrawn"), ("withdrawn", "pending"), ("withdrawn", "deferred"),
}  # fmt: skip
CONFLICT_EDGES = {("open", to) for to in ("resolved", "dismissed", "closed")} | {
    (since, "open") for since in ("resolved", "dismissed", "closed")
}
TRUSTED_EDGES = {("current", "replaced"), ("current", "retracted")}
DISPUTE_EDGES = {("open", "void")}


class Broken(AssertionError):
    """An invariant does not hold."""


class Now:
    """Everything in these scopes as it stands, read once."""

    def __init__(self, scopes: list[Scope]) -> None:
        self.claims = list(Claim.objects.filter(scope__in=scopes))
        self.conflicts = list(Conflict.objects.filter(scope__in=scopes))
        self.disputes = list(Dispute.objects.filter(claim__scope__in=scopes))
        self.trusted = list(TrustedState.objects.filter(scope__in=scopes))
        self.members = list(ConflictMember.objects.filter(conflict__scope__in=scopes))
        self.rows: Rows = {
            (noun, row.pk): snapshot(row)
            for noun, rows in (
                ("claim", self.claims), ("conflict", self.conflicts), ("dispute", self.disputes),
                ("trusted", self.trusted),
            )
            for row in rows
        }  # fmt: skip


class World:
    """A few scopes, and what the journal says about their rows so far."""

    def __init__(self, scopes: list[Scope]) -> None:
        self.scopes = scopes
        self.told: Rows = {}
        self.purged: set[tuple[str, int]] = set()
        self.versions: dict[int, int] = {}
        self.read_up_to = JournalChange.objects.order_by("-id").values_list("id", flat=True).first() or 0
        self.kinds = {kind.name: kind for kind in Kind.objects.all()}

    def check(self, now: Now) -> None:
        self.replay()
        self.compare(now)
        self.claims(now)
        self.conflicts(now)
        check_blocks(self.scopes)

    def replay(self) -> None:
        """Fold what the journal has gained into what it told before, and look at each step."""
        fresh = JournalChange.objects.filter(id__gt=self.read_up_to, event__scope__in=self.scopes).select_related(
            "event"
        )
        for change in fresh.order_by("id"):
            self.read_up_to = change.pk
            where = (change.noun, change.row)
            if change.noun not in ("claim", "conflict", "dispute", "trusted"):
                continue
            before = self.told.get(where)
            # The proposal and the graduation it belongs to both tell of the row they made.
            if change.before is None and before is None:
                self.told[where] = dict(change.after or {})
                continue
            if before is None:
                raise Broken(f"{where} changes before it is made")
            for name, value in (change.before or {}).items():
                if before[name] != value:
                    raise Broken(
                        f"event {change.event_id} says {name} of {where} was {value!r}, it was {before[name]!r}"
                    )
            for name, value in (change.after or {}).items():
                if name == "status" and value != before["status"]:
                    self.step(change, before["status"], value)
                before[name] = value

    def step(self, change: JournalChange, since: str, to: str) -> None:
        undo = change.event.verb == "undo"
        # A conflict that was reopened by an undo may have closed by itself meanwhile: undoing that undo leads from closed
        # to what the person had said, and undoing that one back again.
        around = {("closed", "resolved"), ("closed", "dismissed")}
        backwards = {(b, a) for a, b in CONFLICT_EDGES | around} | around
        legal = {
            "claim": UNDO_EDGES if undo else CLAIM_EDGES,
            "conflict": CONFLICT_EDGES | (backwards if undo else set()),
            "trusted": TRUSTED_EDGES,
            "dispute": DISPUTE_EDGES | ({("void", "open")} if undo else set()),
        }[change.noun]  # fmt: skip
        if (since, to) not in legal:
            raise Broken(f"{change.event.verb} took {change.noun} {change.row} from {since} to {to}")

    def compare(self, now: Now) -> None:
        """The journal replays to the rows as they are. A purged row's words are gone from both."""
        rows = now.rows
        self.purged |= {("claim", claim.pk) for claim in now.claims if claim.proposed == REDACTED}
        self.purged |= {("conflict", row.pk) for row in now.conflicts if row.slot.startswith("redacted-")}
        for where in rows.keys() | self.told.keys():
            row, told = rows.get(where), self.told.get(where)
            if row is None or told is None:
                raise Broken(f"{where}: the row is {row}, the journal tells {told}")
            if where in self.purged:
                row, told = {"status": row["status"]}, {"status": told["status"]}
            differing = {name: (value, told.get(name)) for name, value in row.items() if told.get(name) != value}
            if differing and not (where[0] == "claim" and set(differing) == {"anchors_to_choose"}):
                raise Broken(f"{where} is not what its journal tells: {differing}")

    def claims(self, now: Now) -> None:
        disputed = {dispute.claim_id for dispute in now.disputes if dispute.status == "open" and dispute.weight}
        heirs = {claim.pk: claim.successor_id for claim in now.claims if claim.status in GAVE_WAY}
        for claim in now.claims:
            seen, heir = {claim.pk}, heirs.get(claim.pk)
            while heir is not None:
                if heir in seen:
                    raise Broken(f"{claim.ref} gives way to itself in the end")
                seen.add(heir)
                heir = heirs.get(heir)
            if claim.version < self.versions.get(claim.pk, 0):
                raise Broken(f"the version of {claim.ref} fell")
            self.versions[claim.pk] = claim.version
            if claim.status == "active" and claim.promoted_at is None:
                raise Broken(f"{claim.ref} holds but was never promoted")
            if claim.proposed == REDACTED:
                continue
            if claim.disputed != (claim.pk in disputed):
                raise Broken(f"{claim.ref}: disputed is {claim.disputed}, open disputes: {claim.pk in disputed}")
            kind = self.kinds[claim.kind_id]
            slot = slot_of(kind.name, many=kind.many, key=claim.key, topic=claim.topic)
            dedup = dedup_of(
                layer=claim.layer, kind=kind.name, slot=slot, key=claim.key, value=claim.value,
                statement=claim.statement,
            )  # fmt: skip
            if (slot, dedup) != (claim.slot, claim.dedup):
                raise Broken(
                    f"{claim.ref} stands on slot {claim.slot!r}, {slot!r} is right; or its duplicate key is old"
                )

    def conflicts(self, now: Now) -> None:
        """An open conflict has two live members that differ; what differs is in an open or a dismissed conflict."""
        live: dict[tuple[int, str], dict[str, tuple[Any, str]]] = {}
        trusted: dict[tuple[int, str], list[TrustedState]] = {}
        for row in (row for row in now.trusted if row.status == "current"):
            trusted.setdefault((row.scope_id, row.key), []).append(row)
        for claim in (claim for claim in now.claims if claim.status == "active" and claim.slot):
            place = live.setdefault((claim.scope_id, claim.slot), {})
            place[f"claim {claim.pk}"] = (claim.value, claim.statement)
            for row in trusted.get((claim.scope_id, claim.key), ()) if claim.key else ():
                place[f"trusted {row.pk}"] = (row.value, row.statement)
        members: dict[int, set[str]] = {}
        for member in now.members:
            name = f"claim {member.claim_id}" if member.claim_id else f"trusted {member.trusted_id}"
            members.setdefault(member.conflict_id, set()).add(name)
        standing: dict[tuple[int, str], list[Conflict]] = {}
        for conflict in now.conflicts:
            place = live.get((conflict.scope_id, conflict.slot), {})
            standing.setdefault((conflict.scope_id, conflict.slot), []).append(conflict)
            if conflict.status == "open":
                if not differ(place):
                    raise Broken(f"conflict {conflict.pk} is open, but nothing differs on {conflict.slot}")
                if not members.get(conflict.pk, set()) >= place.keys():
                    raise Broken(f"conflict {conflict.pk} lacks live members of {conflict.slot}")
        for (scope_id, slot), place in live.items():
            if differ(place) and not any(
                c.status == "open" or (c.status == "dismissed" and members.get(c.pk, set()) >= place.keys())
                for c in standing.get((scope_id, slot), ())
            ):
                raise Broken(f"{slot} has differing live values and no conflict")


def check_blocks(scopes: list[Scope]) -> None:
    """What was patched event by event is what a look at everything makes, and what the log of each block folds to."""
    if wrong := rebuild_blocks(Scope.objects.filter(pk__in=[scope.pk for scope in scopes]), check=True)[1]:
        raise Broken(f"{wrong} lines of blocks are not what holds")
    for block in Block.objects.filter(scope__in=scopes).prefetch_related("revisions", "lines__claim", "lines__answer"):
        told: dict[str, str | None] = {}
        for change in (one for row in block.revisions.all() for one in row.changes):
            if (change["op"] != "add") != (change["ref"] in told):
                raise Broken(f"block {block.key}: {change} after {told}")
            told.pop(change["ref"], None)
            if change["op"] != "remove":
                told[change["ref"]] = change.get("by")
        if told != {line.claim.ref: line.answer.ref if line.answer else None for line in block.lines.all()}:
            raise Broken(f"the log of block {block.key} tells {told}")
        if [row.number for row in block.revisions.all()] != list(range(1, block.revision + 1)):
            raise Broken(f"block {block.key} is at revision {block.revision}, its log tells others")


# What is made of the ledger, as it can be compared. A text's vector is a little other beside other texts: that it has one counts.
DERIVED = {
    "ledger_posting": "term, scope_id, source_id, times, length",
    "ledger_tokenvectors": "source_id, vectors = '', meaning = ''",
    "ledger_statementvector": "ref, meaning = ''",
    "ledger_utility": "claim_id, wins, losses",
    "ledger_blockline": "(SELECT (scope_id, key) FROM ledger_block WHERE id = block_id), claim_id, answer_id",
    "ledger_tally": "scope_id, hour, came, went",
}


def check_derived() -> None:
    """`rebuild --check` finds nothing that differs, and everything derived comes back as it was once it is dropped."""
    call_command("rebuild", "--check", stdout=StringIO())
    call_command("rebuild", stdout=StringIO())
    before = derived()
    with connection.cursor() as cursor:
        cursor.execute(
            ";".join(f"DELETE FROM {table}" for table in DERIVED) + ";UPDATE ledger_tallymark SET number = 0"
        )
    call_command("rebuild", stdout=StringIO())
    for table, rows in derived().items():
        if rows != before[table]:
            raise Broken(f"{table} was dropped and made anew with {len(rows ^ before[table])} rows that differ")
    call_command("rebuild", "--check", stdout=StringIO())


def derived() -> dict[str, set[Any]]:
    verify_journal()
    tally()
    return {table: set(fetch_rows(f"SELECT {columns} FROM {table}")) for table, columns in DERIVED.items()}


def differ(place: dict[str, tuple[Any, str]]) -> bool:
    return any(not same_content(*one, *other) for one, other in combinations(place.values(), 2))


def verify_journal() -> None:
    """Seal everything, then recompute the chain. What is newer than some transaction of the server that is still open is sealed
    after it, and tests beside this one have theirs."""
    until = time.monotonic() + MAX_WAIT_S
    ok, events, sealed, broken = _sealed()
    while ok and events != sealed and time.monotonic() < until:
        time.sleep(0.05)
        ok, events, sealed, broken = _sealed()
    if not ok:
        raise Broken(f"the chain is broken at events {broken}")
    if events != sealed:
        raise Broken(f"{events} events, {sealed} sealed")


def _sealed() -> tuple[bool, int, int, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
        cursor.execute("SELECT ok, events, sealed, broken FROM ledger_verify_journal()")
        found: tuple[bool, int, int, Any] = cursor.fetchone()
    return found


def put_back(event_id: int, before: Rows, after: Rows) -> None:
    """`before` and `after` an undo of this event: what it changed is back, what it made is void, the rest is untouched. What was
    undone with it, in the batch of its undo, is back as well."""
    undone = JournalEvent.objects.filter(undoes=event_id, batch__isnull=False).values("batch")
    together = JournalEvent.objects.filter(batch__in=undone, verb="undo").values("undoes")
    changes = list(JournalChange.objects.filter(Q(event=event_id) | Q(event__in=together)).order_by("event_id", "id"))
    touched: dict[tuple[str, int], dict[str, Any]] = {}
    for change in changes:
        if change.noun == "conflict" or change.noun not in NOUNS:
            continue
        place = touched.setdefault((change.noun, change.row), {})
        made = {"status": "void" if change.noun == "dispute" else "withdrawn"}
        for name, value in (change.before if change.before is not None else made).items():
            place.setdefault(name, value)
    verb = JournalEvent.objects.get(pk=event_id).verb
    for where, row in after.items():
        if where[0] == "conflict":
            continue
        for name, value in row.items():
            wanted = touched.get(where, {}).get(name, before[where][name])
            if name in ("slot", "dedup") and verb in ("edit", "undo"):
                # Made anew from what stands after the undo; `World.claims` knows what they must be.
                continue
            # A flag stays up while another open dispute holds it up.
            if value != wanted and not (
                name in ("disputed", "needs_recheck") and verb in ("dispute", "recheck", "undo")
            ):
                raise Broken(f"undoing event {event_id} left {name} of {where} at {value!r} instead of {wanted!r}")
