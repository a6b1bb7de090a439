"""The queue on the screen: snoozing, views, filters as addresses, floods, what changed under a proposal, and cheap polling."""

import datetime as dt
import re
import zoneinfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from extraction.runs.sweep import wake_deferred
from ledger.actions.curate import curate
from ledger.actions.decide import defer, expire, reject
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.tally import tally
from ledger.actions.undo import undo
from ledger.actor import demo, operator
from ledger.errors import Invalid
from ledger.models import Claim, Conflict, JournalEvent, Run, Scope
from ledger.reads.claims import claim_rows
from review.desk.filters import Filters
from review.desk.staleness import staleness_of
from review.models import Reservation, SavedView
from review.screens.verbs import back_at
from tests.aged import make_old
from tests.people import candidate, quote_of, tell
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")
NOON = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)  # a Wednesday
DAY = dt.timedelta(days=1)


def flood(scope: Scope, count: int = 12) -> list[Claim]:
    lines = [f"Shelf {n} may hold paint" for n in range(count)]
    source = tell(scope, OPERATOR, "\n".join(lines), by="document", title="Attic <b>list</b>")
    drafts = [
        Draft(kind="fact", statement=one, quotes=(quote_of(source, one),), confidence=0.3, rule="maybe.holds")
        for one in lines
    ]
    return [answer.claim for answer in propose_all(drafts, scope=scope, actor=OPERATOR) if answer.claim]


@pytest.mark.parametrize(
    ("pause", "day", "zone", "expected"),
    [
        ("tomorrow", "", "UTC", "2026-03-05T08:00:00+00:00"),
        ("day", "", "UTC", "2026-03-05T08:00:00+00:00"),
        ("monday", "", "UTC", "2026-03-09T08:00:00+00:00"),
        ("week", "", "Europe/Berlin", "2026-03-11T07:00:00+00:00"),
        ("month", "", "UTC", "2026-04-03T08:00:00+00:00"),
        ("week", "2026-03-06", "UTC", "2026-03-06T08:00:00+00:00"),
        # In Auckland it is the fifth already.
        ("tomorrow", "", "Pacific/Auckland", "2026-03-05T19:00:00+00:00"),
    ],
)
def test_until_when(pause: str, day: str, zone: str, expected: str) -> None:
    found = back_at(pause, day, zone, now=NOON)
    assert found is not None and found.astimezone(dt.UTC).isoformat() == expected


def test_for_good_and_what_is_no_time() -> None:
    assert back_at("", "", "UTC") is None
    assert back_at("monday", "", "UTC", now=dt.datetime(2026, 3, 9, 1, tzinfo=dt.UTC)) == dt.datetime(
        2026, 3, 16, 8, tzinfo=zoneinfo.ZoneInfo("UTC")
    )
    for pause, day in (("year", ""), ("", "2026-03-04"), ("", "2026-02-30"), ("", "soon"), ("", "2020-01-01")):
        with pytest.raises(Invalid) as refused:
            back_at(pause, day, "UTC", now=NOON)
        assert refused.value.field == "until"


