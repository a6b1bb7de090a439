"""Label lines: `RESOLUTION: …`, `- [Decision] …`, `> ***Action #1: … (Rob)***`, `<strong>ACTION</strong>: …`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from extraction.extractors.documents.layout import line_end
from extraction.extractors.documents.nothing import says_done
from extraction.extractors.documents.owners import is_handle, looks_like_names, owner_of, speaking_in
from extraction.extractors.documents.page import LabelLine
from extraction.extractors.documents.ruleset import RuleSet
from extraction.extractors.documents.standing import says_taken_back
from ledger.language.fold import normalise_label
from ledger.language.outline import at_lines

# What may stand before a label. Possessive throughout: no line can make the pattern try again and again.
_INDENT: Final = r"[ \t\u00a0\u2000-\u200a\u202f\u3000]*+"
_QUOTE: Final = r"(?P<quote>(?:>[ \t\u00a0]?+)*+)[ \t\u00a0]*+"
# Arrows, shapes, dingbats and pictures that people set before a line.
SYMBOL: Final = r"[\u2190-\u21ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]"
_BULLET: Final = (
    rf"(?P<bullet>(?:(?:[-*+•‣◦▪·–—]|\(?\d{{1,3}}[.)]|[a-zA-Z][.)]|{SYMBOL}\ufe0f?|\|(?=[^|\n]*$))[ \t\u00a0]++){{0,3}}+)"
    r"(?P<box>\\?\[[ xX]?\\?\][ \t]++)?+"
)
_OPEN_TAGS: Final = r"(?P<tags>(?:</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:[ \t][^<>\n]{0,200})?>[ \t]*+){0,8})"
_TIME: Final = (
    r"(?:[\[(]?(?:(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}),?[T ])?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[apAP][mM])?[\])]?:?[ \t]++(?:[-–][ \t]++)?+)?+"
)
_SPEAKER: Final = (
    r"(?P<speaker>(?:<[@+]?[^<>\s/][^<>\n]{0,38}>|\[[^\[\]\n]{1,40}\](?=[ \t]+[A-Z*])"
    r"|\*{1,3}+<?[^*:\n]{1,60}+:?\*{1,3}+:?|_{1,2}+[^_:\n]{1,60}+:?_{1,2}+:?"
    r"|[A-Z@][\w .'’-]{1,40}?,?[ \t]+[\[(]?\d{1,2}:\d\d(?::\d\d)?(?:[ \t]?[apAP][mM])?[\])]?(?::|[ \t]+[—–-])"
    r"|(?:</?[a-z]{1,10}>)?[A-Z@](?:[\w .'’()|-]|(?<=\d):(?=\d\d)){0,60}+(?:</[a-z]{1,10}>)?:(?:</[a-z]{1,10}>)?)[ \t]++)"
)
_MARKS: Final = r"(?P<hash>[#!](?=[a-zA-Z]))?+(?P<mark>(?:\*{1,3}+|_{1,3}+|`|~~)?+[\[(\"“]?+(?:\*{1,3}+|_{1,3}+)?+)"
_QUALIFIED: Final = (
    r"(?P<qualified>(?i:(?:proposed|draft|tentative|possible|potential|suggested|candidate|no|straw)[ \t]))?"
)
_NUMBER: Final = r"(?P<number>[ \t]?(?:\\?#|[Nn]o\.?[ \t]?|[Nn]r\.?[ \t]?|-)?[ \t]?\d{1,5}(?:\.\d{1,3})?[a-z]?)?"
# `[ACTION - Lee] …`, `(AI: Paul) …`
_INSIDE: Final = (
    r"(?:[ \t]?[-–—:][ \t]?(?P<inside>@?[A-Z][\w.'’-]{0,30}(?:(?:,| and| &|/)?[ \t]?@?[A-Z][\w.'’-]{0,30}){0,4}+|@?[\w.-]{1,39})"
    r"(?=[\])][^\n]{0,200}\w))?"
)
_OWNER: Final = (
    r"(?:(?P<shut>[*_]{0,3})[ \t]?[(\[](?P<owner>[^()\[\]\n]{1,60})[)\]]"
    r"|[ \t](?P<name>(?!and\b|or\b)[^:：\n*_<>\"(\[]{1,50}?)(?=[ \t]?[:：](?!//))"
    r"|[ \t](?P<whom>(?:for|on)[ \t][A-Z@][^:：\n*_<>\"(\[–—-]{1,50}?)(?=[ \t]+[-–—]{1,2}[ \t]))?"
)
_ENDS: Final = r"(?:\*{1,3}|_{1,3}|`|~~|[\])\"”]|</[a-zA-Z]{1,10}>){0,4}"
_SEPARATOR: Final = (
    r"(?P<sep>[ \t]?(?:[:：](?!:)|=>|->|→|⇒)|[ \t]+[-–—]+(?=[ \t])|-{2,3}(?=\w)"
    r"|,?(?=[ \t]+[Tt](?:hat|HAT|o|O)\b)|(?=[ \t]|$))"
)


def compile_labels(labels: frozenset[str]) -> re.Pattern[str]:
    """One pattern for a whole vocabulary; compile once, scan with `label_lines`."""
    head = f"^{_INDENT}{_QUOTE}{_BULLET}{_OPEN_TAGS}{_TIME}{_SPEAKER}??{_TIME}{_MARKS}"
    words = sorted(labels, key=len, reverse=True)
    label = f"(?={_first_letters(words)}){_QUALIFIED}(?P<label>{_alternation(words)})"
    tail = rf"(?P<close>{_ENDS}){_SEPARATOR}(?P<close_after>{_ENDS})[ \t\u00a0]*+(?=(?P<words>[^\n]*))"
    return re.compile(
        head + label + r"(?![^\W_]|_[^\W_]|['’])" + _NUMBER + r"(?![^\W_]|/)" + _INSIDE + _OWNER + tail, re.M
    )


def _first_letters(words: list[str]) -> str:
    """A class of what labels may begin with: most lines fail here, before any word is tried."""
    letters = {word[0] for word in words} | set("pdtscn")
    spelled = {form for letter in letters for form in (letter, letter.upper(), letter.title())}
    return f"[{''.join(sorted(re.escape(form) for form in spelled if len(form) == 1))}]"


def _alternation(words: list[str]) -> str:
    """The words, longest first, grouped by their first letter; white space and slashes as loosely as people type them."""
    groups: dict[str, list[str]] = {}
    for word in words or ["\0"]:
        loose = re.escape(word[1:]).replace(r"\ ", "[ \\t\u00a0]{1,3}").replace("/", "[ \\t]?/[ \\t]?")
        groups.setdefault(word[0], []).append(loose)
    return "(?i:" + "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in groups.items()) + ")"


# Nouns that, in strong type, label what follows them without any separator.
_STRONG_ENOUGH: Final = frozenset(
    "decision resolution action conclusion todo requirement constraint resolved decided".split()
) | {"action item"}
_BARE_CAPS: Final = re.compile(
    r"(?:(?:(?:NOW,? )?THEREFORE,? )?BE IT (?:FURTHER )?RESOLVED|RESOLVED|AGREED|DECIDED)[ \t]*,?[ \t]+(?:that|That|THAT|to)\b"
    r"|A[IP][ \t]+(?!(?:Agent|Model|System|Tool|Team|Safety|Ethics|Policy|Research|Governance|Act|Working|Compan"
    r"|Lab)[a-z]{0,4}\b)"
    r"[A-Z][\w.'’-]{1,20}(?: (?:and|&) [A-Z][\w.'’-]{1,20}| [A-Z][\w.'’-]{1,20})?[ \t]+(?:to|will)[ \t]+(?!be\b)[a-z]"
    r"|(?:ACTION|RESOLUTION|DECISION|PROPOSAL|PROPOSED)[ \t]+(?=[A-Z][a-z]|[A-Z]{2,3} to |ALL\b|@|[\"“])"
    r"|TODO[ \t]+(?=[^\n]{0,20}[a-z])"
)


def label_lines(shadow: str, pattern: re.Pattern[str], rules: RuleSet) -> list[LabelLine]:
    """All label lines of a masked text, in order, those that only propose or ask included (with an empty kind)."""
    lines = [line for match in at_lines(pattern, shadow) if (line := _label_line(shadow, match, rules))]
    initials = [line for line in lines if line.label in INITIALS and not line.bullet]
    speakers = _speaking_initials(initials, shadow) if initials else frozenset()
    return [line for line in lines if line.label not in speakers or line.bullet or _names_somebody(line.owner)]


def _speaking_initials(initials: Sequence[LabelLine], shadow: str) -> frozenset[str]:
    """`AI (in chat): …` is someone with the initials A. I. speaking, and so is every bare `AI: …` of the same minutes; of a
    talk in which `Human:`, `Me:` or other initials speak too, unless one of them is told whose task it is."""
    talks = _PRONOUNS.search(shadow) or (len(initials) > 1 and _OTHER_INITIALS.search(shadow))
    if talks:
        known = speaking_in(shadow)
        if not any(_names_owner(line, shadow, known) for line in initials):
            return INITIALS
    return frozenset(line.label for line in initials if _IN_CHAT.search(line.owner))


def _names_owner(line: LabelLine, shadow: str, known: frozenset[str]) -> bool:
    return bool(line.owner or owner_of(shadow[line.content : line.line_end], known=known).names)


# Others who speak in a talk that `AI:` or `AP:` takes part in.
_PRONOUNS: Final = re.compile(r"^[ \t]*(?:human|user|me|you|assistant):[ \t]", re.M | re.I)
_OTHER_INITIALS: Final = re.compile(r"^[ \t]*(?!A[IP]S?\b|TODO|REQ|PR\b|ACT)[A-Z]{2,3}:[ \t]", re.M)
_IN_CHAT: Final = re.compile(r"\b(?:chat|irc|typing|remote|online|phone|zoom)\b", re.I)


def _names_somebody(owner: str) -> bool:
    return bool(owner) and _IN_CHAT.search(owner) is None


@dataclass(frozen=True, slots=True)
class _Emphasis:
    """How a label is set off from the words around it."""

    caps: bool
    strong: bool
    bracketed: bool
    closed: bool
    numbered: bool
    hashed: bool

    @classmethod
    def of(cls, match: re.Match[str]) -> "_Emphasis":
        word, mark, close = match["label"], match["mark"], _close(match)
        bracketed = not _OPENING.isdisjoint(mark)
        return cls(
            caps=word.isupper() and len(word) > 1,
            strong=bool(close) and ("**" in mark or "__" in mark or _BOLD.search(match["tags"]) is not None),
            bracketed=bracketed,
            closed=bracketed and not _CLOSING.isdisjoint(close),
            numbered=match["number"] is not None,
            hashed=match["hash"] is not None,
        )

    @property
    def any(self) -> bool:
        return self.caps or self.strong or self.closed or self.numbered or self.hashed


def _close(match: re.Match[str]) -> str:
    return f"{match['shut'] or ''}{match['close']}{match['close_after']}"


def _label_line(shadow: str, match: re.Match[str], rules: RuleSet) -> LabelLine | None:
    emphasis = _Emphasis.of(match)
    if _sets_off_else(shadow, match, emphasis) or (match["shut"] and not looks_like_names(match["owner"])):
        return None
    stop = match.end("words")
    content = _LEAD.match(shadow, match.end(), stop).end()  # type: ignore[union-attr]
    label = _SLASH.sub("/", normalise_label(match["label"]))
    has_words = bool(shadow[content:stop].strip(" \t*_`>"))
    if not _separated(shadow, match, emphasis, label, has_words=has_words):
        return None
    named = _kind_and_owner(match, rules, label, marked=emphasis.any or bool(match["bullet"]))
    if named is None:
        return None
    return LabelLine(
        kind=named[0],
        label=label,
        line_start=match.start(),
        line_end=stop,
        indent=len(match[0]) - len(match[0].lstrip()),
        quote=match["quote"],
        bullet=match["bullet"],
        content=content,
        marks=_open_marks(match["mark"], _close(match)),
        bracketed=emphasis.bracketed,
        owner=named[1],
        speaker=_speaker(match["speaker"] or match["tags"]),
        emphatic=emphasis.any,
        done="x" in (match["box"] or "").lower() or says_done(f"{match['bullet']}{match['speaker'] or ''}"),
    )


def _sets_off_else(shadow: str, match: re.Match[str], emphasis: _Emphasis) -> bool:
    """Whether the marks are those of a link, of somebody else's words, or of a remark in brackets."""
    linked = emphasis.closed and shadow[match.end("close") : match.end("close") + 1] in ("(", "[")
    quoted = match["speaker"] is not None and not _QUOTATION.isdisjoint(match["mark"])
    return linked or quoted or ("(" in match["mark"] and not emphasis.caps and not match["inside"])


