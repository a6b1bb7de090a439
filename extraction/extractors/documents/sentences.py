"""Sentences by their wording alone: what somebody says of themselves (P4), asks for, proposes or promises.

A request asks, orders or proposes (modal questions, imperatives, "please", "let's", what *you* need to do); a commitment says
what the speaker will do. A sentence that only reports, or is a form of politeness or of advertising, does neither. Cues of the
language, no list of topics; only words that a user or an agent says, never a document's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from extraction.extractors.documents.hits import RuleMatch, SectionLike
from extraction.extractors.documents.instructions import Instruction, instruction_in
from extraction.extractors.documents.layout import trimmed
from extraction.extractors.documents.ruleset import RuleSet, SentenceRule
from ledger.language.own_words import is_not_meant, without_others, without_quoted
from ledger.language.sentences import MAX_SENTENCE, sentence_around


def sentence_matches(shadow: str, sections: Sequence[SectionLike], rules: RuleSet) -> Iterator[RuleMatch]:
    """One hit for each sentence that a pack's pattern finds. Questions state nothing."""
    for section in sections:
        if section.speaker in ("user", "agent"):
            words = shadow[section.start : section.end]
            own = without_quoted(without_others(words))
            for rule in rules.sentences:
                for start, end in _sentences_of(rule, words, own):
                    first, last = section.start + start, section.start + end
                    yield RuleMatch(rule.id, "sentence", rule.kind, first, last, explicit=False)


def _sentences_of(rule: SentenceRule, words: str, own: str) -> Iterator[tuple[int, int]]:
    last = -1
    for match in rule.pattern.finditer(words):
        low, high = match.span(1) if rule.pattern.groups and match.start(1) >= 0 else match.span()
        if low < last or not own[low:high].strip():
            continue  # said already, or by somebody else
        start, last = sentence_around(words, low, high)
        sentence = words[start:last]
        excepted = is_not_meant(sentence) or (rule.unless is not None and rule.unless.search(sentence) is not None)
        if len(sentence) <= MAX_SENTENCE and not sentence.rstrip().endswith(("?", "？")) and not excepted:
            yield start, last


Intent = Literal["request", "commitment", ""]

# The plain baseline that the rules are measured against.
_KEYWORDS: Final = re.compile(r"\b(?:please|can you|could you|would you|let me know)\b", re.I)

# Verbs of work between people, in the form an order has. What advertising orders (click, buy, shop, save, win) is left out.
VERBS: Final = (
    "add advise answer arrange ask assign attend book bring bump buy call cancel change check clean clear clarify close collect "
    "come compare complete confirm consider contact coordinate copy correct cover create decide delete deliver describe discuss "
    "do draft drop email e-mail ensure explain fax figure file fill find finish fix follow forward get give go grab hand have "
    "help hold include inform invite join keep list look make mail meet move notify open order organise organize pass "
    "pay phone pick ping plan prepare print propose provide pull put read reach refer remember remind remove reply report "
    "request reschedule resend respond return review revise run schedule send set share show sign speak start stop submit "
    "take talk tell test text touch try turn update use verify wait watch work write"
).split()
_VERB: Final = "(?:" + "|".join(VERBS) + ")"
_OPENER: Final = (
    r"(?:(?:hi|hey|hello|dear|ok|okay|so|and|also|but|then|now|if possible|again|guys|all|thanks|first|next|just|kindly|fyi|ps"
    r"|p\.s\.)[,:]?\s+){0,3}"
)
_NAME: Final = r"(?:[A-Z][\w.'-]+(?:\s+(?:and|&)\s+[A-Z][\w.'-]+)?\s*[,:–—-]\s*)?"

