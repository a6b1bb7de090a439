"""A few hundred random verbs and undos, checked after each; `python -m tests.ledger.random_verbs` drives many more."""

import pytest

from tests.ledger.model import check_derived
from tests.ledger.random_verbs import Driver
from tests.seeds import seeds


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", seeds())
def test_random_verbs_break_nothing(seed: int) -> None:
    driver = Driver(seed)
    driver.run(200)
    check_derived()
    assert len(driver.done) > 15
