"""Label lines: `RESOLUTION: …`, `- [Decision] …`, `> ***Action #1: … (Rob)***`, `<strong>ACTION</strong>: …`."""

import re
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.owners import is_handle, looks_like_names
from extraction.extractors.documents.ruleset import RuleSet

# What may stand before a label. Possessive throughout: no line can make the pattern try again and again.
_INDENT: Final = r"[ \t\u00a0]*+"
_QUOTE: Final = r"(?P<quote>(?:>[ \t\u00a0]?+)*+)[ \t\u00a0]*+"
_BULLET: Final = (
    r"(?P<bullet>(?:(?:[-*+•‣◦▪·–—]|\(?\d{1,3}[.)]|[a-zA-Z][.)])[ \t\u00a0]++){0,3}+)"
    r"(?:\\?\[[ xX]?\\?\][ \t]++)?+"
)
_OPEN_TAGS: Final = r"(?P<tags>(?:</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:[ \t][^<>\n]{0,200})?>[ \t]*+){0,8})"
_TIME: Final = r"(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[ap]m)?[\])]?[ \t]++(?:[-–][ \t]++)?+)?+"
_SPEAKER: Final = (
    r"(?P<speaker>(?:<[@+]?[^<>\s/][^<>\n]{0,38}>|\[[^\[\]\n]{1,40}\](?=[ \t]+[A-Z*])"
    r"|\*{1,3}+<?[^*:\n]{1,60}+:?\*{1,3}+:?|_{1,2}+[^_:\n]{1,60}+:?_{1,2}+:?"
    r"|(?:</?[a-z]{1,10}>)?[A-Z@][\w .'’()|-]{0,60}+(?:</[a-z]{1,10}>)?:(?:</[a-z]{1,10}>)?)[ \t]++)"
)
_MARKS: Final = r"(?P<hash>[#!](?=[a-zA-Z]))?+(?P<mark>(?:\*{1,3}+|_{1,3}+|`|~~)?+[\[(\"“]?+(?:\*{1,3}+|_{1,3}+)?+)"
_QUALIFIED: Final = (
    r"(?P<qualified>(?i:(?:proposed|draft|tentative|possible|potential|suggested|candidate|no|straw)[ \t]))?"
)
_NUMBER: Final = r"(?P<number>[ \t]?(?:#|[Nn]o\.?[ \t]?|[Nn]r\.?[ \t]?|-)?[ \t]?\d{1,5}(?:\.\d{1,3})?[a-z]?)?"
_OWNER: Final = (
    r"(?:[ \t]?[(\[](?P<owner>[^()\[\]\n]{1,60})[)\]]"
    r"|[ \t](?P<name>(?!and\b|or\b)[^:：\n*_<>\"(\[]{1,50}?)(?=[ \t]?[:：]))?"
)
_ENDS: Final = r"(?:\*{1,3}|_{1,3}|`|~~|[\])\"”]|</[a-zA-Z]{1,10}>){0,4}"
_SEPARATOR: Final = (
    r"(?P<sep>[ \t]?(?:[:：](?!:)|=>|->|→|⇒)|[ \t]+[-–—]+(?=[ \t])|,?(?=[ \t]+[Tt](?:hat|HAT|o|O)\b)|(?=[ \t]|$))"
)


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A label at the head of a line. The words labelled start at `content`; the line stops at `line_end`.

    `kind` is empty for labels that propose or ask (`PROPOSED:`, `Poll:`). `marks` is the emphasis still open after the label.
    """

    kind: str
    label: str
    line_start: int
    line_end: int
    indent: int
    quote: str
    bullet: str
    content: int
    marks: str
    bracketed: bool
    owner: str
    speaker: str
    emphatic: bool


def compile_labels(rules: RuleSet) -> re.Pattern[str]:
    """One pattern for a whole rule set; compile once, scan with `label_lines`."""
    head = f"^{_INDENT}{_QUOTE}{_BULLET}{_OPEN_TAGS}{_TIME}{_SPEAKER}??{_TIME}{_MARKS}"
    words = sorted({*rules.labels, *rules.open_labels}, key=len, reverse=True)
    label = f"(?={_first_letters(words)}){_QUALIFIED}(?P<label>{_alternation(words)})"
    tail = rf"(?P<close>{_ENDS}){_SEPARATOR}(?P<close_after>{_ENDS})[ \t\u00a0]*+"
    return re.compile(head + label + r"(?![^\W_]|_[^\W_]|['’])" + _NUMBER + r"(?![^\W_]|/)" + _OWNER + tail, re.M)


def _first_letters(words: list[str]) -> str:
    """A class of what labels may begin with: most lines fail here, before any word is tried."""
    letters = {word[0] for word in words} | set("pdtscn")
    return (
        "["
        + "".join(
            sorted(re.escape(c) for letter in letters for c in {letter, letter.upper(), letter.title()} if len(c) == 1)
        )
        + "]"
    )


def _alternation(words: list[str]) -> str:
    """The words, longest first, grouped by their first letter; white space and slashes as loosely as people type them."""
    groups: dict[str, list[str]] = {}
    for word in words or ["\0"]:
        loose = re.escape(word[1:]).replace(r"\ ", "[ \\t\u00a0]{1,3}").replace("/", "[ \\t]?/[ \\t]?")
        groups.setdefault(word[0], []).append(loose)
    return "(?i:" + "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in groups.items()) + ")"


# Nouns that, in strong type, label what follows them without any separator.
_STRONG_ENOUGH: Final = frozenset(
    {"decision", "resolution", "action", "action item", "conclusion", "todo", "requirement", "constraint"}
)
_BARE_CAPS: Final = re.compile(
    r"(?:RESOLVED|AGREED|DECIDED)[ \t]*,?[ \t]+(?:that|That|to)\b"
    r"|(?:ACTION|RESOLUTION|DECISION|PROPOSAL|PROPOSED)[ \t]+(?=[A-Z][a-z]|[A-Z]{2,3} to |@|[\"“])|TODO[ \t]+(?=[^\n]{0,20}[a-z])"
)


def label_lines(shadow: str, pattern: re.Pattern[str], rules: RuleSet) -> list[LabelLine]:
    """All label lines of a masked text, in order, those that only propose or ask included (with an empty kind)."""
    found: list[LabelLine] = []
    for match in pattern.finditer(shadow):
        line = _judge(shadow, match, rules)
        if line is not None:
            found.append(line)
    spoken = {line.label for line in found if line.label in _INITIALS and _IN_CHAT.search(line.owner)}
    return [line for line in found if line.label not in spoken or line.bullet or _names_somebody(line.owner)]


_IN_CHAT: Final = re.compile(r"\b(?:chat|irc|typing|remote|online|phone|zoom)\b", re.I)


def _names_somebody(owner: str) -> bool:
    """`AI (in chat): …` is someone with the initials A. I. speaking, and so is every bare `AI: …` of the same minutes."""
    return bool(owner) and _IN_CHAT.search(owner) is None


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a label is set off from the words around it."""

    caps: bool
    strong: bool
    bracketed: bool
    closed: bool
    numbered: bool
    hashed: bool

    @property
    def emphatic(self) -> bool:
        return self.caps or self.strong or self.closed or self.numbered or self.hashed


