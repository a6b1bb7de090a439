"""The rules over one text: headings, typed items, label lines, sentences, measures; and what of its other sentences the learned
reader proposes. Of a calendar its events."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType

from extraction.extractors.agent_files import orders_in
from extraction.extractors.calendar_events import CALENDAR_VERSION, calendar_findings
from extraction.extractors.documents import RULES_VERSION, Hit, RuleSet, SectionLike, find_hits
from extraction.extractors.findings import Extractor, Findings, Reading
from extraction.extractors.turn_items import placed
from extraction.extractors.unlabelled.model import UNLABELLED_VERSION, shipped_model
from extraction.extractors.unlabelled.proposals import UNLABELLED, proposals_in
from ledger.models import SourceKind
from ledger.packs import PackSet
from ledger.rules.calendar_files.reading import is_calendar

RULES = "rules"


class RuleExtractor(Extractor):
    """Reads every kind of source by `extraction.extractors.documents`, and the sentences of documents that no rule reads where a
    pack asks for it."""

    name = RULES
    version = f"{RULES_VERSION}/{UNLABELLED_VERSION}/{CALENDAR_VERSION}"
    stage = "rules"
    # A rule's score is prior × signal × freshness (P4); the weakest rule without any bonus still passes.
    threshold = 0.4
    # The bars that were learnt decide; a pack may ask for more.
    other_gates = MappingProxyType({UNLABELLED: 0.0})

    def read(self, reading: Reading) -> Findings:
        source = reading.source
        if is_calendar(source.text):
            return calendar_findings(reading)
        hits = hits_in(
            source.text,
            reading.sections,
            rules_of(reading.packs),
            kind=source.kind,
            sent_at=source.sent_at,
            now=reading.now,
            zone=reading.scope.timezone,
            name=f"{source.external_id}\n{source.title}",
        )
        return Findings(placed(hits, reading) if source.kind == SourceKind.TURN else hits)


def hits_in(
    text: str,
    sections: Sequence[SectionLike],
    rules: RuleSet,
    *,
    kind: str,
    sent_at: datetime | None,
    now: datetime,
    zone: str = "UTC",
    name: str = "",
) -> list[Hit]:
    """What the rules find, and behind it what is proposed of the sentences that they leave. `name` is the file's."""
    hits = find_hits(text, sections, rules, kind=kind, sent_at=sent_at, now=now, zone=zone)
    if kind == SourceKind.DOCUMENT:
        hits += orders_in(name, text, sections, rules, hits)
    if kind != SourceKind.DOCUMENT or not rules.unlabelled:
        return hits
    return [*hits, *proposals_in(text, sections, rules, shipped_model(), hits)]


@lru_cache(maxsize=64)
def rules_of(packs: PackSet) -> RuleSet:
    """The compiled rules of a pack set; equal packs are compiled once a process. Raises PatternError."""
    return RuleSet.from_packs(packs.contents)