# `RESOLVED that …`; the tracker's `ACTION-12: - …`.
_LEAD: Final = re.compile(r"(?:(?:that|That|THAT|[-–—])[ \t]+(?=\S))?")
_ABOUT: Final = re.compile(r"(?P<word>on|re|regarding|about|for|concerning|to)[ \t]+", re.I)
# What a decision's label may turn to without any emphasis: `Decision on ports: …`, not `Decision for now: …`.
_SUBJECTS: Final = frozenset({"on", "re", "regarding", "about"})
MAX_SUBJECT_WORDS: Final = 6


def _kind_and_owner(match: re.Match[str], rules: RuleSet, label: str, *, marked: bool) -> tuple[str, str] | None:
    """The label's kind, empty where it is qualified (`Draft decision (maybe): …`), and an action's owner or a decision's
    subject. None where the line is a sentence that only begins like a label."""
    owner, name = (match["inside"] or match["owner"] or "").strip(), (match["name"] or match["whom"] or "").strip()
    before = _speaker(match["speaker"] or "").casefold()
    if match["qualified"] or _takes_it_out(name or owner, before, rules):
        return "", owner
    kind = rules.labels.get(label, "")
    if not name:
        return kind, owner
    is_command = match["hash"] is not None
    qualified = _owner_in_label(name, is_command) if kind == "action_item" else _subject_in_label(name, marked)
    return None if qualified is None else (kind, qualified)


