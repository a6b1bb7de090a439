"""From words that came over the API to a located draft: the program finds the quote itself (design §6.3)."""

from collections.abc import Sequence
from typing import Any

from ledger.actions.anchoring import find_quotes
from ledger.actions.note import note
from ledger.actions.propose import Draft, propose
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid
from ledger.models import JournalEvent, Kind, Scope, Section, Source
from ledger.reads.page import MAX_ID
from ledger.rules.drafts import Quote
from ledger.rules.permissions import Access, Right
from review.api.bodies import EvidenceIn, ProposeIn

USERS_CONFIDENCE = 1.0
AGENTS_CONFIDENCE = 0.5


def propose_words(body: ProposeIn, scope: Scope, actor: Actor) -> tuple[int, dict[str, Any]]:
    """Inside the caller's transaction: (201, ids) for a new candidate, (200, ids) for one that was known.

    Raises `Duplicate` for a remembered no, `Invalid` by field.
    """
    quotes, places = located(body.evidence, body.kind, actor)
    if not body.evidence:
        quotes = (note(body.statement, scope, actor),)
    default = AGENTS_CONFIDENCE if actor.access.agent else USERS_CONFIDENCE
    draft = Draft(
        kind=body.kind,
        statement=body.statement.strip(),
        quotes=quotes,
        key=body.key.strip(),
        topic=body.topic.strip(),
        tags=tuple(body.tags),
        value_type=body.value_type,
        value=body.value,
        assignee=body.assignee,
        confidence=default if body.confidence is None else body.confidence,
        confidence_word=body.confidence_word,
        extractor="" if not actor.access.agent else actor.name[:60],
        hand_authored=not actor.access.agent,
        needs_review=body.needs_review,
        summary=body.summary,
        names_replaced=tuple(body.names_replaced),
        valid_from=body.valid_from,
        valid_to=body.valid_to,
        expires_at=body.expires_at,
        downstream=tuple(body.downstream),
        anchors_to_choose=places,
    )
    found = propose(draft, scope=scope, actor=actor, reason=body.reason)
    if found.stands_in is None:
        raise Duplicate(found.why + _reason_of_no(found.known_as, scope, actor), ref=found.known_as)
    event = JournalEvent.objects.filter(ref=found.known_as, verb__in=("propose", "see_again")).order_by("-pk").first()
    ids = {"claim": found.stands_in.pk, "event": event.pk if event else None}
    return (201 if found.fate == "written" else 200), ids


def _reason_of_no(ref: str, scope: Scope, actor: Actor) -> str:
    """What the reviewer said who rejected it, for those who may read it."""
    if not actor.access.may(Right.READ, scope.path):
        return ""
    event = JournalEvent.objects.filter(ref=ref, verb="reject", scope=scope).order_by("-pk").first()
    return f": {event.reason}" if event and event.reason else ""


def located(
    evidence: Sequence[EvidenceIn], kind: str, actor: Actor, *, right: Right = Right.PROPOSE
) -> tuple[tuple[Quote, ...], tuple[dict[str, int], ...]]:
    """The quotes, and the places of the one that stands in several. Raises `Invalid` by `evidence.N.field`."""
    quotes: list[Quote] = []
    places: list[dict[str, int]] = []
    for at, item in enumerate(evidence):
        source = source_to_cite(item.source, actor, field=f"evidence.{at}.source", right=right)
        try:
            quote, several = find_quotes(source, item.quote, start=item.start, end=item.end, stance=item.stance)
        except Invalid as error:
            name = error.field.removeprefix("evidence.")
            raise Invalid(error.message, field=f"evidence.{at}.{name}") from None
        if quote is not None:
            quotes.append(quote)
            continue
        several = spoken_by_the_right(several, source, kind)
        if places or not several:
            why = (
                "stands in several places; give its start" if several else "stands only in words that cannot anchor it"
            )
            raise Invalid(f"the quote {why}", field=f"evidence.{at}.quote")
        places = several
    return tuple(quotes), tuple(places)


def spoken_by_the_right(places: list[dict[str, int]], source: Source, kind: str) -> list[dict[str, int]]:
    """Law 8: of several places only those count whose speaker may anchor this kind."""
    anchors = Kind.objects.filter(name=kind).values_list("anchors", flat=True).first()
    if not anchors:
        return places
    sections: list[Section] = list(source.sections.all())
    return [
        place for place in places if any(s.start <= place["start"] < s.end and s.speaker in anchors for s in sections)
    ]


def may_cite(access: Access, path: str, right: Right) -> bool:
    """Who may do in the source's own scope what they cite it for may cite it, even where a token may not read: it must
    know the words already, and the answer keeps them to itself."""
    return access.may(Right.READ, path) or access.may(right, path)


def source_to_cite(pk: int, actor: Actor, *, field: str, right: Right = Right.PROPOSE) -> Source:
    """A source that the caller may read, or cite for what `right` allows. Raises `Invalid`: what may not be seen is not
    there."""
    source = None
    if 0 < pk <= MAX_ID:
        source = Source.objects.filter(pk=pk).select_related("scope").first()
    if source is None or not may_cite(actor.access, source.scope.path, right):
        raise Invalid(f"no source {pk}", field=field)
    return source
