"""Whose an action is, wherever people write it, and the words of the task that are left."""

import pytest

from tests.extraction.reading import read

ATTENDED = "Attendees: Lee, Kim, jo_ann\n\n"
LISTED = "## Action items\n\n- "


def tasks(text: str) -> list[tuple[str, str]]:
    return [(hit.statement, hit.assignee) for hit in read(text) if hit.kind == "action_item"]


@pytest.mark.parametrize(
    ("item", "owner"),
    [
        ("(Lee) paint the crane", "Lee"),
        ("[Lee] paint the crane", "Lee"),
        ("(**@lee**) paint the crane", "lee"),
        ("@lee: paint the crane", "lee"),
        ("paint the crane [Lee]", "Lee"),
        ("paint the crane (Lee, due 2026-06-01)", "Lee"),
        ("paint the crane → Lee", "Lee"),
        ("paint the crane => @lee", "lee"),
        ("paint the crane -- @lee", "lee"),
        ("paint the crane - Lee", "Lee"),
        ("paint the crane - assigned to Lee", "Lee"),
        ("paint the crane; owner: Lee", "Lee"),
        ("paint the crane. Owner: Lee. Due: 2026-06-01", "Lee"),
        ("paint the crane\n  - Owner: Lee\n  - Due: 2026-06-01", "Lee"),
        ("paint the crane (jo_ann)", "jo_ann"),
    ],
)
def test_the_task_is_left_without_its_owner(item: str, owner: str) -> None:
    assert tasks(ATTENDED + LISTED + item + "\n") == [("paint the crane", owner)]


@pytest.mark.parametrize(
    ("item", "owner"),
    [
        ("Lee is to paint the crane", "Lee"),
        ("Lee- paint the crane", "Lee"),
        ("**Lee** - paint the crane", "Lee"),
        ("Lee sends the bill", "Lee"),
        ("Lee to ask the painters (ACME)", "Lee"),
        ("jo_ann to paint the crane", "jo_ann"),
        ("Will need to paint the crane", ""),
        ("paint the crane - blue", ""),
        ("paint the crane (optional)", ""),
        ("Next week: paint the crane (W37)", ""),
    ],
)
def test_a_sentence_stays_whole(item: str, owner: str) -> None:
    [(_, assignee)] = tasks(ATTENDED + LISTED + item + "\n")
    assert assignee == owner


def test_names_above_a_list_own_it() -> None:
    text = ATTENDED + "## Action items\n\n**Lee**\n\n- paint the crane\n- buy ink\n\n**Kim**\n\n- sweep the pier\n"
    assert tasks(text) == [("paint the crane", "Lee"), ("buy ink", "Lee"), ("sweep the pier", "Kim")]


def test_a_line_in_bold_type_that_names_nobody_ends_what_stands_above_it() -> None:
    text = "## Action items\n\n- paint the crane\n\n**Website**\n\n- mend the form\n"
    assert tasks(text) == [("paint the crane", ""), ("mend the form", "")]


@pytest.mark.parametrize(
    ("text", "task", "owner"),
    [
        (LISTED + "@lee to paint the crane", "lee to paint the crane", "lee"),
        (LISTED + "`@crane` field to add", "@crane field to add", ""),
        (LISTED + "[@lee](https://works.example/lee) to paint the crane", "lee to paint the crane", "lee"),
        (LISTED + "paint the crane @lee", "paint the crane", "lee"),
        (LISTED + "talk to @lee", "talk to @lee", ""),
        (LISTED + "paint the crane — Lee Moe", "paint the crane", "Lee Moe"),
        (LISTED + "paint the crane (Verantwortlich: Lee)", "paint the crane", "Lee"),
        ("Action: paint the crane\nOwner: Lee\nDue: 2026-06-01", "paint the crane", "Lee"),
        ("## Action: paint the crane\n\nOwner: Lee\n", "paint the crane", "Lee"),
        ("Action: paint the crane — Lee", "paint the crane", "Lee"),
    ],
)
def test_nobody_has_to_be_listed(text: str, task: str, owner: str) -> None:
    assert tasks(text) == [(task, owner)]


@pytest.mark.parametrize(
    ("item", "task", "owner"),
    [
        ("- (**@dan**) paint the crane", "paint the crane", "dan"),
        ("- **@dan**: paint the crane", "paint the crane", "dan"),
        ("* [ ] @dan paint the crane", "@dan paint the crane", "dan"),
        ("- [ ] check the crane (@dan)", "check the crane", "dan"),
        ("- TODO(dan) check the crane", "check the crane", "dan"),
    ],
)
def test_a_task_handed_to_a_handle_needs_no_label(item: str, task: str, owner: str) -> None:
    found = tasks(item.replace("paint", "write to") + "\n")
    assert found == [(task.replace("paint", "write to").replace("@dan ", ""), owner)]


@pytest.mark.parametrize(
    "text",
    [
        "- @dan painted the crane\n",
        "- @dan: the crane is broken\n",
        "- check the crane (@dan)\n",
        "# Release 1.2\n\n- (@dan) update the crane\n",
        "# Changelog\n\n- [ ] update the crane (@dan)\n",
    ],
)
def test_what_somebody_did_is_no_task(text: str) -> None:
    assert tasks(text) == []


def test_a_name_in_bold_type_leads_a_task_among_decisions() -> None:
    text = "# Minutes\n\n## Key takeaways and decisions\n\n- **Mara** to paint the crane\n- **Lee** to ask Kim\n"
    assert tasks(text) == [("Mara to paint the crane", "Mara"), ("Lee to ask Kim", "Lee")]


def test_what_somebody_will_do_is_a_task_each() -> None:
    text = "## Action items\n\n- @lee will:\n  - paint the crane\n  - sell the barge\n- Kim to count the buoys\n"
    assert tasks(text) == [("paint the crane", "lee"), ("sell the barge", "lee"), ("Kim to count the buoys", "Kim")]


def test_a_name_in_brackets_owns_a_task_where_the_text_lists_it() -> None:
    line = "Action: ask the works (Lee), then settle on a colour\n"
    assert [owner for _, owner in tasks(f"# Minutes\n\n{ATTENDED}{line}")] == ["Lee"]
    assert [owner for _, owner in tasks(f"# Minutes\n\n{ATTENDED}{line.replace('Lee', 'Acme')}")] == [""]
