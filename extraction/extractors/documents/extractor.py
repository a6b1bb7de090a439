"""The rules over one text: headings, typed items, label lines, sentences, measures."""

from functools import lru_cache

from extraction.extractors.documents import RULES_VERSION, RuleSet, find_hits
from extraction.extractors.findings import Findings, Reading
from ledger.packs import PackSet

RULES = "rules"


class RuleExtractor:
    """Reads every kind of source by `extraction.extractors.documents`."""

    name = RULES
    stage = "rules"
    # A rule's score is prior × signal × freshness (P4); the weakest rule without any bonus still passes.
    threshold = 0.4
    kinds: frozenset[str] = frozenset()

    def version(self, packs: PackSet) -> str:
        return f"{RULES_VERSION}+{packs.digest[:12]}"

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
def ruleset_of(packs: "Hashed") -> RuleSet:
    """The compiled rules of a pack set; equal packs are compiled once a process. Raises PatternError."""
    return RuleSet.from_packs(packs.packs.contents)


class Hashed:
    """A pack set that is equal to another by its digest."""

    def __init__(self, packs: PackSet) -> None:
        self.packs = packs

    def __hash__(self) -> int:
        return hash(self.packs.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hashed) and other.packs.digest == self.packs.digest


def rules_of(packs: PackSet) -> RuleSet:
    return ruleset_of(Hashed(packs))
