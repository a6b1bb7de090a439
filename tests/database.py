"""The test database: migrated once a run, in a data folder of its own, of which every process that needs one takes a copy."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test.utils import setup_databases, teardown_databases

from config.embedded import folder, postgres
from tests import services, whole

MIGRATED = services.RUN_DIR / "migrated"


@contextmanager
def ready() -> Iterator[None]:
    """Django's connection leads to a migrated database of this process alone for as long as the block lasts."""
    if os.environ.get("DATABASE_URL"):
        made = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
        yield
        teardown_databases(made, verbosity=0)
        return
    copy(postgres.PostgresServer(migrated()).database_dir, services.server.database_dir)
    services.server.start()
    with services.server.superuser("postgres") as admin:
        admin.execute("GRANT SET ON PARAMETER session_replication_role TO countersign")
    yield


def serve_from(data_dir: Path) -> Path:
    """Make the data folder, with a database on which `up` has not much to do any more."""
    data_dir.parent.mkdir(exist_ok=True)
    copy(migrated(), data_dir)
    return data_dir


def migrated() -> Path:
    """The folder that is copied. Whoever asks first makes it, and the others wait."""
    with folder.locked(services.RUN_DIR / "migrated.lock"):
        if not MIGRATED.exists():
            fresh = MIGRATED.with_suffix(".fresh")
            command = [sys.executable, "manage.py", "migrate", "--skip-checks"]
            done = subprocess.run(command, cwd=whole.ROOT, env=whole.environment(fresh), capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            shutil.rmtree(fresh / "run", ignore_errors=True)
            fresh.rename(MIGRATED)
    return MIGRATED


def copy(source: Path, target: Path) -> None:
    """With owners and modes, which PostgreSQL insists on."""
    part = target.with_suffix(".part")
    subprocess.run(["cp", "-a", source, part], check=True)
    part.rename(target)
