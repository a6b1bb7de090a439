"""Label lines and typed list items, as people write them in minutes and notes."""

import pytest

from tests.extraction.reading import decided, quotes, read

AROUND = "# Weekly call\n\nWe spoke about the pump.\n\n{}\n\nThen lunch.\n"

DECISIONS = [
    "RESOLUTION: buy the pump",
    "RESOLVED: buy the pump",
    "RESOLVED that buy the pump",
    "Resolution #3: buy the pump",
    "Resolution 3 - buy the pump",
    "Decision — buy the pump",
    "DECISION => buy the pump",
    "Consensus: buy the pump",
    "Decision taken: buy the pump",
    "**Decision:** buy the pump",
    "**Decision**: buy the pump",
    "__Decision__: buy the pump",
    "*Agreed:* buy the pump",
    "***Resolution #1: buy the pump***",
    "> ***Resolution #1: buy the pump***\n{: #resolution1 .resolution}",
    "> > RESOLUTION: buy the pump",
    "- Decision: buy the pump",
    "- [Decision] buy the pump",
    "* **[DECISION]** buy the pump",
    "1. Resolution: buy the pump",
    "• Decision: buy the pump",
    "<strong>RESOLUTION:</strong> buy the pump",
    "<p class='resolution'><strong>RESOLUTION</strong>: buy the pump</p>",
    "<li><b>Decision</b> buy the pump</li>",
    "<ann> RESOLUTION: buy the pump",
    "[14:02] <ann> RESOLUTION: buy the pump",
    "**Ann Lee:** RESOLUTION: buy the pump",
    "#agreed buy the pump (ann, 14:02:11)",
    "[RESOLUTION: buy the pump]",
    "Decision on pumps: buy the pump",
    "Decision：buy the pump",
]


@pytest.mark.parametrize("line", DECISIONS)
def test_a_labelled_decision_is_one_hit_with_exactly_its_words(line: str) -> None:
    text = AROUND.format(line)
    assert decided(text) == [("decision", "buy the pump")]
    assert all(hit.explicit for hit in read(text))


ACTIONS = [
    ("ACTION: Rob to call the plumber", "Rob to call the plumber", "Rob"),
    ("AI: Rob Hale to call the plumber", "Rob Hale to call the plumber", "Rob Hale"),
    ("AI(RH): call the plumber", "call the plumber", "RH"),
    ("AI[rob]: call the plumber", "call the plumber", "rob"),
    ("AI Dan: I'll call the plumber", "I'll call the plumber", "Dan"),
    ("TODO(Ann Lee): call the plumber", "call the plumber", "Ann Lee"),
    ("Action item (Ben, JF): call the plumber", "call the plumber", "Ben, JF"),
    ("Action for Bob: call the plumber", "call the plumber", "Bob"),
    ("> ***Action #1: call the plumber (Rob Hale)***", "call the plumber", "Rob Hale"),
    ("**Action #12:** call the plumber (which may also fix the tap) (Rob)", "call the plumber (which may also fix the tap)", "Rob"),
    ("*Action item*: Brad and Ann to call the plumber", "Brad and Ann to call the plumber", "Brad and Ann"),
    ("ACTION: Bob, Ann and Jo Ek to call", "Bob, Ann and Jo Ek to call", "Bob, Ann and Jo Ek"),
    ("- [ ] ACTION: @rob call the plumber", "call the plumber", "rob"),
    ("ACTION: call the plumber", "call the plumber", ""),
    ("ACTION: add the tap to the list (soon)", "add the tap to the list (soon)", ""),
    ("ACTION-12: - Rob to call [on Rob Hale - due 2026-06-01].", "Rob to call", "Rob Hale"),
    ("ACTION: Rob to call [recorded in http://example.org/min#action01]", "Rob to call", "Rob"),
    ("Ann: hello\nrob: hi\n\nACTION: rob to call", "rob to call", "rob"),
    ("<ann> ACTION: I will call the plumber", "I will call the plumber", "ann"),
    ("ACTION Rob to call the plumber", "Rob to call the plumber", "Rob"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "quote", "owner"), ACTIONS)
def test_an_action_has_its_words_and_its_owner(line: str, quote: str, owner: str) -> None:
    text = AROUND.format(line)
    (hit,) = read(text)
    assert (hit.kind, quotes(text, [hit])[0], hit.assignee) == ("action_item", quote, owner)
    assert isinstance(hit.value, dict) and hit.value["task"] == hit.statement
    assert hit.value.get("assignee", "") == owner


def test_a_date_in_an_action_is_when_it_is_due() -> None:
    (hit,) = read("ACTION: Rob to call by 3 June 2026")
    assert hit.value == {"task": "Rob to call by 3 June 2026", "assignee": "Rob", "due": "2026-06-03"}


