"""Erasure, for owners: what would go, and that it goes."""

from datetime import datetime
from typing import Literal, TypedDict

from django.http import HttpResponse
from ninja import Router

from ledger.actions.erase import ErasureResult, erase, list_erasure
from ledger.actor import ActorRequest
from ledger.errors import NotFound
from ledger.models import Scope, Source
from ledger.reads.erasure import ErasureList, FoundSource, FoundTrusted
from ledger.reads.scopes import row_id, scope_at
from ledger.rules.permissions import Access, Right, covers
from review.api.bodies import EraseIn
from review.api.event_shapes import EventShape, event_shape
from review.api.shapes import answer

router = Router(tags=["scopes"])
MAX_SHOWN = 200


class ErasedSourceShape(TypedDict):
    id: int
    sender: str
    sent_at: datetime | None
    excerpt: str


class ErasedTrustedShape(TypedDict):
    """A trusted value with these words; while it is `current` only a person's hand takes it back."""

    ref: str
    key: str
    statement: str
    status: str


class ErasedClaimShape(TypedDict):
    ref: str
    statement: str


class ErasureCountsShape(TypedDict):
    said: int
    mentions: int
    doubtful: int
    claims: int
    people: int
    conversations: int
    trusted: int


class ErasureShape(TypedDict):
    """`listed` (nothing was done), `nothing` (nothing was found), `waiting` for another owner, or `done`; then the lists are of
    what was there before. At most 200 of each are shown, `counts` tell how many there are; `left` says in words what stays."""

    status: Literal["listed", "nothing", "waiting", "done"]
    counts: ErasureCountsShape
    names: list[str]
    said: list[ErasedSourceShape]
    mentions: list[ErasedSourceShape]
    doubtful: list[ErasedSourceShape]
    claims: list[ErasedClaimShape]
    people: list[str]
    conversations: list[str]
    trusted: list[ErasedTrustedShape]
    left: list[str]
    event: EventShape | None


@router.post("/scope/erase", response={200: ErasureShape, 202: ErasureShape})
def erase_in_scope(request: ActorRequest, body: EraseIn) -> HttpResponse:
    """Erase a person (all they said, where others name them, their names and ids) or one source, here and below; for owners.
    Look it over first with `dry_run`. 202 where another owner has to ask for it too. There is no undo."""
    actor = request.actor
    scope = scope_at(body.scope, actor.access, Right.ADMINISTER)
    source = source_of(body.source, scope) if body.source is not None else None
    if body.dry_run:
        result = ErasureResult(list_erasure(scope, person=body.person, source=source), "listed")
    else:
        result = erase(
            scope, actor=actor, person=body.person, source=source, keep=body.keep, also=body.also, reason=body.reason
        )
    return answer(shape(result, actor.access, scope), 202 if result.status == "waiting" else 200)


def source_of(number: int, scope: Scope) -> Source:
    """A source of this scope or one below it; any other is not there."""
    found = Source.objects.select_related("scope").defer("text").filter(pk=row_id(number)).first()
    if found is None or not covers(scope.path, found.scope.path):
        raise NotFound(f"no source {number}")
    return found


def shape(result: ErasureResult, access: Access, scope: Scope) -> ErasureShape:
    found = result.found if access.may(Right.READ, scope.path) else nothing_shown(result.found)
    return {
        "status": result.status,  # type: ignore[typeddict-item]
        "counts": {
            "said": len(found.said),
            "mentions": len(found.mentions),
            "doubtful": len(found.doubtful),
            "claims": len(found.claims),
            "people": len(found.people),
            "conversations": len(found.conversations),
            "trusted": len(found.trusted),
        },
        "names": list(found.names),
        "said": _sources(found.said),
        "mentions": _sources(found.mentions),
        "doubtful": _sources(found.doubtful),
        "claims": [{"ref": ref, "statement": words} for _, ref, words in found.claims[:MAX_SHOWN]],
        "people": [name for _, name in found.people[:MAX_SHOWN]],
        "conversations": [name for _, name in found.conversations[:MAX_SHOWN]],
        "trusted": [_trusted(one) for one in found.trusted[:MAX_SHOWN]],
        "left": found.left(),
        "event": event_shape(result.event, access) if result.event else None,
    }


def nothing_shown(found: ErasureList) -> ErasureList:
    """To a token that may administer and not read: nothing of what is there."""
    return ErasureList(found.names, found.patterns)


def _sources(rows: list[FoundSource]) -> list[ErasedSourceShape]:
    return [
        {"id": one.id, "sender": one.sender, "sent_at": one.sent_at, "excerpt": one.excerpt} for one in rows[:MAX_SHOWN]
    ]


def _trusted(one: FoundTrusted) -> ErasedTrustedShape:
    return {"ref": one.ref, "key": one.key, "statement": one.statement, "status": one.status}
