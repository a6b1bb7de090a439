"""What came of it: outcomes rest on the right words, tactics are credited by the rule, and both logs say it again (C8 to C11)."""

import pytest

from ledger.actions.credit import rebuild_utility
from ledger.actions.dispute import dispute, recheck
from ledger.actions.merge import merge
from ledger.models import Claim, Exposure, Source, Utility
from ledger.reads.standing import standing_of
from ledger.rules.credit import Standing
from tests.people import candidate, tell
from tests.review.door import OPERATOR, House
from tests.review.recalling import ALICE, context, hold, refs
from tests.review.screen import Screen


@pytest.fixture
def glue(house: House) -> list[Claim]:
    """Five tactics of topics of their own, the likeliest first."""
    texts = [
        "Glue the frame with the blue glue",
        "Clamp the frame before the glue",
        "Sand the frame first",
        "Wet the frame",
    ]
    return [hold(house.scope, text, kind="tactic", topic=text[:4]) for text in [*texts, "Paint the frame last"]]


def show(house: House, conversation: str) -> list[str]:
    body = context(house.agent, query="glue the frame with blue glue", conversation=conversation, kinds=["tactic"])
    return refs(body["items"])


def report(house: House, conversation: str, type: str, by: str | None = None) -> int:
    body = {"scope": "studio", "conversation": conversation, "type": type}
    if by:
        source = tell(house.scope, ALICE, "it holds" if by == "user" else f"exit code 0 {conversation}", by=by)
        body |= {"evidence": {"source": source.pk, "start": 0, "end": 5}}
    return house.agent("POST", "/outcomes", body)[0]


def counts() -> dict[str, tuple[int, int]]:
    return {row.claim.ref: (row.wins, row.losses) for row in Utility.objects.select_related("claim")}


# Evidence of an outcome


@pytest.mark.parametrize(
    ("type", "speaker", "status"),
    [
        ("tool_success", "tool", 201),
        ("tool_failure", "tool", 201),
        ("user_confirmed_helpful", "user", 201),
        ("user_corrected", "user", 201),
        ("tool_success", "user", 422),
        ("tool_failure", "agent", 422),
        ("user_confirmed_helpful", "tool", 422),
        ("user_corrected", "agent", 422),
        ("user_corrected", "document", 422),
    ],
)
def test_an_outcome_rests_on_words_of_whom_it_speaks_of(house: House, type: str, speaker: str, status: int) -> None:
    source = tell(house.scope, ALICE, "it holds now", by=speaker)
    said = {
        "scope": "studio",
        "conversation": "c",
        "type": type,
        "evidence": {"source": source.pk, "quote": "it holds"},
    }
    answered, body = house.agent("POST", "/outcomes", said)
    assert answered == status
    assert status == 201 or body["errors"][0]["field"] == "evidence"


# Utility


def test_the_first_tactics_of_a_pack_are_credited_once_each(house: House, glue: list[Claim]) -> None:
    shown = show(house, "c1")
    assert len(shown) == 4 and glue[0].ref in shown
    assert report(house, "c1", "tool_success", "tool") == 201
    assert counts() == dict.fromkeys(shown[:3], (1, 0))
    report(house, "c1", "user_confirmed_helpful", "user")
    assert counts() == dict.fromkeys(shown[:3], (1, 0)), "one conversation is one win"
    report(house, "c1", "user_corrected", "user")
    assert counts() == dict.fromkeys(shown[:3], (1, 1))
    assert rebuild_utility(check=True) == (3, 0)


def test_nothing_earns_credit_that_is_not_anchored_or_came_too_late(house: House, glue: list[Claim]) -> None:
    show(house, "c1")
    report(house, "c1", "tool_success")
    assert counts() == {}
    report(house, "c2", "tool_success", "tool")
    show(house, "c2")
    report(house, "c2", "tool_failure", "tool")
    for channel in ("search", "explicit_read", "check"):
        body = {"scope": "studio", "refs": [glue[0].ref], "conversation": "c3", "channel": channel}
        assert house.agent("POST", "/exposures", body)[0] == 201
    report(house, "c3", "tool_success", "tool")
    assert counts() == {}


def test_only_tactics_are_credited(house: House, glue: list[Claim]) -> None:
    fact = hold(house.scope, "The frame holds glue")
    context(house.agent, query="glue the frame", conversation="c1")
    report(house, "c1", "tool_success", "tool")
    assert fact.ref not in counts() and counts()
    body = house.agent("GET", f"/entities/{fact.ref}")[1]
    assert body["utility"] is None and 0 < body["truth"] < 1


