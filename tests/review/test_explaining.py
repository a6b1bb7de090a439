"""A value is explained a year later: why as steps, history with differences, the two clocks, conflicts, the scope's page."""

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.conflict import resolve
from ledger.actions.curate import curate
from ledger.actions.decide import reject
from ledger.actions.edit import edit
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.actor import demo, operator
from ledger.models import Claim, Conflict, JournalEvent, Run, Source, TrustedState
from ledger.reads.as_of import claim_as_of
from tests.people import candidate, tell
from tests.review.door import House
from tests.review.screen import Page, Screen

OPERATOR = operator("Alice")


def held(house: House, statement: str, **more: str) -> Claim:
    claim = candidate(house.scope, OPERATOR, statement, **more)
    promote(claim, actor=OPERATOR)
    claim.refresh_from_db()
    return claim


@pytest.fixture
def bob(house: House) -> Screen:
    return Screen("bob")


def flat(text: str) -> str:
    return " ".join(text.split())


def refs(page: Page) -> list[str]:
    """The events that a page shows."""
    return [attrs["id"] for _, attrs in page.elements if attrs.get("id", "").startswith("event-")]


def clashing(house: House) -> tuple[Claim, Claim, Conflict]:
    one, other = held(house, "The loom is oak", key="loom"), held(house, "The loom is ash", key="loom")
    return one, other, Conflict.objects.get(status="open")


def test_why_climbs_from_a_trusted_value_to_the_lit_place(house: House) -> None:
    claim = held(house, "The loom is oak", key="loom")
    curate(house.scope, "loom", actor=demo("Carol"), statement="Oak it is", cites=[claim.ref])
    ref = TrustedState.objects.get().ref
    page = Screen("vera").open(f"/state/{ref}")
    evidence = claim.evidence.get()
    layers = [attrs["data-layer"] for tag, attrs in page.elements if tag == "li" and "data-layer" in attrs]
    assert layers == ["trusted", "entity", "candidate", "evidence", "source"]
    assert page.shows("href", f"/sources/{evidence.source_id}#evidence-{evidence.pk}")
    assert page.shows("href", f"/entities/{claim.ref}") and "1 trusted value on 1 cited claim" in flat(page.text)
    assert all(attrs["data-mark"] == "verified" for tag, attrs in page.elements if "data-mark" in attrs)


def test_dead_ends_are_said(house: House) -> None:
    claim = held(house, "The loom is oak")
    page = Screen("vera").open(f"/entities/{claim.ref}")
    assert "withheld" not in page.text and "Purged" not in page.text
    purge(Source.objects.get(pk=claim.evidence.get().source_id), actor=OPERATOR, reason="asked for")
    page = Screen("vera").open(f"/entities/{claim.ref}")
    assert "Purged: its words are gone" in page.text and "not confirmed" in page.text


