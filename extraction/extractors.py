"""Which extractors run in a scope, each with the version that makes a run the same run (law 7, P11)."""

from functools import lru_cache

from extraction.rules import RULES_VERSION, PatternError, RuleSet
from ledger.actions.run import Extractor
from ledger.errors import Invalid
from ledger.models import Scope
from ledger.packs import PackSet
from ledger.reads.packs import packs_of

RULES = "rules"


def for_scope(scope: Scope, *, only: list[str] | None = None) -> list[Extractor]:
    """All extractors of a scope, or those named. Raises `Invalid` (field `extractors.N`) for a name that is none."""
    return named(packs_of(scope), only)


def named(packs: PackSet, only: list[str] | None = None) -> list[Extractor]:
    every = {RULES: Extractor(RULES, f"{RULES_VERSION}+{packs.digest[:12]}")}
    if only is None:
        return list(every.values())
    for at, name in enumerate(only):
        if name not in every:
            raise Invalid(f"no extractor {name[:60]!r}; there is {', '.join(every)}", field=f"extractors.{at}")
    return [every[name] for name in dict.fromkeys(only)]


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


__all__ = ["RULES", "PatternError", "for_scope", "named", "rules_of"]
