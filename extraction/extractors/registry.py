"""Which extractors run in a scope, each with the version that makes a run the same run (law 7, P11)."""

from extraction.chat.commitments.extractor import CoordinationExtractor
from extraction.extractors.answers import AnswerExtractor
from extraction.extractors.chat_model import ChatModelExtractor
from extraction.extractors.discussions.extractor import DiscussionExtractor
from extraction.extractors.documents.extractor import RuleExtractor
from extraction.extractors.enricher.extractor import EnricherExtractor
from extraction.extractors.enricher.model import EnricherModel
from extraction.extractors.episodes.extractor import EpisodeExtractor
from extraction.extractors.findings import Extractor
from extraction.extractors.model.extractor import ModelExtractor
from ledger.actions.run import ExtractorVersion
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of

# In the order in which they read a source. A scope runs those that one of its packs names.
EXTRACTORS: dict[str, Extractor] = {
    extractor.name: extractor
    for extractor in (
        RuleExtractor(),
        AnswerExtractor(),
        DiscussionExtractor(),
        EpisodeExtractor(),
        CoordinationExtractor(),
        ChatModelExtractor(),
        ModelExtractor(),
        EnricherExtractor(),
        EnricherModel(),
    )
}


def for_scope(scope: Scope, *, only: list[str] | None = None) -> list[ExtractorVersion]:
    """All extractors of a scope, or those named. Raises `Invalid` (field `extractors.N`) for a name that is none, and for one
    that can't read here now; of those that the packs name such a one is left out."""
    packs = packs_of(scope)
    if only is None:
        named = [one for name, one in EXTRACTORS.items() if name in packs.extractors]
        return [version_of(one, packs) for one in named if not refusal(one, scope, packs)]
    for at, name in enumerate(only):
        if name not in EXTRACTORS:
            raise Invalid(f"no extractor {name[:60]!r}; there is {', '.join(EXTRACTORS)}", field=f"extractors.{at}")
    for at, name in enumerate(only):
        if why := refusal(EXTRACTORS[name], scope, packs):
            raise Invalid(f"{name}: {why}", field=f"extractors.{at}")
    return [version_of(EXTRACTORS[name], packs) for name in dict.fromkeys(only)]


def refusal(extractor: Extractor, scope: Scope, packs: PackSet) -> str:
    return extractor.refusal(scope, packs) if extractor.refusal else ""


def version_of(extractor: Extractor, packs: PackSet) -> ExtractorVersion:
    kinds = extractor.kinds_in(packs) if extractor.kinds_in else extractor.kinds
    return ExtractorVersion(
        extractor.name, f"{extractor.version}+{packs.digest[:12]}", kinds, waits_for=extractor.waits_for
    )
