"""What a test that really commits leaves behind: nothing but what migrations seeded."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from tests import clearing


def counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        found = {}
        for table in clearing.tables():
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            found[table] = cursor.fetchone()[0]
    return found


@pytest.mark.django_db(transaction=True)
def test_a_committed_test_is_cleared_and_the_seeds_stay() -> None:
    clearing.clear()
    seeded = counts()
    scope = apps.get_model("ledger", "Scope")
    assert scope.objects.filter(path="global").exists()
    for model in ("Pack", "Kind"):
        assert apps.get_model("ledger", model).objects.exists()
    User.objects.create_user("alice")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS ledger_grows (n int)")
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'it only grows'; END $$"
        )
        cursor.execute("CREATE TRIGGER t BEFORE TRUNCATE ON ledger_grows EXECUTE FUNCTION refuse()")
        cursor.execute("CREATE TRIGGER d BEFORE DELETE ON ledger_grows EXECUTE FUNCTION refuse()")
        cursor.execute("INSERT INTO ledger_grows VALUES (1)")
    clearing.tables.cache_clear()
    try:
        assert counts()["auth_user"] == seeded["auth_user"] + 1
        clearing.clear()
        assert counts() == seeded | {"ledger_grows": 0}
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE ledger_grows; DROP FUNCTION refuse")
        clearing.tables.cache_clear()