def _takes_it_out(beside: str, before: str, rules: RuleSet) -> bool:
    """Whether a word beside the label, or whoever stands before it, takes the decision out of it again."""
    qualifies = before in rules.qualifiers or not rules.qualifiers.isdisjoint(beside.casefold().split())
    return qualifies or says_taken_back(beside) or says_taken_back(before)


def _owner_in_label(words: str, is_command: bool) -> str | None:
    """`AI Dan: …`, `Action for bob: …`, `#todo bob: …`."""
    about = _ABOUT.match(words)
    rest = words[about.end() :] if about else words
    if rest in _ALL or _NEXT_TIME.match(words):
        return ""
    return rest if looks_like_names(rest) or ((about or is_command) and is_handle(rest)) else None


# `Tasks until the next meeting: …`
_NEXT_TIME: Final = re.compile(
    r"(?:for|by|until|before)[ \t](?:the[ \t]|our[ \t])?(?:next|coming|following)"
    r"[ \t](?:week|month|sprint|time|meeting|call|session)\Z",
    re.I,
)
# `ACTION ALL: …`
_ALL: Final = frozenset("ALL EVERYONE EVERYBODY all everyone everybody All Everyone Everybody".split())


def _subject_in_label(words: str, marked: bool) -> str | None:
    """`Decision on ports: …`."""
    about = _ABOUT.match(words)
    if not about or len(words.split()) - 1 > MAX_SUBJECT_WORDS:
        return None
    return words[about.end() :] if marked or about["word"].casefold() in _SUBJECTS else None


