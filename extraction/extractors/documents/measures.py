"""A name with a measured value: `X = 4.8 kg`, `max weight: 4.8 kg` (P4). The name gives the key."""

import re
from collections.abc import Iterator
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from ledger.language.fold import slug_key, strip_markup
from ledger.language.outline import at_lines
from ledger.language.quantities import NAMED_APART, quantity_at, rival_of

# A sign before a digit or a currency is found first, in C; only then are value and name looked at.
_SIGN: Final = re.compile(r"[:：=≈](?=[ \t]?[*_`]{0,3}[ \t]?(?:[-+−]?\d|[€$£¥₪₹₩₽]|US\$|[A-Z]{3}[ \u00a0]?\d))")
_MARKS: Final = re.compile(r"[ \t]?[*_`]{0,3}[ \t]?")
_LINE_NAME: Final = re.compile(
    r"(?:^[ \t]*+(?:[-*+•|>][ \t]*+)*+(?:\d{1,3}[.)][ \t]++)?+|[.!?;][ \t])[*_`]{0,3}+"
    r"(?P<name>[^\W\d_][\w'’/()-]{0,30}(?:[ \t][\w'’/()-]{1,30}){0,4}+)[*_`]{0,3}[ \t]?\Z"
)
_LAST_NAME: Final = re.compile(r"(?P<name>[^\W\d_][\w/.-]{0,40})[*_`]{0,3}[ \t]?\Z")
MAX_NAME: Final = 200
_HEADER: Final = re.compile(r"[A-Z]\w*(?:-[A-Z]\w*)+\Z")
# What programs say of the moment: who came and went in a chat, logs, prompts, how far and how fast something is.
_STATUS_LINE: Final = re.compile(
    r"[ \t]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?[ \t]+)?(?:\*{3}|-!-|--+>|<--+|=-=|[→←⇐⇒])[ \t]"
    r"|[^\n]*\b(?:has (?:quit|joined|left|parted)|icmp_seq|bytes from|(?:reset|closed) by peer)\b"
    r"|\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\S{1,30}[ \t]+)?[\[(]?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b[\]): |]"
    r"|[ \t]*(?:\$ [a-z]|>>> |[\w.-]{1,30}@[\w.-]{1,30}[:~$])|(?:real|user|sys)[ \t]+\d+m",
)
_MOMENTARY: Final = re.compile(
    r"(?:.*\b)?(?:elapsed(?: time)?|time (?:elapsed|taken|left|remaining)|took|eta|uptime|progress|remaining"
    r"|(?:down|up)load(?:ed|ing)|received|sent|loading|loaded|processed|finished|completed|done|copied|written"
    r"|ping(?: timeout)?|lag|rtt|fps|last seen"
    r"|memory usage|cpu(?: usage| load)?|by the way|btw|incidentally|apropos|übrigens|reading time)\Z"
    r"|.*\b(?:in|from|to|at|of|on|for|by|after)\Z",
    re.I,
)
_OPTION: Final = re.compile(r"(?:^|\s)--?[a-z]")
_POSITION: Final = re.compile(r"\b(?:from|at|until|to|since|after|@)[ \t]+t\Z", re.I)
_AGO: Final = re.compile(
    r"[ \t]*(?:ago|left|remaining|to go|read|[,;–-]?[ \t]*(?:brb|bbl|bbs|bbiab|afk|gtg|ttyl|pls|plz|please|late|sorry"
    r"|then back))\b",
    re.I,
)
# The initials of somebody who speaks, a number of hexadecimal, a version: nothing that could be measured.
_NO_PROPERTY: Final = re.compile(
    r"[a-z]{2}\Z|(?=[a-z]{0,20}\d)(?=\d{0,20}[a-f])[0-9a-f]{6,40}\Z|(?:.*[ .])?(?i:version|revision|rev|release|commit|build)\Z"
)
# `8bit` is a sort of thing, `8 bits` are an amount.
_SORT: Final = re.compile(r"(?:\d|\d-)bit\Z", re.I)
# An address of the web, or its parameters: `…/watch?v=abc&t=796s`.
_IN_ADDRESS: Final = re.compile(r"(?:://|[?&])\S*\Z")
_BOUNDARY: Final = re.compile(r"(?:[.!?;]\s|\n)[ \t>*•-]*+")
# What makes a sentence ask, suppose or deny instead of saying so. Its first words, and what may stand anywhere in it.
_SUPPOSES: Final = re.compile(
    r"(?:and |but |so |or )?(?:if|unless|suppos\w+|assum\w+|imagine|say|whether|should|could|would|can|may|might|is|are|was"
    r"|were|does|do|did|has|have|will|what|when|how|why|which|e\.g\.|for example|example|wenn|falls|angenommen|sofern|ob|ist|sind"
    r"|soll\w*|könnte\w*|kann|z\.b\.|si|est-ce|supposons|imaginons|supongamos|supon\w*|se|caso|suponha\w*|als|indien|stel)\b",
    re.I,
)
# `We should check whether …`, `I doubt that …`, wherever it stands before the value.
_OPENS: Final = re.compile(
    r"\b(?:if|unless|whether|when|once|until|as soon as|assuming|supposing|provided|doubt\w*|nobody|no one|none|wenn|falls"
    r"|ob|bezweifle\w*|niemand|nadie|dudo"
    r"|personne|ninguém|sobald|cuando|quand|quando|wanneer)\b",
    re.I,
)
# Who is not sure of what they say.
_GUESSES: Final = re.compile(
    r"\bto be (?:confirmed|checked|verified|determined|decided|measured|agreed)\b|\bt\.?b\.?[cd]\b"
    r"|\bun(?:verified|confirmed|certain|clear|sure)\b"
    r"|\b(?:i|we|he|she|they) (?:guess|think|believe|suppose|assume|reckon|hope|want|wish)\b|\b(?:that|dass|que)\b"
    r"|\b(?:maybe|perhaps|probably|possibly|presumably|supposedly|allegedly"
    r"|apparently|hopefully|reportedly|rumou?r\w*|angeblich|guess|estimated?|provisional|tentative|preliminary|assumption"
    r"|not sure|wohl|vielleicht|vermutlich|wahrscheinlich"
    r"|geschätzt|vorläufig|noch zu (?:prüfen|klären)|unbestätigt|quizás?|tal vez|creo|probablemente|por confirmar|estimado"
    r"|peut-être|probablement|je (?:crois|pense)|à confirmer|estimé|talvez|acho|provavelmente|a confirmar|forse|credo"
    r"|da confermare"
    r"|misschien|waarschijnlijk|denk ik)\b",
    re.I,
)
# Words behind an amount that leave it what it is: of what, where, with what. Any others may relate, bound, doubt or end it
# (`monthly`, `at the most`, `was a typo`) in more ways than could be listed, so that with them no amount is read.
_OF_WHAT: Final = (
    r"(?:for|with|without|including|incl\.?|excluding|excl\.?|plus|in|on|of|at|from|between|when|under|inside|after|to|as"
    r"|since|für"
    r"|mit|ohne|inklusive|inkl\.?|exklusive|exkl\.?|zzgl\.?|bei|aus|im|am|an|auf|in|para|con|sin|de|del|en|pour|avec|sans"
    r"|dans|com"
    r"|sem|em|per|senza|di|voor|met|zonder|van)(?!\w)"
)
_SORTS: Final = (
    r"(?:long|wide|high|deep|tall|thick|heavy|total|net|gross|lang|breit|hoch|tief|dick|netto|brutto|insgesamt)\b"
)
_LEAVES_IT: Final = re.compile(
    rf"(?:[\s*_`.,;:!|)\]]|\((?:{_OF_WHAT}|{_SORTS}|[€$£]?\d)[^()]*\)|\[[^\]]{{1,40}}\]\([^()\s]+\)|\[\^?\d{{1,3}}\]|{_SORTS}"
    rf"|(?<![^\s,(]){_OF_WHAT}[^,;()]*+)*+\Z",
    re.I,
)
_RELATES: Final = re.compile(
    r"\b(?:per|pro|each|every|a ?piece|je|jede[rnms]?|chaque|cada|ogni|elke|hourly|daily|weekly|monthly|yearly|annually"
    r"|times|twice"
    r"|most|least|more|less|so|old|former|previous|meisten|mindestens|höchstens"
    r"|(?:by|for|in|at|al|a|an|la|le|die|das|der|den|the|l['’]) ?(?:second|minute|hour|day|night|week|month|year|sekunde"
    r"|stunde|tag"
    r"|nacht|woche|monat|jahr|hora|día|noche|semana|mes|año|heure|jour|nuit|semaine|mois|an|ora|giorno|notte|mese|anno|uur"
    r"|dag|100))\b",
    re.I,
)
# The next words, after the sentence or on the next line, put another amount in its place.
_CORRECTS: Final = re.compile(
    r"\W{1,6}(?:correction|corrected|erratum|errata|oops|sorry|no|wait|actually|rather|scratch that|make that"
    r"|(?:that|this)(?:['’]s| is| was) (?:wrong|not|old)|korrektur|korrigiert|falsch|corrección|perdón|pardon|rettifica)\b",
    re.I,
)
_DENIES: Final = re.compile(
    r"\b(?:(?:is|was|are|were|did|do|does|has|have)(?:n['’]t| not)|never|not|no longer|cannot|wrong|false|untrue|incorrect"
    r"|nicht|kein\w*|nie|niemals|falsch|ne \w+ pas|n['’]\w+ pas|jamais|faux|nunca|jamás|falso|não|niet|geen|non)\b",
    re.I,
)


