"""What the learnt weights propose in one text: sentences that no rule reads, each with its kind, its owner and why."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from extraction.extractors.documents import Hit, RuleSet, Span
from extraction.extractors.documents.commitment_forms import TAKES_ON
from extraction.extractors.documents.hits import SectionLike
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.owners import NAMES, looks_like_names, owner_of, speaking_in
from extraction.extractors.documents.page import own_words_of
from extraction.extractors.unlabelled.features import Feature, Manner, Sentence, sentences_of
from extraction.extractors.unlabelled.model import Judgement, SentenceModel
from ledger.language.fold import normalise_label, summary_of

# The gate of its own that every proposal passes (law 6).
UNLABELLED: Final = "unlabelled"
ACTION: Final = "action_item"
KIND_OF: Final = {"decision": "decision", "action": ACTION, "constraint": "constraint"}
_KIND: Final = {ACTION: "action", "decision": "decision", "constraint": "constraint", "preference": "constraint"}
# The first words of the rules' names that read labels and titles.
_MARKED: Final = frozenset({"line", "heading", "list", "table"})
# A sure sentence ranks below the weakest label.
MAX_CONFIDENCE: Final = 0.55
# Spans of these rules say nothing of what a sentence in them does: a whole record's section, and measured values.
_WIDE: Final = ("heading.record", "value")
# Who speaks a line: `Bo:`, `Bo Lund (Acme):`, `**Bo**:`, `[name=Bo]`.
_SPEAKER: Final = re.compile(
    r"""[-*•\s]{0,4}(?:\[name=|\[)?\*{0,2}(?P<name>@?[\w.'’-]{1,30}(?:[ ][\w.'’-]{1,30}){0,2})\*{0,2}\]?(?:\([^()\n]{0,40}\))?
    (?::|(?<=\]))\*{0,2}[ ]""",
    re.X,
)


def covered_by(hits: Iterable[Hit]) -> Callable[[int, int], bool]:
    """A test for overlap with what rules found."""
    spans = sorted((hit.spans[0].start, hit.spans[0].end) for hit in hits if not hit.rule.startswith(_WIDE))
    starts = [start for start, _ in spans]
    ends = list(accumulate((end for _, end in spans), max))

    def covered(start: int, end: int) -> bool:
        at = bisect_left(starts, end) - 1
        return at >= 0 and ends[at] > start

    return covered


def labelled_in(hits: Iterable[Hit]) -> Counter[str]:
    """How many hits labels and titles mark, by kind."""
    return Counter(_KIND[hit.kind] for hit in hits if hit.kind in _KIND and hit.rule.split(".")[0] in _MARKED)


def kinds_sought(manner: Manner) -> frozenset[str]:
    """Which kinds are looked for in a text: none in a talk written down line by line, decisions only in minutes that label none.
    Whoever writes down what was decided has written down all of it, and records and proposals argue more than they decide."""
    if manner.is_transcript:
        return frozenset()
    open_minutes = manner.minutes and not manner.labelled["decision"]
    return frozenset(KIND_OF) if open_minutes else frozenset(KIND_OF) - {"decision"}


def labels_what_counts(shadow: str, sentences: Iterable[Sentence], manner: Manner, rules: RuleSet) -> bool:
    """Whether who wrote a text labels decisions, actions or what is put to the vote: what stands there without a label is less
    often one."""
    if manner.labelled["decision"] or manner.labelled["action"]:
        return True
    return any(is_put(shadow[one.piece.start : one.piece.end], rules) for one in sentences)


def proposals_in(
    text: str, sections: Sequence[SectionLike], rules: RuleSet, model: SentenceModel, hits: Sequence[Hit]
) -> Iterator[Hit]:
    """One inferred hit for each sentence of a document, or of a user in it, that passes the bar of a kind which the packs ask
    for, and that no rule reads."""
    shadow, heads = own_words_of(text, "document")
    manner = Manner.of(shadow, heads, labelled_in(hits))
    sought = frozenset(kind for kind in kinds_sought(manner) if KIND_OF[kind] in rules.unlabelled)
    if not sought:
        return
    covered, known = covered_by(hits), speaking_in(shadow)
    starts = [section.start for section in sections]
    sentences = sentences_of(shadow, manner)
    labels = labels_what_counts(shadow, sentences, manner, rules)
    for sentence in sentences:
        piece = sentence.piece
        at = max(0, bisect_right(starts, piece.start) - 1)
        if sections[at].speaker in ("agent", "tool") or covered(piece.start, piece.end):
            continue
        judged = model.judge(sentence, labels=labels)
        if judged and judged.kind in sought:
            start, end = trim_marks(shadow, piece.start, piece.end, "")
            statement = summary_of(text[start:end])
            if statement and not is_put(text[start:end], rules):
                anchors = rules.anchors.get(KIND_OF[judged.kind], frozenset())
                anchored = not anchors or sections[at].speaker in anchors
                yield _hit(judged, statement, Span(start, end, at), owner_in(text[start:end], known), anchored)


def is_put(words: str, rules: RuleSet) -> bool:
    """`Vote: phase 1`: what is put to the vote, or asked."""
    label, colon, _ = words.partition(":")
    return bool(colon) and normalise_label(label.strip("*_ ")) in rules.open_labels


def _hit(judged: Judgement, statement: str, span: Span, owner: str, anchored: bool) -> Hit:
    kind = KIND_OF[judged.kind]
    is_action = kind == ACTION
    value = {"task": statement} | ({"assignee": owner} if owner else {}) if is_action else None
    return Hit(
        rule=f"unlabelled.{judged.kind}",
        rule_class="learned",
        explicit=False,
        kind=kind,
        statement=statement,
        spans=(span,),
        confidence=round(MAX_CONFIDENCE * judged.chance, 4),
        anchored=anchored,
        value_type=ACTION if is_action else "",
        value=value,
        assignee=owner if is_action else "",
        stage=UNLABELLED,
        summary=f"No label says so; it reads like {_ARTICLE[judged.kind]} ({', '.join(map(in_words, judged.reasons[:4]))})",
    )


_ARTICLE: Final = {"decision": "a decision", "action": "an action", "constraint": "a constraint"}


def owner_in(words: str, known: frozenset[str]) -> str:
    """Whose an action is: who speaks a line of their own ("Bo: I'll write it"), who is told to ("Bo: write it"), or as the rules
    read owners."""
    spoken = _SPEAKER.match(words)
    speaker = spoken["name"] if spoken and looks_like_names(spoken["name"]) else ""
    said = words[spoken.end() :] if spoken and speaker else words
    named = owner_of(said, known=known, speaker=speaker).names
    return named or speaker or _told_within(said)


def _told_within(words: str) -> str:
    """Who takes something on within a sentence (`When it is dry, Bo will paint it`), or is the only one with a handle."""
    for named in _NAMED.finditer(words):
        takes_on = TAKES_ON.match(words, named.end()) or _MAY_BE.match(words, named.end())
        if takes_on and looks_like_names(named["names"]):
            return _ARTICLE_BEFORE.sub("", named["names"].replace("@", ""))
    handles = set(_HANDLE.findall(words))
    last = _LAST_NAME.search(words)
    return handles.pop() if len(handles) == 1 else last["name"] if last and looks_like_names(last["name"]) else ""


_ARTICLE_BEFORE: Final = re.compile(r"\A(?:D(?:er|ie|as)|El|La|Le|Il) ")
_NAMED: Final = re.compile(rf"(?<![\w.@/])(?P<names>{NAMES}),? (?=[a-z'’])")
# What counts as an order where the sentence is known for an action: `Bo should`, `Bo is planning to`, `Bo said that he would`.
_MAY_BE: Final = re.compile(
    r"(?:should|would|is (?:planning|going|happy) to|taking|plans to|has action|(?:agree|volunteer|offer|promise)(?:s|d|ed)?"
    r"|(?:said|stated|mentioned|noted|announced|confirmed)(?: that)? (?:he|she|they) (?:will|would))\b(?! be [a-z]+ed\b)"
)
_HANDLE: Final = re.compile(r"(?<![\w.@/])@([A-Za-z][\w-]{1,38})\b(?!\.\w)")
_LAST_NAME: Final = re.compile(r" [-–—] (?P<name>[A-ZÀ-Þ][a-zà-ÿ]{1,20}(?: [A-ZÀ-Þ][a-zà-ÿ]{1,20})?)\.?\Z")


_MEANING: Final = {
    "c": "words like", "cb": "words like", "ct": "words like", "f": "begins like",
    "0": "begins like", "1": "second word like", "2": "third word like", "3": "fourth word like", "ends": "ends with",
    "h": "a title with", "hc": "a title with words like", "hq": "a title that asks:",
    "p": "before it", "pf": "before it begins", "pc": "before it words like", "pd": "indent before it",
    "n": "behind it", "nf": "behind it begins", "nc": "behind it words like", "nd": "indent behind it",
    "lab": "labels of the text:", "items": "lists in the text:", "stops": "full stops in the text:", "mean": "long sentences:",
    "min": "minutes:", "min1": "in minutes:", "said": "lines spoken:", "said1": "where people speak:", "spoken": "spoken:",
    "x": "orders in the text:", "share": "place in the text:", "depth": "indent", "box": "box", "item": "item of a list:",
    "length": "words:", "introduced": "behind a colon",
}  # fmt: skip


def in_words(feature: Feature) -> str:
    """A feature as a person reads it: `b will write` is “will write”."""
    slot, *rest = feature
    shown = " ".join(rest).replace("Xx", "NAME").replace("^", "…").replace("$", "…")
    return f"“{shown}”" if slot in ("w", "b") else f"{_MEANING.get(slot, slot)} {shown}"
