"""The calendar on the screen, its feed for calendar programs, and what waits to be written there."""

from django.contrib.auth.models import User
from django.test import Client

from config.logging import scrubbed
from ledger.actions.feed import open_feed
from ledger.actions.propose import Draft, propose
from ledger.models import CalendarFeed, Claim, JournalEvent
from tests.people import quote_of, tell
from tests.review.door import OPERATOR
from tests.review.test_upcoming import SOCCER, confirmed

HOSTILE = "<script>alert(1)</script> chess"


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def waits(house, value, **more) -> Claim:
    source = tell(house.scope, OPERATOR, f"{value['title']} from {value['start']}")
    draft = Draft(kind="event", statement=source.text, quotes=(quote_of(source),), value=value, **more)
    return propose(draft, scope=house.scope, actor=OPERATOR).claim


def test_the_screen_shows_days_changes_and_what_waits(house):
    series = confirmed(house, SOCCER)
    off = {"title": "Soccer", "start": "2026-05-12T16:30:00", "timezone": "America/Chicago", "series": series.ref,
           "recurrence_id": "2026-05-12", "cancelled": True}  # fmt: skip
    confirmed(house, off)
    claim = waits(house, {"title": HOSTILE, "start": "2099-05-05T16:30:00", "rrule": "FREQ=WEEKLY;BYDAY=TU"})
    page = signed_in("alice").get("/calendar?scope=studio&from=2026-05-04").content.decode()
    assert page.count('<strong dir="auto">Soccer</strong>') == 3 and '<s dir="auto">Soccer</s>' in page
    assert "<script>alert" not in page and "every week on Tue" in page and f'data-ref="{claim.ref}"' in page
    assert "Choose a scope" in signed_in("alice").get("/calendar").content.decode()
    assert "Nothing is confirmed" in signed_in("alice").get("/calendar?scope=studio&from=1999-05-04").content.decode()
    form = {"action": "promote", "version": claim.version, "back": "/calendar?scope=studio"}
    assert signed_in("vera").post(f"/candidates/{claim.ref}/decide", form).status_code == 403
    assert signed_in("bob").post(f"/candidates/{claim.ref}/decide", form).status_code == 302
    (done,) = house.vera("GET", "/pending?scope=studio&status=active&limit=1")[1]["items"]
    assert (done["ref"], done["decided_by"], done["recurs"]) == (claim.ref, "bob", "every week on Tue")


def test_only_a_confirmation_writes_and_a_refusal_is_remembered(house):
    value = {"title": "Chess", "people": ["Mia"], "start": "2099-05-05T16:30:00", "timezone": "UTC"}
    claim = waits(house, value)
    (shown,) = house.vera("GET", "/pending?scope=studio")[1]["items"]
    assert (shown["summary"], shown["value"], shown["decided_by"]) == (claim.statement, value, "")
    assert shown["writes"] == "Chess, Tue 2099-05-05 16:30, with Mia"
    in_may = "from=2099-05-01T00:00:00Z&to=2099-06-01T00:00:00Z"
    status, seen = house.vera("GET", f"/upcoming?scope=studio&{in_may}")
    assert status == 200 and seen["items"] == [], seen
    assert house.bob("POST", f"/candidates/{claim.ref}/reject", {})[0] == 200
    (refused,) = house.vera("GET", "/pending?scope=studio&status=rejected")[1]["items"]
    assert refused["decided_by"] == "bob" and house.vera("GET", "/pending?scope=studio")[1]["items"] == []
    source = tell(house.scope, OPERATOR, f"again: {claim.statement}")
    draft = Draft(kind="event", statement=claim.statement, quotes=(quote_of(source),), value=value)
    assert propose(draft, scope=house.scope, actor=OPERATOR).fate == "rejected"
    assert house.vera("GET", "/pending?scope=nowhere")[0] == 404


def test_a_feed_is_read_by_its_address_until_it_is_ended(house):
    confirmed(house, SOCCER)
    status, made = house.alice("POST", "/scope/feeds", {"scope": "studio", "name": "Sarah's phone"})
    token = made["path"].removeprefix("/feeds/").removesuffix(".ics")
    row = CalendarFeed.objects.get()
    assert status == 201 and token not in str(row.__dict__) and made["prefix"] in token
    answer = Client().get(made["path"])
    assert answer.status_code == 200 and b"SUMMARY:Soccer\r\n" in answer.content
    assert answer["Content-Type"].startswith("text/calendar") and answer["Cache-Control"] == "no-store"
    assert "path" not in house.alice("GET", "/scope/feeds?scope=studio")[1]["items"][0]
    assert house.bob("GET", "/scope/feeds?scope=studio")[0] == 403
    assert house.charlie("DELETE", f"/scope/feeds/{row.pk}")[0] == 404
    assert Client().get("/api/v1/scopes", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert house.alice("DELETE", f"/scope/feeds/{row.pk}")[1]["status"] == "ended"
    assert house.alice("DELETE", f"/scope/feeds/{row.pk}")[0] == 409
    assert Client().get(made["path"]).status_code == 404
    assert [one.verb for one in JournalEvent.objects.order_by("id")][-2:] == ["open_feed", "end_feed"]
    assert token not in str(list(JournalEvent.objects.values())) + str(list(house.alice.pages("/journal?scope=studio")))


def test_no_log_holds_the_address_of_a_feed(house):
    _, token = open_feed(house.scope, actor=OPERATOR)
    assert token not in scrubbed(f"Not Found: /feeds/{token}.ics")
    assert token not in str(scrubbed({"path": [f"GET /feeds/{token}.ics HTTP/1.1"]}))


def test_the_screen_makes_and_ends_feeds(house):
    alice = signed_in("alice")
    page = alice.post("/calendar/feeds", {"action": "open", "scope": "studio", "name": "phone"})
    assert page["Cache-Control"] == "no-store" and b"/feeds/cs_feed_" in page.content
    feed = CalendarFeed.objects.get()
    assert b"/feeds/cs_feed_" not in alice.get("/calendar?scope=studio").content
    assert alice.post("/calendar/feeds", {"action": "end", "feed": feed.pk}).status_code == 302
    assert signed_in("bob").post("/calendar/feeds", {"action": "open", "scope": "studio"}).status_code == 403
    assert alice.post("/calendar/feeds", {"action": "open", "scope": "studio", "name": "x" * 101}).status_code == 422
