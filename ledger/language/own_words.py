"""Which words of a text its author stands behind: what is struck out, an example, a template or quoted is masked (law 8).

Each mask keeps length and line breaks, so that every offset found in the masked text holds in the source.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ledger.language.fold import STRUCK
from ledger.language.outline import Heading, at_lines, blank_ranges, wide_ends

# Marks that no reader sees before the first word of a line.
_INVISIBLE: Final = re.compile(
    "[\ufeff\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e](?<=^.)[\ufeff\u200b\u200e\u200f\u2060\u2066-\u2069\u202a-\u202e]*",
    re.M,
)
_BLOCK: Final = re.compile(
    r"<(examples?|few-?shot|template|sample|pre|samp)\b[^<>\n]{0,100}>.{0,20000}?</\1>", re.I | re.S
)
_EXAMPLE: Final = (
    r"(?:(?:for )?examples?|for instance|such as|e\.g\.|templates?|samples?|how to [\w ]{1,40}|syntax|looks? like(?: this)?"
    r"|(?:write|writes|written|record(?:ed)?|note|noted|format(?:ted)?) (?:\w+ ){0,2}(?:like (?:this|so)|as follows)"
    r"|formats?|usage"
    r"|(?:suppose|imagine|say|if) (?:someone|somebody|anyone|you|they|(?:the|some|your) \w+) (?:writes?|says?|types?)"
    r"|(?:zum )?beispiele?|z\. ?b\.|(?:por )?ejemplos?|(?:par )?exemples?|p\. ?ej\.|(?:por )?exemplos?|bijvoorbeeld"
    r"|(?:per )?esemp(?:io|i)|voorbeeld(?:en)?|muster(?:text)?)"
)
# A line that introduces an example ends with a colon; below it stands the block: indented lines, or one paragraph.
_COLON: Final = re.compile(r":[ \t]*\n")
_INTRODUCES: Final = re.compile(rf"[ \t]*(?:[\w ,]{{0,60}}\b)?{_EXAMPLE}[\w ,]{{0,40}}:[ \t]*\n", re.I)
_BELOW: Final = re.compile(
    r"(?:[ \t]*\n)*(?P<block>(?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t]*\n(?= {4}|\t))+|[^\n]+(?:\n[^\n]+)*)"
)
_EXAMPLE_TITLE: Final = re.compile(rf"{_EXAMPLE}(?: \w+){{0,2}}\Z", re.I)
# The same where the line is nothing else, or the example stands on it.
_ALONE: Final = re.compile(
    r"^[ \t]*(?:e\.g\.|for (?:example|instance)|such as|z\. ?b\.|par exemple|por ejemplo)[ \t]*[,:]?[ \t]*\n(?:[ \t]*\n)*"
    r"(?P<block>[^\n]+(?:\n[^\n]+)*)",
    re.I | re.M,
)
_ON_LINE: Final = re.compile(
    r"^[ \t>*+•-]*[*_(\[]{0,3}(?:for )?(?:example|instance|sample|e\.g\.|beispiel|z\. ?b\.|ejemplo|exemple|exemplo|esempio"
    r"|voorbeeld|muster(?:text)?|(?:suppose|imagine)\b[^\n:.]{0,60}(?=:))(?:[ \t]+(?:\d{1,3}|[a-z]))?(?:(?<=\.)"
    r"|[)\]:.,*_]{1,4})[*_]{0,3}[ \t]+(?P<block>\S[^\n]*)",
    re.I | re.M,
)
# Lines are read for one where a text holds one of these.
_EXAMPLE_WORDS: Final = (
    "e.g.", "instance", "such as", "z. b.", "z.b.", "sample", "example", "exemple", "exemplo", "ejemplo", "beispiel",
    "esempio", "voorbeeld", "muster", "suppose", "imagine",
)  # fmt: skip
_CODE_LINE: Final = re.compile(r"^[ \t]*<code>[^\n]*</code>[ \t]*$", re.M | re.I)
# What a prompt shows: `Input: …` and below it what is to come out.
_SHOT_IN: Final = re.compile(r"^[ \t]*(?:\*\*)?input(?:\*\*)?:", re.I | re.M)
_SHOT_OUT: Final = re.compile(
    r"^[ \t]*(?:\*\*)?(?:(?:expected|desired|sample) )?output(?:\*\*)?:"
    r"(?P<block>[^\n]*(?:\n(?!\s*\n|[ \t]*(?:\*\*)?input)[^\n]+)*)",
    re.I | re.M,
)
# `She told me "I hate spaces"`: the words of somebody else.
_QUOTED: Final = re.compile(r'"[^"\n]{2,400}"|“[^”\n]{2,400}”|„[^“”\n]{2,400}[“”]|«[^»\n]{2,400}»')


_QUOTED_LINE: Final = re.compile(r"(?P<block>^[ \t]*>[^\n]*$)", re.M)
_WROTE: Final = re.compile(r"wrote:(?<=\bwrote:)(?P<block>[ \t]*+\n(?:[ \t]*+\n)*+(?:[ \t]*+>[^\n]*(?:\n|\Z))++)")
_OWN_WORDS: Final = frozenset({"document", "note", "episode"})


def mask_quoted(shadow: str, kind: str) -> str:
    """Blank what a text only quotes, since others said it before. In messages that is every line after `>`; in documents and
    notes, which set off their own words so, only what stands under a mail's `… wrote:`."""
    if ">" not in shadow:
        return shadow
    pattern = _WROTE if kind in _OWN_WORDS else _QUOTED_LINE
    return _without(pattern, shadow, "block")


