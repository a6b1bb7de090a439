"""The admin over every noun, one noun or family a file. What changes rows here calls the same verbs as every other door."""

from review.admin import (  # noqa: F401
    block,
    catalogue,
    claim,
    conflict,
    evaluation,
    evidence,
    idempotency,
    journal,
    pack,
    reservation,
    run,
    scope,
    source,
    token,
    trusted,
    usage,
    user,
)
