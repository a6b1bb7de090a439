"""Keys, passwords, tokens, card and social numbers in a text, and the text without them. Pure; `finding` knows the packages."""

from ledger.rules.secrets.finding import SecretSpan, find_secrets
from ledger.rules.secrets.masking import MASK, is_masked, masked, masked_in, secrets_within

__all__ = ["MASK", "SecretSpan", "find_secrets", "is_masked", "masked", "masked_in", "secrets_within"]
