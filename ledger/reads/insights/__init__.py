"""Figures about extractors, reviewers and what holds, at the same cost however much there is."""