_ELEMENTS: Final = frozenset(
    "a b br dd del div dl dt em font i ins li mark ol p s small span strong td th tr u ul".split()
)


def _speaker(label: str) -> str:
    """The name in `**Ann:**` or `<ann>`; empty for elements of HTML."""
    name = label.strip(" \t*_<>@+[]:")
    is_markup = not _IN_TAGS.isdisjoint(name) or name.split(" ")[0].casefold() in _ELEMENTS
    return "" if is_markup else name


# `#action bob to call`: what meeting bots listen to.
_COMMANDS: Final = frozenset({"action", "agreed", "accepted", "decision", "resolved", "resolution", "todo"})
INITIALS: Final = frozenset({"ai", "ais", "ap"})
_COLONS: Final = frozenset({":", "：", "=>", "->", "→", "⇒"})
_BOLD: Final = re.compile(r"<(?:strong|b|em|th|dt)\b", re.I)
_SLASH: Final = re.compile(r" ?/ ?")
_OPENING, _CLOSING, _IN_TAGS, _QUOTATION = frozenset("[("), frozenset("])"), frozenset(">/"), frozenset('"“')


def _separated(shadow: str, match: re.Match[str], emphasis: _Emphasis, label: str, *, has_words: bool) -> bool:
    """Is this a label, or only a word that a line happens to begin with?"""
    sep = match["sep"].strip(" \t")
    if "`" in match["mark"] and "`" not in match["close"]:
        return False
    if sep in _COLONS or emphasis.closed:
        return has_words or not match["speaker"]
    if sep in ("", ",") and not emphasis.hashed:
        return _labels_without_separator(shadow, match, emphasis, label, has_words=has_words)
    if emphasis.hashed:
        return has_words and label in _COMMANDS
    return has_words and (emphasis.any or _titles(shadow, match, label))


