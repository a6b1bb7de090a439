"""One working screen of a project: what is asked for at its stage, what was said, and what holds (T13, T15)."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from ledger.actions.bundle import incoming_turn
from ledger.actions.ingest import ingest
from ledger.actions.run import extractors_for
from ledger.errors import Forbidden, Invalid
from ledger.models import Claim, Run, Scope, Source, Tier
from ledger.packs import KeySpec, PackSet
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.packs import packs_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.bundles.mentions import find_mentions
from ledger.rules.bundles.turn import QUICK, Turn, TurnAnswer, TurnItem, TurnQuestion
from ledger.rules.permissions import Access, Right
from review.screens.frame import ScreenRequest, page, screen

MAX_ITEMS = 200
MAX_QUESTIONS = 12
MAX_HELD = 200
MAX_WAITING = 30
QUICK_WORDS = {"YES": "Yes", "NO": "No", "IDK": "Don't know", "IRRELEVANT": "Irrelevant"}


@dataclass(frozen=True, slots=True)
class StageQuestion:
    """One question with what was typed as its answer so far."""

    key: str
    text: str
    help: str
    high_risk: bool
    quick: str = ""
    words: str = ""


@require_http_methods(["GET", "POST"])
@screen
def workspace(request: ScreenRequest, path: str) -> HttpResponse:
    """The screen, and the turn that is sent from it. What was typed stays where a turn is refused."""
    row, access = scope_at(path, request.actor.access), request.actor.access
    if request.method == "GET":
        return shown(request, row, request.GET)
    if not access.may(Right.INGEST, row.path):
        raise Forbidden(f"you may not send turns to {row.path}")
    try:
        turn = turn_from(request.POST, row, access)
        text = incoming_turn(turn, scope=row, actor=request.actor)
        (done,) = ingest([text], scope=row, actor=request.actor, extractors=extractors_for(row))
    except Invalid as error:
        return shown(request, row, request.POST, refused=error.message, status=422)
    told = "This turn was kept before" if done.duplicate else "The turn is kept and is being read"
    messages.success(
        request, format_html('{}: <a href="/sources/{}">source {}</a>', told, done.source.pk, done.source.pk)
    )
    several = [one.words for one in mentions_in(request.POST, turn.items) if one.needs_review]
    if several:
        messages.warning(
            request, f"{', '.join(several)} can mean several items; say which where its candidates are reviewed"
        )
    return redirect(f"{request.path}?stage={turn.stage}" if turn.stage else request.path)


def shown(
    request: ScreenRequest, row: Scope, given: QueryDict, *, refused: str = "", status: int = 200
) -> HttpResponse:
    access, packs = request.actor.access, packs_of(row)
    stage = given.get("stage") or row.stage or (packs.stages[0] if packs.stages else "")
    items = items_of(row, access)
    held = held_here(row, items)
    waiting = Claim.objects.filter(scope__in=[row, *items], status="pending").select_related("scope", "kind")
    turns = Source.objects.filter(scope=row, kind="turn").order_by("-id").defer("text")[:1]
    last = turns[0] if turns else None
    context = {
        "scope": row,
        "stage": stage,
        "stages": packs.stages,
        "items": [TurnItem(one.path.rpartition("/")[2], one.name) for one in items],
        "selected": given.getlist("selected"),
        "questions": open_questions(packs, stage, held, given),
        "quick": [(word, QUICK_WORDS[word]) for word in QUICK],
        "free_chat": given.get("free_chat", ""),
        "agent_output": given.get("agent_output", ""),
        "bundle": given.get("bundle") or str(uuid.uuid4()),
        "held": with_places(held, access),
        "waiting": waiting.defer("search").order_by("-rank", "-id")[:MAX_WAITING],
        "last": last,
        "runs": Run.objects.filter(source=last).order_by("-id")[:5] if last else [],
        "may_send": access.may(Right.INGEST, row.path),
        "refused": refused,
        "here": "scopes",
    }
    return page(request, "review/workspace.html", context, status=status)


def items_of(row: Scope, access: Access) -> list[Scope]:
    """The items of a project, as far as they are in sight."""
    return list(visible(access, root=row.path).filter(parent=row, tier=Tier.ITEM).order_by("path")[:MAX_ITEMS])


def held_here(row: Scope, items: list[Scope]) -> list[Claim]:
    """What holds in the project and its items, by key."""
    claims = Claim.objects.filter(scope__in=[row, *items], status="active").select_related("scope", "kind")
    return list(claims.defer("search").order_by("scope__path", "key", "id")[:MAX_HELD])


def with_places(held: list[Claim], access: Access) -> list[tuple[Claim, Citation | None]]:
    """Each with its latest words as its source, the turn they were said in (T10); None where they are out of sight. One query."""
    words = evidence_of([claim.pk for claim in held])
    return [(claim, _latest(words[claim.pk], access)) for claim in held]


def _latest(words: list[Citation], access: Access) -> Citation | None:
    seen = [one for one in words if one.stance == "supports" and one.readable(access) and not one.redacted]
    return seen[-1] if seen else None


def open_questions(packs: PackSet, stage: str, held: list[Claim], given: QueryDict) -> list[StageQuestion]:
    """The packs' questions of the stage to which nothing holds yet, the risky ones first."""
    known = {claim.key for claim in held if claim.key}
    asked = [spec for spec in packs.keys.values() if spec.question and spec.key not in known and _belongs(spec, stage)]
    asked.sort(key=lambda spec: not spec.high_risk)
    return [
        StageQuestion(
            spec.key, spec.question, spec.help, spec.high_risk, given.get(f"quick.{spec.key}", ""),
            given.get(f"text.{spec.key}", ""),
        )
        for spec in asked[:MAX_QUESTIONS]
    ]  # fmt: skip


def _belongs(spec: KeySpec, stage: str) -> bool:
    return not spec.stages or not stage or stage in spec.stages


def turn_from(posted: QueryDict, row: Scope, access: Access) -> Turn:
    """The turn of the form. Raises `Invalid` where nothing was said."""
    packs = packs_of(row)
    items = [TurnItem(one.path.rpartition("/")[2], one.name) for one in items_of(row, access)]
    questions, answers = [], []
    for spec in packs.keys.values():
        quick, words = posted.get(f"quick.{spec.key}", ""), posted.get(f"text.{spec.key}", "").strip()
        if spec.question and (quick in QUICK or words):
            questions.append(TurnQuestion(spec.key, spec.question))
            answers.append(TurnAnswer(spec.key, quick if quick in QUICK else "", words))
    chat, output = posted.get("free_chat", ""), posted.get("agent_output", "")
    if not (answers or chat.strip() or output.strip()):
        raise Invalid("nothing was said: answer a question, write something, or paste what the assistant answered")
    mentioned = [one.item for one in mentions_in(posted, items) if one.item]
    return Turn(
        id=posted.get("bundle", "")[:200] or str(uuid.uuid4()),
        stage=posted.get("stage", "") or row.stage,
        items=items,
        selected=list(dict.fromkeys([*posted.getlist("selected"), *mentioned])),
        questions=questions,
        answers=answers,
        free_chat=chat,
        agent_output=output,
    )


def mentions_in(posted: QueryDict, items: Any) -> list[Any]:
    typed = [posted.get("free_chat", "")]
    typed += [words for name, words in posted.items() if name.startswith("text.") and isinstance(words, str)]
    return [one for words in typed for one in find_mentions(words, items)]
