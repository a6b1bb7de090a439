"""Who sees which screen and who finds which button. What happens to those who press it anyway stands in tests/matrix."""

import pytest

from ledger.actions.curate import curate
from ledger.actions.promote import promote
from ledger.actor import demo, operator
from ledger.models import Claim, Conflict, Run
from review.models import AgentToken
from tests.people import ROLES, candidate, quote_of, say, tell
from tests.review.door import House
from tests.review.screen import Page, Screen

OPERATOR = operator("Alice")
SEES = ("vera", "bob", "carol", "alice")
REVIEWS = ("bob", "carol", "alice")
CURATES = ("carol", "alice")
OWNS = ("alice",)


@pytest.fixture
def rows(house: House) -> dict[str, object]:
    """One of everything a screen can show, in the studio."""
    waiting = candidate(house.scope, OPERATOR, "Panel two is ash", key="door")
    held = candidate(house.scope, OPERATOR, "Panel one is oak", key="panel")
    rival = candidate(house.scope, OPERATOR, "Panel one is pine", key="panel")
    promoted = promote(held, actor=OPERATOR)
    promote(rival, actor=OPERATOR)
    trusted = curate(house.scope, "door", actor=demo("Carol"), statement="Locked at ten")
    source = held.evidence.get().source
    run = Run.objects.create(
        scope=house.scope, source=source, input_hash=source.sha256, extractor="rules", extractor_version="1",
        status="failed", error="the disk was full",
    )  # fmt: skip
    return {
        "waiting": waiting.ref, "held": held.ref, "source": source.pk, "run": run.pk, "event": promoted.pk,
        "conflict": Conflict.objects.get().pk, "trusted": trusted.ref,
    }  # fmt: skip


PAGES = [
    "/candidates/{waiting}", "/candidates/{held}", "/entities/{held}", "/sources/{source}", "/runs/{run}",
    "/scopes/studio", "/scopes/studio?tab=people", "/state?scope=studio", "/?scope=studio", "/entities?scope=studio",
    "/conflicts?scope=studio",
    "/runs?scope=studio", "/state/{trusted}", "/journal?scope=studio",
]  # fmt: skip
LISTS = ["/", "/entities", "/state", "/conflicts", "/runs", "/scopes", "/journal", "/tokens", "/help"]


def test_pages_of_a_scope_are_open_to_its_members_and_not_there_for_others(
    house: House, rows: dict[str, object]
) -> None:
    for name in (None, *ROLES):
        client = Screen(name).client
        for page in PAGES:
            path = page.format(**rows)
            response = client.get(path)
            if name is None:
                assert (response.status_code, response["Location"][:7]) == (302, "/login/"), path
            else:
                assert response.status_code == (200 if name in SEES else 404), (name, path)


def test_lists_open_for_everybody_signed_in_and_show_nothing_foreign(house: House, rows: dict[str, object]) -> None:
    for name in (None, *ROLES):
        client = Screen(name).client
        for path in LISTS:
            response = client.get(path)
            assert response.status_code == (302 if name is None else 200), (name, path)
            if name == "charlie":
                body = response.content.decode()
                assert "Panel" not in body and "studio" not in body and "Locked at ten" not in body, path


@pytest.mark.parametrize("name", SEES)
def test_buttons_stand_only_where_the_role_may_press_them(house: House, rows: dict[str, object], name: str) -> None:
    screen = Screen(name)
    found = {page: actions_on(screen.open(page.format(**rows))) for page in PAGES}
    decides = {"promote", "reject", "defer", "edit", "merge"}
    assert (decides <= found["/candidates/{waiting}"]) == (name in REVIEWS)
    assert (decides <= found["/?scope=studio"]) == (name in REVIEWS)
    assert ("archive" in found["/entities/{held}"]) == (name in REVIEWS)
    assert ("undo" in found["/journal?scope=studio"]) == (name in REVIEWS)
    assert ("resolve" in found["/conflicts?scope=studio"]) == (name in REVIEWS)
    assert ("retry" in found["/runs/{run}"]) == (name in REVIEWS)
    assert ({"curate", "retract"} <= found["/state?scope=studio"]) == (name in CURATES)
    assert ("add-member" in found["/scopes/studio?tab=people"]) == (name in OWNS)
    if name == "vera":
        # To read a source and to keep a view of one's own changes nothing that others see.
        assert set().union(*found.values()) <= {"source", "keep-view"}, found


def actions_on(page: Page) -> set[str]:
    return {attrs["data-action"] for _, attrs in page.elements if "data-action" in attrs}


def test_a_batch_touches_nothing_out_of_sight(house: House) -> None:
    foreign = candidate(house.elsewhere, OPERATOR, "The kettle is new")
    screen = Screen("bob")
    candidate(house.scope, OPERATOR, "Panel one")
    screen.open("/")
    page = screen.press("promote-selected", refs=[foreign.ref])
    assert Claim.objects.get(pk=foreign.pk).status == "pending"
    assert "kettle" not in page.text


def test_evidence_from_out_of_sight_is_withheld(house: House) -> None:
    secret = tell(house.elsewhere, OPERATOR, "the combination is 4711")
    answer = say(house.scope, OPERATOR, "The safe has a combination", told=secret)
    assert answer.claim is not None and quote_of(secret)
    screen = Screen("vera")
    for path in ("/", f"/candidates/{answer.claim.ref}"):
        page = screen.open(path)
        assert "Withheld" in page.text and "4711" not in page.text
    assert Screen("vera").client.get(f"/sources/{secret.pk}").status_code == 404


def test_nobody_may_make_more_of_a_token_than_they_are(house: House) -> None:
    bob = Screen("bob")
    bob.open("/tokens")
    page = bob.press("make-token", name="mine", kind="user", scopes=["studio"], grants=["administer"])
    assert bob.status == 403 and "Copy it now" not in page.text
    page = bob.press("make-token", name="mine", kind="agent", scopes=["studio"], grants=["read"])
    assert bob.status == 403 and "Copy it now" not in page.text


def test_nobody_else_sees_or_revokes_my_token(house: House) -> None:
    token = AgentToken.objects.get(name="bob")
    carol = Screen("carol")
    assert token.prefix not in carol.open("/tokens").text
    carol.client.handler.enforce_csrf_checks = False
    carol.client.post(f"/tokens/{token.pk}/revoke")
    token.refresh_from_db()
    assert token.revoked_at is None
