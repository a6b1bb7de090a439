"""Priors that an owner set for single rules of a scope, applied to what an extractor found."""

from collections.abc import Sequence
from dataclasses import replace

from extraction.extractors.documents import Hit
from extraction.extractors.registry import rules_of
from ledger.packs import PackSet
from ledger.reads.insights.priors import BY_CLASS, FIXED


def with_priors(hits: Sequence[Hit], extractor: str, packs: PackSet) -> Sequence[Hit]:
    """The hits with their own rule's prior where the scope sets one. A score of prior × signal × freshness changes in
    proportion; a score that an extractor gives to all hits of a rule becomes the prior. Scores that are found hit by hit (a
    model's, the coordinator's) have no prior and stay."""
    if not any(hit.rule in packs.priors for hit in hits):
        return hits
    if extractor in BY_CLASS:
        classes = rules_of(packs).priors
        return [_scaled(hit, packs.priors.get(hit.rule), classes[hit.rule_class]) for hit in hits]
    if extractor in FIXED:
        return [replace(hit, confidence=packs.priors.get(hit.rule, hit.confidence)) for hit in hits]
    return hits


def _scaled(hit: Hit, prior: float | None, of_class: float) -> Hit:
    if prior is None or not of_class:
        return hit
    return replace(hit, confidence=round(min(1.0, hit.confidence * prior / of_class), 4))
