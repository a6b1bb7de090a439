"""From the table to what is expected, and whether an answer is that."""

from typing import Any

from django.db import connection, transaction
from django.http import HttpResponse

from ledger.models import Claim, JournalEvent
from tests.matrix.callers import RIGHTS, Caller
from tests.matrix.ground import CSRF, MARK, PATHS, Ground, Knock, Thing
from tests.matrix.table import Row

COUNTED = """
    SELECT (SELECT count(*) FROM ledger_journalevent) AS events,
           (SELECT count(*) FROM ledger_run) AS run,
           (SELECT count(*) FROM ledger_run WHERE status = 'queued') AS queued,
           (SELECT count(*) FROM ledger_outcome) AS outcome,
           (SELECT count(*) FROM ledger_exposure) AS exposure,
           (SELECT count(*) FROM ledger_source) AS sources,
           (SELECT count(*) FROM ledger_evidence) AS evidence,
           (SELECT count(*) FROM ledger_member) AS members,
           (SELECT count(*) FROM ledger_person) AS people,
           (SELECT count(*) FROM review_agenttoken WHERE revoked_at IS NULL) AS tokens,
           (SELECT sum(version) FROM ledger_claim) AS versions
"""
LOGS = ("run", "queued", "outcome", "exposure")


OVER_HERE = ("here", "above")


def is_known(caller: Caller) -> bool:
    return caller.door in ("session", "agent", "user") and not caller.revoked


def sees(caller: Caller) -> bool:
    """Whether the scope that the requests name is in the caller's sight."""
    by_role = bool(caller.role) and caller.at in OVER_HERE
    by_reach = caller.reach in OVER_HERE
    return {"session": by_role, "agent": by_reach, "user": by_role and by_reach}.get(caller.door, False)


def overlap(caller: Caller) -> bool:
    """Whether a user's token reaches to where its user has a role."""
    return caller.door != "user" or caller.reach in ("above", caller.at) or "beside" not in (caller.reach, caller.at)


def may_by_itself(caller: Caller, may: str) -> bool:
    """What role and grants allow, wherever they hold."""
    line = RIGHTS[may]
    granted = line.get(caller.door, "") in caller.grants
    if caller.door == "agent":
        return granted
    return bool(caller.role and line[caller.role]) and (caller.door == "session" or granted)


def expected(caller: Caller, row: Row) -> int:
    """The status that the contract asks for; 401 stands for the sign-in page too."""
    if row.may == "anybody":
        return row.status
    if not is_known(caller):
        return 401
    if row.may == "known":
        return row.status
    if row.may == "read somewhere":
        return row.status if may_by_itself(caller, "read") and overlap(caller) else 403
    if row.may == "read below" and not sees(caller):
        beside = caller.at == "beside" or (caller.door != "session" and caller.reach == "beside")
        return row.status if may_by_itself(caller, "read") and not beside else 404
    if not sees(caller):
        return (caller.door == "agent" and row.unseen_by_agents) or row.unseen
    rights = ["read"] if row.may == "read below" else row.may.split("+")
    return row.status if all(may_by_itself(caller, right) for right in rights) else 403


def fill(words: Any, thing: Thing) -> Any:
    """`"{id}"` alone keeps its type."""
    if isinstance(words, dict):
        return {name: fill(value, thing) for name, value in words.items()}
    if isinstance(words, list):
        return [fill(value, thing) for value in words]
    if isinstance(words, str) and words.startswith("{") and words.endswith("}"):
        return thing[words[1:-1]]
    return words.format(**thing) if isinstance(words, str) else words


def counts() -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(COUNTED)
        names = [column.name for column in cursor.description]
        return dict(zip(names, cursor.fetchone(), strict=True))


