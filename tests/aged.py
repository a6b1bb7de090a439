"""Claims that were proposed long ago: tests own the tables, so they may switch off what freezes an origin."""

import datetime as dt

from django.db import connection, transaction

from ledger.models import Claim


def make_old(claim: Claim, age: dt.timedelta) -> None:
    """As if it had been proposed so much earlier."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_claim DISABLE TRIGGER claim_origin")
        cursor.execute("UPDATE ledger_claim SET created_at = created_at - %s WHERE id = %s", [age, claim.pk])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_claim ENABLE TRIGGER claim_origin")
    claim.refresh_from_db()
