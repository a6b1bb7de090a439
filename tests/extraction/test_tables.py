"""Tables of decisions, actions and requirements: a row is a hit, the head never."""

import pytest

from tests.extraction.reading import read

DECISIONS = [("decision", "Sell the barn", ""), ("decision", "Keep the goat", "")]
ACTIONS = [("action_item", "Order hay", "Bo"), ("action_item", "Mend the fence", "Cy")]


def found(text: str) -> list[tuple[str, str, str]]:
    return [(hit.kind, hit.statement, hit.assignee) for hit in read(text)]


@pytest.mark.parametrize(
    "text",
    [
        "## Decisions\n\n| Nr. | Decision | Date |\n|---|---|---|\n| 1 | Sell the barn | 2026-01-01 |\n| 2 | Keep the goat | |\n",
        "Decisions\n---------\n\n# | Decision\n--|--\n1 | Sell the barn\n2 | Keep the goat\n",
        "<h2>Decisions</h2>\n<table>\n<tr><th>#</th><th>Decision</th></tr>\n<tr><td>1</td><td>Sell the barn</td></tr>\n"
        "<tr><td>2</td><td><p>Keep the goat</p></td></tr>\n</table>",
        "## Decisions\n\n<TABLE><TR><TH>Nr</TH><TH>What</TH></TR><TR><TD>1</TD><TD>Sell the barn<TR><TD>2<TD>Keep the goat</TABLE>",
        "Decisions\n=========\n\n+---+---------------+\n| # | Decision      |\n+===+===============+\n| 1 | Sell the barn |\n"
        "+---+---------------+\n| 2 | Keep the      |\n|   | goat          |\n+---+---------------+\n",
        "Decisions\n=========\n\n===  =============\n#    Decision\n===  =============\n1    Sell the barn\n2    Keep\n"
        "     the goat\n===  =============\n",
        "Decisions\n=========\n\n.. list-table::\n   :header-rows: 1\n\n   * - #\n     - Decision\n   * - 1\n     - Sell the barn\n"
        "   * - 2\n     - Keep the goat\n",
        'Decisions\n=========\n\n.. csv-table::\n   :header: "#", "Decision"\n\n   1, "Sell the barn"\n   2, "Keep the goat"\n',
    ],
)  # fmt: skip
def test_each_row_is_a_decision_and_the_head_none(text: str) -> None:
    assert found(text) == DECISIONS


@pytest.mark.parametrize(
    "text",
    [
        "## Action items\n\n| # | What | Who | When |\n|---|---|---|---|\n|1| Order hay |Bo| |\n|2| Mend the fence |@Cy| |\n",
        "<table><thead><tr><th>No.</th><th>Action</th><th>Owner</th></tr></thead>\n<tbody><tr><td>1</td><td>Order hay</td><td>Bo"
        "</td></tr><tr><td>2</td><td>Mend <b>the</b> fence</td><td>Cy</td></tr></tbody></table>",
        "Actions\n=======\n\n================  =====\nAction            Owner\n================  =====\nOrder hay         Bo\n"
        "Mend the fence    Cy\n================  =====\n",
    ],
)  # fmt: skip
def test_actions_have_the_owner_of_their_row(text: str) -> None:
    assert found(text) == ACTIONS


def test_what_a_table_does_not_name_is_left() -> None:
    assert found("## Prices\n\n| # | Item | Cost |\n|---|---|---|\n| 1 | Hay | low |\n") == []
    assert found("## Decisions\n\n<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>") == []
    assert found("| Action | Status |\n|---|---|\n| Order hay | done |\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "## Resumen de acuerdos y decisiones\n\n| # | Acuerdo/Decisión | Responsable(s) |\n|--|--|--|\n"
            "| 1 | Sell the barn | Todos |\n"
            "| 2 | Keep the goat | Bo |\n",
            DECISIONS,
        ),
        (
            "## Tareas asignadas\n\n| # | Descripción breve | Responsable(s) | Fecha límite |\n|--|--|--|--|\n"
            "| 1 | Order hay | Bo | |\n"
            "| 2 | Mend the fence | Cy | |\n",
            ACTIONS,
        ),
        (
            "## Next steps\n\n| # | Field work | Owner |\n|--|--|--|\n| 1 | Order hay | Bo |\n| 2 | Mend the fence | Cy |\n",
            ACTIONS,
        ),
        ("| Action | Place |\n|--|--|\n| Bo to order hay | North |\n", [("action_item", "Bo to order hay", "Bo")]),
        (
            "## DECISIONS MADE\n\nDecision item | Description\n--|--\n**2.1** | Sell the barn\n**2.2** | Keep the goat\n",
            DECISIONS,
        ),
        ("## Next steps\n\n| Field | Acres |\n|--|--|\n| North | 4 |\n", []),
    ],
)
def test_heads_are_read_by_their_parts_and_words_and_beside_an_owner(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert found(text) == expected


def test_a_line_in_bold_type_above_a_table_is_its_title() -> None:
    assert found("## Decisions\n\nThe barn is sold.\n\n**Group 1**\n\n| Members |\n|--|\n| Bo |\n") == [
        ("decision", "The barn is sold.", "")
    ]
