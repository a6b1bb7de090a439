"""One working screen of a project: what is asked for at its stage, what was said, and what holds (T13, T15)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from ledger.actions.bundle import incoming_turn
from ledger.actions.ingest import ingest
from ledger.actions.run import extractors_for
from ledger.errors import Forbidden, Invalid
from ledger.models import Claim, Scope, Source, Tier
from ledger.packs import PackSet
from ledger.reads.claims import Citation
from ledger.reads.packs import packs_of
from ledger.reads.scopes import scope_at, visible
from ledger.rules.bundles.mentions import Mention, find_mentions
from ledger.rules.bundles.turn import QUICK, Turn, TurnAnswer, TurnItem, TurnQuestion
from ledger.rules.permissions import Access, Right
from review.desk.evidence import quotes_of
from review.screens.frame import ScreenRequest, page, screen

MAX_ITEMS = 200
MAX_QUESTIONS = 12
MAX_HELD = 200
MAX_WAITING = 30
MAX_RUNS = 5
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
    return redirect(f"{request.path}?stage={turn.stage}" if turn.stage else request.path)


def show_workspace(
    request: ScreenRequest, row: Scope, given: QueryDict, *, error: Invalid | None = None
) -> HttpResponse:
    access, packs = request.actor.access, packs_of(row)
    stage = given.get("stage") or row.stage or next(iter(packs.stages), "")
    scopes = item_scopes(row, access)
    held = held_here(row, scopes)
    waiting = Claim.objects.filter(scope__in=[row, *scopes], status="pending").select_related("scope", "kind")
    last = Source.objects.filter(scope=row, kind="turn").order_by("-id").defer("text").first()
    context = {
        "scope": row,
        "stage": stage,
        "stages": packs.stages,
        "items": items_of(scopes),
        "selected": given.getlist("selected"),
        "questions": open_questions(packs, stage, held, given),
        "quick": [(word, QUICK_WORDS[word]) for word in QUICK],
        "free_chat": given.get("free_chat", ""),
        "agent_output": given.get("agent_output", ""),
        "bundle": given.get("bundle") or str(uuid.uuid4()),
        "held": with_places(held, access),
        "waiting": waiting.defer("search").order_by("-rank", "-id")[:MAX_WAITING],
        "last": last,
        "runs": last.runs.order_by("-id")[:MAX_RUNS] if last else [],
        "may_send": access.may(Right.INGEST, row.path),
        "here": "scopes",
    }
    return page(request, "review/workspace.html", context, error=error)


def item_scopes(row: Scope, access: Access) -> list[Scope]:
    """The items of a project, as far as they are in sight."""
    return list(visible(access, root=row.path).filter(parent=row, tier=Tier.ITEM).order_by("path")[:MAX_ITEMS])


def items_of(scopes: list[Scope]) -> list[TurnItem]:
    """The same as a turn names them."""
    return [TurnItem(one.path.rpartition("/")[2], one.name) for one in scopes]


def held_here(row: Scope, items: list[Scope]) -> list[Claim]:
    """What holds in the project and its items, by key."""
    claims = Claim.objects.filter(scope__in=[row, *items], status="active").select_related("scope", "kind")
    return list(claims.defer("search").order_by("scope__path", "key", "id")[:MAX_HELD])


def with_places(held: list[Claim], access: Access) -> list[tuple[Claim, Citation | None]]:
    """Each with its latest words as its source, the turn they were said in (T10); None where they are out of sight. One query."""
    quotes = quotes_of([claim.pk for claim in held], access)
    latest = {
        claim: one.cited
        for claim, words in quotes.items()
        for one in words
        if one.cited.stance == "supports" and not one.missing
    }
    return [(claim, latest.get(claim.pk)) for claim in held]


def open_questions(packs: PackSet, stage: str, held: list[Claim], given: QueryDict) -> list[StageQuestion]:
    """The packs' questions of the stage to which nothing holds yet, the risky ones first."""
    known = {claim.key for claim in held}
    asked = [
        spec
        for spec in packs.keys.values()
        if spec.question and spec.key not in known and (not spec.stages or stage in ("", *spec.stages))
    ]
    asked.sort(key=lambda spec: not spec.high_risk)
    return [
        StageQuestion(
            spec.key, spec.question, spec.help, spec.high_risk, given.get(f"quick.{spec.key}", ""),
            given.get(f"text.{spec.key}", ""),
        )
        for spec in asked[:MAX_QUESTIONS]
    ]  # fmt: skip


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
        stage=posted.get("stage", "") or row.stage,
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
