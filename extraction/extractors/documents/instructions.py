"""Plain instructions: what somebody tells whoever reads it to do always, never, or rather than something else (`Always run …`,
`Don't ever …`, `Stop using …`, `Prefer X over Y`).

Closed classes of words and the places where they stand; what follows them is left open, but for forms that an order never has:
a participle or a past form (`Never seen that`), a noun (`Always a pleasure`), a verb of feeling (`Always love your notes`).
Orders for this once (`Don't merge it yet`, `Stop the server`), questions and stories are none.
"""

import re
from functools import cache
from typing import Final, Literal

from extraction.extractors.documents.instruction_forms import FROM_NOW, INSTEAD, OTHER_CHOICES, OTHER_RULES, POINTING

type Instruction = Literal["instruction", "preference", ""]

MAX_INSTRUCTION: Final = 400
# What may stand before an order: words of address, and what it holds for (`In commit messages, …`).
_CALLS: Final = (
    r"(?:please|pls|plz|kindly|also|and|but|so|then|now|ok(?:ay)?|hey|hi|hello|thanks|thank you|sorry|again|seriously|reminder"
    r"|remember|note(?: that)?|nb|important(?:ly)?|caution|warning|rules?|fyi|btw|ps|in general|as a rule|as always|next time"
    r"|one more thing|another thing|oh|no|yes|great|good|perfect|first|second|third|bitte|und|aber|hinweis|wichtig|por favor"
    r"|porfa|y|pero|importante|s['’]il (?:te|vous) pla[iî]t|et|mais|per favore|per cortesia|ma|e|alsjeblieft|graag|maar|en"
    r"|\w{2,20}ly)"
)
_HOLDS_FOR: Final = (
    r"(?:in|for|on|at|with|when(?:ever)?|while|if|before|after|unless|until|during|as|to|once|every time|each time|wherever|within"
    r"|bei|beim|für|vor|nach|wenn|bevor|sobald|en|para|antes|al|cuando|si|dans|pour|avant|quand|lors|em|ao|quando|se|nei|nel|per"
    r"|prima|voor|bij|als|wanneer|voordat)\b[^.,!?;:\n]{2,140}+,"
)
_EDGE: Final = r"[*_>\s\"'(•+-]*+"
_LEAD: Final = (
    rf"(?:{_EDGE}(?:{_CALLS}(?:[,:;!.–—-]++|\b)\s*+|{_HOLDS_FOR}\s++|@?[A-Z]\w{{1,20}}+[,:]\s++)){{0,4}}?{_EDGE}"
)

# `I'd like you to always …`, `try to avoid …`
_ASKED_TO: Final = (
    r"(?:(?:try|aim) (?:hard )?(?:to|and) "
    r"|i(?:['’]?d like| would like| want| need| expect| ask)(?: you| everyone| all of you) to )?"
)

