"""What templates need to say times, values and words of sources; all of it escapes."""

import datetime as dt
import secrets
from collections.abc import Iterable
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince

from ledger.reads.claims import REF, Citation
from ledger.reads.queue.backlog import Backlog
from ledger.rules.catalogue.prices import plain_amount
from ledger.verbs import done_word
from review.desk.fields import value_input, value_parts, value_text
from review.desk.highlight import plain
from review.desk.history import through
from review.screens.sources import AT_ONCE

register = template.Library()

SOON: Final = dt.timedelta(minutes=1)
LONG: Final = dt.timedelta(days=60)
BAR: Final = 2
GAP: Final = 1
HALF: Final = 9
NOT_TAGGED: Final = {"what": "", "id": "", "more": ""}

register.filter("value_input", value_input)
register.filter("value_text", value_text)
register.filter("value_parts", value_parts)
# Words of a source, to the byte.
register.filter("words", plain)


@register.filter
def item(thing: dict[str, Any], name: str) -> Any:
    """What stands under a name."""
    return thing.get(name)


@register.filter
def spaced(name: str) -> str:
    """`action_item` → `action item`."""
    return str(name).replace("_", " ")


@register.filter
def tagged(tags: str) -> dict[str, str]:
    """What a message's tag says, in its parts: `event:12`, `batch:UUID`, `left:REF`, `conflict:3` or `later:12:REF`; with
    `undone-` before event or batch where it is something taken back that can be taken back."""
    undone = tags.removeprefix("undone-")
    what, _, rest = undone.partition(":")
    named, _, more = rest.partition(":")
    if what == "left" and not REF.fullmatch(named):
        return NOT_TAGGED
    known = what in ("event", "batch", "left", "conflict", "later") and named
    step = "done" if undone == tags else "undone"
    return {"what": what, "id": named, "more": more, "step": step} if known else NOT_TAGGED


@register.simple_tag
def once_word() -> str:
    """A word of its own for each form, by which a decision that is sent twice is known again."""
    return secrets.token_urlsafe(18)


@register.simple_tag
def place_in_source(cited: Citation) -> str:
    """The address of a quote's place in its source, on the part of a long one that holds it."""
    part = f"?from={cited.start}" if cited.start >= AT_ONCE else ""
    return f"{reverse('source', args=[cited.source_id])}{part}#evidence-{cited.id}"


@register.filter
def grouped(number: int) -> str:
    """`1234567` → `1 234 567`, with spaces that don't break."""
    return f"{number:,}".replace(",", "\u202f")


@register.simple_tag
def when(moment: dt.datetime | None, suffix: str = " ago") -> SafeString:
    """How long ago in one unit, the day for what is long past; the exact time on hover and for machines."""
    if moment is None:
        return SafeString("")
    now = timezone.now()
    gone = now - moment
    if gone > LONG:
        said = f"{moment:%-d %b %Y}"
    elif abs(gone) < SOON:
        said = "just now" if suffix else "under a minute"
    elif gone < dt.timedelta(0):
        said = "in " + timesince(now, moment, depth=1)
    else:
        said = timesince(moment, now, depth=1) + suffix
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', moment.isoformat(), f"{moment:%-d %b %Y, %H:%M} UTC", said
    )


@register.simple_tag
def day(backlog: Backlog) -> SafeString:
    """The last day of the queue as a drawing that stands in a line of text: what came above, what went below, an hour a bar.
    Empty where nothing came or went. The words say the same in numbers."""
    top = max((*backlog.came, *backlog.went), default=0)
    if not top:
        return SafeString("")
    came = _bars((at, HALF - _height(value, top), _height(value, top)) for at, value in enumerate(backlog.came))
    went = _bars((at, HALF + 1, _height(value, top)) for at, value in enumerate(backlog.went))
    width = len(backlog.came) * (BAR + GAP)
    return format_html(
        '<svg class="day" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true" focusable="false">'
        '<path class="day-axis" d="M0 {}h{}"/><path class="day-came" d="{}"/><path class="day-went" d="{}"/></svg>',
        width, 2 * HALF + 1, width, 2 * HALF + 1, HALF + 0.5, width, came, went,
    )  # fmt: skip


def _height(value: int, top: int) -> int:
    """Whatever happened can be seen."""
    return max(1, round(value / top * (HALF - 1))) if value else 0


def _bars(hours: Iterable[tuple[int, int, int]]) -> str:
    return "".join(f"M{at * (BAR + GAP)} {y}h{BAR}v{height}h-{BAR}z" for at, y, height in hours if height)


@register.filter
def number_at(numbers: dict[int, int], pk: int) -> int:
    """What is counted under an id, 0 where nothing is."""
    return numbers.get(pk, 0)


register.filter("amount", plain_amount)
register.filter("done_word", done_word)
register.filter("through", through)