def _judge(shadow: str, match: re.Match[str], rules: RuleSet) -> LabelLine | None:
    word, mark, close = match["label"], match["mark"], match["close"] + match["close_after"]
    label = " ".join(word.casefold().split()).replace(" /", "/").replace("/ ", "/")
    bracketed = "[" in mark or "(" in mark
    shape = _Shape(
        caps=word.isupper() and len(word) > 1,
        strong=("**" in mark or "__" in mark or _BOLD.search(match["tags"]) is not None) and bool(close),
        bracketed=bracketed,
        closed=bracketed and ("]" in close or ")" in close),
        numbered=match["number"] is not None,
        hashed=match["hash"] is not None,
    )
    if (
        "(" in mark
        and not shape.caps
        or shape.closed
        and shadow[match.end("close") : match.end("close") + 1] in ("(", "[")
    ):
        return None  # a remark in brackets, or a link
    start = match.start()
    line_end = shadow.find("\n", match.end("close_after"))
    line_end = len(shadow) if line_end < 0 else line_end
    content = min(match.end(), line_end)
    if lead := _LEAD.match(shadow, content, line_end):
        content = lead.end()
    if not _separated(shadow, match, shape, label, has_words=bool(shadow[content:line_end].strip(" \t*_`>"))):
        return None
    kind = rules.labels.get(label, "")
    owner, name = (match["owner"] or "").strip(), (match["name"] or "").strip()
    asked = match["qualified"] or any(word in rules.qualifiers for word in (name or owner).casefold().split())
    if asked:
        kind = ""
    elif name:
        named = _qualified_by(name, kind, shape.emphatic or bool(match["bullet"]))
        if named is None:
            return None
        owner = named
    line = shadow[start:line_end]
    return LabelLine(
        kind, label, start, line_end, len(line) - len(line.lstrip()), match["quote"], match["bullet"], content,
        _open_marks(mark, close), shape.bracketed, owner, _spoken(match["speaker"] or match["tags"]), shape.emphatic,
    )  # fmt: skip