NOTHING = [
    "PROPOSED: buy the pump",
    "PROPOSED RESOLUTION: buy the pump",
    "**Proposed resolution: buy the pump** *(Ann)*",
    "> *Ann:* DRAFT PROPOSAL: buy the pump",
    "Draft resolution: buy the pump",
    "Resolution (proposed): buy the pump",
    "Tentative decision: buy the pump",
    "POLL: buy the pump",
    "Straw poll: buy the pump",
    "Consensus poll: buy the pump?",
    "Vote: buy the pump",
    "No decision: we wait",
    "Resolution: none",
    "Decision: no decision was made",
    "Conclusion: no conclusion reached.",
    "Decision: TBD",
    "Decision: should we buy the pump?",
    "**consensus:** yep, let us",
    "Action items: None, first meeting!",
    "AI (in chat): the pump is loud",
    "AI: is the pump loud?",
    "The decision: whether to buy the pump",
    "Decision making is hard: ask anyone",
    "Decision needed: which pump",
    "Actions speak louder than words",
    "Agreed, let us go on",
    "Resolution 1024x768: fine",
    "Resolution: https://example.org/thread/12",
    "[Decision](https://example.org/1)",
    "`RESOLUTION: buy the pump`",
    "```\nRESOLUTION: buy the pump\n```",
    "~~~ text\nRESOLUTION: buy the pump\n~~~",
    "<!-- RESOLUTION: buy the pump -->",
    "ACTION ITEMS",
    "ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION",
    "Action: failed",
    "Decision: to be decided next week",
    "Decision: postponed to the next meeting",
    "Ann said: it is a decision for the board",
]


@pytest.mark.parametrize("line", NOTHING)
def test_what_was_not_decided_gives_no_decision(line: str) -> None:
    assert decided(AROUND.format(line)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "RESOLUTION: accept the minutes of the last\nmeeting as they are\n\nNext",
            ["accept the minutes of the last\nmeeting as they are"],
        ),
        (
            "- ACTION: Rob to write up what was said\n  about the pump\n- Other",
            ["Rob to write up what was said\n  about the pump"],
        ),
        ("RESOLUTION: buy it\nAnn: good\n", ["buy it"]),
        ("RESOLUTION: buy it  \nand more", ["buy it"]),
        ("> RESOLUTION: buy it\nnot quoted", ["buy it"]),
        ("RESOLUTION: buy it\n> *Rob:* fine", ["buy it"]),
        ("**RESOLUTION: buy it\nnow** said Ann", ["buy it\nnow** said Ann"]),
        ("RESOLUTION: buy it\nACTION: Rob to pay", ["buy it", "Rob to pay"]),
        ("Decisions:\n\n- buy it\n- paint it\n  red\n\nThen lunch", ["buy it", "paint it\n  red"]),
        ("**Decision**\n\nWe buy it.\n\nThen lunch", ["We buy it."]),
        ("Actions:\n1. Rob: pay\n2. none", ["Rob: pay"]),
        ("- Decisions\n- other", []),
        ("Next steps: Rob to pay\n", ["Rob to pay"]),
        ("Next steps:\n\n- Rob to pay\n- Is it enough?\n", ["Rob to pay"]),
        ("Beschluss: Wir nehmen die Pumpe.\nAufgabe: Anna ruft an.", ["Wir nehmen die Pumpe.", "Anna ruft an."]),
    ],
)
def test_words_reach_as_far_as_they_were_wrapped(text: str, found: list[str]) -> None:
    assert [quote for _, quote in decided(text)] == found


def test_other_kinds_are_labelled_the_same_way() -> None:
    text = "Constraint: no network\n- [Requirement] max weight: 4.8 kg\nPreference: dark\nFact: water boils at 100 °C"
    hits = read(text)
    assert [(hit.kind, hit.key) for hit in hits] == [
        ("constraint", ""),
        ("requirement", "max-weight"),
        ("preference", ""),
        ("fact", ""),
    ]
    assert hits[1].value == {"number": 4.8, "unit": "kg"}
    assert [hit.anchored for hit in hits] == [True, True, False, True]


def test_initials_that_speak_in_the_chat_label_no_action() -> None:
    text = "AI (in chat): I can't hear you\n\nROB: and now?\n\nAI: yes, go on\n\nAI(Rob): buy a microphone\n"
    assert decided(text) == [("action_item", "buy a microphone")]
    assert decided("ROB: hm\n\nAI: buy a microphone\n") == [("action_item", "buy a microphone")]


def test_what_a_message_only_quotes_was_said_by_someone_else() -> None:
    text = "I agree.\n\nOn Monday Ann wrote:\n> RESOLUTION: buy the pump\n> fine\n\nDecision: sell it"
    assert decided(text, kind="message") == [("decision", "sell it")]
    assert decided(text) == [("decision", "sell it")]
    assert decided("> RESOLUTION: buy the pump") == [("decision", "buy the pump")]


