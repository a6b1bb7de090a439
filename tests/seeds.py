"""How many random worlds a test looks at: the suite at one and always the same, HYPOTHESIS_PROFILE=long at many."""

import os

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def seeds(many: int = 20) -> range:
    return range(1, 1 + (many if LONG else 1))
