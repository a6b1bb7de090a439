"""One working screen of a project: what is asked for at its stage, the conversation, and what holds (T13, T15)."""

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ledger.actions.bundle import incoming_turn
from ledger.actions.ingest import ingest
from ledger.actions.run import extractors_for
from ledger.errors import Forbidden, Invalid
from ledger.models import Scope, Source
from ledger.reads.packs import packs_of, stage_of
from ledger.reads.scopes import scope_at
from ledger.rules.bundles.mentions import Mention, find_mentions
from ledger.rules.bundles.turn import QUICK, Turn, TurnAnswer, TurnItem, TurnQuestion, stage_in
from ledger.rules.permissions import Access, Right
from review.desk.workspace import (
    QUICK_WORDS,
    chosen_item,
    current_state,
    item_id,
    item_scopes,
    items_of,
    open_questions,
    turns_of,
)
from review.screens.frame import ScreenRequest, page, screen
from review.screens.live import beat_of
from review.screens.queue import choices
from review.screens.sources import source_at

PANELS = {"questions": "Questions", "chat": "Chat only"}


@require_http_methods(["GET", "POST"])
@screen
def workspace(request: ScreenRequest, path: str) -> HttpResponse:
    """The screen, and the turn that is sent from it. What was typed stays where a turn is refused."""
    row, access = scope_at(path, request.actor.access), request.actor.access
    if request.method == "GET":
        return show_workspace(request, row, request.GET)
    if not access.may(Right.INGEST, row.path):
        raise Forbidden(f"you may not send turns to {row.path}")
    try:
        turn = turn_from(request.POST, row, access)
        text = incoming_turn(turn, scope=row, actor=request.actor)
        (done,) = ingest([text], scope=row, actor=request.actor, extractors=extractors_for(row))
    except Invalid as error:
        return show_workspace(request, row, request.POST, error=error)
    told = "This turn was kept before" if done.duplicate else "The turn is kept and is being read"
    link = format_html('{}: <a href="/sources/{}">source {}</a>', told, done.source.pk, done.source.pk)
    messages.success(request, link)
    several = [one.words for one in mentions_in(request.POST, turn.items) if one.needs_review]
    if several:
        messages.warning(
            request, f"{', '.join(several)} can mean several items; say which where its candidates are reviewed"
        )
    asked = {"reply": str(done.source.pk)} if not (done.duplicate or turn.agent_output.strip()) else {}
    kept = {"kept": turn.id, "stage": turn.stage, **_toggles(request.POST), **asked}
    return redirect(f"{request.path}?{urlencode({name: value for name, value in kept.items() if value})}")


def _toggles(given: QueryDict) -> dict[str, str]:
    return {name: given.get(name, "") for name in ("item", "panel")}


def show_workspace(
    request: ScreenRequest, row: Scope, given: QueryDict, *, error: Invalid | None = None
) -> HttpResponse:
    access, packs = request.actor.access, packs_of(row)
    stage = given.get("stage") or stage_of(row) or next(iter(packs.stages), "")
    scopes, turns = item_scopes(row, access), turns_of(row)
    place = chosen_item(scopes, given.get("item", "")) or row
    last = turns[-1] if turns else None
    unanswered = last is not None and str(last.source.pk) == given.get("reply") and not reply_refusal(row)
    context = {
        **_state(request, row, place, scopes),
        "stage": stage,
        "stages": packs.stages,
        "items": items_of(scopes),
        "selected": given.getlist("selected") or ([item_id(place)] if place is not row else []),
        "panel": "chat" if given.get("panel") == "chat" else "questions",
        "panels": PANELS,
        "questions": open_questions(packs, stage, place, given, turns),
        "quick": [(word, QUICK_WORDS[word]) for word in QUICK],
        "free_chat": given.get("free_chat", ""),
        "agent_output": given.get("agent_output", ""),
        "bundle": given.get("bundle") or str(uuid.uuid4()),
        "kept": given.get("kept", "") if request.method == "GET" else "",
        "turns": turns,
        "reading": any(not turn.is_read for turn in turns[-3:]),
        "reply_to": last.source.pk if last and unanswered else None,
        "no_reply": reply_refusal(row),
        "may_send": access.may(Right.INGEST, row.path),
        "here": "scopes",
        **choices(request),
    }
    return page(request, "review/workspace.html", context, error=error)


def _state(request: ScreenRequest, row: Scope, place: Scope, scopes: Sequence[Scope]) -> dict[str, Any]:
    back = f"/workspace/{row.path}" + (f"?{urlencode({'item': item_id(place)})}" if place is not row else "")
    return {"scope": row, "place": place, "state": current_state(row, place, scopes, request.actor), "back": back}


