"""The admin over every noun, one noun or family a file. What changes rows here calls the same verbs as every other door."""

from django.contrib import admin

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

admin.site.site_header = admin.site.site_title = "Countersign"
admin.site.index_title = "Every noun of the ledger"