_REQUEST: Final = re.compile(
    r"""
      \b(?:can|could|would|will|won't|can't|couldn't)\s+(?:you|u|ya|we|someone|somebody|anyone|anybody
        |both\s+of\s+you|one\s+of\s+you|y'all)\b
    | \b(?:may|might|can|could|shall|should)\s+(?:i|we)\b(?=[^.!]*\?)
    | \b(?:please|pls|plz|kindly)\b
    | ^[^.!]*\b(?:you|your|u|we|me|us)\b[^.!]*\?+\s*$ | \bwelcome\s+to\s+(?:join|come|attend)\b
    | \blet\s+(?:me|us)\s+know\b | \b(?:let's|lets|let\s+us)\s+(?!know\b)\w+
    | \b(?:how|what)\s+about\b | \bwhy\s+don'?t\s+(?:you|we)\b | \b(?:do|does|did)\s+you\s+(?:want|have|need|mind
        |think|know|plan)\b(?=.*\?)
    | \bare\s+(?:you|we)\s+(?:free|available|able|ok|okay|interested|still|going|planning|coming|up\s+for
        |around)\b(?=.*\?)
    | (?<!if\syou)(?<!if\syou\s)(?:\bwould|'d)\s+(?:really\s+|very\s+much\s+|greatly\s+|also\s+)*(?:like|love|want
        |appreciate|prefer|need)\b
    | \b(?:would|will)\s+be\s+(?:\w+\s+)?(?:useful|helpful|great|nice|good|appreciated)\s+(?:to|if)\b 
        | \bappreciate\s+(?:it\s+if|your|you|any)\b
    | \b(?:i|we)\s+(?:really\s+|also\s+|still\s+|just\s+|will\s+|'ll\s+)*(?:need|want|ask|suggest|propose
        |recommend|request|urge|expect)\s+(?:that\s+|for\s+)?(?:you|your|this|the|to|a|an|some|us|we|it|everyone
        |all)\b
    | \byou\s+(?:will\s+|may\s+|might\s+|still\s+|also\s+|really\s+)*(?:need|have|ought|are\s+asked
        |are\s+requested|are\s+invited|are\s+required)\s+to\b
    | \b(?:you|we|someone|everyone)\s+(?:all\s+|both\s+|really\s+|probably\s+|also\s+)?(?:should|must|shall)\b
    | \bwe\s+(?:will\s+|'ll\s+|still\s+|also\s+|do\s+)*(?:need|have)\s+to\b
    | \b(?:make|be)\s+sure\s+(?:to|that|you)\b | \bdon'?t\s+forget\b | \bfeel\s+free\s+to\b | \bplan\s+(?:to
        |on)\b | \b(?:want|like|care)\s+to\s+(?:join|meet|come|discuss|talk|get\s+together)\b
    | \b(?:if|when)\s+you\s+(?:could|would|can|get\s+a\s+chance|have\s+(?:a\s+(?:chance|minute|moment)|time))\b
    | \b(?:need|want|ask(?:ing|ed)?|like|remind(?:ing)?|invite|expect)\s+(?:you|u|everyone|all)\s+to\b
    """,
    re.I | re.X,
)
_IMPERATIVE: Final = re.compile(
    rf"\s*[-*•>\"'(]*\s*{_OPENER}(?:(?-i:{_NAME}))(?:do(?:n't|\s+not)\s+)?{_VERB}\s+(?!i\b|you\b|we\b|they\b|he\b|she\b|it\s+(?:\w+)\?|of\b|is\b|was\b|are\b|were\b|has\b|had\b)[\w$'\"@]",
    re.I,
)
_PROPOSAL: Final = re.compile(
    r"""
      \b(?:we|i|they)(?:'ll|’ll|\s+will|\s+shall|\s+can|\s+could)\s+(?:be\s+)?(?:\w+ly\s+|also\s+|all\s+|then\s+
        |again\s+)*(?:meet|discuss|talk|call|give\s+you\s+a|get\s+together|set(?:ting)?\s+up|schedul|hold
        |have\s+(?:a|an|the|another|our)|catch\s+up|go\s+over|review)
    | \b(?:meeting|call|conference|lunch|dinner)\s+(?:is|will\s+be|has\s+been|at|on|for|with)\b.*\b(?:tomorrow
        |today|monday|tuesday|wednesday|thursday|friday|\d{1,2}(?::\d\d)?\s*[ap]\.?m)
    """,
    re.I | re.X,
)
# Politeness, boilerplate and advertising, which ask for nothing between people.
_EMPTY: Final = re.compile(
    r"""
      \bplease\s+(?:do\s+not|don'?t)\s+hesitate\b | \b(?:unsubscribe|opt[- ]out|click|sign\s+up|log\s+in|download
        |shop|subscribe|mailing|mailings|newsletter|copyright|coupon)\b
    | \b(?:do(?:es)?(?:n['’]?t|\s+not)|no\s+longer|never|not)\s+(?:need|want|like|ask\w*|expect)\b[^.!?]*\byou\s+to\b
    | \$LINK | \bhttps?:// | \b(?:received?\s+this|this\s+(?:e-?mail|message))\b.*\b(?:error|delete|confidential
        |intended)\b | \bfeel\s+free\s+to\s+(?:contact|call|e-?mail)\b
    | \bif\s+you\s+(?:have|need)\s+(?:any|further|more|questions|additional)\b | \b(?:attached
        |enclosed)\s+please\s+find\b | \bto\s+please\b
    | \bto\s+your\s+address\s+book\b | \bsee\s+you\b
    """,
    re.I | re.X,
)
_COMMITMENT: Final = re.compile(
    r"""
      \b(?:i|we)(?:'ll|’ll|\s+will|\s+shall)\s+(?!not\b|never\b|need\b|have\s+to\b|be\s+(?:out|away|happy|able
        |glad)\b|see\s+you\b|miss\b|probably\b|know\b|keep\s+that\s+in\s+mind\b)(?:\w+ly\s+|also\s+|just\s+
        |then\s+|go\s+ahead\s+and\s+)*[a-z]
    | \b(?:i'm|i\s+am|i’m)\s+(?:on\s+it|going\s+to\s+(?!be\s+(?:late|out|away)\b))
    | \b(?:will\s+do|leave\s+it\s+(?:to|with)\s+me|consider\s+it\s+done|i\s+promise|count\s+on\s+me
        |i\s+got\s+(?:it|this)|i've\s+got\s+(?:it|this))\b
    | \blet\s+me\s+(?!know\b|see\s+if\s+you\b)(?:check|look|find|get|ask|do|take|call|see|try|send|handle|fix)\b
    """,
    re.I | re.X,
)
# "Yes, go ahead": a yes to what somebody else said, which is the one that asked for something.
_ASSENT: Final = re.compile(
    r"""\s*(?:yes|yep|yeah|yup|ok|okay|sure|right|fine|agreed|approved|confirmed|correct|great|perfect|sounds\s+good)?[\s,.!:;–—-]*
    (?:please\s+)?(?:go\s+(?:ahead|for\s+it)|do\s+(?:it|that|so)|proceed|carry\s+on|ship\s+it|please\s+do)
    (?:\s+(?:with\s+)?(?:it|that|then|please|now))*[\s.!]*\Z""",
    re.I | re.X,
)
_ASIDE: Final = re.compile(r"\b(?:if|whether|when|unless|would|said|thought|told)\b", re.I)


