"""The last day of the queue as a drawing that stands in a line of text: what came above, what went below, an hour a bar."""

from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from ledger.reads.queue.backlog import Backlog

register = template.Library()

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
