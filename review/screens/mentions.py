"""Where one is named by others, and what was handed over."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from ledger.rules.permissions import Right
from review.digest.mentions import mentions_of
from review.screens.frame import ScreenRequest, page, screen

MAX_SHOWN = 100


@require_GET
@screen
def mention_list(request: ScreenRequest) -> HttpResponse:
    """The newest hundred of the reader's own, of scopes that they may read still; they count as read from then on."""
    access, mine = request.actor.access, mentions_of(request.actor.user_id)
    rows = [row for row in mine[:MAX_SHOWN] if access.may(Right.READ, row.event.scope.path)]
    answer = page(request, "review/mentions.html", {"mentions": rows, "here": "mentions"})
    mine.filter(read_at=None).update(read_at=timezone.now())
    return answer