@require_GET
def workspace_state(request: HttpRequest, path: str) -> HttpResponseBase:
    """The right side alone, for a page that waits for what is found in its turn; 304 while nothing it shows has changed, by one
    statement where nothing happened at all."""
    beat = beat_of(request)
    if beat and request.headers.get("If-None-Match", "").startswith(f'"{beat}.'):
        return HttpResponseNotModified(headers={"ETag": request.headers["If-None-Match"]})
    return _workspace_state(request, path, beat)


@screen
def _workspace_state(request: ScreenRequest, path: str, beat: str) -> HttpResponse:
    row, access = scope_at(path, request.actor.access), request.actor.access
    scopes = item_scopes(row, access)
    place = chosen_item(scopes, request.GET.get("item", "")) or row
    reading = any(not turn.is_read for turn in turns_of(row)[-3:])
    shown = _state(request, row, place, scopes)
    state = shown["state"]
    seen = (
        reading,
        state.count,
        [one.block.revision for one in state.sheets],
        [row.text for row in state.beside],
        state.card and state.card.mark,
    )
    content = hashlib.sha256(repr(seen).encode()).hexdigest()[:32]
    tag = f'"{beat}.{content}"'
    if request.headers.get("If-None-Match", "").endswith(f'.{content}"'):
        return HttpResponseNotModified(headers={"ETag": tag})
    answer = render(request, "review/_workspace_state.html", {**shown, **choices(request), "reading": reading})
    answer["ETag"] = tag
    return answer


def reply_refusal(row: Scope) -> str:
    """Why no agent answers here; empty where one does."""
    said: str = import_module(settings.COUNTERSIGN_REPLIES).reply_refusal(row)
    return said


@require_POST
@screen
def workspace_reply(request: ScreenRequest, pk: int) -> HttpResponse | StreamingHttpResponse:
    """The agent's answer to a turn, piece by piece; its words are kept as a turn of their own, also where they broke off, and why
    they did is told but not kept. The user's
    own turn was kept before anybody was asked."""
    source = source_at(pk, request.actor.access)
    if source.kind != "turn" or not request.actor.access.may(Right.INGEST, source.scope.path):
        raise Forbidden(f"you may not send turns to {source.scope.path}")
    if why := reply_refusal(source.scope):
        raise Invalid(why, field="reply")
    pieces = import_module(settings.COUNTERSIGN_REPLIES).stream_reply(source)
    return StreamingHttpResponse(_kept_at_its_end(request, source, pieces), content_type="text/plain; charset=utf-8")


def _kept_at_its_end(request: ScreenRequest, source: Source, pieces: Iterator[str]) -> Iterator[bytes]:
    said: list[str] = []
    try:
        for piece in pieces:
            said.append(piece)
            yield piece.encode()
    except Invalid as error:
        yield f"\n[{error.message}]".encode()
    finally:
        output = "".join(said)
        if output.strip():
            turn = Turn(id=f"{source.external_id}-reply", stage=stage_in(source.text), agent_output=output)
            text = incoming_turn(turn, scope=source.scope, actor=request.actor)
            ingest([text], scope=source.scope, actor=request.actor, extractors=extractors_for(source.scope))


def turn_from(posted: QueryDict, row: Scope, access: Access) -> Turn:
    """The turn of the form. Raises `Invalid` where nothing was said."""
    items = items_of(item_scopes(row, access))
    questions = [TurnQuestion(spec.key, spec.question) for spec in packs_of(row).keys.values() if spec.question]
    answers = _answers(questions, posted)
    answered = {one.question for one in answers}
    chat, output = posted.get("free_chat", ""), posted.get("agent_output", "")
    if not (answers or chat.strip() or output.strip()):
        raise Invalid("nothing was said: answer a question, write something, or paste what the assistant answered")
    mentioned = [one.item for one in mentions_in(posted, items) if one.item]
    return Turn(
        id=posted.get("bundle", "")[:200] or str(uuid.uuid4()),
        stage=posted.get("stage", "") or stage_of(row),
        items=items,
        selected=list(dict.fromkeys([*posted.getlist("selected"), *mentioned])),
        questions=[one for one in questions if one.id in answered],
        answers=answers,
        free_chat=chat,
        agent_output=output,
    )


def _answers(questions: Sequence[TurnQuestion], posted: QueryDict) -> list[TurnAnswer]:
    """Without those that say nothing."""
    answers = [_answer(question.id, posted) for question in questions]
    return [one for one in answers if one.quick or one.text]


def _answer(key: str, posted: QueryDict) -> TurnAnswer:
    quick = posted.get(f"quick.{key}", "")
    return TurnAnswer(key, quick if quick in QUICK else "", posted.get(f"text.{key}", "").strip())


def mentions_in(posted: QueryDict, items: Sequence[TurnItem]) -> list[Mention]:
    answers = [name for name in posted if name.startswith("text.")]
    typed = [posted.get(name, "") for name in ("free_chat", *answers)]
    return [one for words in typed for one in find_mentions(words, items)]