def measure_matches(shadow: str) -> Iterator[RuleMatch]:
    """Facts with a dimension or a sum of money. With a colon the name begins its line or sentence; with `=` it is the word
    before, or the line's words up to there. Whoever asks, supposes or denies a value states none; whoever guesses is doubted."""
    people: frozenset[str] | None = None
    for sign in _SIGN.finditer(shadow):
        quantity = quantity_at(shadow, _MARKS.match(shadow, sign.end()).end())  # type: ignore[union-attr]
        if quantity is None:
            continue
        people = _people_in(shadow) if people is None else people
        name = _name_before(shadow, sign, people)
        if name is None:
            continue
        key = slug_key(shadow[name[0] : name[1]])
        before, rest = _sentence_around(shadow, name[0], quantity.end)
        stated = _is_stated(before, shadow[name[0] : quantity.end], rest)
        if not (key and stated and _is_lasting(shadow, *name, quantity.end)):
            continue
        if rival_of(shadow, quantity, quantity.end + len(rest)) or not _stands_alone(
            shadow, name[0], quantity.end, rest
        ):
            continue
        yield RuleMatch(
            "value.unit", "value", "fact", name[0], quantity.end,
            explicit=False, statement=strip_markup(shadow[name[0] : quantity.end]), key=key,
            value_type=quantity.type, value={"number": quantity.number, "unit": quantity.unit},
            doubt="Whoever wrote it is not sure" if _is_guess(before, shadow[name[0] : name[1]], rest) else "",
        )  # fmt: skip


