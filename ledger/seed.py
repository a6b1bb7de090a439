"""What a database needs before the first verb: the global scope, the shipped packs, and who may touch which table."""

from itertools import product
from typing import Any

from django.db import connection

from ledger.packs import SHIPPED
from ledger.reads.sql import fetch_column


def seed(**_: Any) -> None:
    """Runs after each migrate (and each flush of a test database); does nothing the second time."""
    from ledger.actions.load_pack import load_pack
    from ledger.models import GLOBAL, Scope, Tier

    Scope.objects.get_or_create(path=GLOBAL, defaults={"name": "Everything", "tier": Tier.GLOBAL})
    for file in sorted(SHIPPED.glob("*.toml"), key=lambda f: (f.stem != "core", f.stem)):
        load_pack(file.read_bytes(), file=file.name)
    grant()


# Law 4 and the least that each process needs, by table and, where a table is not named, by the room it belongs to.
type Rights = frozenset[str]
NOTHING: Rights = frozenset()
READ: Rights = frozenset({"SELECT"})
LOG: Rights = READ | {"INSERT"}
USUAL: Rights = LOG | {"UPDATE"}
ALL: Rights = USUAL | {"DELETE"}

INSERT_ONLY = (
    "ledger_source", "ledger_section", "ledger_evidence", "ledger_journalevent", "ledger_journalchange", "ledger_gate",
    "ledger_exposure", "ledger_outcome", "ledger_evaluation", "ledger_posting", "ledger_blockrevision", "ledger_erasure",
    "ledger_tokenvectors",
)  # fmt: skip
DELETABLE = (
    "ledger_idempotencyrecord", "ledger_member", "ledger_pattern_sources", "ledger_blockline", "ledger_utility",
    "django_session", "django_admin_log", "ledger_chatcode",
)  # fmt: skip
OWNER_ONLY = ("ledger_seal",)
NOT_BY_WORKER = ("ledger_trustedstate", "ledger_member", "ledger_pack", "ledger_kind", "ledger_scope")
SECOND_FACTORS = ("otp_totp_totpdevice", "otp_static_staticdevice", "otp_static_statictoken", "review_passkey")
# Accounts, sessions and tokens are no business of a process that reads strangers' text.
SECRETS = ("django_session", "review_browsersession", "review_agenttoken", "review_signins", *SECOND_FACTORS)
BY_TABLE: dict[str, dict[str, Rights]] = {
    "web": {
        **dict.fromkeys(INSERT_ONLY, LOG),
        **dict.fromkeys(OWNER_ONLY, READ),
        **dict.fromkeys(DELETABLE, ALL),
    },
    "worker": {
        **dict.fromkeys(INSERT_ONLY, LOG),
        **dict.fromkeys((*OWNER_ONLY, *NOT_BY_WORKER), READ),
        **dict.fromkeys((*SECRETS, "ledger_erasure"), NOTHING),
        **dict.fromkeys(("ledger_idempotencyrecord", "ledger_blockline"), ALL),
        # Of what is kept beside the ledger, what the worker itself goes on with.
        "review_digest": READ | {"UPDATE"},
        **dict.fromkeys(("review_mention", "review_mentionmark"), USUAL),
        "ledger_webhook": READ | {"UPDATE"},
        **dict.fromkeys(("ledger_webhookdelivery", "ledger_chatupdate", "ledger_chatcode"), ALL),
    },
}
BY_ROOM: dict[str, dict[str, Rights]] = {"web": {"ledger": USUAL}, "worker": {"ledger": USUAL, "extraction": USUAL}}
ELSEWHERE: dict[str, Rights] = {"web": ALL, "worker": READ}


def rights_of(role: str, table: str) -> Rights:
    room = table.partition("_")[0]
    return BY_TABLE[role].get(table, BY_ROOM[role].get(room, ELSEWHERE[role]))


def grant() -> None:
    """Gives the serving roles their rights on all tables there are now; what somebody else keeps here is left alone."""
    tables = fetch_column(
        """
        SELECT tablename FROM pg_tables WHERE schemaname = 'public'
        AND tablename NOT IN ('django_migrations', 'ledger_refday', 'ledger_sealhorizon', 'ledger_redaction')
        AND pg_has_role(current_user, tableowner, 'USAGE')
        """
    )
    sequences = fetch_column(
        "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'"
        " AND pg_has_role(current_user, sequenceowner, 'USAGE')"
    )
    statements = [f"GRANT USAGE ON SEQUENCE {name} TO countersign_web, countersign_worker" for name in sequences]
    for table, role in product(tables, BY_TABLE):
        statements.append(f"REVOKE ALL ON {table} FROM countersign_{role}")
        if rights := rights_of(role, table):
            statements.append(f"GRANT {', '.join(sorted(rights))} ON {table} TO countersign_{role}")
    statements += [f"GRANT SELECT ON {table} TO countersign_purger" for table in tables]
    if "django_admin_log" in tables:
        # A purge blanks the names that the admin's own log keeps.
        statements.append("GRANT UPDATE ON django_admin_log TO countersign_purger")
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
