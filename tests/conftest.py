"""Fixtures that every test may use: a database that really commits and is cleared, Valkey, a whole `up`, a browser."""

import os

import pytest
from django.test import TransactionTestCase

from tests import clearing


def pytest_configure(config: pytest.Config) -> None:
    TransactionTestCase._fixture_teardown = lambda self: clearing.clear()


@pytest.fixture(scope="session")
def data_dir() -> str:
    """The temporary data folder that all tests of this run share."""
    return os.environ["COUNTERSIGN_DATA"]
