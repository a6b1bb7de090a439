"""Texts that the server builds itself: a turn out of its parts, an episode out of its events."""