def sentence_intent(text: str) -> Intent:
    """What one sentence does; a request where it does both ("I'll send it, please check")."""
    text = text[:600]
    if _ASSENT.match(text):
        return ""
    asks = _REQUEST.search(text) or _IMPERATIVE.match(text) or _PROPOSAL.search(text)
    if asks and not _EMPTY.search(text):
        return "request"
    return "commitment" if _promises(text) else ""


def plain_intent(text: str) -> Intent:
    """The keyword baseline: "please", "can you", "could you", "would you", "let me know"."""
    return "request" if _KEYWORDS.search(text) else ""


# What asks somebody to *do* something, and does not only ask, suggest or wish: narrow enough to be proposed as an action.
_ORDER: Final = re.compile(
    rf"""
      \b(?:can|could|would|will)\s+(?:you|u|someone|somebody|anyone|one\s+of\s+you)\s+(?:please\s+|kindly\s+|also\s+)?
        (?!be\b|believe\b|imagine\b|guess\b|ever\b|even\b|say\b|mind\b)[a-z]+\b
    | \b(?:please|pls|plz|kindly)\s+(?:do\s+not\s+|don'?t\s+|also\s+)?{_VERB}\b | \b(?:make|be)\s+sure\s+(?:to|that|you)\b
    | \bdon'?t\s+forget\s+to\b | \byou\s+(?:still\s+|also\s+)?(?:need|have)\s+to\s+{_VERB}\b
    | \b(?:need|want|like)\s+you\s+to\s+{_VERB}\b
    """,
    re.I | re.X,
)
# One sentence of a line; it begins with a word.
_SENTENCE: Final = re.compile(r"[^\s.!?>*•-][^\n]*?(?:[.!?]+(?=\s|\Z)|(?=\n|\Z))")
_SHORTEST, _LONGEST = 12, 400


def intent_matches(shadow: str, sections: Sequence[SectionLike], kinds: Mapping[str, str]) -> Iterator[RuleMatch]:
    """One inferred hit for each sentence in which a user lays something down, asks for an action or promises one.

    `kinds` are what a pack makes of them: `{"instruction": "constraint", "commitment": "commitment"}`; what it does not name
    is not looked for. Words of agents, tools and documents ask for nothing.
    """
    for section in sections:
        if section.speaker == "user":
            own = without_quoted(without_others(shadow[section.start : section.end]))
            for match in _SENTENCE.finditer(shadow, section.start, section.end):
                start, end = trimmed(shadow, match.start(), match.end())
                words = own[start - section.start : end - section.start].strip()
                readable = _SHORTEST <= len(words) <= _LONGEST and not is_not_meant(words)
                intent = _named_intent(words, kinds) if readable else ""
                if intent:
                    yield RuleMatch(f"intent.{intent}", "sentence", kinds[intent], start, end, explicit=False)


def _named_intent(sentence: str, kinds: Mapping[str, str]) -> Intent | Instruction:
    """What a sentence does of that which `kinds` name; what it lays down for good before what it asks for once."""
    intents = (instruction_in(sentence), _proposed_intent(sentence))
    return next((intent for intent in intents if intent in kinds), "")


def _proposed_intent(sentence: str) -> Intent:
    """A request only where it orders; one that merely suggests may still promise something."""
    intent = sentence_intent(sentence)
    ordered = _ORDER.search(sentence) or (_IMPERATIVE.match(sentence) and not sentence.endswith("?"))
    if intent == "request" and not ordered:
        return "commitment" if _promises(sentence) else ""
    return intent


def _promises(text: str) -> bool:
    promise = _COMMITMENT.search(text)
    return promise is not None and not text.rstrip().endswith("?") and not _ASIDE.search(text[: promise.start()])
