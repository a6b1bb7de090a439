"""The test database. The first process of a run to need one migrates; the other workers take a copy of its folder."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases

from config.embedded import folder
from tests import services, whole

TEMPLATE = services.RUN_DIR / "template"
SERVED = services.RUN_DIR / "served"


@contextmanager
def ready() -> Iterator[None]:
    """Django's connection leads to a migrated database of this process alone for as long as the block lasts."""
    if os.environ.get("DATABASE_URL"):
        made = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
        yield
        teardown_databases(made, verbosity=0)
        return
    with folder.locked(services.RUN_DIR / "template.lock"):
        copied = TEMPLATE.exists()
        if copied:
            copy(TEMPLATE, services.server.database_dir)
        else:
            migrate()
    services.server.start()
    with services.server.superuser("postgres") as admin:
        admin.execute("GRANT SET ON PARAMETER session_replication_role TO countersign")
    if copied:
        name = connection.creation._get_test_db_name()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    yield


def migrate() -> None:
    services.server.start()
    setup_databases(verbosity=0, interactive=False, serialized_aliases=())
    if services.WORKER:
        connection.close()
        services.server.stop()
        copy(services.server.database_dir, TEMPLATE)


def serve_from(data_dir: Path) -> Path:
    """Make the data folder, with a database on which `up` has not much to do any more. Migrated once a run, then copied."""
    with folder.locked(services.RUN_DIR / "served.lock"):
        if not SERVED.exists():
            fresh = SERVED.with_suffix(".fresh")
            command = [sys.executable, "manage.py", "migrate", "--skip-checks"]
            done = subprocess.run(command, cwd=whole.ROOT, env=whole.environment(fresh), capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            shutil.rmtree(fresh / "run", ignore_errors=True)
            fresh.rename(SERVED)
    data_dir.parent.mkdir(exist_ok=True)
    copy(SERVED, data_dir)
    return data_dir


def copy(source: Path, target: Path) -> None:
    """With owners and modes, which PostgreSQL insists on."""
    part = target.with_suffix(".part")
    subprocess.run(["cp", "-a", source, part], check=True)
    part.rename(target)
