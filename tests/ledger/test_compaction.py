"""Compaction: what is archived and why, what never is, one batch with one undo, and the command (C14)."""

import datetime as dt
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ledger.actions.compact import compact
from ledger.actions.credit import credit
from ledger.actions.curate import curate
from ledger.actions.dispute import dispute
from ledger.actions.load_pack import load_pack
from ledger.actions.logs import expose
from ledger.actions.promote import promote
from ledger.actions.scope import update_scope
from ledger.actions.undo import undo_batch
from ledger.models import Claim, Exposure, JournalEvent, Outcome, Scope
from ledger.reads.compaction import stale_claims
from ledger.reads.verify import verify
from tests.people import People, candidate, say, tell

LATER = dt.timedelta(days=400)


def held(people: People, statement: str, **more: object) -> Claim:
    claim = candidate(people.scope, people.bob, statement, **more)
    promote(claim, actor=people.bob)
    claim.refresh_from_db()
    return claim


def stale(lab: Scope) -> dict[str, str]:
    return {one.ref: one.why for one in stale_claims(lab, now=timezone.now() + LATER)}


def test_what_nobody_saw_and_rests_on_little_is_listed_with_its_reason(lab: Scope, people: People) -> None:
    lone = held(people, "The hull is oak")
    assert not stale_claims(lab, now=timezone.now())
    why = stale(lab)[lone.ref]
    assert "never shown since" in why and "rests on 1 source" in why
    expose(lab, [lone.ref], channel="search", actor=people.agent)
    assert "last shown on" in stale(lab)[lone.ref]
    Exposure.objects.update(shown_at=timezone.now() + LATER - dt.timedelta(days=10))
    assert stale(lab) == {}


def test_what_people_said_twice_disputed_cited_or_use_stays(lab: Scope, people: People) -> None:
    twice = held(people, "The keel is lead")
    say(lab, people.bob, "The keel is lead")
    norm = held(people, "We never sail at night", kind="constraint")
    disputed = held(people, "The mast is ash")
    dispute(disputed, source=tell(lab, people.bob, "It is not", by="tool"), quote="It is not", actor=people.bob)
    cited = held(people, "The sail is red")
    curate(lab, "sail", actor=people.carol, value="red", cites=[cited.ref])
    used = held(people, "The rope is hemp", downstream=("plan.md",))
    for one in (
        held(people, "The tiller weighs 4 kg", key="tiller", value=4),
        held(people, "5", key="tiller", value=5),
    ):
        disputed = one
    coming = held(people, "The yard opens", valid_from=timezone.now() + LATER)
    assert stale(lab) == {}, (twice, norm, disputed, cited, used, coming)


def test_a_tactic_stays_where_it_helped(lab: Scope, people: People) -> None:
    good, bad = held(people, "Oil the block first", kind="tactic"), held(people, "Pull harder", kind="tactic")
    for claim, outcome in ((good, "tool_success"), (bad, "tool_failure")):
        expose(lab, [claim.ref], channel="auto_pack", actor=people.agent, conversation=outcome)
        told = tell(lab, people.bob, outcome, by="tool")
        credit(Outcome(scope=lab, conversation=outcome, type=outcome, source=told, reported_by="x"))
    assert list(stale(lab)) == [bad.ref] and "nothing it was shown for went well" in stale(lab)[bad.ref]


def test_one_batch_archives_and_one_undo_brings_all_back(lab: Scope, people: People) -> None:
    claims = [held(people, words) for words in ("The hull is oak", "Ida owns the yard", "Rain falls in May")]
    done = compact(lab, actor=people.alice, now=timezone.now() + LATER)
    assert [one.ref for one in done.archived] == [claim.ref for claim in claims] and not (done.left or done.more)
    events = JournalEvent.objects.filter(batch=done.batch)
    assert {event.verb for event in events} == {"archive"} and all("compaction: never" in e.reason for e in events)
    assert set(Claim.objects.values_list("status", flat=True)) == {"archived"}
    undo_batch(done.batch, actor=people.bob)
    assert set(Claim.objects.values_list("status", flat=True)) == {"active"}
    assert verify().problems == []


def test_what_was_decided_about_lately_is_left_alone(lab: Scope, people: People) -> None:
    held(people, "The deck is teak")
    soon = timezone.now() + dt.timedelta(days=179)
    assert not stale_claims(lab, now=soon)
    assert len(stale_claims(lab, now=soon + dt.timedelta(days=2))) == 1


def test_the_queries_do_not_grow(lab: Scope, people: People) -> None:
    held(people, "The deck is teak")
    counts = []
    for n in range(2):
        with CaptureQueriesContext(connection) as queries:
            stale(lab)
        counts.append(len(queries))
        held(people, f"The bow is {n}")
    assert counts[0] == counts[1] <= 3


def command(*words: str) -> dict[str, object]:
    out = io.StringIO()
    call_command("compact", "--scope", "lab", "--json", *words, stdout=out, stderr=io.StringIO())
    found: dict[str, object] = json.loads(out.getvalue())
    return found


def test_the_command_lists_then_archives_by_the_packs_thresholds(lab: Scope, people: People) -> None:
    claim = held(people, "The deck is teak <b>")
    assert command("--dry-run")["archived"] == []
    load_pack(b'[pack]\nname = "brief"\nversion = "1"\n[compaction]\nunseen_days = 0\n', file="brief.toml")
    update_scope(lab, actor=people.alice, changes={"packs": ["brief"]})
    [listed] = command("--dry-run")["archived"]  # type: ignore[misc]
    assert listed["ref"] == claim.ref and "rests on 1 source" in listed["why"]
    claim.refresh_from_db()
    assert claim.status == "active"
    done = command()
    assert done["archived"] == [listed] and JournalEvent.objects.get(batch=done["batch"]).ref == claim.ref
    assert command()["batch"] is None
    with pytest.raises(CommandError, match="no scope"):
        call_command("compact", "--scope", "nowhere")
