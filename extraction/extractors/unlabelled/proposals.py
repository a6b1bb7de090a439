"""What the learnt weights propose in one text: sentences that no rule reads, each with its kind, its owner and why."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from extraction.extractors.documents import Hit, RuleSet, Span
from extraction.extractors.documents.hits import SectionLike
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.owners import looks_like_names, owner_of, speaking_in
from extraction.extractors.documents.pieces import is_transcript
from extraction.extractors.unlabelled.features import Feature, sentences_of
from extraction.extractors.unlabelled.model import Judgement, SentenceModel
from ledger.language.fold import summary_of
from ledger.language.outline import headings, mask_code, one_break
from ledger.language.own_words import mask_quoted, without_example_sections, without_examples

# The gate of its own that every proposal passes (law 6).
UNLABELLED: Final = "unlabelled"
ACTION: Final = "action_item"
KIND_OF: Final = {"decision": "decision", "action": ACTION, "constraint": "constraint"}
# A sure sentence ranks below the weakest label.
MAX_CONFIDENCE: Final = 0.55
# Spans of these rules say nothing of what a sentence in them does: a whole record's section, and measured values.
_WIDE: Final = ("heading.record", "value")
# Who speaks a line: `Bo:`, `Bo Lund (Acme):`, `**Bo**:`, `[name=Bo]`.
_SPEAKER: Final = re.compile(
    r"""(?:\[name=|\[)?\*{0,2}(?P<name>@?[\w.'’-]{1,30}(?:[ ][\w.'’-]{1,30}){0,2})\*{0,2}\]?(?:\([^()\n]{0,40}\))?
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


def proposals_in(
    text: str, sections: Sequence[SectionLike], rules: RuleSet, model: SentenceModel, hits: Sequence[Hit]
) -> Iterator[Hit]:
    """One inferred hit for each sentence of a document, or of a user in it, that passes the bar of a kind which the packs ask
    for, and that no rule reads."""
    shadow = without_examples(mask_quoted(mask_code(one_break(text)), "document"))
    shadow = without_example_sections(shadow, headings(shadow))
    if is_transcript(shadow):
        return
    covered, known = covered_by(hits), speaking_in(shadow)
    starts = [section.start for section in sections]
    for sentence in sentences_of(shadow):
        piece = sentence.piece
        at = max(0, bisect_right(starts, piece.start) - 1)
        if sections[at].speaker in ("agent", "tool") or covered(piece.start, piece.end):
            continue
        judged = model.judge(sentence)
        if judged and KIND_OF[judged.kind] in rules.unlabelled:
            start, end = trim_marks(shadow, piece.start, piece.end, "")
            if statement := summary_of(text[start:end]):
                anchors = rules.anchors.get(KIND_OF[judged.kind], frozenset())
                anchored = not anchors or sections[at].speaker in anchors
                yield _hit(judged, statement, Span(start, end, at), owner_in(text[start:end], known), anchored)


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
    return named or speaker


_MEANING: Final = {
    "c": "words like", "cb": "words like", "ct": "words like", "f": "begins like",
    "0": "begins like", "ends": "ends with",
}  # fmt: skip


def in_words(feature: Feature) -> str:
    """A feature as a person reads it: `b will write` is “will write”."""
    slot, *rest = feature
    shown = " ".join(rest).replace("Xx", "NAME").replace("^", "…").replace("$", "…")
    return f"“{shown}”" if slot in ("w", "b") else f"{_MEANING.get(slot, slot)} {shown}"
