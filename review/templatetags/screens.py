"""What templates need to say times, values and words of sources; all of it escapes."""

import datetime as dt
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from ledger.reads.claims import REF, Citation
from ledger.reads.queue.backlog import Backlog
from review.desk.fields import value_input, value_parts, value_text
from review.desk.highlight import plain
from review.screens.idempotency import new_word
from review.screens.sources import AT_ONCE

register = template.Library()

SOON = dt.timedelta(minutes=1)
LONG = dt.timedelta(days=60)


register.filter("value_input", value_input)
register.filter("value_text", value_text)
register.filter("value_parts", value_parts)


@register.filter(is_safe=True)
def words(text: str) -> SafeString:
    """Words of a source, to the byte: a browser's text content of this is `text`."""
    return mark_safe(plain(text))  # noqa: S308 - plain() escapes


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
    """What a message's tag says: `event:12`, `batch:UUID`, `left:REF` or `later:12:REF`, in its parts."""
    what, _, rest = (tags or "").partition(":")
    pk, _, more = rest.partition(":")
    if what not in ("event", "batch", "left", "later") or not pk or (what == "left" and not REF.fullmatch(pk)):
        return {"what": "", "id": "", "more": ""}
    return {"what": what, "id": pk, "more": more}


@register.simple_tag
def once_word() -> str:
    """A word of its own for each form, by which a decision that is sent twice is known again."""
    return new_word()


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


BAR: Final = 2
GAP: Final = 1
HALF: Final = 9


@register.simple_tag
def day(backlog: Backlog) -> SafeString:
    """Empty where nothing came or went. The words say the same in numbers."""
    top = max((*backlog.came, *backlog.went), default=0)
    if not top:
        return SafeString("")
    came = "".join(_bar(at, HALF - _height(value, top), _height(value, top)) for at, value in enumerate(backlog.came))
    went = "".join(_bar(at, HALF + 1, _height(value, top)) for at, value in enumerate(backlog.went))
    width = len(backlog.came) * (BAR + GAP)
    return format_html(
        '<svg class="day" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true" focusable="false">'
        '<path class="day-axis" d="M0 {}h{}"/><path class="day-came" d="{}"/><path class="day-went" d="{}"/></svg>',
        width, 2 * HALF + 1, width, 2 * HALF + 1, HALF + 0.5, width, mark_safe(came), mark_safe(went),  # noqa: S308 - numbers only
    )  # fmt: skip


def _height(value: int, top: int) -> int:
    """Whatever happened can be seen."""
    return max(1, round(value / top * (HALF - 1))) if value else 0


def _bar(at: int, y: int, height: int) -> str:
    return f"M{at * (BAR + GAP)} {y}h{BAR}v{height}h-{BAR}z" if height else ""