class Judge:
    """Puts one row to callers. `ask(row, knock, thing, csrf)` is the door: it sends the request and gives the answer."""

    def __init__(self, ground: Ground, ask: Any) -> None:
        self.ground, self.ask = ground, ask

    def make(self, row: Row) -> Thing:
        return getattr(self.ground, row.on)()

    def faults(self, row: Row, knocks: list[Knock]) -> list[str]:
        """What is not as the table says, a line each."""
        found: list[str] = []
        thing, before = self.make(row), counts()
        works = [knock for knock in knocks if works_for(knock.caller, row)]
        if row.takes_a_form:
            found += self.without_its_form(row, thing)
        for knock in knocks:
            if knock not in works or not row.leaves:
                found += self.answered(row, knock, thing)
        if counts() | {"exposure": 0} != before | {"exposure": 0}:
            found.append("somebody who was refused, or only reads, changed something")
        if row.leaves and works:
            *others, last = works
            for knock in others:
                found += self.tried(row, knock, thing)
            found += self.carried_out(row, last, thing)
        return found

    def tried(self, row: Row, knock: Knock, thing: Thing) -> list[str]:
        """Carried out and taken back, so that all callers ask about the same thing; the last one's request commits."""
        with transaction.atomic():
            found = self.carried_out(row, knock, thing)
            transaction.set_rollback(True)
        return found

    def answered(self, row: Row, knock: Knock, thing: Thing) -> list[str]:
        """Whether status and words of one answer are right for this caller."""
        response, want = self.ask(row, knock, thing, CSRF), expected(knock.caller, row)
        got, body = seen_status(response), text_of(response)
        name, reads = knock.caller.name, reads_here(knock.caller, row)
        if got != want:
            return [f"{name}: {got} instead of {want}: {body[:200]!r}"]
        if MARK in body and not reads and MARK not in f"{row.query} {fill(row.body, thing)}":
            return [f"{name}: the answer tells what they may not read"]
        if row.lists and works_for(knock.caller, row) and reads and MARK not in body:
            return [f"{name}: the answer hides what is there"]
        return []

    def carried_out(self, row: Row, knock: Knock, thing: Thing) -> list[str]:
        """The same, and whether the row was changed and the journal or a log says so."""
        before = counts() if row.leaves in LOGS else {}
        last = JournalEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        found = self.answered(row, knock, thing)
        if found:
            return found
        faults = []
        if row.leaves in LOGS:
            faults += [f"no {row.leaves} was left"] * (counts()[row.leaves] == before[row.leaves])
        else:
            faults += left_behind(row, knock, last)
        if row.becomes and Claim.objects.get(pk=thing["claim"]).status != row.becomes:
            faults.append(f"the claim is not {row.becomes}")
        return [f"{knock.caller.name}: {fault}" for fault in faults]

    def without_its_form(self, row: Row, thing: Thing) -> list[str]:
        """A session's request that changes something is refused without the token of the page, and with a wrong one."""
        owner = self.ground.knocks["owner here"]
        asked = {csrf: self.ask(row, owner, thing, csrf).status_code for csrf in ("", "b" * 32)}
        return [f"{status} with CSRF token {csrf!r}" for csrf, status in asked.items() if status != 403]


def works_for(caller: Caller, row: Row) -> bool:
    """Whether the request is to be carried out: a batch answers alike where it did nothing."""
    want = expected(caller, row)
    return want == row.status and (want != row.unseen or sees(caller))


def reads_here(caller: Caller, row: Row) -> bool:
    if row.may == "read below":
        return True
    return sees(caller) and may_by_itself(caller, "read")


def left_behind(row: Row, knock: Knock, last: int) -> list[str]:
    """The event says who, what, where and through which door."""
    events = JournalEvent.objects.filter(pk__gt=last).select_related("scope")
    event = events.filter(verb=row.leaves).first()
    if event is None:
        return [f"no event {row.leaves}, only {[one.verb for one in events]}"]
    kind = "agent" if knock.caller.door == "agent" else "human"
    told = (event.actor_kind, event.actor_name, event.user_id)
    owed = (kind, knock.journal_name, knock.user.pk if knock.user else None)
    faults = [f"the event says {told}, not {owed}"] * (told != owed)
    faults += [f"the event lies in {event.scope.path}"] * (not event.scope.path.startswith(PATHS["here"]))
    by_screen = row.name.split()[1][0] != "/" or row.leaves in ("curate", "retract")
    door = "screen" if by_screen else "api"
    return faults + [f"the event came through {event.door}"] * (event.door != door)


def seen_status(response: HttpResponse) -> int:
    to_sign_in = response.status_code == 302 and response["Location"].startswith("/login/?")
    return 401 if to_sign_in else response.status_code


def text_of(response: HttpResponse) -> str:
    parts = response.streaming_content if response.streaming else [response.content]
    return b"".join(parts).decode()
