"""The API of people's decisions: scopes, candidates, entities, state, conflicts, journal, and what agents recall."""

from ninja import Router

from review.api import (
    blocks,
    calendar,
    candidates,
    catalogue,
    decisions,
    discussions,
    entities,
    erasure,
    feeds,
    insights,
    items,
    journal,
    policies,
    recall,
    scope_pages,
    scopes,
    state,
    tidying,
    usage,
    webhooks,
)

router = Router()
# Decisions first: `/candidates/decide` is no candidate's id.
for part in (
    scopes,
    scope_pages,
    blocks,
    erasure,
    items,
    policies,
    webhooks,
    decisions,
    candidates,
    entities,
    state,
    tidying,
    catalogue,
    journal,
    recall,
    usage,
    discussions,
    calendar,
    feeds,
    insights,
):
    router.add_router("", part.router)