def _titles(shadow: str, match: re.Match[str], label: str) -> bool:
    """`Decision - we use oak`: a capital noun before the only dash of its line."""
    dashes = shadow.count(match["sep"] + " ", match.start(), line_end(shadow, match.start(), len(shadow)))
    return label in _STRONG_ENOUGH and match["label"][0].isupper() and dashes == 1


def _labels_without_separator(
    shadow: str, match: re.Match[str], emphasis: _Emphasis, label: str, *, has_words: bool
) -> bool:
    if match["owner"] and not match["shut"]:  # `TODO(ann) write it`
        return has_words and label == "todo" and emphasis.caps and not emphasis.bracketed
    if emphasis.bracketed or match["name"]:
        return False
    if not has_words:
        return _heads_list(shadow, match, emphasis, label)
    if emphasis.strong and label in _STRONG_ENOUGH:
        return True
    return emphasis.caps and _BARE_CAPS.match(shadow, match.start("label")) is not None


def _heads_list(shadow: str, match: re.Match[str], emphasis: _Emphasis, label: str) -> bool:
    """`**Decisions**` alone on its line heads the list below it, and so does `* Action points` one that is deeper."""
    if match["speaker"] or label in INITIALS:
        return False
    return emphasis.strong or (
        _HEADS.search(label) is not None and _LIST_BELOW.match(shadow, match.start()) is not None
    )


_HEADS: Final = re.compile(r"(?:action (?:item|point)s|decisions|resolutions|conclusions|todos)\Z")
_LIST_BELOW: Final = re.compile(
    r"(?P<margin>[ \t]*)(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+[^\n]*\n(?:[ \t]*\n)?(?P=margin)[ \t]{2,}|[^\n]*\n(?:[ \t]*\n)?[ \t]*)"
    r"(?:[-*+•]|\d{1,3}[.)])[ \t]"
)
_CLOSES: Final = {"]": "[", ")": "("}
_MARK: Final = re.compile(r"\*+|_+|`|~~|[\])\"”]|</[a-zA-Z]+>")


def _open_marks(mark: str, close: str) -> str:
    """Emphasis or bracket that was opened before the label and not closed after it."""
    left = mark
    for piece in _MARK.findall(close):
        if piece in _CLOSES:
            left = left.replace(_CLOSES[piece], "", 1)
        elif left.endswith(piece[: len(left)]):
            left = left[: max(0, len(left) - len(piece))]
    return left
