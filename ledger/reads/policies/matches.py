"""The candidates that a policy would take: found by its own conditions, a bounded part of the table at a time."""

import datetime as dt
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from django.conf import settings as django_settings
from django.db.models import Min
from django.utils.module_loading import import_string

from ledger.models import Claim, Evidence, JournalEvent
from ledger.reads.claims import claim_rows
from ledger.reads.rivals import previews
from ledger.reads.sql import fetch_column
from ledger.rules.policies import ACCEPTED_RULES, POLICIES, Facts, Reference, Settings, class_of, fits_at
from ledger.rules.reconcile import PromotionPreview
from ledger.rules.states import Status

# Of one scope and status so many rows are looked at, the newest.
MAX_LOOKED_AT: Final = 20_000
MAX_REFERENCES: Final = 2000
# Being said and being said again is no decision; everything else that a person does to a candidate is.
MACHINE_VERBS: Final = ("propose", "see_again")
# What the rules that a policy goes by are called; of those by confidence the classes in its settings.
RULES: Final = ("heading.", "line.", "sentence.", "value.")
RULES_OF: Final = {"first_person": ["sentence.first_person"], "auto_accept": list(ACCEPTED_RULES)}
MAX_ID: Final = 2**63 - 1

_DRAWN = """
    SELECT w.id FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN unnest(%(statuses)s::varchar[]) AS t(status)
    CROSS JOIN LATERAL (
        SELECT r.id FROM (
            SELECT c.id, c.scope_id, c.dedup, c.ref, c.kind, c.rule, c.confidence, c.high_risk, c.needs_review,
                   c.hand_authored, c.last_seen_at, c.anchors_to_choose, c.names_replaced, c.graduates_id
            FROM ledger_claim c
            WHERE c.scope_id = s.id AND c.status = t.status AND c.id > %(low)s AND c.id <= %(high)s
            ORDER BY c.id DESC LIMIT %(looked_at)s
        ) r WHERE NOT r.high_risk AND NOT r.needs_review AND r.graduates_id IS NULL AND r.names_replaced = '{{}}'
              AND {conditions} AND r.anchors_to_choose = '[]'
    ) w ORDER BY w.id {way} LIMIT %(most)s
"""
_UNTOUCHED = """NOT EXISTS (SELECT FROM ledger_journalevent j WHERE j.ref = r.ref AND j.ref <> '' AND j.actor_kind = 'human'
    AND j.verb <> ALL (%(no_hand)s)) AND NOT EXISTS (SELECT FROM ledger_claim o WHERE o.scope_id = r.scope_id
    AND o.dedup = r.dedup AND o.id < r.id AND o.status = ANY (%(retired)s))"""
_CITED = """(SELECT count(DISTINCT e.source_id) FROM ledger_evidence e WHERE e.claim_id = r.id AND e.stance = 'supports'
    AND e.speaker = ANY (%(speakers)s)) >= %(times)s"""
_SCORED = "NOT r.hand_authored AND r.confidence >= %(threshold)s AND r.rule"
_FITS: Final = {
    "references": _CITED,
    "confidence": f"{_SCORED} LIKE ANY (%(rules)s)",
    "first_person": f"{_SCORED} = ANY (%(rules)s)",
    "auto_accept": f"{_SCORED} = ANY (%(rules)s)",
}
_RETIRED = """
    SELECT c.id FROM ledger_claim c WHERE c.id = ANY (%s) AND EXISTS (
        SELECT FROM ledger_claim o WHERE o.scope_id = c.scope_id AND o.dedup = c.dedup AND o.id < c.id AND o.status = ANY (%s))
"""
RETIRED: Final = ("rejected", "withdrawn", "archived", "superseded", "graduated")


@dataclass(frozen=True, slots=True)
class PolicyMatch:
    """A candidate that a policy would take now: what promoting it would come to, and in a few words why it fits."""

    claim: Claim
    preview: PromotionPreview
    why: str


def matching_ids(
    name: str,
    settings: Settings,
    scopes: Collection[int],
    *,
    low: int = 0,
    high: int = MAX_ID,
    most: int,
    waiting: bool = True,
    now: dt.datetime | None = None,
) -> list[int]:
    """The ids, above `low` up to `high`, that may fit: those that wait in nobody's hand, the oldest first; or with
    `waiting` false of any state, the newest first. One query. `facts_of` and `fits_at` decide."""
    starts = [f"{start}%" for start in RULES if start == "line." or class_of(start) in settings.classes]
    params = {
        "scopes": list(scopes), "statuses": ["pending"] if waiting else list(Status.values), "low": low, "high": high,
        "most": most, "looked_at": MAX_LOOKED_AT, "no_hand": list(MACHINE_VERBS), "retired": list(RETIRED),
        "speakers": list(settings.speakers), "times": settings.times, "threshold": settings.threshold,
        "rules": RULES_OF.get(name, starts), "kinds": list(settings.kinds), "never": list(settings.never),
        "recently": now and now - dt.timedelta(days=settings.days),
    }  # fmt: skip
    conditions = [_FITS[name], *(_of_waiting(name, settings, now) if waiting else ())]
    sql = _DRAWN.format(conditions=" AND ".join(conditions), way="ASC" if waiting else "DESC")
    return fetch_column(sql, params)


