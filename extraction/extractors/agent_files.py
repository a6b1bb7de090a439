"""Files that tell agents how to work (`CLAUDE.md`, `AGENTS.md`, `.cursorrules`, `copilot-instructions.md`): each of their orders is
a constraint. The file's own name says that they are meant, so they count as labelled."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from extraction.extractors.documents import Hit, RuleSet, Span
from extraction.extractors.documents.grids import grids_in, in_grids
from extraction.extractors.documents.hits import SectionLike
from extraction.extractors.documents.instructions import instruction_in
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.pieces import Piece, pieces_of
from extraction.extractors.unlabelled.cues import VERBS
from extraction.extractors.unlabelled.proposals import covered_by
from ledger.language.fold import summary_of
from ledger.language.outline import headings, mask_code, one_break
from ledger.language.own_words import mask_quoted, without_example_sections, without_examples

RULE: Final = "agents.order"
_NAME: Final = re.compile(
    r"(?:\A|[/\s])(?:(?:claude|agents?|gemini|qwen|warp|crush|copilot)(?:\.(?:local|override))?\.md|copilot-instructions\.md"
    r"|[\w.-]+\.mdc|[\w.-]+\.instructions\.md|\.(?:cursor|windsurf|cline|roo|goose|kilocode)(?:rules|hints)[\w.-]*"
    r"|\.clinerules/[\w./-]+\.md|\.(?:cursor|windsurf|roo|claude|kilocode)/rules/[\w./-]+\.md)\s*(?:\Z|\n)",
    re.I,
)
_OPENS: Final = re.compile(
    r"\b(?:guidance|instructions?|guidelines|rules) (?:to|for) (?:\w+ ){0,3}?"
    r"(?:agents?|assistants?|claude|copilot|cursor|codex|llms?)\b"
    r"|\Ayou are an? (?:\w+ ){0,4}(?:expert|engineer|developer|assistant|agent)\b|\bclaude code \(claude\.ai/code\)",
    re.I,
)
HEAD: Final = 800
# Titles over what is told, not ordered: how to build and run, what lies where.
_TELLS: Final = re.compile(
    r"\W*(?:(?:build|common|useful|key|quick|essential|development|dev|test(?:ing)?|main|project)[\w ,&-]{0,30})?"
    r"\b(?:commands?|setup|installation|getting started|quick ?start|usage|overview|structure|architecture|layout|file map"
    r"|director(?:y|ies)|resources|references|links|examples?|tech stack|environment variables|running|troubleshooting)\W*\Z",
    re.I,
)
_DUTY: Final = re.compile(
    r"\b(?:must(?:n['’]t)?|(?:should|may|can) (?:not|never|only|always)|(?:you|agents?) should|be sure to"
    r"|(?:is|are) (?:strictly )?(?:not (?:allowed|acceptable|accepted|permitted)|forbidden|required|mandatory|prohibited)"
    r"|will not (?:be )?accept(?:ed)?)\b|(?:[;,.–—]|\b(?:and|but)) (?:do not|don['’]t|never|always|prefer|avoid|rely on)\b"
    r"|必须|必須|禁止|不要|不得|务必|始终|しないこと|してはならない",
    re.I,
)
# `**Naming**: …`, `Naming: …` before the words themselves.
_SUBJECT: Final = re.compile(r"\s*(?:\*\*[^*\n]{1,60}\*\*:?\s*(?:[:–—-]+\s*)?|(?:[A-Z][\w/&-]{0,20} ?){1,3}:\s+)")
# An order, perhaps behind what it holds for (`When you add a field, …`); `Host ports are …` tells something.
_LED: Final = re.compile(
    r"[*_ ]*(?:(?:when|if|before|after|for|in|on|once|unless|while|with)\b[^.,;:\n]{2,120},\s+)?"
    r"[*_]*(?:please |also |then )?(?P<first>[A-Za-z]+)\b(?!\s*[:=]|/)"
    r"(?! (?:\w+ )?(?:is|are|was|follows?|contains?|lives?|may|can|will)\b| of\b)",
    re.I,
)
_ORDERS: Final = frozenset(
    {*VERBS, "order", "emphasize", "emphasise", "aim", "strive", "be", "mock", "throw", "catch"}
) - {"see", "note"}
MAX_ORDER: Final = 400


def is_for_agents(name: str, shadow: str) -> bool:
    """Whether a document's name, or how it opens, says that agents are to follow it."""
    return _NAME.search(name) is not None or _OPENS.search(shadow, 0, HEAD) is not None


def orders_in(
    name: str, text: str, sections: Sequence[SectionLike], rules: RuleSet, hits: Sequence[Hit]
) -> Iterator[Hit]:
    """One constraint for each order of a file for agents that no rule reads."""
    shadow = without_examples(mask_quoted(mask_code(one_break(text)), "document"))
    kind = rules.intents.get("instruction", "")
    if not kind or not is_for_agents(name, shadow):
        return
    heads, grids = headings(shadow), grids_in(shadow)
    shadow, covered, starts = without_example_sections(shadow, heads), covered_by(hits), [one.start for one in sections]
    for piece in pieces_of(shadow, heads):
        at = max(0, bisect_right(starts, piece.start) - 1)
        if (
            sections[at].speaker in ("document", "user")
            and not covered(piece.start, piece.end)
            and orders(shadow, piece, in_table=in_grids(grids, piece.start, piece.end))
        ):
            start, end = trim_marks(shadow, piece.start, piece.end, "")
            statement = summary_of(text[start:end])
            score = rules.priors["label"]
            yield Hit(
                rule=RULE, rule_class="label", explicit=True, kind=kind, statement=statement, spans=(Span(start, end, at),),
                confidence=score, anchored=sections[at].speaker in rules.anchors.get(kind, frozenset({"document", "user"})),
            )  # fmt: skip


def orders(shadow: str, piece: Piece, *, in_table: bool = False) -> bool:
    """Whether a sentence lays something down for whoever reads it. What begins with a verb in a table tells what something does."""
    words = shadow[piece.start : piece.end]
    if len(words) > MAX_ORDER or words.rstrip("*_ ").endswith("?") or _TELLS.match(piece.heading):
        return False
    words = _SUBJECT.sub("", words, count=1) or words
    led = _LED.match(words)
    begins = led is not None and not in_table and led["first"].lower() in _ORDERS
    return begins or bool(instruction_in(words)) or _DUTY.search(words) is not None
