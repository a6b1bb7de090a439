"""Which tactics are credited with how a conversation went (C10): counted when an outcome comes in, and anew at will."""

from django.db import connection, transaction

from ledger.actions.locking import lock_names
from ledger.models import Outcome, Utility
from ledger.reads.sql import fetch_rows
from ledger.rules.credit import CREDITED_KIND, MAX_CREDITED

# Won and lost, by claim.
type Counts = dict[int, tuple[int, int]]

LOCK = "utility"
NONE = (0, 0)
# Anchored outcomes only. Eligible is what a pack showed before the first of them: of each conversation the first few tactics, by
# their place among those of their pack. What an erasure took the name of is no conversation any more.
_CREDITED = """
    WITH ended AS (
        SELECT scope_id, conversation, min(at) AS at,
               bool_or(type IN ('tool_success', 'user_confirmed_helpful')) AS won,
               bool_or(type IN ('tool_failure', 'user_corrected')) AS lost
          FROM ledger_outcome
         WHERE source_id IS NOT NULL AND conversation <> 'erased'
           AND (%(scope)s::bigint IS NULL OR (scope_id = %(scope)s AND conversation = %(conversation)s))
         GROUP BY 1, 2
    ), packs AS (
        SELECT o.scope_id, o.conversation, o.won, o.lost, x.id AS pack, c.id AS claim,
               row_number() OVER (PARTITION BY x.id ORDER BY r.place) AS place
          FROM ended o
          JOIN ledger_exposure x ON x.scope_id = o.scope_id AND x.conversation = o.conversation
           AND x.channel = 'auto_pack' AND x.shown_at <= o.at
         CROSS JOIN LATERAL jsonb_array_elements_text(x.refs) WITH ORDINALITY AS r(ref, place)
          JOIN ledger_claim c ON c.ref = r.ref AND c.kind = %(kind)s
    ), first AS (
        SELECT claim, won, lost,
               row_number() OVER (PARTITION BY scope_id, conversation ORDER BY min(place), min(pack), claim) AS place
          FROM packs GROUP BY scope_id, conversation, won, lost, claim
    )
    SELECT claim, count(*) FILTER (WHERE won), count(*) FILTER (WHERE lost) FROM first WHERE place <= %(most)s GROUP BY 1
"""

_ADD = """
    INSERT INTO ledger_utility AS u (claim_id, wins, losses)
    SELECT * FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS t(claim, wins, losses) WHERE wins + losses > 0
    ON CONFLICT (claim_id) DO UPDATE SET wins = u.wins + excluded.wins, losses = u.losses + excluded.losses
"""


def credited_in(scope_id: int | None = None, conversation: str = "") -> Counts:
    """By both logs: of one conversation, or of all."""
    params = {"scope": scope_id, "conversation": conversation, "kind": CREDITED_KIND, "most": MAX_CREDITED}
    return {claim: (won, lost) for claim, won, lost in fetch_rows(_CREDITED, params)}


def credit(outcome: Outcome) -> None:
    """Write an outcome and count what it adds, in the caller's transaction. One outcome after the other: what came of a
    conversation is compared with what was known of it before."""
    lock_names([LOCK])
    before = credited_in(outcome.scope_id, outcome.conversation)
    outcome.save(force_insert=True)
    added = [
        (claim, won - before.get(claim, NONE)[0], lost - before.get(claim, NONE)[1])
        for claim, (won, lost) in credited_in(outcome.scope_id, outcome.conversation).items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [list(column) for column in zip(*added, strict=True)] or [[], [], []])


def rebuild_utility(*, check: bool = False) -> tuple[int, int]:
    """Count anew from the logs of what was shown and what came of it, or only compare: how many tactics are credited, and how many
    differed."""
    with transaction.atomic():
        lock_names([LOCK])
        wanted = credited_in()
        now = {row.claim_id: (row.wins, row.losses) for row in Utility.objects.all()}
        differing = {pk for pk in wanted.keys() | now.keys() if wanted.get(pk) != now.get(pk)}
        if differing and not check:
            Utility.objects.filter(pk__in=differing).delete()
            Utility.objects.bulk_create(
                Utility(claim_id=pk, wins=wanted[pk][0], losses=wanted[pk][1]) for pk in differing & wanted.keys()
            )
    return len(wanted), len(differing)
