"""One ground for all rows: every request commits, and what it changed is not asked about again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from tests import clearing
from tests.matrix.ground import Ground, build


@pytest.fixture(scope="package")
def ground(django_db_setup: None, django_db_blocker: Any) -> Iterator[Ground]:
    with django_db_blocker.unblock():
        keeping = clearing.kept()
        keeping.__enter__()
        built = build()
    with override_settings(COUNTERSIGN_TELEGRAM_TOKEN="1:made-up"):
        yield built
    with django_db_blocker.unblock():
        keeping.__exit__(None, None, None)
