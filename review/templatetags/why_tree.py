"""The drawing and the steps of why a value is there."""

from collections.abc import Sequence

from django import template

from ledger.reads.why import WhyChain
from review.screens.why_tree import Ladder, ladder_of

register = template.Library()


@register.simple_tag
def ladder(why: WhyChain, cites: Sequence[str] | str = ()) -> Ladder:
    """Of an answer of `ledger.reads.why`; `cites` are the refs of a trusted value."""
    return ladder_of(why, [] if isinstance(cites, str) else cites)
