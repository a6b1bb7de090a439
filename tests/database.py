"""The test database. The first process of a run to need one migrates; the other workers take a copy of its folder."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases

from config.embedded import folder
from tests import services

TEMPLATE = services.RUN_DIR / "template"


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


def copy(source: Path, target: Path) -> None:
    """With owners and modes, which PostgreSQL insists on."""
    part = target.with_suffix(".part")
    subprocess.run(["cp", "-a", source, part], check=True)
    part.rename(target)
