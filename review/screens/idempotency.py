"""A decision that was sent twice is carried out once: each form carries a word of its own, which the journal keeps.

The version that a form names can be decided on only once, so that nothing is ever doubled; the word tells a sender whose answer
was lost that it was this very request which came through.
"""

import re
from dataclasses import replace
from typing import Final

from django.http import HttpRequest, QueryDict

from ledger.actor import Actor
from ledger.errors import DomainError
from ledger.models import Claim, JournalEvent
from ledger.verbs import Verb
from review.desk.fields import edits_in
from review.screens.frame import ScreenRequest

FIELD: Final = "once"
_WORD: Final = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
# A first yes of two that are needed stands in the journal under a verb of its own.
SAME: Final[dict[str, tuple[str, ...]]] = {Verb.PROMOTE: (Verb.PROMOTE, Verb.APPROVE)}


def actor_once(request: ScreenRequest) -> Actor:
    """The person of the request, whose events carry the form's word as their request id."""
    word = word_of(request.POST)
    if not word:
        return request.actor
    _name_request(request, word)
    return replace(request.actor, request_id=word)


def word_of(posted: QueryDict) -> str:
    word = posted.get(FIELD, "")
    return word if _WORD.fullmatch(word) else ""


def _name_request(request: HttpRequest, word: str) -> None:
    """The log names the request as the journal does."""
    request.request_id = word  # type: ignore[attr-defined]


def done_before(action: str, claim: Claim, posted: QueryDict, actor: Actor) -> JournalEvent | None:
    """The event by which this very form was carried out already; None where it was not, or where more was typed since."""
    word = word_of(posted)
    if not word:
        return None
    events = JournalEvent.objects.filter(
        ref=claim.ref, request_id=word, user=actor.user_id, verb__in=SAME.get(action, (action,))
    )
    event = events.select_related("scope").order_by("-pk").first()
    if event is None or "statement" not in posted:
        return event
    now = Claim.objects.select_related("scope").defer("search").get(pk=claim.pk)
    try:
        return None if edits_in(now, posted) else event
    except DomainError:
        return None
