"""Entities over HTTP: lists, history, why, each decision about them, and who may take it."""

import hashlib

import pytest
from django.contrib.auth.models import User
from django.db import connection

from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.models import Claim, Member, Run, Source
from review.tokens import create_token
from tests.people import candidate, tell
from tests.review.door import OPERATOR, Door, House


def holding(house: House, statement: str = "The frame is steel", **more) -> Claim:
    claim = candidate(house.scope, OPERATOR, statement, **more)
    promote(claim, actor=OPERATOR)
    claim.refresh_from_db()
    return claim


def test_the_list_shows_what_holds(house):
    claims = [holding(house, f"Panel {n} is {n} mm thick") for n in range(3)]
    waiting = candidate(house.scope, OPERATOR, "A lamp")
    assert [e["id"] for e in house.vera.pages("/entities")] == [c.pk for c in reversed(claims)]
    house.bob("POST", f"/entities/{claims[0].pk}/archive")
    assert [e["id"] for e in house.vera("GET", "/entities?status=archived")[1]["items"]] == [claims[0].pk]
    assert house.vera("GET", f"/entities/{waiting.pk}")[0] == 404
    assert house.charlie("GET", "/entities")[1]["items"] == []
    shown = house.vera("GET", f"/entities/{claims[1].ref}")[1]
    assert shown.keys() >= {"disputed", "needs_recheck", "supersedes", "superseded_by", "merged", "graduated_to",
                            "valid_from", "valid_to", "downstream", "truth", "utility", "evidence"}  # fmt: skip
    assert not shown.keys() & {"rank", "preview", "anchors_to_choose", "expires_at"}


@pytest.mark.parametrize("length", [5, 30])
def test_a_page_costs_the_same_queries_whatever_its_length(house, django_assert_num_queries, length):
    for n in range(length):
        holding(house, f"Panel {n} is {n} mm thick")
    house.vera("GET", "/entities?limit=1")  # notes, once a minute, that the token is in use
    # Token, roles; the page, its scopes, its evidence, the refs around, the open conflicts, what came of
    # them.
    with django_assert_num_queries(8):
        status, page = house.vera("GET", f"/entities?limit={length}")
    assert status == 200 and len(page["items"]) == length


def test_history_and_why_are_verified_while_they_are_read(house):
    claim = holding(house, "The frame is steel", key="frame")
    status, found = house.vera("GET", f"/entities/{claim.pk}/history")
    assert [event["verb"] for event in found["items"]] == ["propose", "promote"]
    assert found["items"][1]["changes"][0]["after"]["status"] == "active"
    status, chain = house.vera("GET", f"/entities/{claim.ref}/why")
    assert status == 200 and chain["verified"] is True and chain["ref"] == claim.ref
    assert [step["layer"] for step in chain["chain"]] == ["entity", "candidate", "evidence", "source"]
    assert all(step["verified"] for step in chain["chain"])
    entity, proposed, words, source = chain["chain"]
    assert entity["event"]["verb"] == "promote" and proposed["event"]["verb"] == "propose"
    text = Source.objects.get(pk=words["source"]).text
    assert text[words["start"] : words["end"]] == words["quote"] and source["event"]["verb"] == "ingest"
    assert house.vera("GET", f"/why?ref={claim.ref}")[1] == chain
    assert house.charlie("GET", f"/why?ref={claim.ref}")[0] == 404


def test_a_tampered_row_reads_as_not_verified(house):
    claim = holding(house)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_claim SET statement = 'The frame is gold' WHERE id = %s", [claim.pk])
    chain = house.vera("GET", f"/why?ref={claim.ref}")[1]
    assert chain["verified"] is False
    assert [step["verified"] for step in chain["chain"]] == [False, False, True, True]