def test_history_shows_differences_what_undid_what_and_what_is_in_the_way(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The door is green")
    edit(claim, actor=OPERATOR, changes={"statement": "The door is dark green"})
    claim.refresh_from_db()
    no = reject(claim, actor=OPERATOR, reason="it is blue")
    taken_back = undo(no, actor=OPERATOR, reason="looked again")
    claim.refresh_from_db()
    reject(claim, actor=OPERATOR)
    page = bob.open(f"/candidates/{claim.ref}")
    text = flat(page.text)
    assert any(tag == "s" for tag, _ in page.elements) and "it is blue" in text
    assert f"in event {taken_back.pk}" in text and f"Takes back event {no.pk}" in text
    assert "what was edited has been decided about since" in text
    # The one that nothing stands behind is the only one with a button.
    assert sum(attrs.get("data-action") == "undo" for _, attrs in page.elements) == 1
    assert bob.press("undo").text and Claim.objects.get(pk=claim.pk).status == "pending"


def test_long_histories_come_in_pages(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The door is green")
    for n in range(35):
        claim.refresh_from_db()
        edit(claim, actor=OPERATOR, changes={"statement": f"The door is green {n}"})
    page = bob.open(f"/candidates/{claim.ref}")
    events = [attrs["id"] for tag, attrs in page.elements if attrs.get("id", "").startswith("event-")]
    assert len(events) == 30
    (earlier,) = [attrs["href"] for tag, attrs in page.elements if "before=" in attrs.get("href", "")]
    page = bob.open(f"/candidates/{claim.ref}" + earlier[earlier.index("?") :].partition("#")[0])
    more = [attrs["id"] for tag, attrs in page.elements if attrs.get("id", "").startswith("event-")]
    assert len(more) == 6 and not set(more) & set(events)


def test_a_claim_at_a_time_on_both_clocks(house: House, bob: Screen) -> None:
    old = candidate(house.scope, OPERATOR, "Paint on Tuesday", topic="painting", kind="decision")
    before = dt.datetime.now(dt.UTC)
    promote(old, actor=OPERATOR)
    between = dt.datetime.now(dt.UTC)
    new = held(house, "Paint on Wednesday", topic="painting", kind="decision")
    old.refresh_from_db()
    if old.status == "active":
        supersede(old, by=new, actor=OPERATOR)
    old.refresh_from_db()
    assert claim_as_of(old, believed_at=before).why == "it waited for a decision"
    assert claim_as_of(old, believed_at=between).held and not claim_as_of(old).held
    assert (
        claim_as_of(old, as_of=between).held
        and claim_as_of(old, believed_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC)).claim is None
    )
    page = bob.open(f"/entities/{old.ref}?as_of=2020-01-01")
    assert "it did not hold" in page.text or "it held" in page.text
    assert "Write a time as" in bob.open(f"/entities/{old.ref}?as_of=yesterday").text
    page = bob.open("/scopes/studio?tab=then&believed_at=2020-01-01")
    assert "Nothing held here then" in page.text
    assert bob.open("/scopes/studio?tab=then&as_of=never") and bob.status == 422


def test_entities_are_filtered_searched_and_refused_by_field(house: House, bob: Screen) -> None:
    clashing(house)
    held(house, "The bench is pine", key="bench")
    assert "bench" not in flat(bob.open("/entities?disputed=yes").text.partition("Since")[2])
    page = bob.open("/entities?key=bench")
    assert [attrs["data-ref"] for tag, attrs in page.elements if tag == "tr" and "data-ref" in attrs].__len__() == 1
    assert "Nothing here fits" in bob.open("/entities?needs_recheck=yes").text
    assert "Status" in bob.open("/entities?status=nonsense").text and bob.status == 422


def test_new_words_take_a_claims_place(house: House, bob: Screen) -> None:
    claim = held(house, "Paint on Tuesday", topic="painting")
    bob.open(f"/entities/{claim.ref}")
    page = bob.press("supersede", by="FCT-20200101-999")
    assert bob.status == 422 and "no claim" in page.text and page.shows("aria-invalid", "true")
    bob.open(f"/entities/{claim.ref}")
    bob.press("supersede", new_statement="Paint on Wednesday", reason="the primer is wet")
    claim.refresh_from_db()
    assert claim.status == "superseded" and claim.successor is not None
    assert claim.successor.statement == "Paint on Wednesday" and claim.successor.status == "active"
    assert "gave way to" in bob.open(f"/entities/{claim.ref}").text
    assert "took the place of" in bob.open(f"/entities/{claim.successor.ref}").text


def test_sources_are_read_again_from_the_page(house: House, bob: Screen) -> None:
    claim = held(house, "The loom is oak")
    bob.open(f"/entities/{claim.ref}")
    bob.press("read-again")
    assert Run.objects.filter(source=claim.evidence.get().source_id).exists()


def test_a_memory_grows_and_the_pointer_shows_both_ways(house: House, bob: Screen) -> None:
    memory = held(house, "Ines likes matte paint", kind="preference")
    assert memory.layer == "memory"
    bob.open(f"/entities/{memory.ref}")
    bob.press("graduate")
    grown = Claim.objects.get(graduates=memory)
    assert "proposed as the entity" in bob.open(f"/entities/{memory.ref}").text
    assert "grew out of the memory" in bob.open(f"/candidates/{grown.ref}").text
    promote(grown, actor=OPERATOR)
    assert "grew into the entity" in bob.open(f"/entities/{memory.ref}").text
    assert "Memories that grew into entities" in bob.open("/scopes/studio").text


def test_a_conflict_says_what_a_decision_will_do_and_opens_again(house: House, bob: Screen) -> None:
    one, other, conflict = clashing(house)
    page = bob.open(f"/conflicts/{conflict.pk}")
    assert f"Then {other.ref} will be superseded by {one.ref}" in flat(page.text)
    assert any(tag == "del" for tag, _ in page.elements)
    bob.press("resolve", reason="measured")
    conflict.refresh_from_db()
    assert conflict.status == "resolved"
    page = bob.open(f"/conflicts/{conflict.pk}")
    assert "To open it again, undo" in page.text and "✓ holds" in page.text
    bob.press("undo")
    conflict.refresh_from_db()
    assert conflict.status == "open"


def test_a_conflict_settled_by_somebody_faster_says_so_where_it_was_pressed(house: House, bob: Screen) -> None:
    one, _, conflict = clashing(house)
    bob.open(f"/conflicts/{conflict.pk}")
    resolve(conflict, winner=one.ref, actor=OPERATOR)
    page = bob.press("resolve", reason="mine")
    assert bob.status == 409 and "as it stands now" in page.text


def test_what_is_cited_is_found_and_chosen_without_script(house: House) -> None:
    claim = held(house, "The loom is oak", key="loom")
    carol = Screen("carol")
    carol.open("/state?scope=studio&key=loom")
    (form,) = [form for form in carol.page.forms if form.action == "/state/curate"]
    # The button beside the words posts the same form elsewhere.
    found = carol.client.post("/state/citable", {**form.fields, "scope": "studio", "find": "oak", "statement": "Oak"})
    carol.page = Page(found.content.decode())
    assert carol.page.shows("value", claim.ref)
    carol.press("curate", cite=[claim.ref], reason="agreed")
    row = TrustedState.objects.get()
    assert row.cites == [claim.ref] and row.statement == "Oak"
    page = carol.open("/state?scope=studio&key=loom&statement=Ash")
    assert "What it replaces" in page.text
    page = carol.press("curate", cites="DEC-20200101-001")
    assert carol.status == 422 and "(cites" in page.text
    outside = Screen("charlie")
    assert claim.ref not in outside.client.get("/state/citable?scope=studio&find=oak").content.decode()


def test_why_not_answers_on_the_scopes_page(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The door is green")
    reject(claim, actor=OPERATOR, reason="it is blue")
    page = bob.open("/scopes/studio?tab=why-not&q=green+door")
    assert "Was rejected: it is blue" in flat(page.text)
    assert "Nobody ever said it" in bob.open("/scopes/studio?tab=why-not&q=unicorn").text
    assert bob.open("/scopes/studio?tab=why-not&q=" + "x" * 600) and bob.status == 422


def test_the_journal_is_searched_and_verified(house: House, bob: Screen) -> None:
    claim = held(house, "The loom is oak")
    event = JournalEvent.objects.get(verb="promote")
    assert refs(bob.open("/journal?verb=promote&actor=Alice")) == [f"event-{event.pk}"]
    assert refs(bob.open("/journal?verb=promote&until=2020-01-01")) == []
    assert refs(bob.open(f"/journal?verb=promote&since={event.at:%Y-%m-%d}")) == [f"event-{event.pk}"]
    assert refs(bob.open(f"/journal?event={event.pk}")) == [f"event-{event.pk}"]
    assert refs(bob.open(f"/journal?ref={claim.ref}&verb=promote")) == [f"event-{event.pk}"]
    assert "whole" in bob.open("/journal?verify=yes").text
    assert bob.open("/journal?since=soon") and bob.status == 422
    assert bob.open("/journal?verb=promote&cursor=x") and bob.status == 422
    assert refs(Screen("charlie").open("/journal?verb=promote")) == []


def test_sources_markup_stays_words_everywhere(house: House, bob: Screen) -> None:
    claim = held(house, "<script>x</script><b>The loom</b> is oak", key="loom")
    other = held(house, "<img src=x onerror=y> is ash", key="loom")
    conflict = Conflict.objects.get(status="open")
    for path in (
        f"/entities/{claim.ref}?as_of=2030-01-01", f"/conflicts/{conflict.pk}", "/scopes/studio", "/journal",
        "/scopes/studio?tab=then&as_of=2030-01-01", "/scopes/studio?tab=why-not&q=loom", f"/entities/{other.ref}", "/entities",
    ):  # fmt: skip
        page = bob.open(path)
        assert not [tag for tag, a in page.elements if tag == "b" or (tag in ("img", "script") and "src" not in a)], (
            path
        )
        assert "onerror=y" not in [name for _, a in page.elements for name in a], path


PATHS = [
    "/entities/{ref}", "/conflicts/{conflict}", "/scopes/studio", "/scopes/studio?tab=then&as_of=2030-01-01",
    "/scopes/studio?tab=why-not&q=panel", "/journal?verb=promote", "/conflicts?order=age", "/entities?disputed=yes",
]  # fmt: skip


def test_pages_take_the_same_statements_with_one_row_and_with_twenty(house: House, bob: Screen) -> None:
    one, _, conflict = clashing(house)
    held(house, "panel 0 is pine", key="panel0")

    def counted() -> list[int]:
        found = []
        for path in PATHS:
            bob.open(path.format(ref=one.ref, conflict=conflict.pk))
            with CaptureQueriesContext(connection) as queries:
                bob.open(path.format(ref=one.ref, conflict=conflict.pk))
            assert bob.status == 200, path
            found.append(len(queries))
        return found

    small = counted()
    for n in range(1, 20):
        held(house, f"panel {n} is pine", key=f"panel{n % 10}")
        claim = Claim.objects.get(pk=one.pk)
        tell(house.scope, OPERATOR, f"word {n}")
        if n % 2:
            claim = candidate(house.scope, OPERATOR, f"The loom is beech {n}", key="loom")
            promote(claim, actor=OPERATOR)
    assert dict(zip(PATHS, counted(), strict=True)) == dict(zip(PATHS, small, strict=True))


def test_why_names_who_countersigned_not_who_brought_it_back(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    bob, carol = Screen("bob"), Screen("carol")
    bob.open(f"/candidates/{claim.ref}")
    bob.press("promote")
    carol.open(f"/entities/{claim.ref}")
    carol.press("archive")
    carol.open(f"/entities/{claim.ref}")
    carol.press("undo")
    claim.refresh_from_db()
    assert claim.status == "active"
    text = " ".join(bob.open(f"/entities/{claim.ref}").text.split())
    assert "promoted by bob" in text and "undo by carol at" not in text.split("History")[0]


def test_a_value_is_printed_with_who_when_words_and_what_it_replaced(house: House) -> None:
    first = candidate(house.scope, OPERATOR, "The frame is oak", key="frame")
    promote(first, actor=OPERATOR)
    then = candidate(house.scope, OPERATOR, "The frame is ash", key="frame")
    promote(then, actor=OPERATOR, on_conflict="supersede", reason="It bends")
    vera = Screen("vera")
    text = " ".join(vera.open(f"/record/{then.ref}").text.split())
    assert "Countersigned by Alice" in text and "It bends" in text and "The frame is ash" in text
    assert first.ref in text and "superseded" in text and "characters" in text
    row = curate(house.scope, "frame", actor=demo("Carol"), statement="Ash", cites=[then.ref])
    text = " ".join(vera.open(f"/record/{row.ref}").text.split())
    assert "Written down as trusted by Carol" in text and "The frame is ash" in text
    charlie = Screen("charlie")
    charlie.open(f"/record/{then.ref}")
    assert charlie.status == 404
    charlie.open(f"/record/{row.ref}")
    assert charlie.status == 404


def test_the_journal_opens_on_what_people_decided(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    bob = Screen("bob")
    bob.open(f"/candidates/{claim.ref}")
    bob.press("promote")
    decided = bob.open("/journal")
    assert "What people decided" in decided.text
    verbs = {event.verb for event in JournalEvent.objects.filter(pk__in=[one[6:] for one in refs(decided)])}
    assert "promote" in verbs and not verbs & {"propose", "ingest", "see_again"}
    assert len(refs(bob.open("/journal?events=all"))) > len(refs(decided))


def test_a_conflict_marks_what_differs_on_both_sides_and_keeps_the_filters(house: House) -> None:
    for wood in ("oak", "ash"):
        promote(candidate(house.scope, OPERATOR, f"The frame is {wood} and wide", key="frame"), actor=OPERATOR)
    bob = Screen("bob")
    page = bob.open("/conflicts?scope=studio&order=age")
    marked = re.findall(r'<mark class="differs">([^<]*)</mark>', bob.response.content.decode())
    assert sorted(marked) == ["ash", "oak"]
    assert page.shows("data-action", "resolve")
    bob.press("resolve")
    assert bob.response.redirect_chain[-1][0] == "/conflicts?scope=studio&order=age"
