"""Label lines: `RESOLUTION: …`, `- [Decision] …`, `> ***Action #1: … (Rob)***`, `<strong>ACTION</strong>: …`."""

import re
from dataclasses import dataclass
from typing import Final

from extraction.rules.owners import looks_like_names
from extraction.rules.ruleset import RuleSet

# What may stand before a label. Possessive throughout: no line can make the pattern try again and again.
_INDENT: Final = r"[ \t\u00a0]*+"
_QUOTE: Final = r"(?P<quote>(?:>[ \t\u00a0]?+)*+)[ \t\u00a0]*+"
_BULLET: Final = (
    r"(?P<bullet>(?:(?:[-*+•‣◦▪·–—]|\(?\d{1,3}[.)]|[a-zA-Z][.)])[ \t\u00a0]++){0,3}+)(?:\\?\[[ xX]?\\?\][ \t]++)?+"
)
_OPEN_TAGS: Final = r"(?P<tags>(?:</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:[ \t][^<>\n]{0,200})?>[ \t]*+){0,8})"
_TIME: Final = r"(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[ap]m)?[\])]?[ \t]++(?:[-–][ \t]++)?+)?+"
_SPEAKER: Final = (
    r"(?P<speaker>(?:<[@+]?[^<>\s/][^<>\n]{0,38}>|\[[^\[\]\n]{1,40}\](?=[ \t]+[A-Z*])|\*{1,3}<?[^*:\n]{1,60}>?:?\*{1,3}:?"
    r"|_{1,2}[^_:\n]{1,60}:?_{1,2}:?|(?:</?[a-z]{1,10}>)?[A-Z@][\w .'’()|-]{0,60}(?:</[a-z]{1,10}>)?:(?:</[a-z]{1,10}>)?)[ \t]++)"
)
_MARKS: Final = r"(?P<mark>(?:\*{1,3}|_{1,3}|`|~~)?[\[(\"“]?(?:\*{1,3}|_{1,3})?)"
_NUMBER: Final = r"(?P<number>[ \t]?(?:#|[Nn]o\.?[ \t]?|[Nn]r\.?[ \t]?|-)?[ \t]?\d{1,5}(?:\.\d{1,3})?[a-z]?)?"
_OWNER: Final = r"(?:[ \t]?[(\[](?P<owner>[^()\[\]\n]{1,60})[)\]]|[ \t](?P<name>(?!and\b|or\b)[^:：\n*_<>\"(\[]{1,50}?)(?=[ \t]?[:：]))?"
_CLOSE: Final = r"(?P<close>(?:\*{1,3}|_{1,3}|`|~~|[\])\"”]|</[a-zA-Z]{1,10}>){0,4})"
_SEPARATOR: Final = (
    r"(?P<sep>[ \t]?(?:[:：](?!:)|=>|->|→|⇒)|[ \t]+[-–—]+(?=[ \t])|,?(?=[ \t]+[Tt](?:hat|HAT|o|O)\b)|(?=[ \t]|$))"
)
_CLOSE_AFTER: Final = r"(?P<close_after>(?:\*{1,3}|_{1,3}|`|~~|[\])\"”]|</[a-zA-Z]{1,10}>){0,4})"


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
    emphatic: bool


def compile_labels(rules: RuleSet) -> re.Pattern[str]:
    """One pattern for a whole rule set; compile once, scan with `label_lines`."""
    head = f"^{_INDENT}{_QUOTE}{_BULLET}{_OPEN_TAGS}{_TIME}{_SPEAKER}??{_TIME}"
    label = rf"(?P<qualified>(?i:(?:proposed|draft|tentative|possible|potential|suggested|candidate|no|straw)[ \t]))?(?P<label>(?i:{rules.label_alternation}))"
    return re.compile(
        head
        + _MARKS
        + label
        + r"(?![\w’'])"
        + _NUMBER
        + r"(?![\w/])"
        + _OWNER
        + _CLOSE
        + _SEPARATOR
        + _CLOSE_AFTER
        + r"[ \t\u00a0]*+",
        re.M,
    )


# Nouns that, in strong type, label what follows them without any separator.
_STRONG_ENOUGH: Final = frozenset(
    {"decision", "resolution", "action", "action item", "conclusion", "todo", "requirement", "constraint"}
)
_BARE_CAPS: Final = re.compile(
    r"(?:RESOLVED|AGREED)[ \t]*,?[ \t]+(?:that|THAT|That|to|TO)\b|(?:ACTION|TODO|RESOLUTION|DECISION)[ \t]+(?=[A-Z@\"“`\[]|[a-z]+[ \t])"
)


def label_lines(shadow: str, pattern: re.Pattern[str], rules: RuleSet) -> list[LabelLine]:
    """All label lines of a masked text, in order, those that only propose or ask included (with an empty kind)."""
    found: list[LabelLine] = []
    for match in pattern.finditer(shadow):
        line = _judge(shadow, match, rules)
        if line is not None:
            found.append(line)
    return found


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a label is set off from the words around it."""

    caps: bool
    strong: bool
    bracketed: bool
    closed: bool
    numbered: bool

    @property
    def emphatic(self) -> bool:
        return self.caps or self.strong or self.closed or self.numbered


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
        _open_marks(mark, close), shape.bracketed, owner, shape.emphatic,
    )  # fmt: skip


_ABOUT: Final = re.compile(r"(?:on|re|regarding|about|for|concerning|to)[ \t]+", re.I)


def _qualified_by(words: str, kind: str, marked: bool) -> str | None:
    """What stands between label and colon: an action's owner (`AI Dan:`), a decision's subject (`Decision on ports:`).
    None where the line is a sentence that only begins like a label."""
    about = _ABOUT.match(words)
    rest = words[about.end() :] if about else words
    if kind == "action_item":
        return rest if looks_like_names(rest) else None
    return rest if about and marked and len(rest.split()) <= 6 else None


_INITIALS: Final = frozenset({"ai", "ais", "ap"})
_COLONS: Final = frozenset({":", "：", "=>", "->", "→", "⇒"})
_BOLD: Final = re.compile(r"<(?:strong|b|em|th|dt)\b", re.I)


def _separated(shadow: str, match: re.Match[str], shape: _Shape, label: str, *, has_words: bool) -> bool:
    """Is this a label, or only a word that a line happens to begin with?"""
    sep = match["sep"].strip(" \t")
    if sep in _COLONS or shape.closed:
        return has_words or not match["speaker"]
    if sep and sep != ",":
        return has_words and (shape.caps or shape.strong or shape.numbered)
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
