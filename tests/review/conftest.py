"""A house to knock at."""

import pytest

from tests.review.door import House, build_house


@pytest.fixture
def house(transactional_db: None) -> House:
    """Every request of a test really commits, so that the laws checked at commit are checked."""
    return build_house()
