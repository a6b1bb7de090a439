"""What a message says of claims that are there already: its confirmations and objections, written by the ledger's verbs."""

from collections.abc import Mapping, Sequence

from extraction.extractors.documents import Span
from extraction.extractors.findings import Mark
from ledger.actions.anchoring import Quote, quote_at
from ledger.actions.confirm import SPOKEN_OF, confirm, flag
from ledger.actor import system
from ledger.models import Claim, Evidence, Source

WORKER = system("worker", "extraction")


def mark(marks: Sequence[Mark], source: Source, claims: Mapping[int, Claim]) -> dict[int, Claim]:
    """Inside the pass's transaction, after its hits were proposed (`claims` by their place). Returns by pattern the first
    claim that it is about."""
    about: dict[int, Claim] = {}
    for one in marks:
        meant = {claims[at].pk: claims[at] for at in one.hits if at in claims}
        meant |= {claim.pk: claim for claim in resting_on(one.source_id or source.pk, one.start, one.end, source)}
        if not meant:
            continue
        words, reason = _quote(source, one.words), one.reason[:500]
        if one.verb == "flag":
            flag(list(meant.values()), words=words, actor=WORKER, reason=reason)
        elif words is not None:
            confirm(list(meant.values()), words=words, actor=WORKER, reason=reason)
        if one.pattern is not None:
            about.setdefault(one.pattern, next(iter(meant.values())))
    return about


def resting_on(source_id: int, start: int, end: int, read: Source) -> list[Claim]:
    """Claims of the scope that wait or hold and are supported by words in the range."""
    words = Evidence.objects.filter(source=source_id, start__lt=end, end__gt=start, stance="supports")
    rows = Claim.objects.filter(pk__in=words.values("claim"), scope=read.scope_id, status__in=SPOKEN_OF)
    return list(rows.select_related("scope", "kind").order_by("id"))


def _quote(source: Source, span: Span | None) -> Quote | None:
    if span is None:
        return None
    return quote_at(source, list(source.sections.all()), span.start, span.end, stance=span.stance, anchor=span.anchor)