def test_a_card_is_put_off_until_a_day_listed_and_comes_back(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    screen = Screen("bob")
    screen.open("/")
    day = (timezone.now() + 3 * DAY).date()
    page = screen.press("defer", until_day=day.isoformat())
    claim.refresh_from_db()
    assert claim.status == "deferred" and claim.deferred_until.date() == day
    assert "The queue is empty" in page.text and "1 snoozed" in page.text and "the next of them until" in page.text
    page = screen.open("/?status=deferred")
    assert page.shows("data-row", claim.ref) and re.search(r"back\s+in [23]\sdays", page.text)
    assert "1 snoozed" in page.text
    Claim.objects.filter(pk=claim.pk).update(deferred_until=timezone.now() - DAY)
    wake_deferred()
    assert screen.open("/").card() == claim.ref


def test_the_plain_key_puts_off_for_a_week(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    screen = Screen("bob")
    screen.open("/")
    screen.press("defer")
    claim.refresh_from_db()
    assert 6 * DAY < claim.deferred_until - timezone.now() < 8 * DAY


def test_what_is_put_off_for_good_has_a_list_of_its_own(house: House) -> None:
    for_good, back = (candidate(house.scope, OPERATOR, f"Frame {n} is oak") for n in range(2))
    defer(for_good, actor=OPERATOR)
    defer(back, actor=OPERATOR, until=timezone.now() + DAY)
    page = Screen("bob").open("/?status=deferred")
    assert page.shows("data-row", back.ref) and not page.shows("data-row", for_good.ref)
    assert "1 put off for good" in page.text
    page = Screen("bob").open("/?status=deferred&put_off=good")
    assert page.shows("data-row", for_good.ref) and not page.shows("data-row", back.ref)


def test_a_flood_is_one_row_that_opens_as_a_view_to_decide_over(house: House) -> None:
    strong = candidate(house.scope, OPERATOR, "The hull is sound", confidence=0.9)
    rows = flood(house.scope)
    screen = Screen("bob")
    page = screen.open("/")
    assert page.card() == strong.ref and "9 more of rule maybe.holds in" in " ".join(page.text.split())
    assert "Attic <b>list</b>" in page.text and not page.shows("data-row", rows[5].ref)
    (link,) = [a["href"] for tag, a in page.elements if tag == "a" and "rule=maybe.holds" in a.get("href", "")]
    page = screen.open(link)
    assert {a["data-row"] for _, a in page.elements if "data-row" in a} == {row.ref for row in rows}
    screen.press("reject-selected", refs=[row.ref for row in rows])
    assert set(Claim.objects.filter(pk__in=[r.pk for r in rows]).values_list("status", flat=True)) == {"rejected"}


def test_filters_of_the_api_are_filters_of_the_screen(house: House) -> None:
    one = candidate(house.scope, OPERATOR, "The frame is oak", confidence=0.9, rule="line.label", needs_review=True)
    other = candidate(house.scope, OPERATOR, "I like tea", kind="preference", confidence=0.5)
    make_old(other, 9 * DAY)
    source = one.evidence.get().source_id
    screen = Screen("bob")
    for query, found in {
        "layer=memory": [other], "layer=entity": [one], "rule=line.label": [one], "min_confidence=0.8": [one],
        "needs_review=yes": [one], "older=week": [other], f"source={source}": [one], "run=1": [], "wave=1": [],
        "order=newest": [other, one], "order=best&kind=preference": [other], "q=oak": [one],
    }.items():  # fmt: skip
        page = screen.open("/?" + query)
        assert [a["data-row"] for _, a in page.elements if "data-row" in a] == [row.ref for row in found], query
    for wrong in ("run=x", "min_confidence=2", "min_confidence=nan", "older=year", "layer=top", "source=" + "9" * 30):
        screen.open("/?" + wrong)
        assert screen.status == 422, wrong


def test_an_empty_list_says_why(house: House) -> None:
    screen = Screen("bob")
    assert "The queue is empty" in screen.open("/").text
    for n in range(3):
        candidate(house.scope, OPERATOR, f"Frame {n} is oak")
    text = " ".join(screen.open("/?kind=decision").text.split())
    assert "they hide 3 that wait" in text
    assert "Ask what holds, and why" not in text
    assert "Ask what holds, and why" in " ".join(screen.open("/?wave=1").text.split())
    text = " ".join(screen.open("/?q=zebra&scope=studio").text.split())
    assert "Searched for “zebra” in keys, topics and statements of studio and below" in text
    bob = User.objects.get(username="carol")
    for claim in Claim.objects.all():
        Reservation.objects.create(claim=claim, user=bob, until=timezone.now() + dt.timedelta(seconds=80))
    assert "Others are reading what is left" in screen.open("/").text


def test_a_reference_is_gone_to_at_once(house: House) -> None:
    candidate(house.scope, OPERATOR, "Frame one is oak")
    wanted = candidate(house.scope, OPERATOR, "Frame two is ash")
    assert Screen("bob").open(f"/?q={wanted.ref.lower()}").card() == wanted.ref


def test_views_are_kept_shared_opened_and_deleted(house: House) -> None:
    for n in range(2):
        candidate(house.scope, OPERATOR, f"Frame {n} is oak")
    screen = Screen("bob")
    screen.open("/?scope=studio&kind=fact&order=age")
    screen.press("keep-view", name="  Old\n <i>facts</i> ", shared="yes", opens="yes")
    view = SavedView.objects.get()
    assert (view.name, view.shared, view.opens) == ("Old <i>facts</i>", True, True)
    assert Filters.read({"scope": "studio", "kind": "fact", "order": "age"}).query() == view.query
    assert "Old <i>facts</i>" in screen.page.text and b"<i>facts" not in screen.response.content
    assert screen.open("/").shows("aria-current", "page")
    assert screen.response.request["QUERY_STRING"] == view.query
    assert screen.client.get("/").status_code == 302
    assert "Old <i>facts</i>" in Screen("vera").open("/").text and "of bob" in Screen("vera").open("/").text
    assert "facts" not in Screen("charlie").open("/").text
    other = Screen("vera")
    other.open("/")
    token = other.client.cookies["csrftoken"].value
    for action in ("delete", "open"):
        sent = {"action": action, "view": view.pk, "csrfmiddlewaretoken": token}
        assert other.client.post("/views", sent).status_code == 404
    screen.press("open-plain")
    assert screen.client.get("/").status_code == 200
    screen.press("delete-view")
    assert not SavedView.objects.exists()


def test_a_name_is_kept_once_and_sharing_needs_a_scope(house: House) -> None:
    screen = Screen("bob")
    for query in ("kind=fact", "kind=decision"):
        screen.open("/?" + query)
        screen.press("keep-view", name="Mine")
    assert SavedView.objects.get().query == "kind=decision"
    screen.open("/?kind=fact")
    screen.press("keep-view", name="Ours", shared="yes")
    assert screen.status == 422 and SavedView.objects.count() == 1
    screen.open("/")
    screen.press("keep-view", name="   ")
    assert screen.status == 422


def since(claim: Claim) -> list[tuple[str, str]]:
    return [(one.what, one.ref) for one in staleness_of([claim_rows().get(pk=claim.pk)]).get(claim.pk, ())]


def test_a_proposal_tells_what_changed_under_it(house: House) -> None:
    scope = house.scope
    source = ingest([Incoming("The mast weighs 5 kg", external_id="mast")], scope=scope, actor=OPERATOR)[0].source
    claim = candidate(scope, OPERATOR, "The mast weighs 5 kg", key="mast", value=5, told=source)
    assert since(claim) == []
    rival = candidate(scope, OPERATOR, "The mast weighs 4 kg", key="mast", value=4)
    promote(rival, actor=OPERATOR)
    assert since(claim) == [("holds", rival.ref)]
    curate(scope, "mast", actor=demo("Carol"), value=9)
    newer = ingest([Incoming("The mast weighs 6 kg", external_id="mast")], scope=scope, actor=OPERATOR)[0].source
    assert newer.replaces_id == source.pk
    Claim.objects.filter(pk=claim.pk).update(expires_at=timezone.now() + DAY)
    make_old(claim, 40 * DAY)
    found = since(claim)
    assert [what for what, _ in found] == ["trusted", "holds", "source", "expires", "old"]
    assert ("source", str(newer.pk)) in found
    page = Screen("bob").open("/")
    text = " ".join(page.text.split())
    assert page.card() == claim.ref and "trusted since" in text
    assert "became the trusted value of this key" in text and "Its source was replaced" in text
    promote(Claim.objects.get(pk=claim.pk), actor=OPERATOR)
    assert since(claim) == []


def test_a_key_that_left_the_packs_and_a_newer_reader(house: House) -> None:
    scope = house.scope
    claim = candidate(
        scope, OPERATOR, "The mast weighs 5 kg", key="mast", value=5, extractor="rules", extractor_version="1+a"
    )
    source = claim.evidence.get().source
    for version in ("1+a", "2+b"):
        Run.objects.create(
            scope=scope,
            source=source,
            input_hash=version,
            extractor="rules",
            extractor_version=version,
            status="succeeded",
        )
    assert since(claim) == [("version", "2+b")]
    Scope.objects.filter(pk=scope.pk).update(packs=["production"])
    assert ("key", "mast") in since(claim)


def test_staleness_takes_the_same_queries_for_one_and_for_many(house: House) -> None:
    counts = []
    for n in range(12):
        candidate(house.scope if n % 2 else house.child, OPERATOR, f"Mast {n} is oak", key=f"mast{n}")
        rows = list(claim_rows().filter(status="pending"))
        with CaptureQueriesContext(connection) as queries:
            staleness_of(rows)
        counts.append(len(queries))
    assert counts == [2] * 12
    with CaptureQueriesContext(connection) as queries:
        assert staleness_of([]) == {}
    assert len(queries) == 0


def poll(screen: Screen, path: str, tag: str = ""):
    with CaptureQueriesContext(connection) as queries:
        answer = screen.client.get(path, headers={"HX-Request": "true", **({"If-None-Match": tag} if tag else {})})
    return answer, [query["sql"] for query in queries.captured_queries]


def test_a_question_that_finds_nothing_new_costs_one_statement_beside_the_session(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    screen = Screen("bob")
    screen.open("/")
    for path in (f"/live?open={claim.ref}&mine={claim.ref}", "/pulse"):
        first, _ = poll(screen, path)
        assert first.status_code == 200
        again, statements = poll(screen, path, first["ETag"])
        assert again.status_code == 304 and len(statements) == 3, statements
        other = candidate(house.child, OPERATOR, f"Another thing waits for {path[1:5]}")
        news, _ = poll(screen, path, first["ETag"])
        assert news.status_code == 200 and other.ref.encode() in news.content or path == "/pulse"


def test_what_happens_elsewhere_changes_nothing_here(house: House) -> None:
    candidate(house.scope, OPERATOR, "The frame is oak")
    screen = Screen("bob")
    first, _ = poll(screen, "/live")
    candidate(house.elsewhere, OPERATOR, "Jam is sweet")
    second, statements = poll(screen, "/live", first["ETag"])
    assert second.status_code == 304 and len(statements) > 3
    third, statements = poll(screen, "/live", second["ETag"])
    assert third.status_code == 304 and len(statements) == 3


def test_polling_keeps_what_lies_on_the_desk_and_others_see_it(house: House) -> None:
    claim = candidate(house.scope, OPERATOR, "The frame is oak")
    bob, carol = Screen("bob"), Screen("carol")
    bob.open("/")
    seen, _ = poll(carol, "/live")
    assert b"read by" in seen.content
    soon = timezone.now() + dt.timedelta(seconds=5)
    Reservation.objects.update(until=soon)
    path = f"/live?mine={claim.ref}"
    first, _ = poll(bob, path)
    Reservation.objects.update(until=soon)
    again, _ = poll(bob, path, first["ETag"])
    assert again.status_code == 304 and Reservation.objects.get().until > soon + dt.timedelta(seconds=30)
    Reservation.objects.update(until=timezone.now() - DAY)
    poll(bob, path, first["ETag"])
    assert Reservation.objects.get().until > timezone.now()


def test_the_head_of_every_page_tells_the_flow_and_what_is_being_read(house: House) -> None:
    for n in range(3):
        candidate(house.scope, OPERATOR, f"Frame {n} is oak")
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
    tally()
    for path in ("/", "/entities", "/runs", "/journal"):
        page = Screen("bob").open(path)
        text = " ".join(page.text.split())
        assert "3 waiting" in text and "in 24 h 3 came, 0 left" in text, path
    assert any(attrs.get("class") == "day" for _, attrs in page.elements)


def test_an_empty_list_says_where_the_rest_of_its_scope_is(house: House) -> None:
    gone, late, later, waits, beside = (candidate(house.scope, OPERATOR, f"Frame {n} is oak") for n in range(5))
    reject(gone, actor=OPERATOR)
    expire(late, actor=OPERATOR)
    defer(later, actor=OPERATOR, until=timezone.now() + DAY)
    expire(candidate(house.child, OPERATOR, "Frame below is oak"), actor=OPERATOR)
    bob = Screen("bob")
    page = bob.open("/?scope=studio&kind=event")
    links = {attrs["href"] for tag, attrs in page.elements if tag == "a" and "scope=studio" in attrs.get("href", "")}
    assert {f"/?status={status}&scope=studio" for status in ("expired", "deferred", "rejected")} <= links
    assert "/?order=best&scope=studio" in links
    text = " ".join(page.text.split())
    assert "2 hidden by the filters" in text and "2 expired" in text and "1 snoozed" in text and "1 rejected" in text
    assert "1 expired" in " ".join(bob.open("/?scope=studio/backdrop").text.split())
    assert "expired before" not in " ".join(Screen("charlie").open("/").text.split())
    assert {waits.status, beside.status} == {"pending"}


def test_the_list_says_which_of_how_many_and_what_was_decided_today(house: House) -> None:
    for n in range(30):
        candidate(house.scope, OPERATOR, f"Frame {n} is oak")
    bob = Screen("bob")
    assert "1 of 30 · 0 decided today" in " ".join(bob.open("/").text.split())
    page = bob.press("promote")
    assert "1 of 29 · 1 decided today" in " ".join(page.text.split())
    assert "· 0 decided today" in " ".join(Screen("carol").open("/").text.split())
    assert "more than 25" in " ".join(bob.open("/?kind=fact").text.split())


def test_readings_that_held_something_back_are_listed(house: House) -> None:
    told = tell(house.scope, OPERATOR, "Nothing much")
    for held in (0, 3):
        Run.objects.create(
            scope=house.scope, source=told, input_hash=told.sha256, extractor="rules", extractor_version=str(held),
            status="succeeded", stats={"held_back": held},
        )  # fmt: skip
    bob = Screen("bob")
    assert sum(tag == "tr" for tag, _ in bob.open("/runs").elements) == 3
    assert sum(tag == "tr" for tag, _ in bob.open("/runs?held=yes").elements) == 2


def test_the_scopes_say_how_much_waits_in_each(house: House) -> None:
    for n in range(3):
        candidate(house.scope, OPERATOR, f"Frame {n} is oak")
    candidate(house.child, OPERATOR, "Frame below is oak")
    for wood in ("oak", "ash"):
        promote(candidate(house.child, OPERATOR, f"The loom is {wood}", key="loom"), actor=OPERATOR)
    text = " ".join(Screen("vera").open("/scopes").text.split())
    assert "3 waiting" in text and "1 waiting" in text and "1 conflict" in text
    assert "kitchen" not in text


def test_a_settled_conflict_leads_back_to_where_it_was_opened(house: House) -> None:
    bob = Screen("bob")
    for weight in (4, 5):
        claim = candidate(house.scope, OPERATOR, f"The mast weighs {weight} kg", key="mast", value=weight)
        promote(claim, actor=OPERATOR)
    found = Conflict.objects.get()
    listed = bob.open(f"/conflicts?scope={house.scope.path}&order=age")
    assert any(f"back=/conflicts%3Fscope%3D{house.scope.path}" in attrs.get("href", "") for _, attrs in listed.elements)
    bob.open(f"/conflicts/{found.pk}?back=/%3Fscope%3D{house.scope.path}%26kind%3Dfact")
    bob.press("dismiss")
    assert bob.response.redirect_chain[-1][0] == f"/?scope={house.scope.path}&kind=fact"  # type: ignore[attr-defined]
    undo(JournalEvent.objects.get(verb="dismiss"), actor=OPERATOR)
    bob.open(f"/conflicts/{found.pk}?back=https://elsewhere.example/")
    bob.press("dismiss")
    assert bob.response.redirect_chain[-1][0] == "/conflicts"  # type: ignore[attr-defined]
