"""Labelled words that settle nothing: `Resolution: none`, questions, bare links, `Decision: pending`."""

import re
from typing import Final

from extraction.extractors.documents.standing import MAX_NOTHING, leaves_open
from ledger.language.fold import strip_markup

_WHAT: Final = (
    "decisions?|conclusions?|resolutions?|actions?|action items?|consensus|agreement|outcome|items?|records?|recorded"
    "|reached|made"
    "|taken|yet|noted|decided|resolved|available|applicable|required|needed|new|formal|final|clear|further|at this time|this time"
    "|so far|today|for now|here|was|were|been|be|to|report|could"
)
# Between `no` and these words stands what there is none of; under a heading such as Conclusion only words that add nothing, since
# `No name picked` is what was concluded.
_BETWEEN: Final = r"(?:\w+ ){0,2}?"
_ADDING_NOTHING: Final = r"(?:(?:formal|official|final|clear|firm|real|specific|explicit|other|additional|such) ){0,2}?"
_NOTHING_FORM: Final = (
    r"(?:(?:there (?:was|were|is) |we (?:have|had|reached|made) |still )?(?:no|none|nothing|not)"
    rf"(?: {{between}}(?:{_WHAT}))*"
    r"|n/?a|tb[dca]|todo|fixme|wip|\?+|-+|\.+|…|\(none\)|nil|n\.a\.|undecided|unresolved|pending|open"
    r"|(?:decision )?(?:to be (?:decided|determined|discussed|confirmed|defined|done)|postponed"
    r"|not (?:yet )?(?:decided|agreed|reached))"
    r"(?: (?:(?:at|in|on|by|to|until|till|for|during) )?(?:the |our |a )?(?:next|later|following|another|future)"
    r"(?: (?:meeting|call|week|time|session|telecon|date))?| later| yet)?|(?:see|as) (?:above|below|discussed)"
    r"|same|yes|yep|yeah|yup|ok|okay|sure|right|nope|agreed|done|thanks?|skipped?"
    r"|not discussed|not started|failed|delayed|delivered)"
    r"[ .;:!)-]*\Z"
)
_NOTHING: Final = re.compile(_NOTHING_FORM.replace("{between}", _BETWEEN), re.I | re.S)
_NOTHING_HERE: Final = re.compile(_NOTHING_FORM.replace("{between}", _ADDING_NOTHING), re.I | re.S)
_ALONE: Final = re.compile(
    r"(?:yes|yep|yeah|yup|ok|okay|sure|no|nope|none|n/a|tbd)\b[ ]*[,.;:!-](?! (?:with|but|provided|subject)\b)", re.I
)
_LINK: Final = re.compile(r"(?:\d{1,2}-[A-Z][a-z]{2}-\d{4}[ ,]*)?<?(?:https?://|mailto:)\S+>?\Z")
_ASKS: Final = re.compile(
    r"(?!(?:can|could|would|will) you\b)(?:should|shall|can|could|do|does|did|is|are|was|were|will|would|who|what|which|when"
    r"|where|why|how|any|may|might|whether|have|has|must)\b",
    re.I,
)
_MORE: Final = re.compile(r"[.!?][ \n]")
_LETTER: Final = re.compile(r"[^\W\d_]")