def test_why_of_a_purged_source_says_redacted(house):
    claim = holding(house)
    source = claim.evidence.get().source
    purge(source, actor=OPERATOR, reason="asked to")
    chain = house.vera("GET", f"/why?ref={claim.ref}")[1]
    assert chain["verified"] is False
    words = [step for step in chain["chain"] if step["layer"] == "evidence"][0]
    assert words["redacted"] is True and words["quote"] is None
    shown = house.vera("GET", f"/entities/{claim.pk}")[1]
    assert shown["statement"] == "" and shown["evidence"][0]["redacted"] is True
    assert house.vera("GET", "/journal/verify")[1]["ok"] is True


def test_what_holds_above_can_be_asked_for_from_below(house):
    user = User.objects.create(username="dora")
    Member.objects.create(scope=house.child, user=user, role="viewer")
    _, secret = create_token(name="dora", kind="user", user=user, scopes=["global"], grants=["read"], actor=OPERATOR)
    dora = Door(secret)
    claim, waiting = holding(house), candidate(house.scope, OPERATOR, "A lamp")
    assert dora("GET", f"/entities/{claim.pk}")[0] == 404
    status, chain = dora("GET", f"/why?ref={claim.ref}")
    assert status == 200 and chain["verified"] is True
    assert [step.get("withheld", False) for step in chain["chain"]] == [False, False, True, True]
    assert dora("GET", f"/why?ref={waiting.ref}")[0] == 404


def test_each_decision_moves_the_row_and_who_may_take_it(house):
    claim = holding(house)
    for path, status in [
        ("archive", "archived"),
        ("restore", "active"),
        ("withdraw", "withdrawn"),
        ("restore", "active"),
    ]:
        for name, code in [("vera", 403), ("agent", 403), ("charlie", 404), ("anonymous", 401)]:
            assert getattr(house, name)("POST", f"/entities/{claim.pk}/{path}", {})[0] == code, (name, path)
        code, made = house.bob("POST", f"/entities/{claim.pk}/{path}", {"reason": "so"})
        assert code == 200 and made["entity"]["status"] == made["candidate"]["status"] == status
        assert made["event"]["verb"] == path and made["event"]["reason"] == "so"
    code, problem = house.bob("POST", f"/entities/{claim.pk}/restore")
    assert (code, problem["type"]) == (409, "bad_transition")
    code, problem = house.bob("POST", f"/entities/{claim.pk}/archive", {"version": 1})
    assert (code, problem["type"], problem["current"]["ref"]) == (409, "stale_version", claim.ref)


def test_supersede_by_another_or_by_new_words(house):
    old, new = holding(house, "The frame is steel"), holding(house, "The frame is oak")
    code, made = house.bob("POST", f"/entities/{old.pk}/supersede", {"by": new.ref})
    assert code == 200 and made["entity"]["superseded_by"] == new.ref
    code, made = house.bob(
        "POST", f"/entities/{new.pk}/supersede", {"statement": "The frame is ash", "reason": "new plan"}
    )
    assert code == 200 and made["entity"]["status"] == "superseded"
    heir = house.bob("GET", f"/entities/{made['entity']['superseded_by']}")[1]
    assert heir["statement"] == "The frame is ash" and heir["evidence"][0]["speaker"] == "user"
    assert house.bob("GET", f"/why?ref={heir['ref']}")[1]["verified"] is True
    undone = house.bob("POST", f"/journal/batch/{made['event']['batch']}/undo")
    assert undone[0] == 200 and Claim.objects.get(pk=new.pk).status == "active"
    assert Claim.objects.get(ref=heir["ref"]).status == "withdrawn"
    for body in ({}, {"by": new.ref, "statement": "x"}):
        assert house.bob("POST", f"/entities/{new.pk}/supersede", body)[0] == 422
    assert house.bob("POST", f"/entities/{new.pk}/supersede", {"by": "nobody"})[0] == 404
    assert house.agent("POST", f"/entities/{new.pk}/supersede", {})[0] == 403


