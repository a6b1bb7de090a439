"""Proposing what a source says: its words are marked, a kind and a key are suggested, a person sends the proposal (T4)."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from ledger.actions.anchoring import find_quotes
from ledger.errors import DomainError, Duplicate, Invalid
from ledger.language.values import parse_value
from ledger.models import Claim, Source
from ledger.reads.packs import kinds, packs_of
from ledger.rules.permissions import Right
from review.api.bodies import EvidenceIn, ProposeIn
from review.api.proposing import propose_words
from review.desk.fields import lines
from review.desk.highlight import SOUGHT, LitSpan, excerpt
from review.desk.suggest import kinds_for, suggestion_for
from review.screens.frame import ScreenRequest, page, screen
from review.screens.sources import source_at
from review.screens.verbs import whole_number

MAX_MARKED = 5_000
AROUND = 200
WORDS = ("kind", "key", "topic", "statement", "value")


@require_http_methods(["GET", "POST"])
@screen
def propose_from(request: ScreenRequest, pk: int) -> HttpResponse:
    """The form on `start` and `end` of the text, or on `quote`, which is looked for; posted, a candidate."""
    source = source_at(pk, request.actor.access)
    request.actor.require(Right.PROPOSE, source.scope)
    posted = request.POST if request.method == "POST" else request.GET
    if not posted:
        return _form(request, source, {}, None)
    try:
        start, end, places = marked_place(source, posted)
    except Invalid as error:
        return _form(request, source, {}, error)
    if request.method == "POST":
        try:
            return _proposed(request, source, start, end)
        except Duplicate as error:
            messages.error(request, error.message)
            return redirect("candidate", error.details["ref"])
        except DomainError as error:
            return _form(request, source, _marked(source, start, end, places, request.POST), error)
    return _form(request, source, _marked(source, start, end, places, {}), None)


def marked_place(source: Source, posted: QueryDict) -> tuple[int, int, int]:
    """Start and end of the words without the blanks around them, and in how many places such words stand where they were looked
    for. Raises `Invalid` by field."""
    if quote := lines(posted.get("quote", "")).strip():
        found, places = find_quotes(source, quote, start=None, end=None)
        here = places[0] if found is None else {"start": found.start, "end": found.end}
        return here["start"], here["end"], len(places)
    start, end = (whole_number(posted.get(name, "")) for name in ("start", "end"))
    if start is None or end is None or not start < end <= len(source.text):
        raise Invalid("mark some words of the text first", field="quote")
    words = source.text[start:end]
    start, end = end - len(words.lstrip()), start + len(words.rstrip())
    if not 0 < end - start <= MAX_MARKED:
        raise Invalid(f"mark between one and {MAX_MARKED} characters", field="quote")
    return start, end, 1


def _marked(source: Source, start: int, end: int, places: int, typed: Any) -> dict[str, Any]:
    """What the form shows: the words in their text, and what is suggested or was typed."""
    words = source.text[start:end]
    section = source.sections.filter(start__lte=start, end__gt=start).order_by("-start").first()
    speaker = section.speaker if section else source.sender_kind
    allowed = kinds_for(speaker, kinds().values())
    packs = packs_of(source.scope)
    suggested = suggestion_for(words, source, allowed, packs)
    told = {
        "kind": suggested.kind, "key": suggested.key, "value": suggested.value, "topic": "", "statement": lines(words),
    }  # fmt: skip
    return {
        "start": start,
        "end": end,
        "places": places,
        "speaker": speaker,
        "excerpt": excerpt(source.text, [LitSpan(start, end, 0, SOUGHT)], context=AROUND),
        "allowed": allowed,
        "keys": sorted(packs.keys)[:200],
        "suggested": suggested,
        "typed": told | {name: typed[name] for name in WORDS if name in typed},
    }


def _form(request: ScreenRequest, source: Source, marked: dict[str, Any], error: DomainError | None) -> HttpResponse:
    context = {"source": source, "marked": marked, "error": error}
    if request.htmx:
        return render(request, "review/_propose.html", context)
    return page(request, "review/propose.html", context, error=error)


def _proposed(request: ScreenRequest, source: Source, start: int, end: int) -> HttpResponse:
    body = body_of(request.POST, source, start, end)
    with transaction.atomic():
        status, ids = propose_words(body, source.scope, request.actor)
    claim = Claim.objects.only("ref").get(pk=ids["claim"])
    if status == 201:
        messages.success(request, f"{claim.ref} proposed: it waits in the queue", extra_tags=f"event:{ids['event']}")
    else:
        messages.success(request, f"{claim.ref} says this already: these words were added to it")
    return redirect(f"{reverse('candidate', args=[claim.ref])}")


def body_of(posted: QueryDict, source: Source, start: int, end: int) -> ProposeIn:
    """The API's own body, so that both doors ask the same. Raises `Invalid` by field."""
    typed = {name: lines(posted.get(name, "")).strip() for name in WORDS}
    value_type, value = parse_value(typed.pop("value")) if typed["value"] else ("", None)
    quote = EvidenceIn(source=source.pk, quote=source.text[start:end], start=start, end=end)
    try:
        return ProposeIn.model_validate(
            typed | {"scope": source.scope.path, "evidence": [quote], "value": value, "value_type": value_type}
        )
    except ValidationError as error:
        fault = error.errors()[0]
        raise Invalid(str(fault["msg"]), field=str(fault["loc"][0])) from None
