"""Which extractors run in a scope, each with the version that makes a run the same run (law 7, P11)."""

from collections.abc import Sequence

from extraction.chat.commitments.extractor import CoordinationExtractor
from extraction.extractors.discussions.extractor import DiscussionExtractor
from extraction.extractors.documents import PatternError
from extraction.extractors.documents.extractor import RULES, RuleExtractor, rules_of
from extraction.extractors.episodes.extractor import EpisodeExtractor
from extraction.extractors.findings import Extractor as Reader
from extraction.extractors.model.extractor import ModelExtractor
from ledger.actions.run import Extractor
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of

# In the order in which they read a source. A scope runs those that one of its packs names.
READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        RuleExtractor(),
        DiscussionExtractor(),
        EpisodeExtractor(),
        CoordinationExtractor(),
        ModelExtractor(),
    )
}


def for_scope(scope: Scope, *, only: list[str] | None = None) -> list[Extractor]:
    """All extractors of a scope, or those named. Raises `Invalid` (field `extractors.N`) for a name that is none, and for one
    that can't read here now; of those that the packs name such a one is left out."""
    packs = packs_of(scope)
    if only is None:
        return named(packs, [name for name in READERS if name in packs.extractors and not refusal(name, scope, packs)])
    chosen = named(packs, only)
    for at, name in enumerate(only):
        if why := refusal(name, scope, packs):
            raise Invalid(f"{name}: {why}", field=f"extractors.{at}")
    return chosen


def refusal(name: str, scope: Scope, packs: PackSet) -> str:
    """Why an extractor can't read texts of this scope now (no server, an endpoint that is not allowed); empty where it can."""
    asks = getattr(READERS[name], "refusal", None)
    return str(asks(scope, packs)) if asks else ""


def named(packs: PackSet, only: list[str] | None = None) -> list[Extractor]:
    chosen: Sequence[str] = [name for name in READERS if name in packs.extractors] if only is None else only
    for at, name in enumerate(chosen):
        if name not in READERS:
            raise Invalid(f"no extractor {name[:60]!r}; there is {', '.join(READERS)}", field=f"extractors.{at}")
    readers = [READERS[name] for name in dict.fromkeys(chosen)]
    return [
        Extractor(reader.name, reader.version(packs), kinds_read(reader, packs), getattr(reader, "waits_for", ()))
        for reader in readers
    ]


def kinds_read(reader: Reader, packs: PackSet) -> frozenset[str]:
    """The kinds of sources that it reads: its own, or for a reader that asks a model those that a pack names."""
    own: frozenset[str] = getattr(reader, "kinds_in", lambda _: reader.kinds)(packs)
    return own


__all__ = ["READERS", "RULES", "PatternError", "for_scope", "named", "rules_of"]
