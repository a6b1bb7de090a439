"""What policies go by: settings refused by name, and the moment at which one would act, against counting it out."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Invalid
from ledger.rules.policies import (
    POLICIES,
    Facts,
    Reference,
    Settings,
    barred,
    check_policies,
    class_of,
    fits_at,
    settings_of,
)

KINDS = {"fact", "decision", "preference", "identity"}
START = dt.datetime(2026, 5, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("policies", "field"),
    [
        ({"auto": {}}, "policies.auto"),
        ({"references": True}, "policies.references"),
        ({"references": None}, "policies.references"),
        ({"references": {"time": 3}}, "policies.references.time"),
        ({"references": {"threshold": 0.5}}, "policies.references.threshold"),
        ({"references": {"times": 1}}, "policies.references.times"),
        ({"references": {"times": True}}, "policies.references.times"),
        ({"references": {"times": 2.5}}, "policies.references.times"),
        ({"references": {"days": 366}}, "policies.references.days"),
        ({"references": {"days": "7"}}, "policies.references.days"),
        ({"references": {"act": "go"}}, "policies.references.act"),
        ({"references": {"kinds": ["decision"]}}, "policies.references.kinds"),
        ({"references": {"kinds": "fact"}}, "policies.references.kinds"),
        ({"references": {"never": ["fact", "nonsense"]}}, "policies.references.never.1"),
        ({"references": {"speakers": []}}, "policies.references.speakers"),
        ({"references": {"speakers": ["me"]}}, "policies.references.speakers"),
        ({"confidence": {"threshold": 1.1}}, "policies.confidence.threshold"),
        ({"confidence": {"threshold": "high"}}, "policies.confidence.threshold"),
        ({"confidence": {"classes": ["headings"]}}, "policies.confidence.classes"),
        ({"confidence": {"kinds": [1]}}, "policies.confidence.kinds"),
        ({"first_person": {"kinds": ["fact"]}}, "policies.first_person.kinds"),
        ({"first_person": {"kinds": []}}, "policies.first_person.kinds"),
        ({"four_eyes": {"people": 3}}, "policies.four_eyes.people"),
        ({"four_eyes": True}, "policies.four_eyes"),
    ],
)
def test_a_wrong_setting_is_named(policies: dict, field: str) -> None:
    with pytest.raises(Invalid) as caught:
        check_policies(policies, kinds=KINDS)
    assert caught.value.field == field


def test_right_ones_pass() -> None:
    check_policies(
        {
            "references": {"times": 3, "days": 1, "act": "promote", "never": ["decision"]}, "confidence": {"threshold": 1},
            "first_person": False, "auto_accept": {}, "four_eyes": {},
        },
        kinds=KINDS,
    )  # fmt: skip


def test_packs_give_defaults_and_the_owner_the_last_word() -> None:
    settings = settings_of("references", {"days": 3}, {"days": 9, "times": 4, "threshold": 0.1, "never": "fact"})
    assert (settings.days, settings.times, settings.threshold) == (3, 4, 0.8)
    assert settings.never == ("decision",) and settings.act == "propose"
    assert settings_of("confidence", {}).threshold == 0.8
    versions = {name: "2" if name == "auto_accept" else "1" for name in POLICIES}
    assert {name: policy.version for name, policy in POLICIES.items()} == versions
    assert all(policy.actor_name == f"policy:{name}@{policy.version}" for name, policy in POLICIES.items())


RULES = ("heading.typed", "line.listed", "line.label", "sentence.first_person", "model.add", "")


def test_the_class_of_a_rule() -> None:
    found = {
        rule: class_of(rule)
        for rule in (
            "heading.typed",
            "line.listed",
            "line.label",
            "sentence.first_person",
            "commitment.sentence",
            "model.add",
            "",
        )
    }
    assert list(found.values()) == ["heading", "list", "label", "sentence", "commitment", "", ""]


def facts(**more: object) -> Facts:
    one = Reference(1, "user", START, START)
    return Facts(
        **(
            {"kind": "fact", "rule": "heading.typed", "confidence": 0.8085, "created_at": START, "references": (one,)}
            | more
        )  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "change",
    [
        {"high_risk": True}, {"needs_review": True}, {"unsettled": True}, {"retired": True}, {"touched": START},
        {"hand_authored": True}, {"confidence": 0.79}, {"rule": "sentence.value"}, {"rule": "model.add"},
        {"references": (Reference(1, "agent", START, START),)}, {"references": ()},
    ],
)  # fmt: skip
def test_what_keeps_a_heading_from_being_promoted(change: dict) -> None:
    settings = POLICIES["confidence"].defaults
    later = START + dt.timedelta(hours=1)
    assert fits_at("confidence", settings, facts(), since=later, until=later) == later
    assert fits_at("confidence", settings, facts(**change), since=later, until=later) is None
    assert bool(barred(facts(**change))) == (
        next(iter(change)) in ("high_risk", "needs_review", "unsettled", "retired")
    )


def test_kinds_and_never() -> None:
    for settings in (Settings(kinds=("decision",)), Settings(never=("fact",))):
        assert fits_at("confidence", settings, facts(), since=START, until=START) is None
    assert fits_at("confidence", Settings(kinds=("fact",)), facts(), since=START, until=START) == START


def test_only_ones_own_identity_and_preference() -> None:
    settings = POLICIES["first_person"].defaults
    own = {"rule": "sentence.first_person", "confidence": 0.5}
    found = {
        kind: fits_at("first_person", settings, facts(kind=kind, **own), since=START, until=START) for kind in KINDS
    }
    assert {kind for kind, at in found.items() if at} == {"preference", "identity"}
    said_by_agent = facts(kind="identity", references=(Reference(1, "agent", START, START),), **own)
    assert fits_at("first_person", settings, said_by_agent, since=START, until=START) is None


def test_references_never_count_decisions_into_truth() -> None:
    often = tuple(Reference(at, "user", START, START) for at in range(9))
    settings = Settings(never=())
    for change, fits in ({"kind": "decision"}, False), ({"affects": True}, False), ({"seen": START}, False), ({}, True):
        found = fits_at("references", settings, facts(references=often, **change), since=START, until=START)
        assert (found is not None) == fits, change


@st.composite
def references(draw: st.DrawFn) -> tuple[Reference, ...]:
    found = []
    for _ in range(draw(st.integers(0, 12))):
        noted = draw(st.integers(0, 60))
        said = draw(st.integers(noted - 20, noted))
        found.append(
            Reference(
                draw(st.integers(1, 6)), draw(st.sampled_from(("user", "document", "agent"))),
                START + dt.timedelta(days=noted), START + dt.timedelta(days=said),
            )
        )  # fmt: skip
    return tuple(found)


@given(references(), st.integers(2, 4), st.integers(1, 15), st.integers(0, 40), st.integers(0, 60), st.integers(0, 60))
def test_the_first_moment_is_the_one_that_counting_every_day_finds(
    cited: tuple[Reference, ...], times: int, days: int, since: int, length: int, seen: int
) -> None:
    settings = Settings(times=times, days=days)
    first, last = START + dt.timedelta(days=since), START + dt.timedelta(days=since + length)
    seen_at = START + dt.timedelta(days=seen)
    by_counting = None
    day = first
    while day <= last and by_counting is None:
        sources = {
            one.source
            for one in cited
            if one.speaker in ("user", "document") and one.noted <= day and one.said > day - dt.timedelta(days=days)
        }
        if len(sources) >= times:
            by_counting = day
        day += dt.timedelta(days=1)
    if by_counting is not None and seen_at <= by_counting:
        by_counting = None
    one = facts(references=cited, seen=seen_at)
    assert fits_at("references", settings, one, since=first, until=last) == by_counting
