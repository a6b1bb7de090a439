"""Episodes of agents: attempts that failed become negative results, so that nobody makes them again (C3)."""

from extraction.extractors.documents import Hit, Span
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.episodes.failures import Failure, failures
from extraction.extractors.findings import Extractor, Findings, Reading
from ledger.models import SourceKind


class EpisodeExtractor(Extractor):
    """Reads what tools returned. A failure is a measured thing: its prior is that of values."""

    name = "episodes"
    version = "1.0.0"
    stage = "rules"
    threshold = 0.4
    kinds = frozenset({SourceKind.EPISODE})

    def read(self, reading: Reading) -> Findings:
        prior = rules_of(reading.packs).priors["value"]
        text = reading.source.text
        return Findings([_hit(one, text, prior) for one in failures(text, reading.sections)])


def _hit(one: Failure, text: str, prior: float) -> Hit:
    line = " ".join(text[one.start : one.end].split())
    return Hit(
        rule="episode.failure",
        rule_class="value",
        explicit=False,
        kind="negative_result",
        statement=f"{one.tool or 'A tool'} ended with exit code {one.exit_code}: {line}",
        spans=(Span(one.start, one.end, one.section),),
        confidence=prior,
        anchored=True,
        topic=one.tool,
        tags=("failure",),
    )
