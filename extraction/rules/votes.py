"""Proposals that a vote carried, in minutes that keep no line for the result: `PROPOSED: …` with `+1` below it and no `-1`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from extraction.rules.hits import Find
from extraction.rules.labels import LabelLine
from extraction.rules.lines import line_finds, trim_marks
from extraction.rules.ruleset import RuleSet

RULE: Final = "line.voted"
# A vote is the first thing that somebody says: `+1`, `ann: +1`, `> *Ann Lee:* -1`, `<ann> 0`, `+1 to that`.
_VOTE: Final = re.compile(
    r"^[>\s]*+(?P<who>(?:[*_<\[(]{0,3}[\w@][^\n:>*\]]{0,60}?[*_]{0,3}[:>\])]+[*_]{0,3}[ \t]*+)?)"
    r"[*_]{0,2}(?P<vote>\+\s?1|[-−–]\s?1|[+±-]?0(?:\.\d)?)(?![\d.:/-])",
    re.M,
)
_WORD: Final = re.compile(r"[^\W_]{3,}")
# Beyond this share of common words a later proposal says an earlier one anew.
_REWORDED: Final = 0.8
# Who put it: `… *(Ann Lee)*`.
_BY: Final = re.compile(r"[ \t]*[*_]{0,3}[ \t]*[*_]{0,3}\((?:by )?[A-Z][^()\n]{1,60}\)[*_]{0,3}[ \t]*\Z")


def voted_finds(
    shadow: str, lines: Sequence[LabelLine], stops: Sequence[int], rules: RuleSet, known: frozenset[str]
) -> Iterator[Find]:
    """A decision for each proposal with at least `rules.least_votes` people for it, nobody against it, and no later wording.

    Nothing where the text labels a decision anywhere: whoever writes down what was resolved has written down all of it, and a
    proposal beside it was not adopted. `stops` are the places of label lines and headings, ascending.
    """
    put = [line for line in lines if not line.kind and _put_to_vote(line, rules)]
    if not put or any(line.kind == "decision" for line in lines):
        return
    found: list[Find] = []
    for line in put:
        after = next((stop for stop in stops if stop > line.line_start), len(shadow))
        made = next(line_finds(replace(line, kind="decision"), after, shadow, known), None)
        if made is not None:
            carried = _carried(shadow[line.line_end : after], rules.least_votes)
            start, end = _without_name(shadow, made.start, made.end, line.marks)
            found.append(
                replace(made, start=start, end=end, rule=RULE if carried else "", rule_class="sentence", explicit=False)
            )
    for at, one in enumerate(found):
        said = _words(shadow[one.start : one.end])
        later = (_words(shadow[other.start : other.end]) for other in found[at + 1 :])
        if one.rule and not any(_alike(said, other) for other in later):
            yield one


def _put_to_vote(line: LabelLine, rules: RuleSet) -> bool:
    """`PROPOSED:`; and `Draft resolution:`, which is a decision's label that a word beside it has opened again."""
    return line.label in rules.votable or rules.labels.get(line.label) == "decision"


def _carried(talk: str, least: int) -> bool:
    """By people, not by lines: who votes twice counts once, and the last vote is the one that holds. Who abstains had a doubt,
    which is reason enough to leave it to the minutes."""
    votes: dict[str, str] = {}
    for number, vote in enumerate(_VOTE.finditer(talk)):
        name = vote["who"].strip(" \t*_<>[]():").casefold()
        votes[name or f"line {number}"] = vote["vote"].replace(" ", "")
    return sum(vote == "+1" for vote in votes.values()) >= least and all(vote[0] == "+" for vote in votes.values())


def _without_name(shadow: str, start: int, end: int, marks: str) -> tuple[int, int]:
    by = _BY.search(shadow, start, end)
    return trim_marks(shadow, start, by.start(), marks) if by and by.start() > start else (start, end)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and len(one & other) / len(one | other) > _REWORDED