# What no order begins with after `always` or `never`: articles, pronouns, prepositions, how one is, what one feels, what was.
_NO_ORDER: Final = (
    r"(?!(?:an?|the|my|your|his|her|its|our|their|this|that|these|those|it|i|you|he|she|we|they|me|us|them|one|some|any|no|not|all"
    r"|in|on|at|of|to|for|from|with|about|by|under|over|up|down|out|off|into|as|if|than|when|where|why|how|what|who|which"
    r"|and|or|but|so|too|very|more|less|most|quite|rather|really|enough|much|many|there|here|mind|better|worse|happy|glad|sad"
    r"|good|nice|fun|great|best|welcome|right|wrong|true|false|busy|late|early|new|old|easy|hard|available|ready|free|sure"
    r"|same|interesting|hungry|tired|amazing|possible|necessary|love|like|enjoy|hate|wonder|seem|feel|want|know|need|appreciate"
    r"|fear|dull|again|will|would|can|could|shall|should|may|might|must|am|is|are|was|were|been|had|did|done|gone|got|gotten|went"
    r"|came|saw|seen|heard|knew|known|thought|felt|found|made|met|said|told|took|taken|gave|given|lost|left|kept|brought|bought"
    r"|began|begun|broke|broken|ran|ate|eaten|drove|fell|grew|meant|paid|sat|spoke|spoken|stood|understood|won|worn|wrote|written"
    r"|forgot|forgotten|became|chose|chosen|say never|give up)\b"
    r"|(?!(?:bring|ping|string|ring|swing|embed|feed|speed|proceed|exceed|succeed|seed|shed)\b)\w+(?:ing|ed)\b"
    r"|(?!(?:access|address|process|pass|discuss|assess|focus|express|bypass|suppress|dismiss|guess|miss|press|progress"
    r"|cross|stress|compress|canvas|alias)\b)\w+s\b)"
)
_ADVERBS: Final = r"(?:(?:ever|again|first|only|just|simply|also|then|please|\w+ly)\s+){0,2}+"
_VERB: Final = rf"{_ADVERBS}{_NO_ORDER}[`\"'“*_]*[^\W\d_]{{2,}}"
_GERUND: Final = (
    r"(?!(?:kidding|joking|being so|worrying|thinking|laughing|thing|something|anything|nothing|everything|king|morning|evening)\b)"
    r"[a-z]{2,}ing\b"
)
# What was asked for once is about *this*, or about now.
_ONCE: Final = rf"(?!.*\b{POINTING}\b)"
# Verbs that forbid nothing after `don't`, and objects that point at something just spoken of.
_IDLE: Final = (
    r"(?!(?:worry|forget|know|think|mind|hesitate|be|have|get|understand|see|believe|want|need|like|tell|ask|feel|care|remember"
    r"|recall|look|expect|hold|bother|start|stop|even|really|let|give|miss|panic|sweat|quote|laugh|shoot|you|we|i|they|do|matter"
    r"|work|seem|wait|go|come|say|judge|blame|hate|love)\b)"
)
_POINTS: Final = (
    r"(?!\w+(?: \w+)? (?:it|that|this|these|those|them|him|her|me|us)\b"
    r"|\w+ (?:the|my|your|our) (?:\w+ )?(?:server|meeting|pr|call|process|job|build|branch|email|message)\b)"
)
# Who is told.
_WHO: Final = r"(?:you|y['’]all|(?:the |all |any |no )?agents?|every(?:one|body)|nobody|no one|we)"
_WORK: Final = (
    r"(?:use|write|keep|run|answer|reply|respond|speak|add|put|ask|check|format|include|explain|commit|name|test|show|tell|give"
    r"|start|end|follow|treat|prefix|stick|be|do|leave|wrap|document|mark|return|create|make|list|cite|quote|confirm|push|edit"
    r"|change|modify|touch|delete|remove|import|install|call|read|log|merge|deploy|update|fix|comment)"
)
_RULES: Final = (
    rf"(?:always|never(?: ever|, ever,?)?)[,:]?\s+{_VERB}",
    rf"(?:do not|don['’]?t)\s+(?:you\s+)?(?:ever|under any circumstances?|at any time)\b,?\s+{_VERB}",
    rf"(?:do not|don['’]?t)\s+{_IDLE}{_POINTS}{_ONCE}{_VERB}\s+\S",
    rf"{_WHO}\s+(?:really\s+)?(?:(?:must|shall|should)\s+(?:not|never)|(?:must|shall|should|have to|need to)\s+(?:always|only|all)"
    r"|may not(?! (?:notice|know|reali[sz]e|see|like|need|want|agree|remember|believe|feel|find)\b)|mustn['’]?t|shan['’]?t|may only"
    r"|can only|(?:are|is) (?:never|not (?:allowed|supposed|permitted)|only (?:allowed|supposed|permitted)|always) to)"
    rf"\s+(?:ever\s+)?(?!have\b|be (?:able|serious|kidding|here|there|right|wrong)\b|just\b){_POINTS}\w{{2,}}\s+\S",
    r"(?:all|every|each|no) [^.,!?:;\n]{2,40}? (?:must|shall)(?: not| never| always)? \w+\s+\S",
    rf"(?:stop|quit|avoid|refrain from|cease|no more)\s+(?:ever\s+|always\s+)?{_ONCE}{_GERUND}\s+\S",
    rf"avoid\s+(?!(?:the|it|that|this|these|those|them|him|her|me|us|him|\w+ing)\b){_ONCE}[a-z][\w-]+",
    r"(?:always )?(?:ask|check with|tell|consult) (?:me|us)(?: first)? before (?:you\b|\w+ing\b)",
    rf"{_WORK}\b[^.!?\n]{{2,60}}\bonly[.! ]*\Z",
    rf"(?:when(?:ever)?|every time|each time) you [^.,!?\n]{{3,80}}, (?:please )?{_WORK}\b{_ONCE}{_POINTS}\s+\S",
    rf"{FROM_NOW},?\s+(?:please\s+)?(?!(?:i|he|she|they|it|there|this|that|the|my|his|her|ich|er|es|wir|das|yo|él|ella|il|elle|on|nous"
    r"|eu|ele|ela|io|lui|lei|ik|hij|zij|wij)\b)\S+\s+\S",
    rf"only\s+(?:ever\s+)?{_ONCE}{_WORK}\b\s+\S",
    r"under no circumstances?\b,?\s+\S",
    r"no [\w -]{2,30}\b[^.!?\n]{0,60}\bplease\b[.! ]*\Z",
    r"(?:make|be)\s+(?:absolutely\s+)?sure\s+(?:to\s+|(?:that\s+)?you\s+)(?:always|never)\s+\w",
    # `Make sure to run the tests before you push`: as often as the other thing is done.
    r"(?:make|be)\s+(?:absolutely\s+)?sure\s+(?:to|that|you)\b[^.!?\n]{2,100}\b(?:before|after|when(?:ever)?|each|every)\b"
    rf"{_ONCE}\s+\S",
    r"(?:remember|take care)\s+(?:to\s+)?(?:always|never|not to)\s+\w",
    r"it(?: is|['’]s) (?:strictly )?(?:forbidden|prohibited|not allowed|mandatory|required) to\s+\w",
    r"(?:when(?:ever)?|every time|each time|before|after)\b[^.!?;:\n]{3,140}?,\s+(?:please\s+)?(?:always|never|you must)\b"
    rf"{_ONCE}\s+\S",
    # An order in any words, and what says at its end that it holds for good.
    rf"{_WORK}\b[^.!?\n]{{2,100}}\b(?:{FROM_NOW}|by default|in all cases|without exception"
    r"|every (?:single )?time|everywhere|always)[\s.!]*\Z",
)  # fmt: skip
_THIS: Final = r"(?!it\b|that\b|this\b|the (?:other|first|second|last)\b)"
_CHOICES: Final = (
    rf"(?:always\s+)?(?:prefer|favou?r)\s+(?!not\b){_THIS}\S",
    r"(?:always\s+)?(?:use|write|answer|reply|respond|speak|name|call|import|say|add|put|choose|pick|go with)\s+"
    rf"{_THIS}[^.!?\n]{{2,120}}?{INSTEAD}\s+{_THIS}\S",
    r"(?:i|we)(?:['’]?d| would) (?:much |really )?(?:rather|prefer)\s+(?:you|if you|that you|it if you)\b",
)


# Compiled when the first sentence is read: together they take as long as the rest of the file.
@cache
def _rule() -> re.Pattern[str]:
    return _opening(*_RULES, *OTHER_RULES)


@cache
def _choice() -> re.Pattern[str]:
    return _opening(*_CHOICES, *OTHER_CHOICES)


def _opening(*forms: str) -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}{_ASKED_TO}(?:{'|'.join(forms)})", re.I)


# A rule that is told as a story, or in somebody's mouth.
_TOLD: Final = re.compile(
    r"\b(?:you|he|she|they|i|we) (?:said|told|asked|promised|wrote|mentioned|(?:always|never) \w+ed)\b"
    r"|\b(?:w|c|sh)ould have\b|\blol\b|\bhaha",
    re.I,
)


def instruction_in(sentence: str) -> Instruction:
    """What one sentence lays down: an instruction, a preference between two things, or nothing."""
    words = sentence.strip()
    if not words or len(words) > MAX_INSTRUCTION or words.endswith(("?", "？", ":")):
        return ""
    if _choice().match(words):
        return "preference"
    return "instruction" if _rule().match(words) and not _TOLD.search(words) else ""