def _stands_alone(shadow: str, start: int, end: int, rest: str) -> bool:
    """Whether the words behind an amount leave it what it is. Code that is only named (`` `x: 5 kg` is the form ``) states none."""
    apart = NAMED_APART.search(rest)
    behind = rest[: apart.start()] if apart else rest
    named = shadow[start - 1 : start] == shadow[end : end + 1] == "`" and rest.strip(" \n`.")
    leaves = _LEAVES_IT.match(behind) is not None and not _RELATES.search(behind)
    return leaves and not named and not _CORRECTS.match(shadow, end + len(behind))


def _is_guess(before: str, name: str, rest: str) -> bool:
    return any(_GUESSES.search(words) for words in (before, name, rest)) or not _LEADS_IN.match(before)


# What may stand before a name without saying anything of how sure it is: `for the lid`, `and with`.
_LEADS_IN: Final = re.compile(
    rf"\W*(?:(?:{_OF_WHAT}|so|and|then|thus|here|also|now|where|the|an?|our|its|use|set|und|der|die|das|y|el|la|et|le|e|o|en"
    rf"|het)\b"
    rf"[\w -]*+[,:]?\s*+)*+\W*\Z",
    re.I,
)


def _is_lasting(shadow: str, start: int, stop: int, end: int) -> bool:
    """Whether a value is said of a thing, and not of a moment by the program that measured it."""
    line = shadow.rfind("\n", 0, start) + 1
    name = shadow[start:stop].split("(")[-1]
    return not (
        _MOMENTARY.match(name)
        or _NO_PROPERTY.match(name)
        or _OPTION.search(name)
        or _POSITION.search(shadow, max(0, stop - 20), stop)
        or _AGO.match(shadow, end)
        or _SORT.search(shadow, max(0, end - 6), end)
        or _STATUS_LINE.match(shadow, line, min(len(shadow), line + MAX_SENTENCE))
    )