def test_a_memory_graduates_when_its_entity_is_promoted(house):
    memory = holding(house, "I prefer oak", kind="preference")
    code, made = house.bob("POST", f"/entities/{memory.pk}/graduate", {})
    assert code == 200 and made["entity"]["status"] == "active" and made["event"]["verb"] == "graduate"
    code, promoted = house.bob("POST", f"/candidates/{made['graduate']}/promote")
    assert code == 200 and promoted["entity"]["layer"] == "entity"
    assert house.vera("GET", f"/entities/{memory.pk}")[1]["graduated_to"] == made["graduate"]


def test_disputes_flag_and_a_recheck_clears(house):
    claim = holding(house)
    said = tell(house.scope, OPERATOR, "The frame is not steel, it is oak", by="tool")
    body = {"source": said.pk, "quote": "not steel"}
    assert house.vera("POST", f"/entities/{claim.pk}/dispute", body)[0] == 403
    code, made = house.agent("POST", f"/entities/{claim.pk}/dispute", body)
    assert code == 200 and made["entity"]["disputed"] and made["entity"]["needs_recheck"]
    assert [e["stance"] for e in made["entity"]["evidence"]] == ["supports", "opposes"]
    assert house.vera("GET", "/entities?disputed=true")[1]["items"][0]["id"] == claim.pk
    assert house.agent("POST", f"/entities/{claim.pk}/recheck")[0] == 403
    code, made = house.bob("POST", f"/entities/{claim.pk}/recheck")
    assert code == 200 and not made["entity"]["disputed"] and not made["entity"]["needs_recheck"]
    assert house.bob("POST", f"/entities/{claim.pk}/dispute", body | {"quote": "velvet"})[0] == 422
    assert house.bob("POST", f"/entities/{claim.pk}/dispute", body | {"source": 2**70})[0] == 422


def test_what_an_open_conflict_names_reads_as_disputed_until_it_is_settled(house):
    steel, oak = (holding(house, f"The frame is {what}", key="frame") for what in ("steel", "oak"))
    other = holding(house, "The lamp is red", key="lamp")
    shown = {e["id"]: e["disputed"] for e in house.vera("GET", "/entities")[1]["items"]}
    assert shown == {steel.pk: True, oak.pk: True, other.pk: False}
    assert {e["id"] for e in house.vera("GET", "/entities?disputed=true")[1]["items"]} == {steel.pk, oak.pk}
    assert [e["id"] for e in house.vera("GET", "/entities?disputed=false")[1]["items"]] == [other.pk]
    assert not Claim.objects.filter(disputed=True).exists()  # the journal's own column says who objected
    house.bob("POST", f"/entities/{oak.pk}/archive")
    assert not house.vera("GET", f"/entities/{oak.pk}")[1]["disputed"]
    assert not house.vera("GET", f"/entities/{steel.pk}")[1]["disputed"]


def test_re_extract_queues_a_forced_run_of_each_source(house):
    claim = holding(house)
    code, made = house.bob("POST", f"/entities/{claim.pk}/re-extract", {})
    assert code == 200 and made["event"] is None and made["entity"]["id"] == claim.pk
    runs = list(Run.objects.filter(pk__in=made["runs"]))
    assert runs and all(run.forced and run.source_id == claim.evidence.get().source_id for run in runs)
    assert house.bob("POST", f"/entities/{claim.pk}/re-extract", {"extractors": ["nope"]})[0] == 422
    assert house.vera("POST", f"/entities/{claim.pk}/re-extract")[0] == 403


def test_every_quote_is_its_sources_text_at_its_offsets(house):
    text = "\ufeffלום – 👩‍👩‍👧 ‏x‏\r\nThe frame is “steel”.\u200b é e\u0301"
    said = tell(house.scope, OPERATOR, text)
    words = "The frame is “steel”.\u200b é e\u0301"
    body = {"scope": "studio", "kind": "fact", "statement": "steel", "evidence": [{"source": said.pk, "quote": words}]}
    made = house.bob("POST", "/candidates", body)[1]["candidate"]["evidence"][0]
    assert text[made["start"] : made["end"]] == made["quote"] == words
    assert hashlib.sha256(text.encode()).hexdigest() == said.sha256
