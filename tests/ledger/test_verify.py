"""What `verify` finds when somebody with the owner's rights has got round the triggers."""

import pytest
from django.db import connection, transaction

from ledger.models import Evidence, Scope
from ledger.reads.verify import verify
from tests.people import People, candidate


def tamper(table: str, sql: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(sql)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        ("ledger_evidence", 'start = start + 1, "end" = "end" + 1', "the quote is not what its source says there"),
        ("ledger_evidence", "quote = 'The mast weighs 5'", "the quote is not what its source says there"),
        ("ledger_evidence", "quote_sha256 = repeat('0', 64)", "the quote is not what its source says there"),
        ("ledger_source", "text = text || '!'", "its text does not have its hash"),
        ("ledger_claim", "statement = 'The mast weighs 5'", "claim"),
        ("ledger_journalevent", "actor_name = 'nobody'", "event"),
    ],
)
def test_each_kind_of_tampering_is_found(lab: Scope, people: People, table: str, change: str, says: str) -> None:
    for n in range(3):
        candidate(lab, people.bob, f"Mast {n} 🚀 weighs 4 kg")
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
    assert verify().problems == []
    tamper(table, f"UPDATE {table} SET {change} WHERE id = (SELECT max(id) FROM {table})")
    problems = verify().problems
    assert len(problems) >= 1
    assert any(says in problem for problem in problems), problems


def test_quotes_of_several_sources_are_each_held_against_their_own(lab: Scope, people: People) -> None:
    for n in range(30):
        candidate(lab, people.bob, f"Mast {n} ist größer")
    assert Evidence.objects.count() == 30
    assert verify().problems == []
