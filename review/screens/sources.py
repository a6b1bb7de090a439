"""A source to the byte, with all evidence lit up that claims rest on."""

import re
from dataclasses import dataclass
from itertools import groupby

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from ledger.models import Evidence, Source
from ledger.reads.outcomes_by_rule import outcomes_of_source
from ledger.reads.scopes import require_sight
from ledger.reads.secrets import show_kept
from ledger.rules.permissions import Access, Right
from review.desk.highlight import SOUGHT, LitSpan, highlight, unseen_in
from review.screens.frame import ScreenRequest, page, screen

AT_ONCE = 200_000
MAX_EVIDENCE = 1000
MAX_GATES = 50
MAX_RUNS = 10
MAX_REASONS = 20
SOUGHT_PLACE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class TextPart:
    """Which part of a long text is shown: code points of the whole, half-open."""

    start: int
    end: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class QuotedStretch:
    """One stretch of the text, and every evidence that quotes just it."""

    start: int
    end: int
    rows: tuple[Evidence, ...]


def source_at(pk: int, access: Access) -> Source:
    """Raises `NotFound` where there is none in the reader's sight, `Forbidden` in sight without the right to read."""
    rows = Source.objects.select_related("scope", "conversation", "replaces")
    return require_sight(rows.filter(pk=pk).first(), access, f"no source {pk}")


@require_GET
@screen
def source(request: ScreenRequest, pk: int) -> HttpResponse:
    """The whole text, or of a very long one the part that `from` names."""
    row = source_at(pk, request.actor.access)
    show_kept([row])
    part = part_of(len(row.text), request.GET.get("from", ""))
    cited = evidence_in(row, part, request.actor.access)
    spans = [LitSpan(one.start, one.end, one.pk, one.stance) for one in cited] + sought_in(request.GET.get("lit", ""))
    outcomes = outcomes_of_source(pk)
    context = {
        "source": row,
        "part": part,
        "evidence": cited,
        "places": quoted_stretches(cited),
        "claims": len({one.claim_id for one in cited}),
        "cut": len(cited) >= MAX_EVIDENCE,
        "html": highlight(row.text, spans, start=part.start, end=part.end),
        "length": len(row.text),
        "unseen": unseen_in(row.text),
        "runs": row.runs.order_by("-pk")[:MAX_RUNS],
        "gates": row.gates.order_by("-pk")[:MAX_GATES],
        "may_propose": request.actor.access.may(Right.PROPOSE, row.scope.path),
        "here": "sources",
        "rules": sorted(outcomes.rules.items()),
        "reasons": outcomes.reasons[:MAX_REASONS],
    }
    return page(request, "review/source.html", context)


def sought_in(words: str) -> list[LitSpan]:
    """The place that a search led to, `START-END` in code points; nothing for anything else."""
    place = SOUGHT_PLACE.fullmatch(words)
    return [LitSpan(int(place[1]), int(place[2]), 0, SOUGHT)] if place else []


def evidence_in(row: Source, part: TextPart, access: Access) -> list[Evidence]:
    """What claims in the reader's sight cite of this part, in the order of the text."""
    cited = Evidence.objects.filter(source=row, end__gt=part.start, start__lt=part.end)
    rows = cited.select_related("claim__scope").defer("claim__search").order_by("start", "end", "pk")
    return [one for one in rows[:MAX_EVIDENCE] if access.may(Right.READ, one.claim.scope.path)]


def quoted_stretches(cited: list[Evidence]) -> list[QuotedStretch]:
    """The quotes in the order of the text, those of equal words together."""
    return [
        QuotedStretch(start, end, tuple(rows))
        for (start, end), rows in groupby(cited, key=lambda one: (one.start, one.end))
    ]


def part_of(length: int, asked: str) -> TextPart:
    """The part that holds the code point asked for, the last one where it lies behind the end."""
    wanted = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 12 else 0
    start = min(wanted, max(0, length - 1)) // AT_ONCE * AT_ONCE
    end = min(length, start + AT_ONCE)
    return TextPart(start, end, start - AT_ONCE if start else None, end if end < length else None)
