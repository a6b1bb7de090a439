"""Rule extractors: from a text to hits, without model and without database (P2, P4)."""

from extraction.extractors.documents.engine import find_hits
from extraction.extractors.documents.hits import Hit, SectionLike, Span
from extraction.extractors.documents.ruleset import PatternError, RuleSet

RULES_VERSION = "1.13.0"

__all__ = ["RULES_VERSION", "Hit", "PatternError", "RuleSet", "SectionLike", "Span", "find_hits"]
