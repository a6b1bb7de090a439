"""A text without what makes no difference: case, accents, and the many shapes of quotes, dashes and letters."""

import unicodedata
from functools import lru_cache
from typing import Final

# One code point for one, so that `str.translate` moves no offset.
PLAIN_PUNCTUATION: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′‹›´ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    }
)


def fold(text: str, *, keep_accents: bool = False, keep_case: bool = False) -> str:
    """`text` in lower case, without accents, with straight quotes and dashes and letters in their common form: `Weißt’s`
    becomes `weisst's`, `ﬁn` becomes `fin`. Its length may change.

    What must stay the same statement, and not merely meet the same cue, keeps its accents; what tells a name or a unit by
    its capitals keeps its case.
    """
    if text.isascii():
        return text if keep_case else text.lower()
    text = unicodedata.normalize("NFKC", text).translate(PLAIN_PUNCTUATION)
    if not keep_case:
        text = unicodedata.normalize("NFKC", text.casefold())
    if keep_accents:
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def fold_in_place(text: str) -> str:
    """As `fold`, one character for each of the text's, so that an offset holds in both. A letter whose plain form is
    longer stands as it is, in lower case: whoever looks for `ss` here looks for `ß` as well."""
    if text.isascii():
        return text.lower()
    return "".join(map(_letter, text.translate(PLAIN_PUNCTUATION)))


@lru_cache(maxsize=2048)
def _letter(char: str) -> str:
    return next((form for form in (fold(char), char.lower()) if len(form) == 1), char)
