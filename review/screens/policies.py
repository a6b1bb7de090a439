"""The policies of a scope: what is on, what one would have done, what one proposes and what one did (P8, law 5)."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from ledger.actions.policy import promote_proposed, proposed, set_policy, undo_policy
from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid, NotFound
from ledger.models import Scope
from ledger.reads.journal import journal_page
from ledger.reads.packs import kinds, packs_of
from ledger.reads.policies.in_force import PolicyInForce, four_eyes_scope, policies_in_force
from ledger.reads.policies.matches import PolicyMatch
from ledger.reads.policies.trial import MAX_DAYS, VERDICTS, PolicyTrial, simulate
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right
from ledger.rules.policies import ACTS, CLASSES, FOUR_EYES, POLICIES, SPEAKERS, Settings, check_policies, settings_of
from review import plots
from review.desk.history import history_entries
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import reason_of, version_of

MAX_EVENTS: Final = 10
MAX_MATCHES: Final = 50
DAYS: Final = 30
SINCE: Final = {"day": dt.timedelta(days=1), "week": dt.timedelta(weeks=1), "month": dt.timedelta(days=30), "": None}
LISTS: Final = ("kinds", "never", "classes", "speakers")
VERDICT_WORDS: Final = {
    "promoted": "promoted as it stood", "edited": "changed first, then promoted", "rejected": "rejected or taken back",
    "waiting": "not decided yet", "by_policy": "promoted by a policy",
}  # fmt: skip


@dataclass(slots=True)
class PolicyCard:
    """One policy with its form: `values` is what the form holds, `fault` what was wrong with it at `fault_field`."""

    standing: PolicyInForce
    values: dict[str, Any]
    proposed: list[PolicyMatch]
    did: list[Any]
    more_did: bool
    fault: str = ""
    fault_field: str = ""
    trial: "TrialCharts | None" = None
    days: str = str(DAYS)
    inputs: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class TrialCharts:
    """A trial with its plots; `counts` names each verdict with how many."""

    trial: PolicyTrial
    counts: list[tuple[str, int]]
    plot: SafeString
    range: SafeString | None
    shown: list[tuple[Any, str]]


@require_http_methods(["GET", "POST"])
@screen
def policies(request: ScreenRequest, path: str) -> HttpResponse:
    """The page, and its forms. Trying one out answers with the page and what came of it; everything else comes back to it."""
    row = scope_at(path, request.actor.access)
    if request.method == "GET":
        return _show(request, row)
    name, action = request.POST.get("policy", ""), request.POST.get("action", "")
    try:
        if action == "try":
            return _show(request, row, tried=_try(row, name, request))
        do = ACTIONS.get(action)
        if do is None:
            raise Invalid("no such action", field="action")
        do(request, row, name)
    except DomainError as error:
        if isinstance(error, Forbidden | NotFound):
            raise
        if isinstance(error, Invalid) and action in ("on", "try") and name in POLICIES:
            return _show(request, row, wrong=(name, error), status=422)
        messages.error(request, f"{error.title.capitalize()}: {error.message}")
    return redirect("policies", row.path)


def _show(
    request: ScreenRequest,
    row: Scope,
    *,
    tried: TrialCharts | None = None,
    wrong: tuple[str, Invalid] | None = None,
    status: int = 200,
) -> HttpResponse:
    access = request.actor.access
    may_review = access.may(Right.REVIEW, row.path)
    asked_by = four_eyes_scope(row)
    shown = []
    for name, one in policies_in_force(row).items():
        found = journal_page(access, policy=name, scope=row.path, descend=True, newest=True, limit=MAX_EVENTS)
        card = PolicyCard(
            one, _values(one.settings), [], history_entries(found.items, access), found.next is not None,
            inputs=tuple(one.policy.fields),
        )  # fmt: skip
        if one.on and one.settings.act == "propose":
            card.proposed = proposed(row, name)[:MAX_MATCHES]
        if tried is not None and tried.trial.name == name:
            card.trial, card.values, card.days = tried, _values(tried.trial.settings), str(tried.trial.days)
        if wrong is not None and wrong[0] == name:
            card.fault, card.fault_field = (
                wrong[1].message,
                wrong[1].field.split(".")[2] if "." in wrong[1].field else "",
            )
            card.values = _typed(one, request.POST)
            card.days = request.POST.get("days_back", "")[:10]
        shown.append(card)
    context = {
        "scope": row,
        "policies": shown,
        "four_eyes": asked_by,
        "four_eyes_here": isinstance(row.policies.get(FOUR_EYES), dict),
        "may_administer": access.may(Right.ADMINISTER, row.path),
        "may_review": may_review,
        "classes": CLASSES,
        "speakers": SPEAKERS,
        "acts": ACTS,
        "kinds": sorted(kinds()),
        "here": "scopes",
    }
    return page(request, "review/policies.html", context, status=status)


def _values(settings: Settings) -> dict[str, Any]:
    told = settings.told(("act", "times", "days", "threshold", *LISTS))
    return {name: ", ".join(value) if name in ("kinds", "never") else value for name, value in told.items()}


def _typed(one: PolicyInForce, posted: QueryDict) -> dict[str, Any]:
    """What the form held, as it was typed."""
    typed = _values(one.settings)
    for name in one.policy.fields:
        typed[name] = posted.getlist(name) if name in ("classes", "speakers") else posted.get(name, "")[:1000]
    return typed


def _given(name: str, posted: QueryDict) -> dict[str, Any]:
    """The settings of the form. Raises `Invalid` naming the setting where a number is none."""
    given: dict[str, Any] = {}
    for one in POLICIES[name].fields:
        word = posted.get(one, "").strip().replace("\0", "")
        if one in ("classes", "speakers"):
            given[one] = posted.getlist(one)
        elif one in LISTS:
            given[one] = [kind.strip() for kind in word.split(",") if kind.strip()]
        elif one == "act":
            given[one] = word
        else:
            given[one] = _number(f"policies.{name}.{one}", word, whole=one != "threshold")
    return given


def _number(place: str, word: str, *, whole: bool) -> int | float:
    try:
        return int(word) if whole else float(word.replace(",", "."))
    except ValueError:
        raise Invalid(f"{place.rpartition('.')[2]} is a number", field=place) from None


def _checked(row: Scope, name: str, posted: QueryDict) -> tuple[dict[str, Any], Settings]:
    """The settings of the form where they differ from what packs and the policy say anyway, and all of them together."""
    if name not in POLICIES:
        raise Invalid("no such policy", field="policy")
    given = _given(name, posted)
    check_policies({name: given}, kinds=kinds())
    packs = packs_of(row)
    packed = {one: packs.setting(f"policies.{name}", one, None) for one in POLICIES[name].fields}
    usual = settings_of(name, {}, {one: value for one, value in packed.items() if value is not None})
    settings = settings_of(name, given)
    told, as_usual = settings.told(given), usual.told(given)
    return {one: value for one, value in told.items() if value != as_usual[one]}, settings


def _try(row: Scope, name: str, request: ScreenRequest) -> TrialCharts:
    request.actor.require(Right.ADMINISTER, row)
    _, settings = _checked(row, name, request.POST)
    days = _number(f"policies.{name}.days_back", request.POST.get("days_back", ""), whole=True)
    if not 1 <= days <= MAX_DAYS:
        raise Invalid(f"look back over 1 to {MAX_DAYS} days", field=f"policies.{name}.days_back")
    trial = simulate(row, name, settings, days=int(days), now=timezone.now())
    return trial_charts(trial)


def trial_charts(trial: PolicyTrial) -> TrialCharts:
    """A trial as the page draws it: by day, or by week where that would be too many points."""
    step = 1 if trial.days <= 31 else 7
    days = trial.by_day
    groups = [days[at : at + step] for at in range(0, len(days), step)]
    labels = [f"{group[0][0]:%-d %b}" for group in groups]

    def sums(*verdicts: str) -> tuple[float | None, ...]:
        return tuple(float(sum(counts[one] for _, counts in group for one in verdicts)) for group in groups)

    lines = [
        plots.LineSeries("promoted as it stood", sums("promoted")),
        plots.LineSeries("changed or rejected", sums("edited", "rejected")),
        plots.LineSeries("not decided", sums("waiting", "by_policy")),
    ]
    said = f"What it would have promoted, by {'day' if step == 1 else 'week'}: " + ", ".join(
        f"{trial.count(verdict)} {VERDICT_WORDS[verdict]}" for verdict in VERDICTS
    )
    low, high = trial.interval
    share = trial.precision
    drawn = (
        plots.ranges(
            [plots.Range("right as they stood", low, share, high, f"{trial.judged} decided")],
            said=f"{share:.2f} right as they stood, between {low:.2f} and {high:.2f} at 95 %, of {trial.judged}",
        )
        if share is not None
        else None
    )
    newest = list(reversed(trial.would))[:MAX_MATCHES]
    return TrialCharts(
        trial, [(VERDICT_WORDS[verdict], trial.count(verdict)) for verdict in VERDICTS],
        plots.line(labels, lines, said=said), drawn,
        [(one, VERDICT_WORDS[one.verdict]) for one in newest],
    )  # fmt: skip


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
    posted = request.POST
    set_policy(
        row,
        name,
        actor=request.actor,
        on=on,
        settings=settings,
        expected_version=version_of(posted),
        reason=reason_of(posted),
    )


def _undo(request: ScreenRequest, row: Scope, name: str) -> None:
    span = SINCE.get(request.POST.get("since", ""))
    since = timezone.now() - span if span is not None else None
    done, left = undo_policy(row, name, actor=request.actor, since=since, reason=reason_of(request.POST))
    if done:
        word = "decision" if len(done) == 1 else "decisions"
        messages.success(request, f"{len(done)} {word} taken back", extra_tags=f"batch:{done[0].batch}")
    elif not left:
        messages.warning(request, "There was nothing to take back.")
    for event, why in left[:MAX_EVENTS]:
        messages.warning(request, f"{event.ref} left as it is: {why}")


def _promote(request: ScreenRequest, row: Scope, name: str) -> None:
    if name not in POLICIES:
        raise Invalid("no such policy", field="policy")
    actor: Actor = request.actor
    refs = request.POST.getlist("refs")[:MAX_MATCHES]
    batch, events, left = promote_proposed(row, name, actor=actor, refs=refs, reason=reason_of(request.POST))
    if events:
        messages.success(request, f"{len(events)} promoted", extra_tags=f"batch:{batch}")
    elif not left:
        messages.warning(request, "Select some first.")
    for ref, why in left[:MAX_EVENTS]:
        messages.warning(request, f"{ref} left as it is: {why}")


ACTIONS: dict[str, Callable[[ScreenRequest, Scope, str], None]] = {
    "on": _on, "off": _off, "inherit": _inherit, "undo": _undo, "promote": _promote,
}  # fmt: skip
