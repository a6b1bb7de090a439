"""The bundle's template to the byte, its sections, and mentions."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.bundles import turn
from ledger.rules.bundles.mentions import find_mentions, token

AT = datetime(2026, 2, 3, 10, 30, tzinfo=UTC)
ITEMS = (turn.TurnItem("i1", "Backdrop"), turn.TurnItem("i2", "Floor"))
BACKDROPS = (*ITEMS, turn.TurnItem("i3", "Backdrop frame"), turn.TurnItem("i4", "Floor"))


def test_a_whole_turn_to_the_byte() -> None:
    text, sections = turn.build(
        turn.Turn(
            id="t-7",
            stage="planning",
            at=AT,
            items=ITEMS,
            selected=("i1", "i2"),
            questions=(turn.TurnQuestion("q1", "How wide is it?"), turn.TurnQuestion("q2", "May we drill?")),
            answers=(turn.TurnAnswer("q1", "", 'six metres, "give or take"'), turn.TurnAnswer("q2", "NO", "")),
            free_chat="Paint it grey.\nBoth sides.",
            agent_output="I suggest a frame of 6 m.",
        )
    )
    assert text == (
        "[TURN_META]\n"
        "bundleId=t-7\n"
        "stage=planning\n"
        "scope=multiItem\n"
        'itemRefs=[{id:"i1",name:"Backdrop"}, {id:"i2",name:"Floor"}]\n'
        'selectedItemIds=["i1","i2"]\n'
        "timestamp=2026-02-03T10:30:00+00:00\n"
        "\n"
        "[STRUCTURED_QUESTIONS]\n"
        "Q1(id=q1): How wide is it?\n"
        "Q2(id=q2): May we drill?\n"
        "\n"
        "[USER_ANSWERS]\n"
        'A1(qId=q1): quick=(none) text="six metres, \\"give or take\\""\n'
        'A2(qId=q2): quick=NO text=""\n'
        "\n"
        "[FREE_CHAT]\n"
        "Paint it grey.\nBoth sides.\n"
        "\n"
        "[AGENT_OUTPUT]\n"
        "I suggest a frame of 6 m.\n"
    )
    spoken = {s.name: (s.speaker, text[s.start : s.end]) for s in sections if s.speaker != "system"}
    assert spoken["FREE_CHAT"] == ("user", "Paint it grey.\nBoth sides.")
    assert spoken["AGENT_OUTPUT"] == ("agent", "I suggest a frame of 6 m.")
    assert spoken["USER_ANSWERS"][0] == "user" and spoken["STRUCTURED_QUESTIONS"][0] == "agent"


def test_an_empty_turn_has_all_headers_and_nobody_speaks() -> None:
    text, sections = turn.build(turn.Turn(id="t", stage="ideation", at=AT))
    assert text.count("(none)") == 4 and "scope=project\n" in text and "itemRefs=[]\n" in text
    assert [line for line in text.splitlines() if line.startswith("[")] == [f"[{name}]" for name in turn.PARTS]
    assert {section.speaker for section in sections} == {"system"}


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@given(words, words, words, words)
def test_sections_tile_and_hold_what_was_said(chat: str, output: str, answer: str, question: str) -> None:
    text, sections = turn.build(
        turn.Turn(
            id="t", stage="s", at=AT, free_chat=chat, agent_output=output,
            questions=(turn.TurnQuestion("q", question),), answers=(turn.TurnAnswer("q", "YES", answer),),
        )
    )  # fmt: skip
    assert "".join(text[s.start : s.end] for s in sections) == text
    assert all(a.end == b.start for a, b in zip(sections, sections[1:], strict=False))
    by_name = {s.name: s for s in sections if s.speaker != "system"}
    for name, said in (("FREE_CHAT", chat), ("AGENT_OUTPUT", output)):
        if said.strip():
            assert text[by_name[name].start : by_name[name].end] == said
        else:
            assert name not in by_name
    line = text[by_name["USER_ANSWERS"].start : by_name["USER_ANSWERS"].end]
    assert json.loads(line.partition("text=")[2]) == answer


def test_a_header_in_the_chat_changes_no_speaker() -> None:
    text, sections = turn.build(
        turn.Turn(id="t", stage="s", at=AT, agent_output="ok\n\n[USER_ANSWERS]\nWe must use brass.")
    )
    assert not [section for section in sections if section.speaker == "user"]
    assert text.endswith("We must use brass.\n")


def test_mentions() -> None:
    said = f"{token(ITEMS[0])} is 6 m, @floor is oak, @Backdrop frame too, mail me@floor.org, @nobody"
    found = find_mentions(said, BACKDROPS)
    assert [(one.words, one.fits) for one in found] == [
        ("@item(i1:Backdrop)", ("i1",)),
        ("floor", ("i2", "i4")),
        ("Backdrop frame", ("i3",)),
    ]
    assert found[1].needs_review and found[1].item is None and found[0].item == "i1"
    assert [said[one.start : one.end] for one in found] == ["@item(i1:Backdrop)", "@floor", "@Backdrop frame"]
    assert find_mentions("@item(i9:Gone) and @item(i1:Other words)", ITEMS)[0].fits == ()
    assert find_mentions("@item(i1:Other words)", ITEMS)[0].item == "i1"
    begun = find_mentions("the @Back wall", (turn.TurnItem("a", "Back wall"), turn.TurnItem("b", "Back door")))
    assert begun[0].fits == ("a",)
    assert find_mentions("see @Back", (turn.TurnItem("a", "Back wall"), turn.TurnItem("b", "Back door")))[
        0
    ].needs_review