# `[what we decided]`, `<owner>`, `{{requirement}}`, `XXX`: a form that nobody has filled in.
_BLANK_FORM: Final = re.compile(
    r"\[[^\W\d][^\[\]|\n]{1,60}\]|<[^\W\d][^<>\n]{1,60}>|\{\{[^{}\n]{1,60}\}\}|\{[a-z _-]+\}|\bX{3,}\b|_{3,}|\.{3,}"
    r"|\blorem ipsum\b[^\n]*|\b(?-i:YOUR|INSERT|ENTER)(?: [A-Z]{2,20}){1,4}\b"
    r"|\byour (?:\w+ ){1,3}here\b|\by{4}-m{2}-d{2}\b"
)
_FORM_WORDS: Final = re.compile(
    r"\b(?:to|by|the|on|for|until|before|with|of|and|in|at|will|due|bis|am|für|mit|und|wird|soll|muss|macht|erledigt"
    r"|erledigen|zum|vor"
    r"|para|hasta|antes|del?|el|la|con|y|debe|hará|pour|avant|le|les|du|et|avec|doit|fera|d['’]ici|até|ao?|e|deve|fará|entro"
    r"|il|per|con"
    r"|voor|op|tegen|en|moet|zal|door|von|durch|por|par|da)\b|[\W\d_]+",
    re.I,
)
_SIZE: Final = re.compile(
    r"\A(?:\d{2,5} ?[x×] ?\d{2,5}(?: ?(?:px|pixels|dpi|@ ?\d+ ?hz))*"
    r"|\d{1,5}[.,]?\d{0,3} ?(?:dpi|ppi|px|pixels|megapixels|mp|[pk]|bits?))\Z",
    re.I,
)
_OVER: Final = r"(?:done|completed|finished|closed|erledigt|fertig|hecho|terminado|fait|terminé|feito|concluído|fatto|klaar|gedaan)"
_DONE: Final = re.compile(
    rf"(?:--?|–|—|:|\(|\[|✅|✔|\.)\s*(?:status: ?)?(?:all |already )?(?:{_OVER}|complete)\b[)\].! ✅✔]*\Z|(?:✅|✔️?|☑)\s*\Z"
    rf"|(?:--?|–|—|\(|\[)\s*(?:all |already )?{_OVER} (?:(?:on|in|by|at|am|el|le|em|il"
    rf"|op) )?[^()\n]{{0,20}}\d[^()\n]{{0,12}}[)\].! ]*\Z"
    rf"|\A\W*(?:[✅✔☑]|\[(?:{_OVER}|[xX])\]|{_OVER}\s*:)",
    re.I,
)


# `[End of minutes]`
_FOOTER: Final = re.compile(r"\W*end of (?:the )?(?:minutes|meeting|notes)\b", re.I)


def says_done(words: str) -> bool:
    """Whether an action, or what stands before its label, says that it is over."""
    return _DONE.search(words.rstrip()) is not None


def is_blank_form(words: str) -> bool:
    """Whether the words are a template's own, with places for what is to be said."""
    return _BLANK_FORM.search(words) is not None and not _FORM_WORDS.sub("", _BLANK_FORM.sub(" ", words))


# `describe the decision`, `what was decided, in one sentence`: what a form asks for.
_ASKED_FOR: Final = re.compile(
    r"\(?(?:(?:briefly |please )?(?:describe|state|summari[sz]e|explain|write|insert|enter|specify|fill in|record|document"
    r"|list|note)(?: down)?"
    r"|what|who|which)\b[^.\n]{0,60}\b(?:decisions?|decide[ds]?|agreed|actions?|requirements?|constraints?|here|to be done)\b"
    r"(?:[ ,]+(?:here|in [\w ]{1,30}|briefly|today))?[?.)]*\Z",
    re.I,
)


def settles_nothing(words: str, kind: str, *, under_heading: bool = False) -> bool:
    """True where labelled words state nothing of this kind. A question is no decision; only what begins like a question
    is no action, since `ask Bob whether he can?` is one. Under a heading such as Conclusion only a lone sentence that begins
    like a question is one: `Ann to write it?` says what was concluded, if not how surely."""
    asks_for_words = is_blank_form(words) or _ASKED_FOR.match(words.strip(" *_[]<>{}"))
    if asks_for_words or _FOOTER.match(words) or (kind == "action_item" and says_done(words)):
        return True
    plain = strip_markup(words).strip(" \"'“”")
    if not _LETTER.search(plain) or _names_nothing(plain, kind, under_heading):
        return True
    return plain.endswith(("?", "？")) and _is_question(plain, kind, under_heading)


def _names_nothing(plain: str, kind: str, under_heading: bool) -> bool:
    if kind == "decision" and (leaves_open(plain, under_heading=under_heading) or _SIZE.match(plain)):
        return True
    nothing = _NOTHING_HERE if under_heading and kind == "decision" else _NOTHING
    if len(plain) <= MAX_NOTHING and nothing.match(plain):
        return True
    alone = _LINK.match(plain) or (kind in ("decision", "action_item") and _ALONE.match(plain))
    return bool(alone) and not under_heading


def _is_question(plain: str, kind: str, under_heading: bool) -> bool:
    if under_heading:
        return _ASKS.match(plain) is not None and not _MORE.search(plain)
    return kind != "action_item" or _ASKS.match(plain) is not None
