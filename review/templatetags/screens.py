"""What templates need to say times, values and words of sources; all of it escapes."""

import datetime as dt
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from review.highlight import plain
from review.screens.values import value_fields, value_said, value_words

register = template.Library()

SOON = dt.timedelta(minutes=1)
LONG = dt.timedelta(days=60)


@register.filter
def value(thing: Any) -> str:
    """A typed value as a form takes it."""
    return value_words(thing)


@register.filter
def said(thing: Any) -> str:
    """A typed value in one line, to be read."""
    return value_said(thing)


@register.filter
def parts(thing: Any) -> list[tuple[str, str]]:
    """The named parts of an action item, an event or an assignment."""
    return value_fields(thing)


@register.filter(is_safe=True)
def words(text: str) -> SafeString:
    """Words of a source, to the byte: a browser's text content of this is `text`."""
    return mark_safe(plain(text))  # noqa: S308 - plain() escapes


@register.filter
def spoken(name: str) -> str:
    """`action_item` → `action item`."""
    return str(name).replace("_", " ")


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
