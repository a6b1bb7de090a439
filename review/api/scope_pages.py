"""A scope as a whole: its page in Markdown, and everything of it that a member may read."""

from typing import Literal

from django.http import HttpResponse, StreamingHttpResponse
from ninja import Router

from ledger.actor import ActorRequest
from ledger.projections.calendar_file import MEDIA_TYPE
from ledger.projections.export import export
from ledger.projections.mirror import mirror
from ledger.projections.registry import FILES
from ledger.reads.scopes import scope_at
from review.api.shapes import tagged

router = Router(tags=["scopes"])

JSON, LINES = "application/json", "application/x-ndjson"
TYPES = {
    "ics": MEDIA_TYPE,
    "json": JSON,
    "jsonl": LINES,
    "prov": JSON,
    "tasks": JSON,
    "decisions": JSON,
    "patterns": LINES,
}


MARKDOWN = {"description": "OK", "content": {"text/markdown": {"schema": {"type": "string"}}}}
EXPORT = {
    "description": "OK",
    "content": {
        JSON: {"schema": {"title": "Export"}},
        **{kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in (LINES, MEDIA_TYPE)},
    },
}


@router.get("/scope/mirror.md", openapi_extra={"responses": {200: MARKDOWN, 304: {"description": "Not Modified"}}})
def get_mirror(request: ActorRequest, scope: str) -> HttpResponse:
    """The scope's page for people: trusted state, decisions, constraints and what else holds, each with one citation.
    The same rows give the same bytes, and the same ETag: 304 where the caller has it."""
    access = request.actor.access
    body = mirror(scope_at(scope, access), access).encode()
    return tagged(request, HttpResponse(body, content_type="text/markdown; charset=utf-8"))


@router.get("/scope/export", openapi_extra={"responses": {200: EXPORT}})
def get_export(
    request: ActorRequest,
    scope: str,
    format: Literal["json", "jsonl", "prov", "ics", "tasks", "decisions", "patterns"] = "json",
    descend: bool = False,
) -> StreamingHttpResponse:
    """People, sources, claims with evidence, trusted state, conflicts and journal of one scope, as a stream; `prov`: the same in
    W3C PROV-JSON. Or the registry of its discussions: `tasks` (tasks.json), `decisions` (decisions.json), `patterns`
    (patterns.jsonl); or the confirmed calendar (`ics`). `descend` takes in the scopes below that the caller may read."""
    access = request.actor.access
    row = scope_at(scope, access)
    name = FILES.get(format) or f"{row.path.replace('/', '-')}.{'prov.json' if format == 'prov' else format}"
    return StreamingHttpResponse(
        export(row, access, format=format, descend=descend),
        content_type=TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
