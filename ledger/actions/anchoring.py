"""Evidence is written here only; the database's trigger has the last word on whether it is true (law 2)."""

import hashlib
from collections.abc import Iterable, Sequence

from django.db import IntegrityError

from ledger.errors import Invalid
from ledger.language.spans import locate
from ledger.models import Claim, Evidence, Section, Source, Stance
from ledger.rules.drafts import Quote
from ledger.rules.secrets import is_masked, secrets_within


def evidence_row(claim: Claim, quote: Quote) -> Evidence:
    return Evidence(
        claim=claim,
        source_id=quote.source_id,
        section_id=quote.section_id,
        speaker=quote.speaker,
        start=quote.start,
        end=quote.end,
        quote=quote.text,
        quote_sha256=hashlib.sha256(quote.text.encode()).hexdigest(),
        stance=quote.stance,
        anchor=quote.anchor,
        secrets=list(quote.secrets),
    )


def write_evidence(pairs: Iterable[tuple[Claim, Quote]]) -> list[Evidence]:
    """One statement for all; a range that a claim already cites is passed over. Raises `Invalid` where a source was purged
    since the quote was located."""
    rows = [evidence_row(claim, quote) for claim, quote in pairs]
    try:
        return Evidence.objects.bulk_create(rows, ignore_conflicts=True)
    except IntegrityError as error:
        if "is purged" in str(error):
            raise Invalid("a source was purged meanwhile and cannot be cited", field="evidence.source") from None
        raise


def anchored_by(anchors: Sequence[str], quotes: Iterable[Quote | Evidence]) -> bool:
    """Law 8: whether somebody whose words count for this kind supports it."""
    return any(q.stance == Stance.SUPPORTS and (not anchors or q.speaker in anchors) for q in quotes)


def quote_at(source: Source, sections: Sequence[Section], start: int, end: int, *, stance: str, anchor: str) -> Quote:
    """The quote of a range. Raises `Invalid` where the range is empty, outside, or joins two speakers' words."""
    if not 0 <= start < end <= len(source.text):
        raise Invalid(f"source {source.pk} has no range {start} to {end}", field="evidence.start")
    # Sections tile their source: there is always one.
    inside = [section for section in sections if section.start < end and section.end > start]
    if len({section.speaker for section in inside}) > 1:
        raise Invalid("a quote cannot join the words of two speakers", field="evidence.end")
    first = inside[0]
    secrets = secrets_within(source.secrets, start, end)
    return Quote(source.pk, first.pk, first.speaker, start, end, source.raw_words[start:end], stance, anchor, secrets)


def find_quotes(
    source: Source, quote: str, *, start: int | None, end: int | None, stance: str = Stance.SUPPORTS
) -> tuple[Quote | None, list[dict[str, int]]]:
    """Locate a quote as design §6.3 says: the quote, or None and the places it could mean.

    Raises `Invalid` where it is nowhere, or the source is purged.
    """
    if source.purged_at is not None:
        raise Invalid(f"source {source.pk} is purged and cannot be cited", field="evidence.source")
    found = locate(source.text if is_masked(quote) else source.raw_words, quote, start, end)
    if found.kind == "ambiguous":
        return None, [{"source": source.pk, "start": a, "end": b} for a, b in found.places]
    if found.start is None or found.end is None:
        raise Invalid(f"source {source.pk} does not say {quote[:80]!r}", field="evidence.quote")
    sections = list(source.sections.all())
    return quote_at(source, sections, found.start, found.end, stance=stance, anchor=found.kind), []
