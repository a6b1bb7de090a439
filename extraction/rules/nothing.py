"""Labelled words that settle nothing: `Resolution: none`, questions, bare links, `Decision: pending`."""

import re
from typing import Final

from ledger.rules.normalise import strip_markup

_WHAT: Final = (
    "decisions?|conclusions?|resolutions?|actions?|action items?|consensus|agreement|outcome|items?|recorded|reached|made|taken"
    "|yet|noted|decided|resolved|available|applicable|required|needed|new|formal|final|clear|further|at this time|this time"
    "|so far|today|for now|here|was|were|been|be|to|report|could"
)
_NOTHING: Final = re.compile(
    r"(?:(?:there (?:was|were|is) |we (?:have|had|reached|made) |still )?(?:no|none|nothing|not)"
    rf"(?: (?:\w+ ){{0,2}}?(?:{_WHAT}))*"
    r"|n/?a|tb[dca]|\?+|-+|\.+|…|\(none\)|nil|n\.a\.|undecided|unresolved|pending|open"
    r"|to be (?:decided|determined|discussed|confirmed|defined|done)|(?:see|as) (?:above|below|discussed)"
    r"|same|yes|yep|yeah|yup|ok|okay|sure|right|nope|agreed|done|thanks?|skipped?"
    r"|not discussed|not started|failed|delayed|delivered)"
    r"[ .;:!)-]*\Z",
    re.I | re.S,
)
_ALONE: Final = re.compile(r"(?:yes|yep|yeah|yup|ok|okay|sure|no|nope|none|n/a|tbd)\b[ ]*[,.;:!-]", re.I)
_LINK: Final = re.compile(r"(?:\d{1,2}-[A-Z][a-z]{2}-\d{4}[ ,]*)?<?(?:https?://|mailto:)\S+>?\Z")
_ASKS: Final = re.compile(
    r"(?!(?:can|could|would|will) you\b)(?:should|shall|can|could|do|does|did|is|are|was|were|will|would|who|what|which|when"
    r"|where|why|how|any|may|might|whether|have|has|must)\b",
    re.I,
)
_LETTER: Final = re.compile(r"[^\W\d_]")


def settles_nothing(words: str, kind: str, *, under_heading: bool = False) -> bool:
    """True where labelled words state nothing of this kind. A question is no decision; only what begins like a question
    is no action, since `ask Bob whether he can?` is one. Under a heading such as Conclusion a question is what was concluded."""
    plain = strip_markup(words).strip(" \"'“”")
    if not plain or not _LETTER.search(plain) or (_LINK.match(plain) and not under_heading):
        return True
    if len(plain) <= 60 and _NOTHING.match(plain):
        return True
    if kind in ("decision", "action_item") and not under_heading and _ALONE.match(plain):
        return True
    if under_heading:
        return False
    return plain.endswith(("?", "？")) and (kind != "action_item" or _ASKS.match(plain) is not None)
