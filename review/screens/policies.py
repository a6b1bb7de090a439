"""The policies of a scope: what is on, what one would have done, what one proposes and what one did (P8, law 5)."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from ledger.actions.policy import promote_proposed, proposed, set_policy, undo_policy
from ledger.errors import DomainError, Forbidden, Invalid, NotFound
from ledger.models import Scope
from ledger.reads.journal import journal_page
from ledger.reads.packs import kinds, packs_of
from ledger.reads.policies.in_force import PolicyInForce, four_eyes_scope, policies_in_force
from ledger.reads.policies.matches import PolicyMatch
from ledger.reads.policies.trial import MAX_DAYS, VERDICTS, PolicyTrial, TrialPromotion, simulate
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right
from ledger.rules.policies import ACTS, CLASSES, FOUR_EYES, POLICIES, SPEAKERS, Settings, check_policies, settings_of
from review import plots
from review.desk.history import HistoryEntry, history_entries
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import reason_of, version_of

MAX_EVENTS: Final = 10
MAX_MATCHES: Final = 50
MAX_DAYS_BY_DAY: Final = 31
DAYS: Final = 30
SINCE: Final = {"day": dt.timedelta(days=1), "week": dt.timedelta(weeks=1), "month": dt.timedelta(days=30)}
SHOWN_SETTINGS: Final = ("act", "times", "days", "threshold", "kinds", "never", "classes", "speakers")
TICKED: Final = ("classes", "speakers")
BY_COMMAS: Final = ("kinds", "never")
VERDICT_WORDS: Final = {
    "promoted": "promoted as it stood", "edited": "changed first, then promoted", "rejected": "rejected or taken back",
    "waiting": "not decided yet", "by_policy": "promoted by a policy",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrialCharts:
    """A trial with its plots; `counts` names each verdict with how many."""

    trial: PolicyTrial
    counts: list[tuple[str, int]]
    plot: SafeString
    range: SafeString | None
    shown: list[tuple[TrialPromotion, str]]


@dataclass(slots=True)
class PolicyCard:
    """One policy with its form: `values` is what the form holds, `fault` what was wrong with it at `fault_field`."""

    standing: PolicyInForce
    values: dict[str, Any]
    proposed: list[PolicyMatch]
    did: list[HistoryEntry]
    more_did: bool
    fault: str = ""
    fault_field: str = ""
    trial: TrialCharts | None = None
    days: str = str(DAYS)

    def show_trial(self, trial: PolicyTrial) -> None:
        self.trial = trial_charts(trial)
        self.values, self.days = _values(trial.settings), str(trial.days)

    def refuse(self, error: Invalid, posted: QueryDict) -> None:
        """Say what was wrong, in the form as it was typed."""
        self.fault = error.message
        self.fault_field = "".join(error.field.split(".")[2:3])
        self.days = posted.get("days_back", "")[:10]
        for name in self.standing.policy.fields:
            self.values[name] = posted.getlist(name) if name in TICKED else posted.get(name, "")[:1000]


@require_http_methods(["GET", "POST"])
@screen
def policies(request: ScreenRequest, path: str) -> HttpResponse:
    """The page, and its forms. Trying one out answers with the page and what came of it; everything else comes back to it."""
    row = scope_at(path, request.actor.access)
    if request.method == "GET":
        return _show(request, row, _cards(request, row))
    name, action = request.POST.get("policy", ""), request.POST.get("action", "")
    try:
        if action == "try":
            return _try(request, row, name)
        ACTIONS.get(action, _no_action)(request, row, name)
    except (Forbidden, NotFound):
        raise
    except DomainError as error:
        if isinstance(error, Invalid) and action in ("on", "try") and name in POLICIES:
            cards = _cards(request, row)
            cards[name].refuse(error, request.POST)
            return _show(request, row, cards, error=error)
        messages.error(request, f"{error.title.capitalize()}: {error.message}")
    return redirect("policies", row.path)


def _cards(request: ScreenRequest, row: Scope) -> dict[str, PolicyCard]:
    access = request.actor.access
    cards = {}
    for name, standing in policies_in_force(row).items():
        done = journal_page(access, policy=name, scope=row.path, descend=True, newest=True, limit=MAX_EVENTS)
        proposes = standing.on and standing.settings.act == "propose"
        cards[name] = PolicyCard(
            standing,
            _values(standing.settings),
            proposed(row, name)[:MAX_MATCHES] if proposes else [],
            history_entries(done.items, access),
            done.next is not None,
        )
    return cards


def _show(
    request: ScreenRequest, row: Scope, cards: dict[str, PolicyCard], *, error: Invalid | None = None
) -> HttpResponse:
    access = request.actor.access
    context = {
        "scope": row,
        "policies": list(cards.values()),
        "four_eyes": four_eyes_scope(row),
        "four_eyes_here": isinstance(row.policies.get(FOUR_EYES), dict),
        "may_administer": access.may(Right.ADMINISTER, row.path),
        "may_review": access.may(Right.REVIEW, row.path),
        "classes": CLASSES,
        "speakers": SPEAKERS,
        "acts": ACTS,
        "kinds": sorted(kinds()),
        "here": "scopes",
    }
    return page(request, "review/policies.html", context, error=error)


def _values(settings: Settings) -> dict[str, Any]:
    """What the form holds: lists of kinds as words between commas."""
    values = settings.told(SHOWN_SETTINGS)
    return values | {name: ", ".join(values[name]) for name in BY_COMMAS}


def _given(name: str, posted: QueryDict) -> dict[str, Any]:
    """The settings of the form. Raises `Invalid` naming the setting where a number is none."""
    return {one: _setting(name, one, posted) for one in POLICIES[name].fields}


def _setting(policy: str, name: str, posted: QueryDict) -> Any:
    if name in TICKED:
        return posted.getlist(name)
    word = posted.get(name, "").strip().replace("\0", "")
    if name in BY_COMMAS:
        return [kind for part in word.split(",") if (kind := part.strip())]
    if name == "act":
        return word
    return _number(policy, name, word.replace(",", ".") if name == "threshold" else word)


def _number(policy: str, name: str, word: str) -> int | float:
    """A whole number, for the threshold any number."""
    try:
        return float(word) if name == "threshold" else int(word)
    except ValueError:
        raise Invalid(f"{name} is a number", field=f"policies.{policy}.{name}") from None


def _checked(row: Scope, name: str, posted: QueryDict) -> tuple[dict[str, Any], Settings]:
    """The settings of the form where they differ from what packs and the policy say anyway, and all of them together."""
    _require_policy(name)
    given = _given(name, posted)
    check_policies({name: given}, kinds=kinds())
    packs = packs_of(row)
    packed = {one: packs.setting(f"policies.{name}", one, None) for one in POLICIES[name].fields}
    usual = settings_of(name, {}, {one: value for one, value in packed.items() if value is not None}).told(given)
    settings = settings_of(name, given)
    return {one: value for one, value in settings.told(given).items() if value != usual[one]}, settings


def _require_policy(name: str) -> None:
    if name not in POLICIES:
        raise Invalid("no such policy", field="policy")


def _try(request: ScreenRequest, row: Scope, name: str) -> HttpResponse:
    """The page with what the policy would have done over the days that the form names."""
    request.actor.require(Right.ADMINISTER, row)
    _, settings = _checked(row, name, request.POST)
    days = _number(name, "days_back", request.POST.get("days_back", ""))
    if not 1 <= days <= MAX_DAYS:
        raise Invalid(f"look back over 1 to {MAX_DAYS} days", field=f"policies.{name}.days_back")
    trial = simulate(row, name, settings, days=int(days), now=timezone.now())
    cards = _cards(request, row)
    cards[name].show_trial(trial)
    return _show(request, row, cards)


def trial_charts(trial: PolicyTrial) -> TrialCharts:
    """A trial as the page draws it: by day, or by week where that would be too many points."""
    step, name = (1, "day") if trial.days <= MAX_DAYS_BY_DAY else (7, "week")
    groups = list(batched(trial.by_day, step))
    labels = [f"{group[0][0]:%-d %b}" for group in groups]
    lines = [
        _line("promoted as it stood", groups, "promoted"),
        _line("changed or rejected", groups, "edited", "rejected"),
        _line("not decided", groups, "waiting", "by_policy"),
    ]
    counts = [(VERDICT_WORDS[verdict], trial.count(verdict)) for verdict in VERDICTS]
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    newest = trial.would[: -MAX_MATCHES - 1 : -1]
    return TrialCharts(
        trial,
        counts,
        plots.line(labels, lines, alt=f"What it would have promoted, by {name}: {told}"),
        _precision_range(trial),
        [(one, VERDICT_WORDS[one.verdict]) for one in newest],
    )


def _line(name: str, groups: Sequence[Sequence[tuple[dt.date, dict[str, int]]]], *verdicts: str) -> plots.LineSeries:
    sums = [sum(counts[one] for _, counts in group for one in verdicts) for group in groups]
    return plots.LineSeries(name, tuple(map(float, sums)))


def _precision_range(trial: PolicyTrial) -> SafeString | None:
    """The share that was right as it stood, of what people have judged since; None where they judged none of it."""
    share, (low, high) = trial.precision, trial.interval
    if share is None:
        return None
    alt = f"{share:.2f} right as they stood, between {low:.2f} and {high:.2f} at 95 %, of {trial.judged}"
    return plots.ranges([plots.Range("right as they stood", low, share, high, f"{trial.judged} decided")], alt=alt)


def _on(request: ScreenRequest, row: Scope, name: str) -> None:
    if name == FOUR_EYES:
        _set(request, row, name, on=True)
        messages.success(request, f"In {row.path} and below two people decide about what is risky.")
        return
    request.actor.require(Right.ADMINISTER, row)
    own, _ = _checked(row, name, request.POST)
    _set(request, row, name, on=True, settings=own)
    messages.success(request, f"{POLICIES[name].title} is on in {row.path} and below.")


def _off(request: ScreenRequest, row: Scope, name: str) -> None:
    _set(request, row, name, on=False)
    messages.success(request, f"{name.replace('_', ' ')} is off in {row.path} and below.")


def _inherit(request: ScreenRequest, row: Scope, name: str) -> None:
    _set(request, row, name, on=None)
    messages.success(request, f"{name.replace('_', ' ')} is as the scopes above say.")


def _set(
    request: ScreenRequest, row: Scope, name: str, *, on: bool | None, settings: dict[str, Any] | None = None
) -> None:
    version, reason = version_of(request.POST), reason_of(request.POST)
    set_policy(row, name, actor=request.actor, on=on, settings=settings, expected_version=version, reason=reason)


def _undo(request: ScreenRequest, row: Scope, name: str) -> None:
    span = SINCE.get(request.POST.get("since", ""))
    since = timezone.now() - span if span else None
    done, left = undo_policy(row, name, actor=request.actor, since=since, reason=reason_of(request.POST))
    if done:
        count = len(done)
        messages.success(request, f"{count} decision{pluralize(count)} taken back", extra_tags=f"batch:{done[0].batch}")
    _tell_left(request, [(event.ref, why) for event, why in left], "" if done else "There was nothing to take back.")


def _promote(request: ScreenRequest, row: Scope, name: str) -> None:
    _require_policy(name)
    refs = request.POST.getlist("refs")[:MAX_MATCHES]
    batch, events, left = promote_proposed(row, name, actor=request.actor, refs=refs, reason=reason_of(request.POST))
    if events:
        messages.success(request, f"{len(events)} promoted", extra_tags=f"batch:{batch}")
    _tell_left(request, left, "" if events else "Select some first.")


def _tell_left(request: ScreenRequest, left: Sequence[tuple[str, str]], nothing: str) -> None:
    """A line for each that was left as it is, else `nothing`, which says that there was none at all."""
    if nothing and not left:
        messages.warning(request, nothing)
    for ref, why in left[:MAX_EVENTS]:
        messages.warning(request, f"{ref} left as it is: {why}")


def _no_action(request: ScreenRequest, row: Scope, name: str) -> None:
    raise Invalid("no such action", field="action")


ACTIONS: dict[str, Callable[[ScreenRequest, Scope, str], None]] = {
    "on": _on, "off": _off, "inherit": _inherit, "undo": _undo, "promote": _promote,
}  # fmt: skip
