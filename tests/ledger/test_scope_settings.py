"""What does not fit into a scope, a person or a report of use is refused by name."""

from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction

from ledger.actions.logs import expose, report_outcome
from ledger.actions.scope import add_person, create_scope, update_scope
from ledger.actor import operator
from ledger.errors import Invalid
from ledger.models import Scope
from tests.ledger.conftest import role
from tests.people import People

OPERATOR = operator("Alice")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "n" * 201), ("name", " "), ("name", 3), ("stage", "s" * 61), ("stage", "a\0b"), ("timezone", "Mars"),
        ("packs", ["nothing"]), ("allowed_endpoints", ["x" * 201]), ("allowed_endpoints", "http://one"),
        ("allowed_endpoints", ["ftp://one"]), ("allowed_endpoints", ["http://[::1"]), ("allowed_endpoints", ["169.254.169.254:80"]),
        ("allowed_endpoints", ["http://[fe80::1]/v1"]),
        ("retention_days", 0), ("retention_days", 2**40), ("retention_days", "ten"), ("policies", ["on"]),
        ("policies", {"references": {"days": float("nan")}}), ("path", "elsewhere"),
    ],
)  # fmt: skip
def test_settings(lab: Scope, field: str, value: Any) -> None:
    with pytest.raises(Invalid) as refused:
        update_scope(lab, actor=OPERATOR, changes={field: value})
    assert refused.value.field.split(".")[0] == field


def test_paths(lab: Scope) -> None:
    assert len(create_scope("a" * 300, tier="project", actor=OPERATOR).name) == 200
    for path in ("global", "global/lab", "Lab", "lab/", "lab//x", "x" * 401, "lab/../x", "lab/\u0131"):
        with pytest.raises(Invalid) as refused:
            create_scope(path, tier="item", actor=OPERATOR)
        assert refused.value.field == "scope"


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("name", {"name": "n" * 201}), ("name", {"name": "a\0"}), ("role", {"role": "r" * 61}),
        ("aliases", {"aliases": ["a" * 201]}), ("telegram_id", {"telegram_id": 2**63}), ("user", {"username": "nobody"}),
    ],
)  # fmt: skip
def test_people(lab: Scope, field: str, more: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        add_person(lab, **{"name": "Ann", "actor": OPERATOR, **more})
    assert refused.value.field.split(".")[0] == field


def test_use(lab: Scope, people: People) -> None:
    with pytest.raises(Invalid) as refused:
        report_outcome(lab, conversation="c" * 301, type="tool_success", actor=people.agent)
    assert refused.value.field == "conversation"
    with pytest.raises(Invalid):
        expose(lab, [], channel="search", actor=people.agent, conversation="c" * 301)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE auth_user SET is_superuser = true",
        "INSERT INTO auth_group (name) VALUES ('x')",
        "SELECT session_data FROM review_browsersession",
        "SELECT sha256 FROM review_agenttoken",
        "UPDATE ledger_scope SET policies = '{\"references\": {}}'",
    ],
)
def test_a_worker_reads_no_secrets_and_makes_nobody_an_administrator(
    lab: Scope, people: People, statement: str
) -> None:
    with (
        role("countersign_worker"),
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
