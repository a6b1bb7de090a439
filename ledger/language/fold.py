"""Normal forms of a text, without what makes no difference: case, accents, the many shapes of quotes and letters; markup (for
finding duplicates, P13); and for open keys all but words (design §6.5)."""

import html
import re
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


_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{0,500})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)")
# Runs of emphasis marks with a letter or digit on at most one side, and never standing alone: `2 * 3` is no emphasis. Bold type
# of nothing (`****`) is what a name or a link left behind.
_EMPHASIS: Final = re.compile(
    r"(?<![^\W_])(?<![*_`])[*_`]++(?=\S)|(?<=\S)(?<![*_`])[*_`]++(?![^\W_])|~~|(?<!\*)\*{4}(?!\*)"
)
# Marks inside a code span are its own; they wait as noncharacters, which no text should hold.
_CODE: Final = re.compile(r"(`+)([^`]{1,400})\1")
_HIDDEN: Final = str.maketrans("*_~", "\ufdd0\ufdd1\ufdd2")
_SHOWN: Final = str.maketrans("\ufdd0\ufdd1\ufdd2", "*_~")
_TAG: Final = re.compile(
    r"</?(?:strong|b|em|i|u|mark|span|p|li|code|small|del|ins|sub|sup|a|br|td|div|font)\b[^<>]{0,300}>", re.I
)
# What only says what sort of statement follows.
LEADING_LABEL: Final = (
    r"^\W*(?:decision|decided|constraint|requirement|resolution|resolved|fact|note|agreed|commitment)\s*:\s*"
)
_LABEL: Final = re.compile(LEADING_LABEL, re.I)
MAX_OPENING: Final = 400
_TRAILING: Final = " \t.,;:!…。、！"


def strip_markup(text: str) -> str:
    """`text` without Markdown emphasis, inline tags and link targets (the link's words stay), white space collapsed."""
    if "[" in text:
        text = _LINK.sub(r"\1", text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "`" not in text:
        return " ".join(_EMPHASIS.sub("", text).split())
    text = _CODE.sub(lambda code: code[2].translate(_HIDDEN), text)
    return " ".join(_EMPHASIS.sub("", text).translate(_SHOWN).split())


def opening_of(statement: str) -> str:
    """How a statement begins, folded, without its markup and a label before it."""
    return fold(_LABEL.sub("", strip_markup(statement[:MAX_OPENING]))).lstrip(" \t\"'(*_-")


# What an author has taken back.
STRUCK: Final = re.compile(r"~~(?=\S)[^\n]{1,600}?(?<=\S)~~|<(del|s|strike)>[^<]{1,2000}</\1>", re.I)
_BLOCK_MARKS: Final = re.compile(r"^[ \t]*(?:(?:#{1,6}|>)(?:[ \t]+|$))+", re.M)
# A backslash before punctuation, which Markdown does not show.
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY: Final = re.compile(r"&(?:[a-z]{2,8}|#\d{2,6});", re.I)
_FOOTNOTE: Final = re.compile(r"\[\^[^\[\]\s]{1,40}\]")
# Escaped marks wait in a private area until what is a mark is gone.
_WAITING: Final = 0xF0000
_WAITED: Final = re.compile(r"[\U000f0021-\U000f007e]")
MAX_SUMMARY: Final = 1_500


def summary_of(words: str) -> str:
    """A paragraph or a whole section as it is read, without markup and what is struck out; the beginning where it is long."""
    words = _FOOTNOTE.sub("", _BLOCK_MARKS.sub("", STRUCK.sub(" ", words)))
    if len(words) <= MAX_SUMMARY:
        plain = strip_markup(_ESCAPED.sub(lambda found: chr(_WAITING + ord(found[1])), words))
        plain = _ENTITY.sub(lambda found: html.unescape(found[0]), plain)
        return _WAITED.sub(lambda found: chr(ord(found[0]) - _WAITING), plain)
    plain = strip_markup(words[:MAX_SUMMARY])
    stop = max(plain.rfind(". "), plain.rfind("! "), plain.rfind("? "))
    return plain[: stop + 1] + " …" if stop > MAX_SUMMARY // 3 else plain.rsplit(" ", 1)[0] + " …"


def normalise_statement(text: str) -> str:
    """The form in which two statements are the same statement (P13).

    Case folded, compatibility forms and white space unified, quotes and dashes made plain, Markdown emphasis and
    invisible characters dropped, trailing punctuation dropped. A question mark is kept: a question is not the statement.
    Idempotent, and safe for every script.
    """
    return _normalised_short(text) if len(text) <= _SHORT else _normalised(text)


# A pass over a text asks for the form of the same short statements again and again.
_SHORT: Final = 600
_PASSES: Final = 8
_MARKS: Final = re.compile(r"[\[\]()<>*_`~]+")


def _normalised(text: str) -> str:
    for _ in range(_PASSES):
        before, text = text, _normalised_once(text)
        if before == text:
            return text
    # Markup nested deeper than people write: without its marks one more pass settles it.
    return _normalised_once(_MARKS.sub(" ", text))


_normalised_short = lru_cache(maxsize=4096)(_normalised)


def _normalised_once(text: str) -> str:
    return strip_markup(fold(_INVISIBLE.sub("", text), keep_accents=True)).rstrip(_TRAILING).strip()


def normalise_label(text: str) -> str:
    """The form in which labels and names are looked up: without case, one blank between words."""
    return " ".join(text.casefold().split())


_NOT_IN_KEY: Final = re.compile(r"[^\w.]+")


def slug_key(text: str) -> str:
    """The key for a name where keys are open: lower case, words joined by `-`, parts by `.` (`Max weight` → `max-weight`)."""
    plain = normalise_statement(text).replace("'", "").replace("/", ".").replace("_", "-")
    parts = (_NOT_IN_KEY.sub("-", part.strip()).strip("-_") for part in plain.split("."))
    return ".".join(part for part in parts if part)
