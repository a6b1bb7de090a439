"""Knowledge blocks: what holds in a scope, by subject, as JSON and as Markdown (T8)."""

from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actor import ActorRequest
from ledger.models import BlockRevision
from ledger.projections.blocks import BlockPage, block_history, block_of, blocks_of
from ledger.reads.page import Page
from ledger.reads.scopes import scope_at
from review.api.event_shapes import ActorShape
from review.api.scope_pages import MARKDOWN
from review.api.shapes import PageShape, answer, page

router = Router(tags=["blocks"])


class BlockTextShape(TypedDict):
    """A block: under `content` its JSON, in which `factId` is the ref of the claim that says it. Revision 0: nothing ever stood
    in it."""

    key: str
    title: str
    content: dict[str, Any]
    revision: int
    author: str
    updated_at: datetime | None


class BlockChangeShape(TypedDict):
    """`op`: a claim was added or removed, a question closed or opened again; `by` answers it."""

    op: Literal["add", "remove", "close", "reopen"]
    ref: str
    by: NotRequired[str]


class BlockRevisionShape(TypedDict):
    """What one event changed; without an event the block was made anew from the claims."""

    revision: int
    at: datetime
    author: str
    actor: ActorShape | None
    event: int | None
    verb: str | None
    reason: str
    changes: list[BlockChangeShape]


def block_text_shape(block: BlockPage) -> BlockTextShape:
    return {
        "key": block.spec.key,
        "title": block.spec.title,
        "content": block.content,
        "revision": block.revision,
        "author": block.author,
        "updated_at": block.updated_at,
    }


def block_revision_shape(row: BlockRevision) -> BlockRevisionShape:
    event = row.event
    return {
        "revision": row.number,
        "at": event.at if event else row.at,
        "author": row.author,
        "actor": {"kind": event.actor_kind, "name": event.actor_name} if event else None,
        "event": event.pk if event else None,
        "verb": event.verb if event else None,
        "reason": event.reason if event else "",
        "changes": row.changes,
    }


@router.get("/scope/blocks", response=PageShape[BlockTextShape])
def list_blocks(request: ActorRequest, scope: str) -> HttpResponse:
    """The blocks of a scope in the order of its packs, those that nothing fills yet included."""
    blocks = blocks_of(scope_at(scope, request.actor.access))
    return page(Page(blocks), [block_text_shape(block) for block in blocks])


@router.get("/scope/blocks/{key}", response=BlockTextShape, openapi_extra={"responses": {200: MARKDOWN}})
def get_block(
    request: ActorRequest,
    key: str,
    scope: str,
    format: Literal["json", "markdown"] = "json",
    revision: int | None = None,
) -> HttpResponse:
    """One block, as it stands or as it stood at a revision. The same claims give the same bytes, as JSON and as Markdown."""
    block = block_of(scope_at(scope, request.actor.access), key, revision=revision)
    if format == "markdown":
        return HttpResponse(block.markdown, content_type="text/markdown; charset=utf-8")
    return answer(block_text_shape(block))


@router.get("/scope/blocks/{key}/history", response=PageShape[BlockRevisionShape])
def list_block_revisions(
    request: ActorRequest, key: str, scope: str, limit: int = 50, cursor: str | None = None, count: bool = False
) -> HttpResponse:
    """What changed in a block, the latest first: who, by which decision, and which claims."""
    found = block_history(scope_at(scope, request.actor.access), key, limit=limit, cursor=cursor, count=count)
    return page(found, [block_revision_shape(row) for row in found.items])
