"""Extraction's own working state: what asking a model has cost."""

from extraction.models.spend import ModelCall, ModelDay

__all__ = ["ModelCall", "ModelDay"]
