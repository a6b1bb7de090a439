"""Bring a backup back, into an empty database: rows, owners, roles and grants as they were, so that every law holds again."""

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from config import env
from config.backup import archive
from config.backup.dump import PURGER, environment, program
from config.backup.sealed import BadBackup
from config.embedded import folder
from config.upgrade import RENUMBERED
from ledger.reads.verify import VerifyReport, verify

ROLES = ("countersign_web", "countersign_worker", PURGER)
# The writing transaction of a row counts in the server that wrote it. Here it would be one of another time: what comes back is
# older than anything that this server writes.
STAMPED = ("ledger_source", "ledger_journalevent")
OLDER = """
CREATE FUNCTION restored() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.xid := '0'; RETURN NEW; END $$;
"""


def require_empty() -> None:
    """Raises `BadBackup` where the database holds anything."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')"
        )
        [tables] = cursor.fetchone()
    if tables:
        raise BadBackup(
            f"the database of {settings.DATA_DIR if not env.text('DATABASE_URL') else 'DATABASE_URL'} is not empty: a backup"
            " comes back into an empty one only. Name another folder with COUNTERSIGN_DATA, or an empty database."
        )


def require_known(about: dict[str, Any]) -> None:
    """Raises `BadBackup` where a newer release made the backup."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    known |= {f"ledger.{name}" for name in RENUMBERED}
    if newer := sorted(name for name in about["migrations"] if name not in known):
        raise BadBackup(f"a newer release made this backup: {', '.join(newer[:3])} are unknown here. Update first.")


def restore(path: Path, *, key: bytes | None, say: Callable[[str], None]) -> VerifyReport:
    """Raises `BadBackup` before anything is written where the file is broken, too new, or the database is not empty."""
    say("Checking the file")
    small = archive.check(path, key)
    about = json.loads(small[archive.ABOUT])
    require_known(about)
    require_empty()
    say(f"Restoring what was backed up at {about['made_at']}")
    make_roles()
    try:
        load(path, key, about)
    except BaseException:
        empty_again()
        raise
    if archive.SECRETS in small and not env.text("DATABASE_URL"):
        data_dir = Path(settings.DATA_DIR)
        folder.write_private(data_dir / "secrets.json", small[archive.SECRETS].decode())
        # `up` would take a database that it has not laid out for a new one, and add the demo's rows to it.
        folder.write_private(data_dir / "demo.loaded", "")
    say("Migrating and verifying")
    call_command("migrate", interactive=False, verbosity=0)
    return verify(root=about["journal"]["root"])


def make_roles() -> None:
    """The roles without login under which the parts serve, as the migrations make them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(4711, 2)")
        cursor.execute("SELECT rolname FROM pg_roles")
        known = {name for (name,) in cursor.fetchall()}
        for name in ROLES:
            role = sql.Identifier(name)
            if name not in known:
                cursor.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
            # Being a member, having a role's rights and being allowed to take it on are three things.
            cursor.execute("SELECT pg_has_role(current_user, %s, 'SET')", [name])
            if not cursor.fetchone()[0]:
                cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER WITH SET TRUE").format(role))


def load(path: Path, key: bytes | None, about: dict[str, Any]) -> None:
    """Tables, then rows, then indexes and triggers: no law looks at a row that it has let pass before."""
    with as_owner_of(about["owner"]):
        run_restore("pre-data", path, key)
        with connection.cursor() as cursor:
            cursor.execute(OLDER)
            for table in STAMPED:
                cursor.execute(
                    f"CREATE TRIGGER restored BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION restored()"
                )
        run_restore("data", path, key)
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION restored() CASCADE")
        run_restore("post-data", path, key)
    with transaction.atomic(), connection.cursor() as cursor:
        give_to_purger(cursor, about["purgers_functions"])
        cursor.execute("UPDATE ledger_sealhorizon SET horizon = '0'")
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seal()")
        while cursor.fetchone()[0]:
            cursor.execute("SELECT ledger_seal()")
        cursor.execute("UPDATE ledger_sealhorizon SET horizon = pg_snapshot_xmin(pg_current_snapshot())")
        cursor.execute("ANALYZE")


class as_owner_of:
    """For as long as the rows come back there is a role of the old owner's name, to which the dump's grants speak; its
    privileges go with it, for the new owner has them all."""

    def __init__(self, owner: str) -> None:
        self.owner = sql.Identifier(owner)
        self.name, self.made = owner, False

    def __enter__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_roles WHERE rolname = %s", [self.name])
            self.made = not cursor.fetchone()[0]
            if self.made:
                cursor.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(self.owner))

    def __exit__(self, *_: object) -> None:
        if self.made:
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER WITH INHERIT TRUE").format(self.owner))
                cursor.execute(sql.SQL("DROP OWNED BY {}").format(self.owner))
                cursor.execute(sql.SQL("DROP ROLE {}").format(self.owner))


def run_restore(section: str, path: Path, key: bytes | None) -> None:
    """One part of the dump, fed as a stream. Raises `BadBackup` with the program's last words."""
    command = [program("pg_restore"), f"--section={section}", "--no-owner", "--no-comments", "--exit-on-error"]
    params = environment()
    command += ["--no-password", f"--dbname={params.pop('PGDATABASE')}"]
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, env=params) as work:  # noqa: S603
            feed(work.stdin, archive.dump_pieces(path, key))
        if work.returncode:
            said.seek(0)
            raise BadBackup(f"pg_restore failed: {said.read().decode(errors='replace').strip()}")


def feed(stdin: Any, pieces: Iterator[bytes]) -> None:
    """All of it, or as much as the program wants: of tables and indexes it reads no further than the table of contents."""
    try:
        with stdin:
            for piece in pieces:
                stdin.write(piece)
    except BrokenPipeError:
        pass


def give_to_purger(cursor: Any, functions: list[str]) -> None:
    """What alone may blank words belongs to the role that alone may update them; the owner may call it."""
    cursor.execute("SELECT current_user")
    owner = sql.Identifier(cursor.fetchone()[0])
    purger = sql.Identifier(PURGER)
    cursor.execute(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(purger))
    for name in functions:
        cursor.execute(sql.SQL("ALTER FUNCTION {} OWNER TO {}").format(sql.SQL(name), purger))
    cursor.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM {}").format(purger))
    cursor.execute(sql.SQL("SET LOCAL ROLE {}").format(purger))
    for name in functions:
        cursor.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(sql.SQL(name), owner))
    cursor.execute("RESET ROLE")


def empty_again() -> None:
    """What a broken-off restore has left would be in the way of the next."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(PURGER)))
        cursor.execute("DROP OWNED BY CURRENT_USER CASCADE")
        cursor.execute("RESET ROLE")
        cursor.execute("DROP OWNED BY CURRENT_USER CASCADE")
