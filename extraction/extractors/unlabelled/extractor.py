"""Learned readers for what no label marks: decisions, actions and constraints of documents, with a gate and a rank of their own."""

from extraction.extractors.documents import find_hits
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.findings import Extractor, Findings, Reading
from extraction.extractors.unlabelled.model import shipped_model
from extraction.extractors.unlabelled.proposals import proposals_in
from ledger.models import SourceKind


class UnlabelledExtractor(Extractor):
    """Reads the sentences of documents that the rules leave, by weights learnt from strangers' texts. It never holds back what
    is labelled: what it proposes is inferred, and ranks below."""

    name = "unlabelled"
    version = "1.0.0"
    stage = "unlabelled"
    # The model's own bars decide; a pack may ask for more.
    threshold = 0.0
    kinds = frozenset({SourceKind.DOCUMENT})

    def read(self, reading: Reading) -> Findings:
        source, rules = reading.source, rules_of(reading.packs)
        read_by_rules = find_hits(
            source.text,
            reading.sections,
            rules,
            kind=source.kind,
            sent_at=source.sent_at,
            now=reading.now,
            zone=reading.scope.timezone,
        )
        found = proposals_in(source.text, reading.sections, rules, shipped_model(), read_by_rules, source.kind)
        return Findings(list(found))
