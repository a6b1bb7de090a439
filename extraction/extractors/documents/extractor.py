"""The rules over one text: headings, typed items, label lines, sentences, measures."""

from functools import lru_cache

from extraction.extractors.documents import RULES_VERSION, RuleSet, find_hits
from extraction.extractors.findings import Extractor, Findings, Reading
from ledger.packs import PackSet

RULES = "rules"


class RuleExtractor(Extractor):
    """Reads every kind of source by `extraction.extractors.documents`."""

    name = RULES
    version = RULES_VERSION
    stage = "rules"
    # A rule's score is prior × signal × freshness (P4); the weakest rule without any bonus still passes.
    threshold = 0.4

    def read(self, reading: Reading) -> Findings:
        source = reading.source
        hits = find_hits(
            source.text,
            reading.sections,
            rules_of(reading.packs),
            kind=source.kind,
            sent_at=source.sent_at,
            now=reading.now,
            zone=reading.scope.timezone,
        )
        return Findings(hits)


@lru_cache(maxsize=64)
def rules_of(packs: PackSet) -> RuleSet:
    """The compiled rules of a pack set; equal packs are compiled once a process. Raises PatternError."""
    return RuleSet.from_packs(packs.contents)
