"""Lists under titles that say more than one thing, or say it in other words."""

import pytest

from tests.extraction.reading import read

MINUTES = "# Minutes of the choir\n\nPresent: Ann, Bo\n\n"
BOX, TICKED = "- [ ]", "- [x]"


def found(text: str) -> list[tuple[str, str, str]]:
    return [(hit.kind, hit.statement, hit.assignee) for hit in read(text)]


@pytest.mark.parametrize(
    "title",
    [
        "Other actions",
        "Action item(s)",
        "Action items from today",
        "Key next steps",
        "Actions until the next meeting",
        "Topic: Actions",
    ],
)
def test_words_that_say_which_or_until_when_change_no_title(title: str) -> None:
    assert found(f"## {title}\n\n- Ann to mend the gate\n") == [("action_item", "Ann to mend the gate", "Ann")]


@pytest.mark.parametrize(
    "title", ["Next steps for you", "Key decision drivers", "Proposed actions", "New requirements"]
)
def test_other_words_make_another_title(title: str) -> None:
    assert found(f"## {title}\n\n- mend the gate\n") == []


@pytest.mark.parametrize("title", ["Actions/Resolutions", "Decisions and action items", "Puntos acordados"])
def test_an_item_that_is_owned_or_ordered_is_an_action_and_the_others_were_decided(title: str) -> None:
    text = f"{MINUTES}### {title}\n\n- Bo/All: song list\n- Write to the parish\n- The red book\n"
    assert found(text) == [
        ("action_item", "Bo/All: song list", "Bo/All"),
        ("action_item", "Write to the parish", ""),
        ("decision", "The red book", ""),
    ]


def test_of_takeaways_only_tasks_count_and_only_in_minutes() -> None:
    listed = "###Takeaways\n\n* Ann:\n\n    * Mend the gate\n\n* It was cold\n* Ask the parish (Bo)\n"
    assert found(MINUTES + listed) == [("action_item", "Mend the gate", "Ann"), ("action_item", "Ask the parish", "Bo")]
    assert found("# Gates\n\n" + listed) == []


@pytest.mark.parametrize(
    "head",
    ["## Previous action items\n\n", "## Agenda\n\n- Previous action items\n    ", "## Action item review\n\n"],
)
def test_of_what_was_to_be_done_by_now_only_open_boxes_count(head: str) -> None:
    margin = head.rsplit("\n", 1)[1]
    listed = f"\n{margin}".join([f"{BOX} Ann: mend the gate", f"{TICKED} Bo: song list", "- all sang well"])
    assert found(f"{MINUTES}{head}{listed}\n") == [("action_item", "Ann: mend the gate", "Ann")]


def test_a_box_alone_makes_an_item() -> None:
    assert found("## Action items\n\n[ ] mend the gate (Ann)\n[x] song list (Bo)\n") == [
        ("action_item", "mend the gate", "Ann")
    ]


def test_what_is_told_below_an_item_of_nobody_is_told_apart() -> None:
    assert found("## Actions\n\n- The gate\n  - Ann to buy oil\n  - Bo to mend it\n")[1:] == [
        ("action_item", "Ann to buy oil", "Ann"),
        ("action_item", "Bo to mend it", "Bo"),
    ]


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("The gate - Ann to ask the parish", "Ann"),
        ("All Council members will read it", "All Council members"),
        ("The book to be copied (Ann)", "Ann"),
        ("Juan y Ana revisan el libro (Juan y Ana)", "Juan y Ana"),
        ("Let's go over it", ""),
    ],
)
def test_whose_an_item_is(words: str, owner: str) -> None:
    assert [one[2] for one in found(f"## Actions\n\n- {words}\n")] == [owner]


def test_a_command_of_a_bot_names_its_owner_in_lower_case() -> None:
    assert found("- #todo bo: write to the parish\n") == [("action_item", "write to the parish", "bo")]


def test_a_motion_that_passes_is_decided_with_the_line_that_says_so_in_its_quote() -> None:
    text = f"{MINUTES}Motion: That Ann buys a new gate.\n\nMotion: PASSES\n\nMotion: That Bo sings.\n\nMotion: fails\n"
    (hit,) = read(text)
    assert (hit.rule, hit.statement) == ("line.voted", "Ann buys a new gate.")
    assert text[hit.spans[0].start : hit.spans[0].end].endswith("Motion: PASSES")


def test_the_foot_of_minutes_is_no_conclusion() -> None:
    assert found("## Summary of resolutions\n\n1. Buy the gate\n\n[End of minutes]\n")[0][1] == "Buy the gate"
    assert found("## Summary of resolutions\n\n[End of minutes]\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* Work for next week:\n  * Mend the gate\n", ("action_item", "Mend the gate", "")),
        ("Actions until the next meeting:\n- Mend the gate\n", ("action_item", "Mend the gate", "")),
        ("- **Action items** (Ann/Bo)\n  - Mend the gate\n", ("action_item", "Mend the gate", "Ann/Bo")),
        ("**Action for Ann, Bo and Cy - Mend the gate**\n", ("action_item", "Mend the gate", "Ann, Bo and Cy")),
        ("ACTION ALL, please mend the gate.\n", ("action_item", "ALL, please mend the gate.", "")),
        ("- Mend the gate by May (TODO: @ann)\n", ("action_item", "Mend the gate by May", "ann")),
        ("- @ann @bo to write the letter\n", ("action_item", "ann bo to write the letter", "ann bo")),
    ],
)
def test_whose_tasks_they_are_is_told_around_the_label(text: str, expected: tuple[str, str, str]) -> None:
    assert found(MINUTES + text) == [expected]


def test_what_was_resolved_is_who_does_what() -> None:
    told = "**Resolved**\n- Ann: Ask the parish\n- Bo: Write to the mill\n"
    assert found(MINUTES + told) == [
        ("action_item", "Ann: Ask the parish", "Ann"),
        ("action_item", "Bo: Write to the mill", "Bo"),
    ]
    assert (
        found(MINUTES + "**Resolved**\n- The gate stays shut\n- Ann: Ask the parish\n- No bells\n")[0][0] == "decision"
    )


def test_people_in_brackets_before_an_order_own_it_and_lead_no_topic() -> None:
    items = (
        "- (Ann) Update on the mill\n- (Ann) Write the letter.\n- (Zoe) Write the letter.\n- (Ann) Write the letter?\n"
    )
    handed = [hit for hit in read(MINUTES + items) if hit.rule == "list.handed"]
    assert [(hit.statement, hit.assignee) for hit in handed] == [("Write the letter.", "Ann")]