# `RESOLVED that …`; the tracker's `ACTION-12: - …`.
_LEAD: Final = re.compile(r"(?:that|That|THAT)[ \t]+(?=\S)|[-–—][ \t]+(?=\S)")
_ABOUT: Final = re.compile(r"(?:on|re|regarding|about|for|concerning|to)[ \t]+", re.I)


def _qualified_by(words: str, kind: str, marked: bool) -> str | None:
    """What stands between label and colon: an action's owner (`AI Dan:`), a decision's subject (`Decision on ports:`).
    None where the line is a sentence that only begins like a label."""
    about = _ABOUT.match(words)
    rest = words[about.end() :] if about else words
    if kind == "action_item":
        return rest if looks_like_names(rest) or (about and is_handle(rest)) else None
    if not about or len(rest.split()) > 6:
        return None
    return rest if marked or about.group().split()[0].casefold() in ("on", "re", "regarding", "about") else None


_ELEMENTS: Final = frozenset(
    "a b br dd del div dl dt em font i ins li mark ol p s small span strong td th tr u ul".split()
)


def _spoken(speaker: str) -> str:
    """The name in `**Ann:**` or `<ann>`; empty for elements of HTML."""
    name = speaker.strip(" \t*_<>@+[]:")
    return "" if ">" in name or "/" in name or name.split(" ")[0].casefold() in _ELEMENTS else name


# `#action bob to call`: what meeting bots listen to.
_COMMANDS: Final = frozenset({"action", "agreed", "accepted", "decision", "resolved", "resolution", "todo"})
_INITIALS: Final = frozenset({"ai", "ais", "ap"})
_COLONS: Final = frozenset({":", "：", "=>", "->", "→", "⇒"})
_BOLD: Final = re.compile(r"<(?:strong|b|em|th|dt)\b", re.I)


def _separated(shadow: str, match: re.Match[str], shape: _Shape, label: str, *, has_words: bool) -> bool:
    """Is this a label, or only a word that a line happens to begin with?"""
    sep = match["sep"].strip(" \t")
    if "`" in match["mark"] and "`" not in match["close"]:
        return False
    if sep in _COLONS or shape.closed:
        return has_words or not match["speaker"]
    if shape.hashed:
        return has_words and label in _COMMANDS
    if sep and sep != ",":
        dashes = shadow.count(match["sep"] + " ", match.start(), shadow.find("\n", match.start()) % (len(shadow) + 1))
        titled = label in _STRONG_ENOUGH and match["label"][0].isupper() and dashes == 1
        return has_words and (shape.caps or shape.strong or shape.numbered or titled)
    if label in _INITIALS or shape.bracketed or match["owner"] or match["name"]:
        return False
    if not has_words:
        # `**Decisions**` alone on its line heads the list below it.
        return shape.strong and not match["speaker"]
    if shape.strong and label in _STRONG_ENOUGH:
        return True
    return shape.caps and _BARE_CAPS.match(shadow, match.start("label")) is not None


def _open_marks(mark: str, close: str) -> str:
    """Emphasis or bracket that was opened before the label and not closed after it."""
    left = mark
    for piece in re.findall(r"\*+|_+|`|~~|[\])\"”]|</[a-zA-Z]+>", close):
        if piece in ("]", ")"):
            left = left.replace("[" if piece == "]" else "(", "", 1)
        elif left.endswith(piece[: len(left)]) and piece:
            left = left[: -len(piece)] if len(piece) <= len(left) else ""
    return left
