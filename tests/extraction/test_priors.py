"""Priors of single rules: what reading makes of them, and that they are of the class that their name says."""

from dataclasses import replace

import pytest

from extraction.extractors.registry import EXTRACTORS, for_scope, version_of
from extraction.runs.consolidate import with_priors
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.prior import set_prior
from ledger.actions.undo import undo
from ledger.errors import Forbidden, Invalid, StaleVersion
from ledger.models import Claim, JournalEvent, RunHit, Scope
from ledger.packs import SHIPPED, merge, parse
from ledger.reads.insights.priors import class_of
from ledger.reads.packs import packs_of
from tests.extraction.reading import read as hits_of
from tests.people import People, make_people, make_scope

TEXT = """# Decision

We keep the wheel on the left bank.

## Decisions

- the sluice opens at six
- the miller has the key

### Decision: the wheel turns at dawn

- [Decision] the lock stays shut

Decisions:
- the weir is mended in May
- the mill pays

Decision: barley before rye

We decided to keep the old stones. I prefer oak. The axle must be 40 mm thick.
"""


@pytest.fixture
def people(transactional_db: None) -> People:
    return make_people(make_scope("mill"))


def read(people: People, text: str) -> list[Claim]:
    incoming = Incoming(text=text, kind="document", sender_kind="document")
    ingest([incoming], scope=people.scope, actor=people.bob, extractors=for_scope(people.scope))
    work_off()
    return list(Claim.objects.filter(scope=people.scope).order_by("pk"))


def version(scope: Scope) -> str:
    return version_of(EXTRACTORS["rules"], packs_of(scope)).version


def test_every_rule_is_of_the_class_its_name_says() -> None:
    hits = hits_of(TEXT)
    assert len({hit.rule for hit in hits}) >= 6
    assert {hit.rule: hit.rule_class for hit in hits} == {hit.rule: class_of(hit.rule) for hit in hits}


def test_a_prior_changes_what_is_read_from_now_on_and_undo_takes_it_back(people: People) -> None:
    (first,) = read(people, "Decision: barley before rye")
    before = version(people.scope)
    event = set_prior(
        people.scope, "line.label", 0.325, actor=people.alice, expected_version=1, reason="half were wrong"
    )
    assert version(people.scope) != before and event.verb == "set_prior" and event.reason == "half were wrong"
    assert read(people, "Decision: oats before hay") == [first]
    assert "score 0.33 is below 0.40" in RunHit.objects.get().why
    undo(event, actor=people.alice)
    assert version(people.scope) == before and Scope.objects.get(pk=people.scope.pk).priors == {}
    assert len(read(people, "Decision: hops before all")) == 2


def test_a_score_changes_in_proportion(people: People) -> None:
    (plain,) = read(people, "Decision: barley before rye")
    set_prior(people.scope, "line.label", 0.9, actor=people.alice)
    _, better = read(people, "Decision: oats before hay")
    assert better.confidence == pytest.approx(plain.confidence * 0.9 / 0.65, abs=0.0002)
    child = make_scope("mill/wheel", parent=people.scope)
    assert packs_of(child).priors == {"line.label": 0.9}
    set_prior(child, "line.label", 0.5, actor=people.alice)
    assert packs_of(child).priors == {"line.label": 0.5} and packs_of(people.scope).priors == {"line.label": 0.9}


def test_a_fixed_score_becomes_the_prior_and_a_found_one_stays() -> None:
    content, digest = parse((SHIPPED / "core.toml").read_bytes(), file="core.toml")
    packs = replace(merge([("core", digest, content)]), priors={"discussion.told": 0.8, "model.add": 0.8})
    (hit,) = hits_of("Decision: the wheel turns")
    told = replace(hit, rule="discussion.told", rule_class="discussion", confidence=0.55)
    assert with_priors([told], "discussion", packs)[0].confidence == 0.8
    found = replace(hit, rule="model.add", rule_class="model", confidence=0.55)
    assert with_priors([found], "model", packs)[0].confidence == 0.55


def test_only_an_owner_sets_a_prior_and_only_a_fitting_one(people: People) -> None:
    for actor in (people.bob, people.carol, people.vera, people.machine):
        with pytest.raises(Forbidden):
            set_prior(people.scope, "line.label", 0.5, actor=actor)
    for bad in (0, 1, -1, float("nan"), True):
        with pytest.raises(Invalid):
            set_prior(people.scope, "line.label", bad, actor=people.alice)
    for rule in ("", "x" * 61, "a\0b"):
        with pytest.raises(Invalid):
            set_prior(people.scope, rule, 0.5, actor=people.alice)
    with pytest.raises(StaleVersion):
        set_prior(people.scope, "line.label", 0.5, actor=people.alice, expected_version=9)
    with pytest.raises(Invalid):
        set_prior(people.scope, "line.label", None, actor=people.alice)
    assert not JournalEvent.objects.filter(verb="set_prior").exists()
    event = set_prior(people.scope, "line.label", 0.5, actor=people.alice)
    with pytest.raises(Forbidden):
        undo(event, actor=people.bob)
