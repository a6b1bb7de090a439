"""Policies that may promote by themselves once a scope's owner turns one on (P8, T7, law 5). Pure: settings, what fits, when.

All ship off. A scope keeps what is on in `Scope.policies`: a name with an object of settings is on here and below, with
`false` it is off here and below, absent it is as above. Packs give defaults for the settings and turn nothing on.
"""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from ledger.errors import Invalid

# Two people for what is risky: kept beside the policies, and acting for nobody. Once asked for, no scope below does without.
FOUR_EYES: Final = "four_eyes"
ACTS: Final = ("promote", "propose")
CLASSES: Final = ("heading", "list", "label", "commitment", "sentence", "value")
SPEAKERS: Final = ("user", "agent", "tool", "document", "system")
FIRST_PERSON_KINDS: Final = ("identity", "preference")
# Too consequential to be counted into truth, whatever the settings say (P8).
NEVER_BY_REFERENCES: Final = ("decision", "validation", "validation_claim")
MAX_TIMES, MAX_DAYS, MAX_KINDS = 1000, 365, 50
_NEVER: Final = dt.datetime.max.replace(tzinfo=dt.UTC)
_NO_DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a policy goes by. `act` promote lets it promote; propose only lists what it would, for a person to promote.
    `kinds` empty: every kind. `speakers` are those whose words count."""

    act: str = "promote"
    times: int = 5
    days: int = 7
    threshold: float = 0.8
    kinds: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    classes: tuple[str, ...] = ("heading",)
    speakers: tuple[str, ...] = ("user", "document")

    def told(self, names: Iterable[str]) -> dict[str, Any]:
        """As JSON, of these fields."""
        values = {name: getattr(self, name) for name in names}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


# What adds or updates a fact out of a turn (T7); a model's contradictions and remarks wait for a person.
ACCEPTED_RULES: Final = ("answer.structured", "model.add", "model.update")


@dataclass(frozen=True, slots=True)
class Policy:
    """One of those there are. `fields` are the settings it knows; `version` rises with what it would do."""

    name: str
    title: str
    help: str
    fields: tuple[str, ...]
    defaults: Settings
    version: str = "1"

    @property
    def actor_name(self) -> str:
        return f"policy:{self.name}@{self.version}"


POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy
    for policy in (
        Policy(
            "references", "Seen often",
            "Said in several sources within a few days, and no reviewer has seen it yet. Never decisions.",
            ("act", "times", "days", "kinds", "never", "speakers"),
            Settings(act="propose", never=NEVER_BY_REFERENCES[:1]),
        ),
        Policy(
            "confidence", "A heading with a high score",
            "Written under a heading that names its kind, with a score at or above the threshold.",
            ("act", "threshold", "classes", "kinds", "never", "speakers"), Settings(),
        ),
        Policy(
            "first_person", "Said of oneself",
            "What somebody says of themselves: I am, I prefer. Only identity and preference.",
            ("act", "kinds", "threshold"),
            Settings(threshold=0.0, kinds=FIRST_PERSON_KINDS, speakers=("user",), classes=("sentence",)),
        ),
        Policy(
            "auto_accept", "Facts in a user's own words",
            "A fact that a user answered to a question of the packs, or that a model read from what a user said, with a score at or"
            " above the threshold.",
            ("act", "threshold", "kinds", "never", "speakers"),
            Settings(threshold=0.85, kinds=("fact",), speakers=("user",), classes=()), version="2",
        ),
    )
}  # fmt: skip


def check_policies(policies: Mapping[str, Any], *, kinds: Collection[str]) -> None:
    """Raises `Invalid` naming the field, such as `policies.references.times`, for what is no policy or no setting of it.
    `kinds` are those there are."""
    for name, given in policies.items():
        if name not in POLICIES and name != FOUR_EYES:
            raise Invalid(f"there is no policy {name!r}: {', '.join((*POLICIES, FOUR_EYES))}", field=f"policies.{name}")
        if given is not False:
            _check_settings(name, given, kinds)


def _check_settings(name: str, given: Any, kinds: Collection[str]) -> None:
    if not isinstance(given, Mapping):
        raise Invalid("settings for on, false for off", field=f"policies.{name}")
    if name == FOUR_EYES:
        if given:
            raise Invalid("four_eyes has no settings", field=f"policies.{name}.{next(iter(given))}")
        return
    settings_of(name, given)
    for which in ("kinds", "never"):
        for at, kind in enumerate(given.get(which, ())):
            if kind not in kinds:
                raise Invalid(f"no kind {kind!r}", field=f"policies.{name}.{which}.{at}")


def settings_of(name: str, given: Mapping[str, Any], defaults: Mapping[str, Any] = _NO_DEFAULTS) -> Settings:
    """The policy's own settings, over them the packs' `defaults`, over them what the scope's owner gave. Raises `Invalid`
    naming the field for what the owner gave; a default that does not fit the policy is passed over."""
    policy = POLICIES[name]
    for setting, value in given.items():
        if fault := _fault(policy, setting, value):
            raise Invalid(fault, field=f"policies.{name}.{setting}")
    fitting = {setting: value for setting, value in defaults.items() if not _fault(policy, setting, value)}
    chosen = {setting: _kept(value) for setting, value in {**fitting, **given}.items()}
    return replace(policy.defaults, **chosen)


def _kept(value: Any) -> Any:
    return tuple(dict.fromkeys(value)) if isinstance(value, list | tuple) else value


def _fault(policy: Policy, name: str, value: Any) -> str:
    """What is wrong with one setting; nothing where it is right."""
    if name not in policy.fields:
        return f"{policy.name} has no setting {name!r}: {', '.join(policy.fields)}"
    return _FAULTS.get(name, _fault_of_list)(policy.name, name, value)


def _fault_of_act(_policy: str, _name: str, value: Any) -> str:
    return "" if value in ACTS else f"act is {' or '.join(ACTS)}"


def _fault_of_count(_policy: str, name: str, value: Any) -> str:
    least, most = _COUNTS[name]
    return "" if type(value) is int and least <= value <= most else f"{name} is a whole number, {least} to {most}"


def _fault_of_share(_policy: str, name: str, value: Any) -> str:
    return "" if type(value) in (int, float) and 0 <= value <= 1 else f"{name} lies between 0 and 1"


def _fault_of_list(policy: str, name: str, value: Any) -> str:
    if not isinstance(value, list | tuple) or len(value) > MAX_KINDS:
        return f"{name} is a list of at most {MAX_KINDS}"
    if not all(isinstance(one, str) for one in value):
        return f"{name} is a list of names"
    known = _CHOICES.get(f"{policy}.{name}", _CHOICES.get(name, ()))
    if known and not (value and set(value) <= set(known)):
        return f"{name} are some of {', '.join(known)}"
    if policy == "references" and name == "kinds" and set(value) & set(NEVER_BY_REFERENCES):
        return f"references never promote {' or '.join(NEVER_BY_REFERENCES)}"
    return ""


_COUNTS: Final = {"times": (2, MAX_TIMES), "days": (1, MAX_DAYS)}
# Settings that are some of a few names, and at least one.
_CHOICES: Final = {"classes": CLASSES, "speakers": SPEAKERS, "first_person.kinds": FIRST_PERSON_KINDS}
_FAULTS: Final = {
    "act": _fault_of_act, "times": _fault_of_count, "days": _fault_of_count, "threshold": _fault_of_share,
}  # fmt: skip


def class_of(rule: str) -> str:
    """The class of a rule by its name; empty for what is none of them, such as a model's."""
    if rule.startswith("line."):
        return "list" if rule == "line.listed" else "label"
    word = rule.partition(".")[0]
    return word if word in CLASSES else ""