def test_a_key_or_a_subject_beside_the_label() -> None:
    (by_key,) = read("Decision (db.engine): use files")
    (by_subject,) = read("- Decision on ports: use 8080")
    assert (by_key.key, by_key.topic) == ("db.engine", "")
    assert (by_subject.key, by_subject.topic) == ("", "ports")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[ACTION - Lee] - Add the glossary", [("Add the glossary", "Lee")]),
        ("(AI: Paul) Blog post about the move", [("Blog post about the move", "Paul")]),
        ("AI Bo to check the rent", [("Bo to check the rent", "Bo")]),
        ("AI Agents to watch in 2026\n\n**AI**\n\n- models", []),
        ("- 618: ACTION: merge the drawing", [("merge the drawing", "")]),
        ("**Action:**\n\nEric and Ning will draft the abstract.", [("Eric and Ning will draft the abstract.", "Eric and Ning")]),
        (
            "## Action items\n- Ann:\n  - write the note\n  - call the hall\n- Sweep (@lee)\n    * soon",
            [("write the note", "Ann"), ("call the hall", "Ann"), ("Sweep (@lee)\n    * soon", "lee")],
        ),
    ],
)  # fmt: skip
def test_owners_stand_inside_a_label_above_a_list_and_in_brackets(text: str, found: list[tuple[str, str]]) -> None:
    hits = [hit for hit in read(text) if hit.kind == "action_item"]
    assert list(zip(quotes(text, hits), [hit.assignee for hit in hits], strict=True)) == found


def test_resolutions_in_solemn_form() -> None:
    assert decided("BE IT RESOLVED, that the fee is 5 EUR.") == [("decision", "the fee is 5 EUR.")]
    assert decided("Verdict: YES, with the change of names.") == [("decision", "YES, with the change of names.")]


def told(text: str) -> list[tuple[str, str]]:
    """What is found of a text, with whose it is."""
    return [(hit.statement, hit.assignee) for hit in read(text)]


LISTS = [
    "* Action points\n    * send the bill\n    * Ann: find the key\n* Next point\n    * nothing of it\n",
    "1. Open action items:\n   - send the bill\n   - Ann: find the key\n",
    "Action items\n- send the bill\n- Ann: find the key\n",
    "<h2>Action items</h2>\n<ul>\n  <li>send the bill</li>\n  <li>Ann: find the key</li>\n</ul>\n",
    "<h2>Action items</h2><ul class='x'><li>send the bill</li><li>Ann: find the key</li></ul>\n",
    "## Action items\n### Spring\n- send the bill\n\n### Summer\n- Ann: find the key\n",
]


@pytest.mark.parametrize("text", LISTS)
def test_a_list_below_a_label_or_a_title_without_more_is_its_own(text: str) -> None:
    assert told(text) == [("send the bill", ""), ("Ann: find the key", "Ann")]


def test_headings_below_a_title_of_actions_name_whose_they_are() -> None:
    text = "Present: Ann Lee, Bo Lund\n\n## Action items\n### Ann\n- send the bill\n\n### Topics\n- find the key\n"
    assert told(text) == [("send the bill", "Ann"), ("find the key", "")]


def test_headings_below_the_actions_of_a_handbook_are_its_own() -> None:
    assert told("### Actions\n\n#### Set-up\n- Press the button and wait.\n") == []


@pytest.mark.parametrize("mark", ["ACTION", "**ACTION**"])
def test_each_label_of_a_line_has_its_own_words(mark: str) -> None:
    text = f"- {mark}: Ann to call the plumber; {mark}: Bo to find the key\n"
    assert told(text) == [("Ann to call the plumber", "Ann"), ("Bo to find the key", "Bo")]


@pytest.mark.parametrize(
    ("line", "task"),
    [
        (
            "- TODO update https://example.org/pull/5 to the new glue",
            "update https://example.org/pull/5 to the new glue",
        ),
        ("ACTION ALL: read the charter", "read the charter"),
        ("* ACTION ITEM--book the hall", "book the hall"),
        ("* Ann\n\n  * call the plumber\n", "call the plumber"),
    ],
)
def test_actions_in_rarer_shapes(line: str, task: str) -> None:
    heading = "## Action items\n\n" if line.startswith("* Ann") else ""
    assert [statement for statement, _ in told(heading + line + "\n")] == [task]


def test_who_is_told_below_a_label_alone_on_its_line_owns_it() -> None:
    text = "**Action Item**\nGroup leaders should list who came. More is to say.\n"
    assert [assignee for _, assignee in told(text)] == ["Group leaders"]
    assert told("**Action Item**\nThis was discussed at length.\n") == []


@pytest.mark.parametrize("label", ["Conclusion:", "**RESOLVED:**", "**Resolved**", "Consensus:"])
def test_a_bare_answer_decides_the_question_above_it(label: str) -> None:
    text = f"* Should we paint the door red?\n    * {label} No.\n"
    assert [hit.statement for hit in read(text)] == ["Should we paint the door red? No."]
    assert quotes(text, read(text)) == ["No."]


@pytest.mark.parametrize(
    "above", ["Ann: shall we paint it?", "We talked of paint.", "May we?\n\none\n\ntwo\n\nthree\n\nfour\n\n"]
)
def test_an_answer_to_nobody_s_question_decides_nothing(above: str) -> None:
    assert read(f"{above}\nConclusion: yes\n") == []
