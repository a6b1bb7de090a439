"""What a policy would have done, before anybody turns it on: over past candidates, judged by what people decided (P8)."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.models import Claim, JournalEvent, Scope, TrustedState
from ledger.reads.as_of import NEVER
from ledger.reads.insights.precision import PROMOTED
from ledger.reads.insights.throughput import days_of
from ledger.reads.policies.in_force import governed_scopes
from ledger.reads.policies.matches import PolicyMatch, facts_of, first_id_since, matching_ids, policy_matches
from ledger.rules.calibration import wilson
from ledger.rules.policies import Settings, fits_at, why_left
from ledger.rules.slots import same_content
from ledger.rules.states import Status

MAX_DAYS: Final = 365
# So many of the newest that may fit are looked at; more than a page can show or a person would check.
MAX_TRIED: Final = 5_000
MAX_DUE: Final = 200
MAX_EXPLAINED: Final = 500
# What people made of it. `edited` was changed before it was promoted: as it stood it was not right.
VERDICTS: Final = ("promoted", "edited", "rejected", "waiting", "by_policy")


@dataclass(frozen=True, slots=True)
class TrialPromotion:
    """A candidate that the policy would have promoted at `at`, and what people made of it since."""

    id: int
    ref: str
    scope: str
    kind: str
    statement: str
    at: dt.datetime
    verdict: str


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """`would` in the order of time, of the candidates proposed since `since`; `contested` is how many more fitted but would
    have met something else. `more` is true where only the newest were looked at. `now` is what it would promote now."""

    name: str
    settings: Settings
    days: int
    since: dt.datetime
    until: dt.datetime
    would: tuple[TrialPromotion, ...]
    contested: int
    more: bool
    now: tuple[PolicyMatch, ...]
    # Of all that people decided of what was proposed in the time: what share the policy would have spared them.
    decided: int
    # Where it would promote nothing now: why, of what waits, and of how many; the newest few hundred.
    left: tuple[tuple[str, int], ...] = ()

    def count(self, verdict: str) -> int:
        return sum(one.verdict == verdict for one in self.would)

    @property
    def judged(self) -> int:
        """How many people have decided about."""
        return sum(self.count(verdict) for verdict in ("promoted", "edited", "rejected"))

    @property
    def precision(self) -> float | None:
        """Promoted as they stood, of those that people decided about; None without any."""
        return self.count("promoted") / self.judged if self.judged else None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, at 95 % (Wilson)."""
        return wilson(self.count("promoted"), self.judged)

    @property
    def by_day(self) -> list[tuple[dt.date, dict[str, int]]]:
        """For each day of the time, in UTC and without gaps, how many of each verdict."""
        days = {day: dict.fromkeys(VERDICTS, 0) for day in days_of(self.since, self.until)}
        for one in self.would:
            days[one.at.astimezone(dt.UTC).date()][one.verdict] += 1
        return list(days.items())


def simulate(scope: Scope, name: str, settings: Settings, *, days: int, now: dt.datetime) -> PolicyTrial:
    """Read only; about twenty queries, whatever the size of the ledger.

    Each candidate is judged at the moment it would first have fitted: before any person had it in hand, and with what holds
    today and held already then (what was retired since is not counted). What the policy would have promoted before stands in
    the way of what differs from it.
    """
    since = now - dt.timedelta(days=days)
    scopes = governed_scopes(scope, name)
    low = first_id_since(since)
    ids = matching_ids(name, settings, scopes, low=low, most=MAX_TRIED + 1, waiting=False)
    more, ids = len(ids) > MAX_TRIED, ids[:MAX_TRIED]
    facts = facts_of(ids, seen=name == "references")
    recent = {pk: one for pk, one in facts.items() if one.created_at >= since}
    moments = {pk: fits_at(name, settings, one, since=since, until=now) for pk, one in recent.items()}
    fitting = sorted((moment, pk) for pk, moment in moments.items() if moment is not None)
    columns = ("ref", "scope_id", "kind_id", "slot", "proposed", "status")
    rows = Claim.objects.only(*columns).in_bulk([pk for _, pk in fitting])
    clear = _uncontested([(at, rows[pk]) for at, pk in fitting])
    verdicts = _verdicts([row.ref for _, row in clear])
    would = [
        TrialPromotion(
            row.pk, row.ref, scopes.get(row.scope_id, ""), row.proposed.get("kind", row.kind_id),
            row.proposed.get("statement", ""), at, verdicts[row.ref],
        )
        for at, row in clear
    ]  # fmt: skip
    matches = tuple(policy_matches(name, settings, scopes, now=now, most=MAX_DUE)[0])
    return PolicyTrial(
        name=name, settings=settings, days=days, since=since, until=now, would=tuple(would),
        contested=len(fitting) - len(clear), more=more,
        now=matches, decided=_decided(scopes, low), left=() if matches else why_nothing(name, settings, scopes, now=now),
    )  # fmt: skip