@dataclass(frozen=True, slots=True)
class Reference:
    """One place where a candidate was said. `noted` is when it was read, `said` when it was said, as far as is known."""

    source: int
    speaker: str
    noted: dt.datetime
    said: dt.datetime


@dataclass(frozen=True, slots=True)
class Facts:
    """A candidate as a policy sees it, apart from what holds beside it. `touched` is when a person first took it in hand or
    had it on the desk, None where nobody has; `retired` whether the same was once refused, withdrawn or replaced."""

    kind: str
    rule: str
    confidence: float
    created_at: dt.datetime
    hand_authored: bool = False
    high_risk: bool = False
    needs_review: bool = False
    unsettled: bool = False
    affects: bool = False
    retired: bool = False
    touched: dt.datetime | None = None
    seen: dt.datetime | None = None
    references: tuple[Reference, ...] = field(default=())


_BARS: Final = {
    "high_risk": "high risk", "needs_review": "marked for review", "unsettled": "a person must choose first",
    "retired": "the same was refused or retired before",
}  # fmt: skip


def barred(facts: Facts) -> str:
    """Why no policy at all may promote it, whatever its settings; empty where one may (law 5)."""
    return next((why for name, why in _BARS.items() if getattr(facts, name)), "")


def fits_at(
    name: str, settings: Settings, facts: Facts, *, since: dt.datetime, until: dt.datetime
) -> dt.datetime | None:
    """The first moment from `since` to `until` at which the policy would have taken it, before any person had; None where
    there is none. With `since` and `until` the same: whether it fits then."""
    if barred(facts) or facts.kind in settings.never or (settings.kinds and facts.kind not in settings.kinds):
        return None
    counted = [one for one in facts.references if one.speaker in settings.speakers and one.noted <= until]
    if name == "references":
        moment, by_people = _often(settings, facts, counted, since=since, until=until), (facts.touched, facts.seen)
    else:
        moment, by_people = _scored(name, settings, facts, counted, since=since), (facts.touched, None)
    return moment if moment <= until and moment < min(filter(None, by_people), default=_NEVER) else None