# `My boss said: I prefer tabs.`, not `I said: …`.
_REPORTED: Final = re.compile(
    r"^(?![^\n:]{0,60}\b(?:i|we)\b[^\n:]{0,20}:)[^\n:]{0,60}\b(?:said|says|told|wrote|writes|asked|joked|goes|replied|answered"
    r"|shouted|claimed|claims|announced|meinte|sagte|schrieb|fragte|dijo|escribió|preguntó|a dit|a écrit|disse)\b[^\n:]{0,30}:"
    r"(?P<words>[^\n]*)",
    re.I | re.M,
)
# `just kidding` takes back what stands on its line, and on the one before.
_JEST: Final = re.compile(
    r"^(?:[^\n]*\n)?[^\n]*?(?:\b(?:just|only|i['’]?m|i am|was) (?:kidding|joking)\b|\b(?:jk|j/k)\b|\bkidding[.! )]*$"
    r"|(?<=\s)/s[ \t]*$|\bwar (?:nur )?(?:ein )?(?:spaß|scherz|witz)\b|\bes broma\b|\bje (?:rigole|plaisante)\b"
    r"|\bbrincadeira\b)[^\n]*$",
    re.I | re.M,
)
_IMAGINED: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|so|and|but|well|now|just|please|let['’]?s|let us|for a moment|for fun),?\s+){0,4}"
    r"(?:imagin(?:e|ing|ons)|suppos(?:e|ing|ons)|pretend|picture (?:this|that)|hypothetically|theoretically|in theory"
    r"|in an ideal world|what if|say (?:you|i|we)|if i were|stell(?:t|en sie)? (?:dir|euch|sich) vor|angenommen"
    r"|imagina(?:d|te)?|supongamos|suponga)\b",
    re.I,
)
_NOT_MEANT: Final = re.compile(
    r"\bnot (?:like|as if|that) (?:you|i|we|anyone|he|she|they)\b|\bas if (?:i|you|we)\b"
    r"|\b(?:do(?:n['’]?t| not)|never) (?:think|believe|imagine|suppose|get the idea)(?: that)? (?:i|we|you)\b|\b(?:i|we) wish\b"
    r"|\b(?:i|we|he|she|they|nobody|no one) never (?:said|asked|wanted|promised)\b|\bnobody (?:asked|needs|told|wants) you\b"
    r"|\b(?:i|we)(?:['’]d| would) never (?:say|claim|promise|ask|want|think)\b",
    re.I,
)


def without_others(text: str) -> str:
    """A message without what it reports of others, and without its jokes."""
    return _without(_JEST, _without(_REPORTED, text, "words"))


def is_not_meant(sentence: str) -> bool:
    """Whether a sentence only imagines what it says, or denies that anybody meant it."""
    return _IMAGINED.match(sentence) is not None or _NOT_MEANT.search(sentence) is not None


def _without(pattern: re.Pattern[str], text: str, group: str | int = 0) -> str:
    return blank_ranges(text, [found.span(group) for found in pattern.finditer(text)])


def without_examples(text: str) -> str:
    """What is struck out, an example or a template, and marks that nobody sees, blanked."""
    if not text.isascii():
        text = _INVISIBLE.sub(lambda marks: " " * len(marks.group()), text)
    if "~~" in text or "</" in text:
        text = _without(_BLOCK, _without(STRUCK, text))
    text = blank_ranges(text, _introduced(text))
    if "<code" in text:
        text = _without(_CODE_LINE, text)
    plain = text.lower()
    for pattern in (_ALONE, _ON_LINE) if any(map(plain.__contains__, _EXAMPLE_WORDS)) else ():
        text = blank_ranges(text, [found.span("block") for found in at_lines(pattern, text)])
    return _without(_SHOT_OUT, text, "block") if "input" in plain and any(at_lines(_SHOT_IN, text)) else text


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    """The blocks below lines that introduce an example. Lines that end with a colon are few, so only these are read."""
    over = 0
    for colon in _COLON.finditer(text):
        start = text.rfind("\n", 0, colon.start()) + 1
        if start < over or not _INTRODUCES.fullmatch(text, start, colon.end()):
            continue
        if below := _BELOW.match(text, colon.end()):
            over = below.end()
            yield below.span("block")


def without_example_sections(text: str, heads: Sequence[Heading]) -> str:
    """What stands under a heading that says it is an example blanked."""
    titled = [at for at, head in enumerate(heads) if _EXAMPLE_TITLE.match(head.title.strip(" :"))]
    if not titled:
        return text
    ends = wide_ends(heads, len(text))
    return blank_ranges(text, [(heads[at].end, ends[at]) for at in titled])


def without_quoted(text: str) -> str:
    """What stands between quotation marks blanked."""
    return _without(_QUOTED, text)
