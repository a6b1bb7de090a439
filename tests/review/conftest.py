"""A house to knock at."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.review.door import House, build_house
from tests.review.hooks import Hook, allow_this_machine, serving


@pytest.fixture
def house(transactional_db: None) -> House:
    """Every request of a test really commits, so that the laws checked at commit are checked."""
    return build_house()


@pytest.fixture
def hook(settings: Any) -> Iterator[Hook]:
    """A web server on this machine, where webhooks may go for once."""
    allow_this_machine(settings)
    with serving(Hook()) as server:
        yield server