_BY_RULE: Final[dict[str, Callable[[Settings, Facts], bool]]] = {
    "confidence": lambda settings, facts: class_of(facts.rule) in settings.classes,
    "first_person": lambda _, facts: facts.rule == "sentence.first_person" and facts.kind in FIRST_PERSON_KINDS,
    "auto_accept": lambda _, facts: facts.rule in ACCEPTED_RULES,
}


def why_left(name: str, settings: Settings, facts: Facts, *, now: dt.datetime) -> str:
    """In a few words why the policy would not take it now; empty where it would, as far as its own facts go."""
    if fits_at(name, settings, facts, since=now, until=now) is not None:
        return ""
    bars = (*_LEFT, *(_LEFT_BY_REFERENCES if name == "references" else _LEFT_BY_SCORE))
    told = {"threshold": f"{settings.threshold:.2f}", "times": settings.times, "days": settings.days}
    why = barred(facts) or next((why for why, bars_it in bars if bars_it(settings, facts)), "")
    if not why and name in _BY_RULE and not _BY_RULE[name](settings, facts):
        why = "found by a rule that it does not go by"
    return (why or "too few say it whose words count: {times} sources within {days} days").format(**told)


type Bar = tuple[str, Callable[[Settings, Facts], bool]]
_LEFT: Final[tuple[Bar, ...]] = (
    ("of a kind that it leaves alone", lambda settings, facts: facts.kind in settings.never),
    (
        "of a kind that it does not take",
        lambda settings, facts: bool(settings.kinds) and facts.kind not in settings.kinds,
    ),
    ("a person has had it in hand", lambda _, facts: facts.touched is not None),
)
_LEFT_BY_REFERENCES: Final[tuple[Bar, ...]] = (
    (
        "a decision, or something that affects others",
        lambda _, facts: facts.kind in NEVER_BY_REFERENCES or facts.affects,
    ),
    ("a reviewer has seen it", lambda _, facts: facts.seen is not None),
)
_LEFT_BY_SCORE: Final[tuple[Bar, ...]] = (
    ("written by hand", lambda _, facts: facts.hand_authored),
    ("a score below {threshold}", lambda settings, facts: facts.confidence < settings.threshold),
    (
        "said by nobody whose words count",
        lambda settings, facts: not any(one.speaker in settings.speakers for one in facts.references),
    ),
)


def _scored(
    name: str, settings: Settings, facts: Facts, counted: list[Reference], *, since: dt.datetime
) -> dt.datetime:
    """When it was there, for the policies that go by the rule that found it and by its score."""
    if facts.hand_authored or facts.confidence < settings.threshold or not _BY_RULE[name](settings, facts):
        return _NEVER
    return max(since, facts.created_at, min((one.noted for one in counted), default=_NEVER))


def _often(
    settings: Settings, facts: Facts, counted: list[Reference], *, since: dt.datetime, until: dt.datetime
) -> dt.datetime:
    """The first moment at which `times` different sources had said it within the `days` before. Only a new reference can
    bring such a moment, or the beginning of the time looked at."""
    if facts.kind in NEVER_BY_REFERENCES or facts.affects:
        return _NEVER
    window = dt.timedelta(days=settings.days)
    for moment in sorted({since, *(one.noted for one in counted if since <= one.noted)}):
        recent = {one.source for one in counted if one.noted <= moment < one.said + window}
        if len(recent) >= settings.times:
            return moment
    return _NEVER