def test_what_worked_comes_first(house: House, glue: list[Claim]) -> None:
    one, other = (hold(house.scope, f"Varnish the oar {when}", kind="tactic", topic=when) for when in ("early", "late"))

    def order() -> list[str]:
        return refs(context(house.agent, query="varnish the oar", kinds=["tactic"])["items"])

    assert set(order()) >= {one.ref, other.ref}
    for ref, conversation, type in ((one.ref, "a", "tool_success"), (other.ref, "b", "tool_failure")):
        Exposure.objects.create(
            scope=house.scope, refs=[ref], channel="auto_pack", shown_to="scribe", conversation=conversation
        )
        report(house, conversation, type, "tool")
    assert order().index(one.ref) < order().index(other.ref)
    item = next(item for item in context(house.agent, query="varnish")["items"] if item["ref"] == one.ref)
    assert item["scores"]["utility"] == pytest.approx(2 / 3, abs=1e-3)


def test_the_logs_say_it_again(house: House, glue: list[Claim]) -> None:
    show(house, "c1")
    report(house, "c1", "tool_failure", "tool")
    before = counts()
    Utility.objects.filter(claim__ref=next(iter(before))).update(wins=7)
    Utility.objects.create(claim=next(claim for claim in glue if claim.ref not in before), wins=1)
    assert rebuild_utility(check=True) == (3, 2)
    rebuild_utility()
    assert counts() == before and rebuild_utility(check=True) == (3, 0)


# Truth


def test_truth_rises_with_evidence_and_falls_with_what_objects(house: House) -> None:
    claim = hold(house.scope, "The frame is oak")

    def truth() -> float:
        return house.agent("GET", f"/entities/{claim.ref}")[1]["truth"]

    alone = truth()
    same = candidate(house.scope, ALICE, "Oak is what the frame is", by="tool")
    merge(same, into=claim, actor=ALICE)
    supported = truth()
    assert alone < supported
    no = tell(house.scope, ALICE, "the frame is pine", by="tool")
    claim.refresh_from_db()
    dispute(claim, source=no, quote="the frame is pine", actor=OPERATOR)
    assert truth() < supported
    claim.refresh_from_db()
    recheck(claim, actor=OPERATOR)
    assert truth() == supported


def test_an_agent_s_word_supports_nothing(house: House) -> None:
    claim = hold(house.scope, "The frame is ash")
    before = standing_of([claim])[claim.pk]
    again = Source.objects.get(evidence__claim=claim).text
    for said, by in ((again, "user"), ("The frame is ash, I think", "agent")):
        merge(candidate(house.scope, ALICE, f"{said}!", by=by), into=claim, actor=ALICE)
    after = standing_of([claim])[claim.pk]
    assert after.support["agent"] == 1 and after.support["user"] == before.support["user"] + 1
    assert after.truth == Standing("fact", {"user": after.support["user"]}).truth


def test_figures_are_explained_in_words(house: House, glue: list[Claim]) -> None:
    show(house, "c1")
    report(house, "c1", "tool_success", "tool")
    body = house.agent("GET", f"/entities/{glue[0].ref}/credit")[1]
    assert (body["wins"], body["losses"], body["utility"], body["shown"]) == (1, 0, 0.6667, {"auto_pack": 1})
    assert "1 went well and 0 badly" in " ".join(body["words"])
    words = Screen("vera").open(f"/entities/{glue[0].ref}").text
    assert "How it stands" in words and "1 went well and 0 badly. Utility 0.67" in words
    assert house.agent("GET", f"/entities/{candidate(house.scope, ALICE, 'Wet').ref}/credit")[0] == 404


# The logs


def test_the_logs_are_lists_of_what_their_reader_sees(house: House, glue: list[Claim]) -> None:
    for n in range(5):
        shown = show(house, f"c{n}")
        report(house, f"c{n}", "tool_success", "tool")
    rows = house.agent.pages("/exposures?scope=studio")
    assert [row["conversation"] for row in rows] == ["c4", "c3", "c2", "c1", "c0"]
    assert rows[0]["refs"] == shown and rows[0]["channel"] == "auto_pack"
    assert [row["id"] for row in house.vera.pages("/outcomes?scope=studio&conversation=c2&type=tool_success")] != []
    assert len(house.agent("GET", f"/exposures?scope=studio&ref={shown[0]}&count=true")[1]["items"]) == 5
    assert house.agent("GET", "/exposures?scope=studio&channel=search")[1]["items"] == []
    assert house.charlie("GET", "/exposures")[1]["items"] == house.charlie("GET", "/outcomes")[1]["items"] == []
    for path in ("/exposures", "/outcomes"):
        assert house.agent("GET", f"{path}?scope=kitchen")[0] == house.charlie("GET", f"{path}?scope=studio")[0] == 404
    for wrong, field in (("channel=telepathy", "channel"), ("cursor=x", "cursor"), ("limit=0", "limit"), ("x=1", "x")):
        status, body = house.agent("GET", f"/exposures?scope=studio&{wrong}")
        assert (status, body["errors"][0]["field"]) == (422, field)
    assert house.agent("GET", "/outcomes?scope=studio&type=luck")[1]["errors"][0]["field"] == "type"
