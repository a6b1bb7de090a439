"""Why something does not hold here: rejected, superseded, expired, held back by a rule, out of scope, or not decided yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from ledger.errors import Invalid
from ledger.language.sentences import sentences
from ledger.models import Claim, JournalEvent, Scope
from ledger.reads.claims import claim_rows
from ledger.reads.history import event_rows
from ledger.reads.queue.listing import Where, search_conditions
from ledger.reads.scopes import ancestor_paths, visible
from ledger.reads.sql import fetch_column, fetch_rows
from ledger.recall.find import find_claims, read_question
from ledger.recall.gather import scope_chain
from ledger.recall.snippets import passages
from ledger.recall.turns import find_sources
from ledger.rules.asked import speaks_of
from ledger.rules.permissions import Access, covers
from ledger.rules.states import Status

MAX_LISTED = 20
# So many that share words or meaning with a question are read, to see which speak of what it asks.
MAX_READ = 200
SOURCE = "source:"
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


# What became of hits that are no claims.
OUTCOMES = {
    "held_back": "held back",
    "dropped": "dropped",
    "note": "kept as a note",
    "duplicate": "taken for the same",
    "merged": "taken for the same",
}
_LAST_CHANGES = """
    SELECT DISTINCT ON (c.row) c.row, c.event_id FROM ledger_journalchange c
    WHERE c.noun = 'claim' AND c.row = ANY (%s) AND c.after ? 'status' ORDER BY c.row, c.id DESC
"""
_NOT_WRITTEN = """
    SELECT coalesce(h.hit ->> 'statement', h.hit ->> 'quote', ''), h.fate, h.why, h.hit ->> 'rule', r.id
    FROM ledger_run r JOIN ledger_runhit h ON h.run_id = r.id
    WHERE r.scope_id = %s AND h.admitted_id IS NULL AND h.hit IS NOT NULL
      AND (h.fate IN ('held_back', 'dropped', 'note') OR h.why LIKE '%% says nearly this already')
      AND to_tsvector('english', h.hit) @@ websearch_to_tsquery('english', %s)
    ORDER BY h.id DESC LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class WhyNotReason:
    """One reason; `event` is the decision behind it. `ref` is that of a claim, `source:ID` for words that became none, and empty
    for a hit that a run did not write."""

    ref: str
    statement: str
    reason: str
    event: JournalEvent | None = None

    @property
    def source(self) -> str:
        """The id of the source, where nothing but its words is known."""
        return self.ref.removeprefix(SOURCE) if self.ref.startswith(SOURCE) else ""


def why_not(scope: Scope, q: str, access: Access) -> list[WhyNotReason]:
    """What is known of `q`, words or a question, in `scope`, in those above it, in what runs did not write, and elsewhere in the
    reader's sight; nothing where nobody said it.

    Not decided or decided against comes first, then what a run held back, then what holds in other scopes only; where there is
    none of these, what was said and nobody made a claim of. Raises `Invalid` for an empty question.
    """
    q = q.strip()
    if not q:
        raise Invalid("ask for something", field="q")
    paths = ancestor_paths(scope.path)
    claims = _matching(visible(access).filter(path__in=paths), q, list(Status))
    events = _last_events(claims)
    here = [
        WhyNotReason(claim.ref, claim.statement, _reason(claim, events.get(claim.pk)), events.get(claim.pk))
        for claim in sorted(claims, key=lambda claim: claim.status == "active")
    ]
    elsewhere = [
        WhyNotReason(claim.ref, claim.statement, f"{_where(claim, scope)} {claim.scope.path}")
        for claim in _matching(visible(access).exclude(path__in=paths), q, [Status.ACTIVE])
    ]
    return [*here, *_not_written(scope, q), *elsewhere] or _only_said(scope, q, access)


def _where(claim: Claim, scope: Scope) -> str:
    return "holds only below, in" if covers(scope.path, claim.scope.path) else "out of scope: holds in"


def _matching(scopes: QuerySet[Scope], q: str, statuses: Sequence[str]) -> list[Claim]:
    """The newest claims with this ref or all of the words; where there are none, those that speak of what `q` asks."""
    pks = list(scopes.values_list("pk", flat=True))
    exactly, *nearly = (
        Where(["c.scope_id = ANY (%s)", "c.status = ANY (%s)"], [pks, statuses]).and_(way)
        for way in search_conditions(q)
    )
    if (ids := _newest(exactly)) or not nearly:
        return _rows(ids)
    found = find_claims(read_question(q), pks, statuses=statuses).order[:MAX_READ]
    rows = _rows([*found, *_newest(nearly[0])])
    return [row for row in rows if q.lower() in row.statement.lower() or speaks_of(q, row.told)][:MAX_LISTED]


def _newest(where: Where) -> list[int]:
    return fetch_column(
        f"SELECT c.id FROM ledger_claim c WHERE {where.sql} ORDER BY c.id DESC LIMIT {MAX_LISTED}",  # noqa: S608
        where.params,
    )


def _rows(ids: Sequence[int]) -> list[Claim]:
    return list(claim_rows().select_related("successor", "scope").filter(pk__in=ids).order_by("-pk"))


def _last_events(claims: Sequence[Claim]) -> dict[int, JournalEvent]:
    """The event that gave each claim the state it is in: the last one that changed its status."""
    last = dict(fetch_rows(_LAST_CHANGES, [[claim.pk for claim in claims]]))
    events = event_rows().in_bulk(list(last.values()))
    return {row: events[pk] for row, pk in last.items()}


def _reason(claim: Claim, event: JournalEvent | None) -> str:
    heir = claim.successor.ref if claim.successor else "a trusted value"
    reason = REASONS[claim.status].format(heir=heir)
    if claim.status == "deferred" and claim.deferred_until:
        reason += f" until {claim.deferred_until:%Y-%m-%d %H:%M %Z}"
    said = event.reason if event and claim.status not in ("pending", "active") else ""
    return f"{reason}: {said}" if said else reason


def _not_written(scope: Scope, q: str) -> list[WhyNotReason]:
    """Hits of this scope's runs that became no claim, with the rule that kept them back; and those that joined one which
    says the same in other words."""
    rows = fetch_rows(_NOT_WRITTEN, [scope.pk, q, MAX_LISTED])
    if not rows and (words := read_question(q).sought):
        some = fetch_rows(_NOT_WRITTEN, [scope.pk, " or ".join(words), MAX_READ])
        rows = [row for row in some if speaks_of(q, row[0])][:MAX_LISTED]
    return [
        WhyNotReason("", statement, f"{OUTCOMES[outcome]}{f' by rule {rule}' if rule else ''} in run {run}: {why}")
        for statement, outcome, why, rule, run in rows
    ]


def _only_said(scope: Scope, q: str, access: Access) -> list[WhyNotReason]:
    """Sentences in sight that speak of it, and ask for nothing themselves."""
    where, question = scope_chain(scope.path, access), read_question(q)
    own = [pk for pk in where.own if pk in where.chain]
    found = find_sources(question, own, answers=True).order[:MAX_LISTED] if question.sought else []
    return [
        WhyNotReason(
            f"{SOURCE}{one.source.pk}",
            sentence,
            f"was said by {one.cited.speaker_name}, {one.cited.said_at:%Y-%m-%d}, and is no claim",
        )
        for one in passages(found, question.sought)
        for sentence in sentences(one.quote)
        if not sentence.endswith("?") and speaks_of(q, sentence)
    ]