def _sentence_around(shadow: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind some words in their sentence."""
    low = max(0, start - MAX_SENTENCE)
    sentence = max((boundary.end() for boundary in _BOUNDARY.finditer(shadow, low, start)), default=low)
    stop = _SENTENCE_END.search(shadow, end, end + MAX_SENTENCE)
    return shadow[sentence:start], shadow[end : stop.end() if stop else end + MAX_SENTENCE]


def _is_stated(before: str, words: str, rest: str) -> bool:
    return not (
        rest.rstrip().endswith(("?", "？"))
        or _SUPPOSES.match(before.lstrip(" \t>*•-_`") + words)
        or _OPENS.search(before)
        or _DENIES.search(before)
        or _DENIES.search(rest)
    )


_SENTENCE_END: Final = re.compile(r"[.!?？](?=\s|\Z)|\n|\Z")
MAX_SENTENCE: Final = 300


def _name_before(shadow: str, sign: re.Match[str], people: frozenset[str]) -> tuple[int, int] | None:
    """Where the name of what is measured stands."""
    at = sign.start()
    low = max(shadow.rfind("\n", max(0, at - MAX_NAME), at) + 1, at - MAX_NAME)
    before = shadow[low:at].removesuffix(":") if sign.group() == "=" else shadow[low:at]
    colon = sign.group() in ":："
    ratio = colon and before[-1:].isdigit() and shadow[at + 1 : at + 2].isdigit()
    if ratio or _IN_ADDRESS.search(before):
        return None
    named = _LINE_NAME.search(before)
    if not colon and (not named or len(named["name"].split()) > 3):
        named = _LAST_NAME.search(before, max(0, len(before) - 45))
    if not named or _HEADER.match(named["name"]) or named["name"] in people:
        return None  # `Content-Length: 5 kB` of a mail, or `Ann: 5 kg`
    return low + named.start("name"), low + named.end("name")


_PRESENT: Final = re.compile(
    r"^[ \t>*_#-]*+(?:present|attendees|attending|participants|anwesend|présents?|presentes)[*_ \t]*+:(.*)$",
    re.I | re.M,
)
_NAME: Final = re.compile(r"[A-ZÀ-Þ][\w.'’-]*+(?: [A-ZÀ-Þ][\w.'’-]*+)*+")
_TURN: Final = re.compile(
    r"^[ \t>*•_-]*+(?P<name>[A-ZÀ-Þ][^\n:]{0,60}?)[*_]{0,2}:[*_ \t]*+(?P<amount>[-+−]?\d|[€$£¥₪₹₩₽])?", re.M
)

# `Q: How heavy?`, and below it `Kim: 5 kg`.
_ANSWER: Final = re.compile(r"[?？][ \t]*+\n[ \t>*•_-]*+(?P<name>[A-ZÀ-Þ][^\n:]{0,60}?)[*_]{0,2}:")


def _people_in(shadow: str) -> frozenset[str]:
    """Who is present, by whole names and their parts, who answers the question on the line above, and whose name begins
    several lines, of which not all are amounts: `Weight: 4 kg` under each of ten headings is nobody's name."""
    present = {name for line in at_lines(_PRESENT, shadow) for name in _NAME.findall(line[1])}
    present.update(answer["name"] for answer in _ANSWER.finditer(shadow) if _is_spoken(shadow, answer.start()))
    turns: dict[str, list[bool]] = {}
    for turn in at_lines(_TURN, shadow):
        turns.setdefault(turn["name"], []).append(turn["amount"] is not None)
    talking = {name for name, amounts in turns.items() if len(amounts) > 1 and not all(amounts)}
    return frozenset(present | talking | {part for name in present for part in name.split()})


def _is_spoken(shadow: str, at: int) -> bool:
    """Whether the line that ends there begins with a name and a colon."""
    line = shadow.rfind("\n", max(0, at - MAX_SENTENCE), at) + 1
    return ":" in shadow[line : line + 60]
