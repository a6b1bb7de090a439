"""The candidates that a policy would take: found by its own conditions, a bounded part of the table at a time."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings as django_settings
from django.db import connection
from django.db.models import Min
from django.utils.module_loading import import_string

from ledger.models import Claim, Evidence, JournalEvent
from ledger.reads.claims import claim_rows
from ledger.reads.rivals import previews
from ledger.rules.policies import POLICIES, Facts, Reference, Settings, class_of, fits_at
from ledger.rules.reconcile import PromotionPreview
from ledger.rules.states import Status

# Of one scope and status so many rows are looked at, the newest.
MAX_LOOKED_AT: Final = 20_000
MAX_REFERENCES: Final = 2000
# Being said and being said again is no decision; everything else that a person does to a candidate is.
MACHINE_VERBS: Final = ("propose", "see_again")
RULES: Final = ("heading.", "line.", "sentence.", "value.")
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
    conditions, params = _conditions(name, settings)
    if waiting:
        conditions.append(_UNTOUCHED)
        params |= {"no_hand": list(MACHINE_VERBS), "retired": list(RETIRED)}
        if settings.kinds:
            conditions.append("r.kind = ANY (%(kinds)s)")
            params["kinds"] = list(settings.kinds)
        if settings.never:
            conditions.append("r.kind <> ALL (%(never)s)")
            params["never"] = list(settings.never)
        if name == "references" and now is not None:
            conditions.insert(0, "r.last_seen_at > %(recently)s")
            params["recently"] = now - dt.timedelta(days=settings.days)
    params |= {
        "scopes": list(scopes), "statuses": ["pending"] if waiting else list(Status.values), "low": low, "high": high,
        "most": most, "looked_at": MAX_LOOKED_AT,
    }  # fmt: skip
    with connection.cursor() as cursor:
        way = "ASC" if waiting else "DESC"
        cursor.execute(_DRAWN.format(conditions=" AND ".join(conditions), way=way), params)
        return [pk for (pk,) in cursor.fetchall()]


def _conditions(name: str, settings: Settings) -> tuple[list[str], dict[str, Any]]:
    if name == "references":
        return [
            "(SELECT count(DISTINCT e.source_id) FROM ledger_evidence e WHERE e.claim_id = r.id AND e.stance = 'supports'"
            " AND e.speaker = ANY (%(speakers)s)) >= %(times)s"
        ], {"speakers": list(settings.speakers), "times": settings.times}
    found, params = ["NOT r.hand_authored", "r.confidence >= %(threshold)s"], {"threshold": settings.threshold}
    if name == "confidence":
        starts = [start for start in RULES if start == "line." or class_of(start) in settings.classes]
        found.append("r.rule LIKE ANY (%(rules)s)")
        return found, params | {"rules": [f"{start}%" for start in starts]}
    found.append("r.rule = ANY (%(rules)s)")
    named = ["sentence.first_person"] if name == "first_person" else ["model.add", "model.update"]
    return found, params | {"rules": named}


def facts_of(ids: Sequence[int], *, seen: bool = False) -> dict[int, Facts]:
    """What policies see of these candidates, as they were proposed: four queries, and with `seen` what the desk knows."""
    rows = list(
        Claim.objects.filter(pk__in=ids).values_list(
            "pk", "ref", "kind_id", "rule", "confidence", "created_at", "hand_authored", "high_risk",
            "needs_review", "anchors_to_choose", "names_replaced", "graduates_id", "downstream", "proposed",
        )
    )  # fmt: skip
    cited = _references(ids)
    touched = _touched([row[1] for row in rows])
    retired = _retired(ids)
    opened = first_seen(ids) if seen else {}
    return {
        pk: Facts(
            kind=proposed.get("kind", kind), rule=rule, confidence=confidence, created_at=created_at, hand_authored=by_hand,
            high_risk=high_risk, needs_review=needs_review,
            unsettled=bool(anchors or replaced or graduates is not None or "redacted" in proposed), affects=bool(downstream),
            retired=pk in retired, touched=touched.get(ref), seen=opened.get(pk), references=tuple(cited.get(pk, ())),
        )
        for pk, ref, kind, rule, confidence, created_at, by_hand, high_risk, needs_review, anchors, replaced,
            graduates, downstream, proposed in rows
    }  # fmt: skip


def _references(ids: Sequence[int]) -> dict[int, list[Reference]]:
    rows = Evidence.objects.filter(claim__in=ids, stance="supports").order_by("claim_id", "-id")
    found: dict[int, list[Reference]] = {}
    for claim, source, speaker, noted, sent in rows.values_list(
        "claim_id", "source_id", "speaker", "created_at", "source__sent_at"
    ).iterator():
        group = found.setdefault(claim, [])
        if len(group) < MAX_REFERENCES:
            # What claims to be said in the future was said when it came.
            group.append(Reference(source, speaker, noted, min(sent or noted, noted)))
    return found


def _touched(refs: Sequence[str]) -> dict[str, dt.datetime]:
    rows = JournalEvent.objects.filter(ref__in=refs, actor_kind="human").exclude(verb__in=MACHINE_VERBS).exclude(ref="")
    return dict(rows.order_by().values("ref").annotate(first=Min("at")).values_list("ref", "first"))


def _retired(ids: Sequence[int]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.id FROM ledger_claim c WHERE c.id = ANY (%s) AND EXISTS (SELECT FROM ledger_claim o WHERE"
            " o.scope_id = c.scope_id AND o.dedup = c.dedup AND o.id < c.id AND o.status = ANY (%s))",
            [list(ids), list(RETIRED)],
        )
        return {pk for (pk,) in cursor.fetchall()}


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
    fitting = [pk for pk in ids if pk in facts and fits_at(name, settings, facts[pk], since=now, until=now)]
    claims = [
        claim
        for claim in claim_rows().filter(pk__in=fitting, status="pending").order_by("pk")
        if claim.expires_at is None or claim.expires_at > now
    ]
    met = previews(claims)
    found = [
        PolicyMatch(claim, met[claim.pk], match_reason(name, settings, facts[claim.pk], now))
        for claim in claims
        if claim.pk in met
    ]
    return [one for one in found if one.preview.is_clear], ids[-1] if len(ids) >= most else None


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
    last = Claim.objects.order_by("-pk").values_list("pk", flat=True).first()
    low, high = 0, (last or 0) + 1
    while low + 1 < high:
        middle = (low + high) // 2
        made = Claim.objects.filter(pk__gte=middle).order_by("pk").values_list("created_at", flat=True).first()
        if made is None or made >= moment:
            high = middle
        else:
            low = middle
    return low
