"""Tidying up: likely duplicates, what could hold above, what could be archived; by API and by screen (C14, C15)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.credit import credit
from ledger.actions.load_pack import load_pack
from ledger.actions.logs import expose
from ledger.actions.promote import promote
from ledger.actions.scope import update_scope
from ledger.models import Claim, JournalEvent, Outcome, Scope, Tier
from tests.people import make_scope, say, tell
from tests.review.door import OPERATOR, House
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)


def claimed(scope: Scope, words: str, *, holds: bool = True, **more: object) -> Claim:
    claim = say(scope, OPERATOR, words, **more).claim
    assert claim is not None
    if holds:
        promote(claim, actor=OPERATOR)
    claim.refresh_from_db()
    return claim


def listed(house: House, name: str, scope: str = "") -> list[tuple[str, str]]:
    status, found = house.alice("GET", f"/scope/tidying?scope={scope or house.scope.path}")
    assert status == 200, found
    return [(one["ref"], one["why"]) for one in found[name]]


def test_near_duplicates_are_proposed_and_nothing_that_differs(house: House) -> None:
    held = claimed(house.scope, "We will use oak boards for the long bench")
    waits = claimed(house.scope, "We will use planed oak boards for the long bench", holds=False)
    for other in ("We will use 3 oak boards for the long bench", "We will not use oak boards for the long bench"):
        claimed(house.scope, other, holds=False)
    status, found = house.bob("GET", f"/scope/tidying?scope={house.scope.path}")
    [one] = found["merge"]
    assert status == 200 and (one["ref"], one["into"]) == (waits.ref, held.ref) and 0.8 < one["likeness"] < 1
    body = {"into": one["into"], "version": one["version"]}
    assert house.bob("POST", f"/candidates/{waits.ref}/merge", body)[0] == 200
    assert listed(house, "merge") == []


def test_the_lists_cost_the_same_however_many_there_are(house: House) -> None:
    counts = []
    for word in ("oak", "elm"):
        claimed(house.scope, f"We will use {word} boards for the long bench")
        claimed(house.scope, f"We will use planed {word} boards for the long bench", holds=False)
        with CaptureQueriesContext(connection) as queries:
            listed(house, "merge")
        counts.append(len(queries))
    assert counts[1] <= counts[0]


def test_a_users_words_and_wins_in_several_scopes_point_further(house: House) -> None:
    beside = make_scope("lab/annex", tier=Tier.ITEM, parent=house.scope)
    told = tell(house.child, OPERATOR, "Always run the linter first. This applies across my repos.")
    said = claimed(house.child, "Always run the linter first", kind="preference", told=told)
    claimed(house.child, "Never run it twice", kind="preference")
    won = []
    for scope in (house.child, beside):
        tactic = claimed(scope, "Warm the cache before the tests", kind="tactic")
        won.append(tactic)
        expose(scope, [tactic.ref], channel="auto_pack", actor=OPERATOR, conversation="run")
        assert said.ref in dict(listed(house, "widen", house.child.path))
        assert won[0].ref not in dict(listed(house, "widen", house.child.path))
        credit(Outcome(scope=scope, conversation="run", type="tool_success", reported_by="x"))
        assert won[0].ref not in dict(listed(house, "widen", house.child.path)), "nothing anchors that it went well"
        ended = tell(scope, OPERATOR, "All tests passed", by="tool")
        credit(Outcome(scope=scope, conversation="run", type="tool_success", source=ended, reported_by="x"))
    found = dict(listed(house, "widen", house.child.path))
    assert set(found) == {said.ref, won[0].ref}
    assert "across my repos" in found[said.ref] and "2 scopes" in found[won[0].ref]
    assert house.agent("GET", f"/scope/tidying?scope={house.child.path}")[1]["above"] == house.scope.path


def test_a_screen_merges_widens_and_archives(house: House) -> None:
    alice = Screen("alice")
    address = f"/tidy/{house.child.path}"
    assert "Nothing says the same twice" in alice.open(address).text
    load_pack(b'[pack]\nname = "brief"\nversion = "1"\n[compaction]\nunseen_days = 0\n', file="brief.toml")
    update_scope(house.child, actor=OPERATOR, changes={"packs": ["brief"]})
    kept = claimed(house.child, "The <b>bench</b> stands in the long hall")
    other = claimed(house.child, "The <b>bench</b> stands safely in the long hall")
    told = tell(house.child, OPERATOR, "Label every drawer. Do it in all projects.")
    wide = claimed(house.child, "Label every drawer", told=told)
    alice.open(address)
    assert "<b>bench</b>" not in alice.response.content.decode()
    alice.press("merge")
    other.refresh_from_db()
    assert (other.status, other.successor_id) == ("merged", kept.pk)
    assert "waits in" in alice.press("widen").text
    above = Claim.objects.get(scope=house.scope)
    assert (above.statement, above.status) == (wide.statement, "pending") and wide.ref in above.summary
    assert "archived" in alice.press("archive").text
    # What was merged rests on two sources now, and stays.
    assert set(Claim.objects.filter(status="archived")) == {wide}
    batch = JournalEvent.objects.get(verb="archive").batch
    assert house.alice("POST", f"/journal/batch/{batch}/undo")[0] == 200
    wide.refresh_from_db()
    assert wide.status == "active"


def test_only_owners_archive_there(house: House) -> None:
    bob = Screen("bob")
    assert "No longer of use" not in bob.open(f"/tidy/{house.child.path}").text
    sent = {"action": "archive", "csrfmiddlewaretoken": bob.client.cookies["csrftoken"].value}
    assert bob.client.post(f"/tidy/{house.child.path}", sent).status_code == 403
