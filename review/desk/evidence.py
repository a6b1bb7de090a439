"""Evidence as its reader sees it: the quotes, the sources they stand in with the words lit up, and what was said beside them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.db.models.functions import Left
from django.utils.safestring import SafeString

from ledger.models import Claim, Source
from ledger.reads.claims import Citation, evidence_of
from ledger.rules.permissions import Access, Right
from ledger.rules.secrets import masked
from review.desk.highlight import Excerpt, LitSpan, excerpt, highlight

MAX_SOURCES: Final = 3
AROUND_A_PLACE: Final = 120
MESSAGES_BEFORE: Final = 2
MESSAGES_AFTER: Final = 1
MAX_NEIGHBOUR: Final = 280


@dataclass(frozen=True, slots=True)
class Quoted:
    """One line of evidence; `words` is empty where it is withheld or redacted, and `missing` says which."""

    cited: Citation
    words: str
    missing: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message beside the quoted one, cut to a few lines."""

    source: int
    sender: str
    speaker: str
    words: str
    cut: bool
    sent_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True)
class LitSource:
    """A source with the claim's words lit up, cut to what is around them."""

    cited: Citation
    excerpt: Excerpt
    neighbours: Neighbours


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """One of several places that a quote could mean."""

    index: int
    source: int
    html: SafeString


def quotes_of(claim_ids: Iterable[int], access: Access) -> dict[int, list[Quoted]]:
    """By claim id its evidence, and that of what was merged into it, as its reader may see it. One query."""
    return visible_quotes(evidence_of(claim_ids), access)


def visible_quotes(words: Mapping[int, Sequence[Citation]], access: Access) -> dict[int, list[Quoted]]:
    """Evidence of a source out of the reader's sight is withheld, what was purged is redacted (design §7)."""
    return {pk: [_quoted(cited, access) for cited in group] for pk, group in words.items()}


def _quoted(cited: Citation, access: Access) -> Quoted:
    if not cited.readable(access):
        return Quoted(cited, "", "withheld")
    return Quoted(cited, cited.quote, "redacted" if cited.redacted else "")


def sources_of(claims: Sequence[Claim], quotes: Mapping[int, Sequence[Quoted]], access: Access) -> dict[int, Source]:
    """By id the first sources of each claim's words, and those where its words could stand. One query.

    A candidate may have been moved here from where its reader may not look (design §7).
    """
    wanted = {place["source"] for claim in claims for place in claim.anchors_to_choose}
    for claim in claims:
        cited = dict.fromkeys(one.cited.source_id for one in quotes[claim.pk] if not one.missing)
        wanted.update(list(cited)[:MAX_SOURCES])
    columns = ("text", "secrets", "scope__path", "purged_at", "conversation_id", "position", "kind")
    rows = Source.objects.select_related("scope").only(*columns).in_bulk(wanted)
    return {pk: row for pk, row in rows.items() if access.may(Right.READ, row.scope.path)}


def lit_sources(quotes: Mapping[int, Sequence[Quoted]], sources: Mapping[int, Source]) -> dict[int, list[LitSource]]:
    """By claim id those of `sources` that its words stand in, all of the words lit up. One query, for the neighbours."""
    neighbours = neighbours_of(sources.values())
    found = {}
    for pk, group in quotes.items():
        by_source: dict[int, list[Citation]] = defaultdict(list)
        for one in group:
            if one.cited.source_id in sources and not one.missing:
                by_source[one.cited.source_id].append(one.cited)
        found[pk] = [
            LitSource(
                cited[0],
                excerpt(sources[source].text, [LitSpan(one.start, one.end, one.id, one.stance) for one in cited]),
                neighbours.get(source, Neighbours()),
            )
            for source, cited in list(by_source.items())[:MAX_SOURCES]
        ]
    return found


def places_of(claims: Sequence[Claim], sources: Mapping[int, Source]) -> dict[int, list[QuotePlace]]:
    """By claim id the places that its quote could mean, each with what is around it."""
    found: dict[int, list[QuotePlace]] = {claim.pk: [] for claim in claims}
    places = [(claim.pk, index, place) for claim in claims for index, place in enumerate(claim.anchors_to_choose)]
    for pk, index, place in places:
        source = sources.get(place["source"])
        if source is not None and not source.purged_at:
            start, end = place["start"], place["end"]
            html = highlight(
                source.text, [LitSpan(start, end, index)], attribute="data-place",
                start=max(0, start - AROUND_A_PLACE), end=end + AROUND_A_PLACE,
            )  # fmt: skip
            found[pk].append(QuotePlace(index, source.pk, html))
    return found


def neighbours_of(sources: Iterable[Source]) -> dict[int, Neighbours]:
    """By source id what stands around each message of a conversation, so that a short one can be understood. One query for
    all; none where nothing is a message."""
    wanted = [source for source in sources if source.conversation_id is not None and source.kind == "message"]
    around = Q(pk__in=[])
    for source in wanted:
        low, high = source.position - MESSAGES_BEFORE, source.position + MESSAGES_AFTER
        around |= Q(conversation_id=source.conversation_id, position__gte=low, position__lte=high)
    rows = (
        Source.objects.filter(around, purged_at=None)
        .annotate(words=Left("text", MAX_NEIGHBOUR + 1))
        .order_by("conversation_id", "position", "id")
        .values_list("conversation_id", "position", "id", "sender", "sender_kind", "words", "sent_at", "secrets")
    )
    threads: dict[int | None, list[tuple[int, Neighbour]]] = defaultdict(list)
    for thread, position, pk, sender, speaker, words, sent_at, secrets in rows:
        words = masked(words, secrets)
        one = Neighbour(pk, sender, speaker, words[:MAX_NEIGHBOUR], len(words) > MAX_NEIGHBOUR, sent_at)
        threads[thread].append((position, one))
    return {source.pk: _around(source.position, threads[source.conversation_id]) for source in wanted}


def _around(at: int, thread: Sequence[tuple[int, Neighbour]]) -> Neighbours:
    return Neighbours(
        tuple(one for position, one in thread if at - MESSAGES_BEFORE <= position < at),
        tuple(one for position, one in thread if at < position <= at + MESSAGES_AFTER),
    )
