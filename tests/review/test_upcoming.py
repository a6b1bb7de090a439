"""What takes place, over HTTP."""

from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose
from ledger.actions.scope import add_person
from ledger.models import Claim
from ledger.projections.export import export
from ledger.rules.permissions import Access
from tests.people import quote_of, tell
from tests.review.door import OPERATOR

MAY = "from=2026-05-01T00:00:00Z&to=2026-06-01T00:00:00Z"
SOCCER = {
    "title": "Soccer", "people": ["Leo"], "start": "2026-05-05T16:30:00", "end": "2026-05-05T18:00:00",
    "timezone": "America/Chicago", "place": "Westside Park", "rrule": "FREQ=WEEKLY;BYDAY=TU,TH",
}  # fmt: skip


def confirmed(house, value, *, kind="event", scope=None) -> Claim:
    scope = scope or house.scope
    words = f"{value.get('title') or value.get('task')} at {value.get('start')}"
    source = tell(scope, OPERATOR, words)
    draft = Draft(kind=kind, statement=words, quotes=(quote_of(source),), value=value, hand_authored=True)
    claim = propose(draft, scope=scope, actor=OPERATOR).claim
    promote(claim, actor=OPERATOR, on_conflict="coexist")
    return claim


def test_events_are_listed_before_they_begin_and_only_while_confirmed(house):
    claim = confirmed(house, SOCCER)
    status, shown = house.vera("GET", f"/upcoming?scope=studio&{MAY}")
    assert status == 200 and len(shown["items"]) == 8 and shown["next"] is None
    assert shown["items"][0] == {
        "ref": claim.ref, "kind": "event", "title": "Soccer", "people": ["Leo"], "start": "2026-05-05T16:30:00-05:00",
        "end": "2026-05-05T18:00:00-05:00", "end_known": True, "all_day": False, "timezone": "America/Chicago",
        "place": "Westside Park", "recurring": True, "background": False, "series": "", "changes": None, "cancelled": False,
    }  # fmt: skip
    assert house.bob("POST", f"/entities/{claim.ref}/archive", {})[0] == 200
    assert house.vera("GET", f"/upcoming?scope=studio&{MAY}")[1]["items"] == []


def test_what_holds_above_is_seen_below_and_not_beside(house):
    confirmed(house, SOCCER)
    assert len(house.vera("GET", f"/upcoming?scope=studio/backdrop&{MAY}")[1]["items"]) == 8
    assert house.vera("GET", f"/upcoming?scope=kitchen&{MAY}")[0] == 404
    assert house.charlie("GET", f"/upcoming?scope=studio&{MAY}")[0] == 404
    assert house.anonymous("GET", f"/upcoming?scope=studio&{MAY}")[0] == 401


def test_a_person_is_found_by_any_name_with_what_they_took_on(house):
    add_person(house.scope, "Leo", aliases=["leo-bear"], role="child", actor=OPERATOR)
    add_person(house.scope, "John", aliases=["Dad"], role="guardian", actor=OPERATOR)
    confirmed(house, SOCCER)
    pickup = {"task": "pick up", "assignee": "John", "for": "Leo", "start": "2026-05-07T18:00:00-05:00"}
    confirmed(house, pickup, kind="assignment")
    found = house.vera("GET", f"/upcoming?scope=studio&person=Leo-Bear&{MAY}")[1]["items"]
    assert {one["title"] for one in found} == {"Soccer", "pick up"}
    (his,) = house.vera("GET", f"/upcoming?scope=studio&person=dad&{MAY}")[1]["items"]
    assert his["people"] == ["John", "Leo"] and his["kind"] == "assignment" and not his["end_known"]
    assert house.vera("GET", f"/upcoming?scope=studio&person=Nobody&{MAY}")[1]["items"] == []


def test_pages_hold_each_occurrence_once(house):
    confirmed(house, SOCCER)
    confirmed(house, SOCCER | {"title": "Chess", "people": ["Mia"]})
    found = house.vera.pages(f"/upcoming?scope=studio&{MAY}")
    assert len(found) == 16 == len({(one["ref"], one["start"]) for one in found})
    assert [one["start"] for one in found] == sorted(one["start"] for one in found)


def test_bad_windows_name_their_field(house):
    ends = [("from=yesterday", "from"), ("from=2026-05-01T00:00:00Z&to=2026-04-01T00:00:00Z", "to"), ("to=x", "to"),
            ("from=2026-05-01T00:00:00Z&to=2028-05-01T00:00:00Z", "to"), ("limit=0", "limit"), ("cursor=x", "cursor")]  # fmt: skip
    for query, field in ends:
        status, problem = house.vera("GET", f"/upcoming?scope=studio&{query}")
        assert status == 422 and field in problem["errors"][0]["field"], (query, problem)


def test_the_cost_does_not_grow_with_the_events(house, django_assert_max_num_queries):
    for title in ("Soccer", "Chess", "Ballet", "Swimming"):
        confirmed(house, SOCCER | {"title": title})
    with django_assert_max_num_queries(8):
        assert house.vera("GET", f"/upcoming?scope=studio&{MAY}&limit=200")[0] == 200


def test_one_occurrence_is_called_off_or_moved_and_the_calendar_is_exported(house):
    series = confirmed(house, SOCCER)
    off = {"title": "Soccer", "people": ["Leo"], "start": "2026-05-12T16:30:00-05:00", "series": series.ref,
           "timezone": "America/Chicago", "recurrence_id": "2026-05-12T16:30:00-05:00", "cancelled": True}  # fmt: skip
    confirmed(house, off)
    moved = off | {"cancelled": False, "recurrence_id": "2026-05-14", "start": "2026-05-14T17:00:00-05:00"}
    confirmed(house, moved)
    starts = {one["start"]: one for one in house.vera("GET", f"/upcoming?scope=studio&{MAY}")[1]["items"]}
    assert len(starts) == 7 and "2026-05-12T16:30:00-05:00" not in starts and "2026-05-14T16:30:00-05:00" not in starts
    assert starts["2026-05-14T17:00:00-05:00"]["series"] == series.ref
    with_off = house.vera("GET", f"/upcoming?scope=studio&cancelled=true&{MAY}")[1]["items"]
    assert [one["start"] for one in with_off if one["cancelled"]] == ["2026-05-12T16:30:00-05:00"]
    newer = confirmed(house, SOCCER | {"title": "Soccer practice"})
    assert house.bob("POST", f"/entities/{series.ref}/supersede", {"by": newer.ref})[0] == 200
    assert len(house.vera("GET", f"/upcoming?scope=studio&{MAY}")[1]["items"]) == 7
    text = b"".join(export(house.scope, Access(), format="ics")).decode()
    assert text.count("BEGIN:VEVENT") == 3 and text.count(f"UID:{newer.ref}@countersign") == 3
