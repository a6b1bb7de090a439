"""One search over everything, the list of sources, and proposing what a source says."""

import pytest

from ledger.actions.decide import reject
from ledger.actions.promote import promote
from ledger.actor import operator
from ledger.models import Claim, JournalEvent, Person, Source
from tests.people import candidate, tell
from tests.review.door import House
from tests.review.screen import Screen

OPERATOR = operator("Alice")


@pytest.fixture
def bob(house: House) -> Screen:
    return Screen("bob")


def links(screen: Screen) -> list[str]:
    return [attrs["href"] for _, attrs in screen.page.elements if "data-found" in attrs]


def test_it_finds_what_was_said_what_waits_what_holds_and_what_was_refused(house: House, bob: Screen) -> None:
    told = tell(house.scope, OPERATOR, "Somebody said the heron sleeps at noon.", sender="Heidi")
    waits = candidate(house.scope, OPERATOR, "The heron waits")
    holds = candidate(house.scope, OPERATOR, "The heron holds")
    promote(holds, actor=OPERATOR)
    refused = candidate(house.scope, OPERATOR, "The heron was a joke")
    reject(refused, actor=OPERATOR)
    Person.objects.create(scope=house.scope, name="Heron Miller", role="guardian")
    bob.open("/search?q=heron")
    found = links(bob)
    assert {f"/candidates/{claim.ref}" for claim in (waits, holds, refused)} <= set(found)
    assert any(link.startswith(f"/sources/{told.pk}?from=") and link.endswith("#sought") for link in found)
    assert any("sender=Heron+Miller" in link for link in found)
    assert "rejected" in bob.page.text


def test_what_is_found_is_lit_at_its_place(house: House, bob: Screen) -> None:
    text = "One line.\n" + "Nothing much. " * 40 + "The heron sleeps at noon."
    told = tell(house.scope, OPERATOR, text)
    bob.open("/search?q=heron+noon")
    (link,) = [link for link in links(bob) if link.startswith(f"/sources/{told.pk}?")]
    bob.open(link)
    assert bob.page.shows("id", "sought")
    assert bob.page.text.count("The heron sleeps at noon.") == 1


def test_what_says_all_that_was_asked_comes_before_what_says_a_part(house: House, bob: Screen) -> None:
    part = candidate(house.scope, OPERATOR, "The heron holds")
    promote(part, actor=OPERATOR)
    told = tell(house.scope, OPERATOR, "They mend the herons' ladder at noon.")
    bob.open("/search?q=heron+ladder")
    said, *others = [link for link in links(bob) if "/sources/" in link or "/candidates/" in link]
    assert said.startswith(f"/sources/{told.pk}?") and f"/candidates/{part.ref}" in others
    bob.open("/search?q=heron")
    assert links(bob)[0] == f"/candidates/{part.ref}"


def test_a_ref_a_page_and_a_scope_are_found_by_name(house: House, bob: Screen) -> None:
    claim = candidate(house.scope, OPERATOR, "The heron waits")
    bob.open(f"/search?q={claim.ref.lower()}")
    assert links(bob)[0] == f"/candidates/{claim.ref}"
    bob.open("/search?q=jour")
    assert "/journal" in links(bob)
    bob.open("/search?q=backdrop")
    assert "/scopes/studio/backdrop" in links(bob)
    bob.open("/search?q=user")
    assert "/admin/auth/user/onboard/" not in links(bob)


@pytest.mark.parametrize("q", ["", "%00", "%ED%A0%80", "'\"%)--", "<script>", "the", "x" * 2000, "🦢"])
def test_any_words_are_answered(house: House, bob: Screen, q: str) -> None:
    bob.open(f"/search?q={q}")
    assert bob.status == 200
    bob.open(f"/sources?q={q}")
    assert bob.status in (200, 422)


def test_nothing_out_of_sight_is_found(house: House) -> None:
    candidate(house.elsewhere, OPERATOR, "The heron is secret")
    tell(house.elsewhere, OPERATOR, "A secret heron spoke")
    Person.objects.create(scope=house.elsewhere, name="Heron Secret")
    vera = Screen("vera")
    page = vera.open("/search?q=heron")
    assert links(vera) == []
    assert "secret" not in page.text.casefold().replace("secret heron", "")
    assert "secret" not in vera.open("/sources").text.casefold()


