"""What a database needs before the first verb: the global scope, the shipped packs, and who may touch which table."""

from typing import Any

from django.db import connection

from ledger.packs import SHIPPED


def seed(**_: Any) -> None:
    """Runs after each migrate (and each flush of a test database); does nothing the second time."""
    from ledger.actions.load_pack import load_pack
    from ledger.models import GLOBAL, Scope, Tier

    Scope.objects.get_or_create(path=GLOBAL, defaults={"name": "Everything", "tier": Tier.GLOBAL})
    for file in sorted(SHIPPED.glob("*.toml"), key=lambda f: (f.stem != "core", f.stem)):
        load_pack(file.read_bytes(), file=file.name)
    grant()


# Law 4 and the least each process needs. Everything else may be read, inserted and updated; nothing deleted.
INSERT_ONLY = [
    "source",
    "section",
    "evidence",
    "journalevent",
    "journalchange",
    "gate",
    "exposure",
    "outcome",
    "evaluation",
]
DELETABLE = [
    "ledger_idempotencyrecord",
    "ledger_member",
    "ledger_pattern_sources",
    "django_session",
    "django_admin_log",
]
NOT_BY_WORKER = ["trustedstate", "member", "pack", "kind", "scope"]
OWNER_ONLY = ["seal"]
# Of what is kept beside the ledger, what the worker itself goes on with.
BY_WORKER_TOO = ["review_digest"]
SECRETS = ["django_session", "review_agenttoken"]


def grant() -> None:
    """Gives the serving roles their rights on all tables there are now; what somebody else keeps here is left alone."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT tablename FROM pg_tables WHERE schemaname = 'public'
            AND tablename NOT IN ('django_migrations', 'ledger_refday', 'ledger_sealhorizon', 'ledger_redaction')
            AND pg_has_role(current_user, tableowner, 'USAGE')
            """
        )
        tables = [name for (name,) in cursor.fetchall()]
        cursor.execute(
            "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'"
            " AND pg_has_role(current_user, sequenceowner, 'USAGE')"
        )
        sequences = [name for (name,) in cursor.fetchall()]
        statements = [f"GRANT USAGE ON SEQUENCE {name} TO countersign_web, countersign_worker" for name in sequences]
        for table in tables:
            noun = table.removeprefix("ledger_") if table.startswith("ledger_") else ""
            for role in ("web", "worker"):
                rights = {"SELECT", "INSERT", "UPDATE"}
                if noun in INSERT_ONLY:
                    rights -= {"UPDATE"}
                if noun in OWNER_ONLY or (role == "worker" and noun in NOT_BY_WORKER):
                    rights = {"SELECT"}
                if role == "web" and (table in DELETABLE or not noun):
                    rights.add("DELETE")
                if role == "worker" and not noun and not table.startswith("extraction_"):
                    # Accounts, sessions and tokens are no business of a process that reads strangers' text.
                    rights = set() if table in SECRETS else {"SELECT"}
                    if table in BY_WORKER_TOO:
                        rights.add("UPDATE")
                if role == "worker" and (table == "ledger_idempotencyrecord"):
                    rights.add("DELETE")
                statements.append(f"REVOKE ALL ON {table} FROM countersign_{role}")
                if rights:
                    statements.append(f"GRANT {', '.join(sorted(rights))} ON {table} TO countersign_{role}")
        statements += [f"GRANT SELECT ON {table} TO countersign_purger" for table in tables]
        if "django_admin_log" in tables:
            # A purge blanks the names that the admin's own log keeps.
            statements.append("GRANT UPDATE ON django_admin_log TO countersign_purger")
        for statement in statements:
            cursor.execute(statement)
