"""What a claim said in a scope out of sight, or says in one, is told nobody at the other end of its move."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ledger.actions.edit import edit
from ledger.actor import Actor
from ledger.models import Claim, JournalEvent, Member, Scope
from ledger.projections.export import export
from ledger.reads.history import event_rows
from ledger.reads.why import why
from ledger.rules.permissions import Access
from review.api.event_shapes import event_shape
from tests.people import candidate, make_people, make_scope, tell

SECRET = "The vault is under the stairs"


@pytest.fixture
def both(db: None) -> tuple[Scope, Scope, Actor, Actor]:
    """A hall and a vault; one person reviews in both, Bob in the hall alone."""
    hall, vault = make_scope("hall"), make_scope("vault")
    bob = make_people(hall).bob
    keeper = User.objects.create_user("keeper")
    for scope in (hall, vault):
        Member.objects.create(scope=scope, user=keeper, role="reviewer")
    access = Access(roles={"hall": "reviewer", "vault": "reviewer"})
    return hall, vault, replace(bob, name="keeper", user_id=keeper.pk, access=access), bob


def signed_in(actor: Actor) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=actor.name))
    return client


def test_what_was_said_where_it_came_from(both: tuple[Scope, Scope, Actor, Actor]) -> None:
    _, vault, keeper, bob = both
    claim = candidate(vault, keeper, SECRET)
    edit(claim, actor=keeper, changes={"scope": "hall", "statement": "The stairs are steep"})
    chain = why(claim.ref, bob.access).chain
    first = next(link for link in chain if link.layer == "candidate")
    assert first.withheld and first.words is None and first.event is None
    assert why(claim.ref, keeper.access).chain[0].words == SECRET
    for address in (f"/candidates/{claim.ref}", f"/?card={claim.ref}", f"/api/v1/why?ref={claim.ref}"):
        page = signed_in(bob).get(address).content.decode()
        assert "vault" not in page, address


def test_what_is_said_where_it_went(both: tuple[Scope, Scope, Actor, Actor]) -> None:
    hall, _, keeper, bob = both
    claim = candidate(hall, keeper, "The hall has a floor")
    moved = edit(claim, actor=keeper, changes={"scope": "vault", "statement": SECRET})
    page = signed_in(bob).get(f"/journal?ref={claim.ref}").content.decode()
    assert "a scope out of sight" in page and "vault" not in page
    event: JournalEvent = event_rows().get(pk=moved.pk)
    (change,) = event_shape(event, bob.access)["changes"]
    assert (change["before"], change["after"]) == (None, None)
    assert event_shape(event, keeper.access)["changes"][0]["after"]["statement"] == SECRET


def test_places_to_choose_in_a_source_out_of_sight(both: tuple[Scope, Scope, Actor, Actor]) -> None:
    _, vault, keeper, bob = both
    claim = candidate(vault, keeper, "The code is written twice")
    told = tell(vault, keeper, f"{SECRET}. Here. {SECRET}.")
    places = [{"source": told.pk, "start": at, "end": at + len(SECRET)} for at in (0, told.text.rindex(SECRET))]
    Claim.objects.filter(pk=claim.pk).update(anchors_to_choose=places)
    edit(Claim.objects.get(pk=claim.pk), actor=keeper, changes={"scope": "hall"})
    assert "data-place" in signed_in(keeper).get(f"/candidates/{claim.ref}").content.decode()
    page = signed_in(bob).get(f"/candidates/{claim.ref}").content.decode()
    assert claim.ref in page and SECRET not in page


@pytest.mark.parametrize(
    "address",
    [
        "/live?mine=%00",
        "/pulse?mine=a%00b",
        "/state?cites=%00",
        "/state/citable?cites=a%00b",
        "/journal?until=9999-12-31",
    ],
)
def test_what_no_page_can_hold_is_no_crash(both: tuple[Scope, Scope, Actor, Actor], address: str) -> None:
    assert signed_in(both[3]).get(address).status_code in (200, 422)


@pytest.mark.parametrize(
    ("address", "field"),
    [("/state/curate", "cites"), ("/state/retract", "key"), ("/change/hall", "username"), ("/state/citable", "cites")],
)
def test_what_no_column_can_hold_is_refused(both: tuple[Scope, Scope, Actor, Actor], address: str, field: str) -> None:
    alice = Actor("human", "alice", "screen")  # who owns the hall
    form = {"scope": "hall", "key": "k", "statement": "It holds", "action": "member", "role": "viewer", "reason": "so"}
    answer = signed_in(alice).post(address, form | {field: "a\0b"})
    assert answer.status_code in (200, 302, 422)


def test_an_export_tells_nothing_of_the_other_end(both: tuple[Scope, Scope, Actor, Actor]) -> None:
    hall, vault, keeper, bob = both
    came = candidate(vault, keeper, SECRET)
    edit(came, actor=keeper, changes={"scope": "hall", "statement": "The stairs are steep"})
    went = candidate(hall, keeper, "The hall has a floor")
    edit(went, actor=keeper, changes={"scope": "vault", "statement": "The floor is false"})
    told = b"".join(export(hall, bob.access)).decode()
    assert "The stairs are steep" in told
    assert "under the stairs" not in told and "The floor is false" not in told and '"vault"' not in told
    assert "under the stairs" in b"".join(export(hall, keeper.access)).decode()