def test_the_list_of_sources_narrows_and_pages(house: House, bob: Screen) -> None:
    for at in range(60):
        tell(house.scope, OPERATOR, f"Word number {at}", sender="Heidi" if at % 2 else "Igor")
    candidate(house.scope, OPERATOR, "The heron waits")
    bob.open("/sources?sender=Heidi")
    assert bob.page.text.count("Word number") == 30
    bob.open("/sources?cited=yes")
    assert "Word number" not in bob.page.text
    assert "heron" in bob.page.text
    first = bob.open("/sources")
    (more,) = [attrs["href"] for tag, attrs in first.elements if tag == "a" and "cursor=" in attrs.get("href", "")]
    assert first.text.count("Word number") + bob.open(more).text.count("Word number") == 60
    assert bob.open("/sources?kind=nonsense").text.count("Kind:") == 1
    assert bob.status == 422


def test_marked_words_become_a_candidate_that_cites_them(house: House, bob: Screen) -> None:
    told = tell(house.scope, OPERATOR, "Well. 👍 max weight = 4.8 kg, said the carpenter.")
    start = told.text.index("max")
    page = bob.open(f"/sources/{told.pk}/propose?start={start}&end={start + 19}")
    (form,) = [form for form in page.forms if form.action.endswith("/propose")]
    assert form.fields["kind"] == ["fact"]
    assert form.fields["key"] == ["max-weight"]
    assert form.fields["value"] == ["4.8 kg"]
    bob.press("send-proposal")
    claim = Claim.objects.get(statement="max weight = 4.8 kg")
    (evidence,) = claim.evidence.all()
    assert (evidence.source_id, evidence.start, evidence.end) == (told.pk, start, start + 19)
    assert (claim.key, claim.value, claim.hand_authored) == ("max-weight", {"number": 4.8, "unit": "kg"}, True)
    event = JournalEvent.objects.get(ref=claim.ref, verb="propose")
    assert (event.actor_name, event.door) == ("bob", "screen")
    bob.press("undo")
    claim.refresh_from_db()
    assert claim.status == "withdrawn"


def test_words_copied_in_are_looked_for(house: House, bob: Screen) -> None:
    told = tell(house.scope, OPERATOR, "We decided to use oak.\r\nThe rest is open.")
    assert bob.open(f"/sources/{told.pk}").shows("data-action", "find-words")
    assert bob.open(f"/sources/{told.pk}/propose").shows("data-action", "find-words")
    bob.open(f"/sources/{told.pk}/propose?quote=we+decided+to+use+oak.")
    (form,) = [form for form in bob.page.forms if "statement" in form.fields]
    assert form.fields["kind"] == ["decision"]
    assert bob.open(f"/sources/{told.pk}/propose?quote=nobody+said+this").text.count("does not say") == 1
    assert bob.status == 422


def test_what_is_known_is_suggested_and_said_again(house: House, bob: Screen) -> None:
    known = candidate(house.scope, OPERATOR, "The heron sleeps at noon", kind="fact", key="heron-sleep")
    told = tell(house.scope, OPERATOR, "The heron sleeps at noon, I saw it.")
    page = bob.open(f"/sources/{told.pk}/propose?start=0&end=24")
    assert f"{known.ref} says much the same" in page.text
    (form,) = [form for form in page.forms if "statement" in form.fields]
    assert form.fields["key"] == ["heron-sleep"]
    bob.press("send-proposal")
    assert "says this already" in bob.page.text
    assert known.evidence.count() == 2


def test_wrong_input_names_the_field_and_keeps_what_was_typed(house: House, bob: Screen) -> None:
    told = tell(house.scope, OPERATOR, "The heron sleeps at noon.")
    bob.open(f"/sources/{told.pk}/propose?start=0&end=10")
    page = bob.press("send-proposal", key="k" * 300, statement="Mine")
    assert bob.status == 422
    assert "Key:" in page.text
    (form,) = [form for form in page.forms if "statement" in form.fields]
    assert form.fields["statement"] == ["Mine"]
    for place in ("start=5&end=2", "start=0&end=99999", "start=x&end=4", "start=-1&end=4"):
        bob.open(f"/sources/{told.pk}/propose?{place}")
        assert bob.status == 422
    assert not Source.objects.filter(kind="note").exists()


def test_an_agents_words_anchor_no_norm(house: House, bob: Screen) -> None:
    told = tell(house.scope, OPERATOR, "We decided to use oak.", by="agent")
    page = bob.open(f"/sources/{told.pk}/propose?start=0&end=22")
    options = [attrs["value"] for tag, attrs in page.elements if tag == "option"]
    assert "decision" not in options
    assert "fact" in options


def test_a_viewer_reads_and_proposes_nothing(house: House) -> None:
    told = tell(house.scope, OPERATOR, "The heron sleeps at noon.")
    vera = Screen("vera")
    assert not vera.open(f"/sources/{told.pk}").shows("data-action", "find-words")
    vera.open(f"/sources/{told.pk}/propose?start=0&end=10")
    assert vera.status == 403