def _of_waiting(name: str, settings: Settings, now: dt.datetime | None) -> Iterator[str]:
    """What else is asked of a candidate before a policy takes it."""
    if name == "references" and now is not None:
        yield "r.last_seen_at > %(recently)s"
    if settings.kinds:
        yield "r.kind = ANY (%(kinds)s)"
    if settings.never:
        yield "r.kind <> ALL (%(never)s)"
    yield _UNTOUCHED


def facts_of(ids: Sequence[int], *, seen: bool = False) -> dict[int, Facts]:
    """What policies see of these candidates, as they were proposed: four queries, and with `seen` what the desk knows."""
    rows = list(
        Claim.objects.filter(pk__in=ids).only(
            "ref", "kind", "rule", "confidence", "created_at", "hand_authored", "high_risk", "needs_review",
            "anchors_to_choose", "names_replaced", "graduates", "downstream", "proposed",
        )
    )  # fmt: skip
    cited = _references(ids)
    touched = _touched([row.ref for row in rows])
    retired = set(fetch_column(_RETIRED, [list(ids), list(RETIRED)]))
    opened = first_seen(ids) if seen else {}
    return {
        row.pk: Facts(
            kind=row.proposed.get("kind", row.kind_id), rule=row.rule, confidence=row.confidence,
            created_at=row.created_at, hand_authored=row.hand_authored, high_risk=row.high_risk,
            needs_review=row.needs_review, unsettled=_is_unsettled(row), affects=bool(row.downstream),
            retired=row.pk in retired, touched=touched.get(row.ref), seen=opened.get(row.pk),
            references=tuple(cited.get(row.pk, ())),
        )
        for row in rows
    }  # fmt: skip


def _is_unsettled(row: Claim) -> bool:
    """Whether something about it is to be chosen, or its words are gone."""
    open_choice = row.anchors_to_choose or row.names_replaced or row.graduates_id is not None
    return bool(open_choice) or "redacted" in row.proposed


def _references(ids: Sequence[int]) -> dict[int, list[Reference]]:
    """The newest references to each; what claims to be said in the future was said when it came."""
    rows = Evidence.objects.filter(claim__in=ids, stance="supports").order_by("claim_id", "-id")
    columns = rows.values_list("claim_id", "source_id", "speaker", "created_at", "source__sent_at")
    return {
        claim: [
            Reference(source, speaker, noted, min(sent or noted, noted))
            for _, source, speaker, noted, sent in islice(group, MAX_REFERENCES)
        ]
        for claim, group in groupby(columns.iterator(), key=itemgetter(0))
    }


def _touched(refs: Sequence[str]) -> dict[str, dt.datetime]:
    rows = JournalEvent.objects.filter(ref__in=refs, actor_kind="human").exclude(verb__in=MACHINE_VERBS).exclude(ref="")
    return dict(rows.order_by().values("ref").annotate(first=Min("at")).values_list("ref", "first"))


def first_seen(ids: Sequence[int]) -> Mapping[int, dt.datetime]:
    """When each of these first lay on a reviewer's desk, by what the setting COUNTERSIGN_SEEN names; those that never did are
    not in it."""
    known: Mapping[int, dt.datetime] = import_string(django_settings.COUNTERSIGN_SEEN)(ids)
    return known


def policy_matches(
    name: str, settings: Settings, scopes: Collection[int], *, now: dt.datetime, most: int, low: int = 0,
    high: int = MAX_ID,
) -> tuple[list[PolicyMatch], int | None]:  # fmt: skip
    """What the policy would take now of the candidates above `low` up to `high`, the oldest first, and where to go on from if
    `most` were not enough. About eight queries, however many."""
    ids = matching_ids(name, settings, scopes, low=low, high=high, most=most, now=now)
    facts = facts_of(ids, seen=name == "references")
    fitting = [pk for pk, one in facts.items() if fits_at(name, settings, one, since=now, until=now)]
    rows = claim_rows().filter(pk__in=fitting, status="pending").exclude(expires_at__lte=now)
    claims = list(rows.order_by("pk"))
    met = previews(claims)
    matches = [
        PolicyMatch(claim, met[claim.pk], match_reason(name, settings, facts[claim.pk], now))
        for claim in claims
        if met[claim.pk].is_clear
    ]
    return matches, ids[-1] if len(ids) >= most else None


def match_reason(name: str, settings: Settings, facts: Facts, now: dt.datetime) -> str:
    """Why it fits, as the journal keeps it."""
    if name == "references":
        since = now - dt.timedelta(days=settings.days)
        sources = {one.source for one in facts.references if one.speaker in settings.speakers and one.said > since}
        return f"said in {len(sources)} sources within {settings.days} days"
    if name == "first_person":
        return "said of oneself"
    return f"{POLICIES[name].title.lower()}: {facts.confidence:.2f} of {settings.threshold:.2f}"


def first_id_since(moment: dt.datetime) -> int:
    """An id below which every claim is older than `moment`: ids rise with time. A few probes of the primary key."""
    last = Claim.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return bisect_left(range(1, last + 1), moment, key=_made_from)


def _made_from(pk: int) -> dt.datetime:
    """When the first claim from this id on was made; there is one."""
    return Claim.objects.filter(pk__gte=pk).order_by("pk").values_list("created_at", flat=True)[0]
