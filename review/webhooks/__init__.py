"""Signed messages to addresses that owners named: what was decided, as it is decided, and the digest's."""
