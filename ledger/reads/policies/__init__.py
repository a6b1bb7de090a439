"""Policies: which are on, what they would take now, and what they would have done."""
