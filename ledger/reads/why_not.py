"""Why something does not hold here: rejected, superseded, expired, held back by a rule, out of scope, or not decided yet."""

from dataclasses import dataclass

from django.db import connection

from ledger.errors import Invalid
from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.claims import claim_rows
from ledger.reads.history import event_rows
from ledger.reads.queue.listing import search_conditions
from ledger.reads.scopes import ancestor_paths, below, visible
from ledger.rules.permissions import Access

MAX_LISTED = 20
REASONS = {
    "pending": "waits for a decision",
    "deferred": "was put off",
    "active": "it holds",
    "rejected": "was rejected",
    "expired": "expired before anybody decided",
    "merged": "was merged into {heir}",
    "superseded": "was superseded by {heir}",
    "archived": "was archived",
    "graduated": "grew into {heir}",
    "withdrawn": "was withdrawn",
}


@dataclass(frozen=True, slots=True)
class WhyNotReason:
    """One reason; `event` is the decision behind it, `ref` is empty for a hit that became no claim."""

    ref: str
    statement: str
    reason: str
    event: JournalEvent | None = None


def why_not(scope: Scope, q: str, access: Access) -> list[WhyNotReason]:
    """What is known of `q` in `scope`, in those above it, in what runs did not write, and elsewhere in the reader's sight.

    Not decided or decided against comes first, then what a run held back, then what holds in other scopes only.
    Raises `Invalid` for an empty question.
    """
    q = q.strip()
    if not q:
        raise Invalid("ask for something", field="q")
    here = visible(access).filter(path__in=ancestor_paths(scope.path))
    claims = _found(list(here.values_list("pk", flat=True)), q)
    events = _last_events(claims)
    answers = [
        WhyNotReason(claim.ref, claim.statement, _reason(claim, events.get(claim.pk)), events.get(claim.pk))
        for claim in sorted(claims, key=lambda claim: claim.status == "active")
    ]
    answers += _not_written(scope, q)
    elsewhere = visible(access).exclude(path__in=ancestor_paths(scope.path))
    for claim in _found(list(elsewhere.values_list("pk", flat=True)), q, status="active"):
        inside = Scope.objects.filter(below(scope.path), pk=claim.scope_id).exists()
        where = "holds only below, in" if inside else "out of scope: holds in"
        answers.append(WhyNotReason(claim.ref, claim.statement, f"{where} {claim.scope.path}"))
    return answers


def _found(scopes: list[int], q: str, *, status: str = "") -> list[Claim]:
    for condition, words in search_conditions(q):
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT c.id FROM ledger_claim c WHERE c.scope_id = ANY (%s) AND {' AND '.join(condition)}"  # noqa: S608
                f" {'AND c.status = %s' if status else ''} ORDER BY c.id DESC LIMIT {MAX_LISTED}",
                [scopes, *words, *([status] if status else [])],
            )
            ids = [pk for (pk,) in cursor.fetchall()]
        if ids:
            return list(claim_rows().select_related("successor", "scope").filter(pk__in=ids).order_by("-pk"))
    return []


def _last_events(claims: list[Claim]) -> dict[int, JournalEvent]:
    """The event that gave each claim the state it is in: the last one that changed its status."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT ON (c.row) c.row, c.event_id FROM ledger_journalchange c"
            " WHERE c.noun = 'claim' AND c.row = ANY (%s) AND c.after ? 'status' ORDER BY c.row, c.id DESC",
            [[claim.pk for claim in claims]],
        )
        found = dict(cursor.fetchall())
    events = {event.pk: event for event in event_rows().filter(pk__in=found.values())}
    return {row: events[pk] for row, pk in found.items()}


def _reason(claim: Claim, event: JournalEvent | None) -> str:
    heir = claim.successor.ref if claim.successor else "a trusted value"
    reason = REASONS[claim.status].format(heir=heir)
    if claim.status == "deferred" and claim.deferred_until:
        reason += f" until {claim.deferred_until:%Y-%m-%d %H:%M %Z}"
    said = f": {event.reason}" if event and event.reason and claim.status not in ("pending", "active") else ""
    return reason + said


def _not_written(scope: Scope, q: str) -> list[WhyNotReason]:
    """Hits of this scope's runs that became no claim, with the rule that kept them back; and those that joined one which
    says the same in other words."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(h.hit ->> 'statement', h.hit ->> 'quote', ''), h.fate, h.why, h.hit ->> 'rule', r.id"
            " FROM ledger_run r JOIN ledger_runhit h ON h.run_id = r.id"
            " WHERE r.scope_id = %s AND h.admitted_id IS NULL AND h.hit IS NOT NULL"
            " AND (h.fate IN ('held_back', 'dropped', 'note') OR h.why LIKE '%% says nearly this already')"
            " AND to_tsvector('english', h.hit) @@ websearch_to_tsquery('english', %s)"
            " ORDER BY h.id DESC LIMIT %s",
            [scope.pk, q, MAX_LISTED],
        )
        rows = cursor.fetchall()
    names = {"held_back": "held back", "dropped": "dropped", "note": "kept as a note"}
    names |= dict.fromkeys(("duplicate", "merged"), "taken for the same")
    return [
        WhyNotReason("", statement, f"{names[fate]}{f' by rule {rule}' if rule else ''} in run {run}: {why}")
        for statement, fate, why, rule, run in rows
    ]