def why_nothing(
    name: str, settings: Settings, scopes: Collection[int], *, now: dt.datetime
) -> tuple[tuple[str, int], ...]:
    """Of the newest that wait, how many are left for which reason, the commonest first. About seven queries."""
    waiting = Claim.objects.filter(scope__in=list(scopes), status=Status.PENDING).order_by("-pk")
    ids = list(waiting.values_list("pk", flat=True)[:MAX_EXPLAINED])
    facts = facts_of(ids, seen=name == "references")
    said = Counter(
        why_left(name, settings, one, now=now) or "something else holds, or says the same" for one in facts.values()
    )
    return tuple(said.most_common())


@dataclass(frozen=True, slots=True)
class _Standing:
    """What holds on a slot since `at`; `pk` is 0 for a trusted value."""

    at: dt.datetime
    pk: int
    value: Any
    statement: str


def _uncontested(fitting: Sequence[tuple[dt.datetime, Claim]]) -> list[tuple[dt.datetime, Claim]]:
    """Without those that would have met something else on their slot; in the order of time."""
    held = _standing([row for _, row in fitting])
    clear = []
    for at, row in fitting:
        value, statement = row.proposed.get("value"), row.proposed.get("statement", "")
        here = held[row.scope_id, "slot", row.slot]
        rivals = [*here, *held[row.scope_id, "key", row.proposed.get("key", "")]] if row.slot else []
        met = [one for one in rivals if one.at <= at and one.pk != row.pk]
        if all(same_content(value, statement, one.value, one.statement) for one in met):
            clear.append((at, row))
            here.append(_Standing(at, row.pk, value, statement))
    return clear


def _standing(rows: Sequence[Claim]) -> dict[tuple[int, str, str], list[_Standing]]:
    """By scope and slot what holds today, and by scope and key the trusted values. Two queries."""
    scopes = {row.scope_id for row in rows}
    slots = {row.slot for row in rows} - {""}
    keys = {row.proposed.get("key", "") for row in rows} - {""}
    claims = Claim.objects.filter(scope__in=scopes, slot__in=slots, status="active")
    trusted = TrustedState.objects.filter(scope__in=scopes, key__in=keys, status="current")
    held: dict[tuple[int, str, str], list[_Standing]] = defaultdict(list)
    for claim in claims.only("scope", "slot", "promoted_at", "value", "statement"):
        since = claim.promoted_at or NEVER
        held[claim.scope_id, "slot", claim.slot].append(_Standing(since, claim.pk, claim.value, claim.statement))
    for row in trusted.only("scope", "key", "at", "value", "statement"):
        held[row.scope_id, "key", row.key].append(_Standing(row.at, 0, row.value, row.statement))
    return held


def _verdicts(refs: Sequence[str]) -> dict[str, str]:
    """What people made of each, by ref: their events in the order they came. One query."""
    verdicts = dict.fromkeys(refs, "waiting")
    edited: dict[str, bool] = {}
    events = JournalEvent.objects.filter(ref__in=refs, verb__in=[*DECISIONS, "edit", "undo"]).exclude(ref="")
    columns = events.order_by("pk").values_list("ref", "verb", "actor_kind", "undoes__verb", "undoes__actor_kind")
    for ref, verb, kind, undone, undone_kind in columns:
        if kind == "human" and "edit" in (verb, undone):
            edited[ref] = verb == "edit"
        verdict = _verdict(verb, kind, undone, undone_kind)
        if verdict:
            verdicts[ref] = "edited" if verdict == "promoted" and edited.get(ref) else verdict
    return verdicts


# What a decision says of a candidate.
DECISIONS: Final = {"promote": "promoted", "reject": "rejected", "withdraw": "rejected", "reopen": "waiting"}


def _verdict(verb: str, kind: str, undone: str | None, undone_kind: str | None) -> str | None:
    """What one event says; None where it leaves all as it was."""
    if verb in DECISIONS:
        return {"human": DECISIONS[verb], "policy": "by_policy"}.get(kind)
    if kind == "human" and undone in DECISIONS:
        # A person who takes back what a policy had done says no.
        return "rejected" if (undone, undone_kind) == ("promote", "policy") else "waiting"
    return None


def _decided(scopes: Collection[int] | Mapping[int, str], low: int) -> int:
    """How many of those proposed since were promoted or rejected, by whatever rule; counted up to a bound."""
    few = Claim.objects.filter(scope__in=list(scopes), pk__gt=low, status__in=(*PROMOTED, "rejected")).order_by()
    return few[:100_000].count()
