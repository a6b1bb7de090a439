"""Proposals that a vote carried, in minutes that keep no line for the result: `PROPOSED: …` with `+1` below it and no `-1`,
or a line that says how it ended (`Motion carried.`, `No objections, resolved`)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import labelled_matches
from extraction.extractors.documents.layout import trim_marks
from extraction.extractors.documents.page import LabelLine, Page
from extraction.extractors.documents.ruleset import RuleSet
from ledger.language.fold import summary_of

RULE: Final = "line.voted"
MAX_TALK: Final = 400
# A vote is the first thing that somebody says: `+1`, `ann: +1`, `> *Ann Lee:* -1`, `<ann> 0`, `+1 to that`.
_VOTE: Final = re.compile(
    r"^[> \t\u00a0]*+(?P<who>(?:[*_<\[(]{0,3}[\w@][^\n:>*\]]{0,60}?[*_]{0,3}[:>\])]+[*_]{0,3}[ \t]*+)?)"
    r"[*_]{0,2}(?P<vote>\+\s?1|[-−–]\s?1|[+±−–-]?0(?:\.\d{1,2})?)(?!\.?\d|[:/-])"
    r"[*_]{0,2}(?P<words>[^\n]*)",
    re.M,
)
_VOTES: Final = frozenset({"vote", "votes", "voting"})
# Votes for it, at least so many for each abstention.
_FOR_EACH_ABSTENTION: Final = 2
# What is said when it is over. The whole of what somebody says, so that `resolved if nobody minds` is none of it.
_SAID_BY: Final = (
    r"^[> \t\u00a0]*+(?:[*_<\[(]{0,3}[\w@][^\n:>*\]]{0,60}?[*_]{0,3}[:>\])]+[*_]{0,3}[ \t]*+)?"
    r"(?:…|\.\.\.)?[ \t]*+[*_]{0,2}"
)
_NOBODY_OBJECTS: Final = (
    r"(?:(?:i )?(?:hear(?:ing)?|see(?:ing)?|with|there (?:are|were|being)|having heard)? ?(?:no|none|zero)"
    r"(?: (?:further|more|other))?(?: (?:objections?|opposition|dissent|votes? against|one (?:objects|opposed|against)))?"
    r"(?: (?:heard|raised|noted))?|(?:unanimous(?:ly)?|all in favou?r)(?: (?:consent|vote|approval))?)[ ,.;:–-]{1,4}"
)
_SUBJECT: Final = (
    r"(?:(?:so |and )?(?:the |this |that )?(?:proposal|motion|poll|vote|resolution|it|this|that)(?:'s)? ?"
    r"(?:is |was |has |has been )?|we(?:'re| are) |considered |declared )?(?:now |therefore |thus |hereby )?"
)
_TALLY: Final = (
    r"(?:[(\[]?\d{1,3}(?: ?(?:[-–:/,]|to|for|yes|ayes?|in favou?r|against|no|noes|nays?|abst\w*)[ ,]*\d{0,3}){1,6}"
    r"[)\]]?)"
)
_OPENS: Final = (
    rf"{_SAID_BY}(?:(?:ok(?:ay)?|so|then|great|good|and|alright|all right)[, ]+){{0,2}}(?:{_TALLY}[ ,.;:–-]{{1,4}})?"
)
_CLOSES: Final = rf"(?:[ ,:–-]{{1,3}}{_TALLY})?[ .!*_)]*$"
_HOW: Final = (
    r"(?: (?:unanimously|nem\.? con\.?|by (?:consensus|unanimous consent|acclamation|show of hands)|as proposed"
    r"|as stated|as written))?"
)
_CARRIED: Final = re.compile(
    rf"{_OPENS}(?:{_NOBODY_OBJECTS})?{_SUBJECT}"
    rf"(?:resolved|accepted|approved|carrie[sd]|passe[sd]|adopted|agreed to){_HOW}{_CLOSES}",
    re.I | re.M,
)
_LOST: Final = re.compile(
    rf"{_OPENS}{_SUBJECT}(?:not (?:resolved|accepted|approved|carried|passed|adopted|agreed)|fail(?:s|ed)|lost|rejected"
    rf"|defeated|declined|withdrawn|tabled|postponed|deferred)(?: (?:for|to|until|by) [^\n]{{1,60}})?{_CLOSES}",
    re.I | re.M,
)
_WORD: Final = re.compile(r"[^\W_]{3,}")
# Beyond this share of common words a later proposal says an earlier one anew.
_REWORDED: Final = 0.8
# Who put it: `… *(Ann Lee)*`, `… Moved by Ann, seconded by Bo.`
_BY: Final = re.compile(
    r"[ \t]*[*_]{0,3}[ \t]*[*_]{0,3}\((?:by )?[A-Z][^()\n]{1,60}\)[*_]{0,3}[ \t]*\Z"
    r"|(?<=[.;])[ \t]+(?:moved|proposed|motioned)(?: by)?:? [^.\n]{1,60}?"
    r"(?:[.,;]? (?:and )?second(?:ed)?(?: by)?:? [^.\n]{1,60})?\.?\Z",
    re.I,
)


def voted_matches(page: Page) -> Iterator[RuleMatch]:
    """A decision for each proposal that was carried: nobody against it, no later wording, and either `rules.least_votes`
    people for it or somebody who says that it is resolved.

    Nothing where the text labels a decision anywhere: whoever writes down what was resolved has written down all of it, and a
    proposal beside it was not adopted.
    """
    if any(line.kind == "decision" for line in page.labels):
        return
    put = [line for line in page.labels if not line.kind and _put_to_vote(line, page.rules) and not _ends(line, page)]
    proposals = [proposal for line in put if (proposal := _proposal(line, page))]
    words = [_words(page.shadow[one.start : one.end]) for one in proposals]
    for at, proposal in enumerate(proposals):
        if proposal.rule and not any(_alike(words[at], later) for later in words[at + 1 :]):
            yield proposal


def _proposal(line: LabelLine, page: Page) -> RuleMatch | None:
    """What was put to the vote; of no rule where the vote did not carry it."""
    made = labelled_matches(replace(line, kind="decision"), page)
    if not made:
        return None
    # `Vote: 5-0, motion carried.` tells how it ended; the other labels and headings begin something new.
    results = {other.line_start for other in page.labels if other.label in _VOTES or _ends(other, page)}
    stops = (edge for edge in page.edges if edge > line.line_start and edge not in results)
    stop = next(stops, len(page.shadow))
    carried = _carried(page.shadow[line.line_end : stop], page.rules.least_votes)
    start, end = _without_name(page.shadow, made[0].start, made[0].end, line.marks)
    ended = next((one for one in page.labels_between(line.line_end, stop) if _ends(one, page)), None)
    # The quote holds how it ended; the statement is what was put.
    is_near = ended is not None and ended.line_start - end < MAX_TALK
    return replace(
        made[0], start=start, end=ended.line_end if ended and is_near else end, rule=RULE if carried else "",
        rule_class="sentence", explicit=False, statement=summary_of(page.shadow[start:end]) if is_near else made[0].statement,
    )  # fmt: skip


def _ends(line: LabelLine, page: Page) -> bool:
    """`Motion: PASSES` tells how the motion above it ended."""
    return line.label == "motion" and any(
        form.match(page.shadow, line.line_start, line.line_end) for form in (_CARRIED, _LOST)
    )


def _put_to_vote(line: LabelLine, rules: RuleSet) -> bool:
    """`PROPOSED:`; and `Draft resolution:`, which is a decision's label that a word beside it has opened again."""
    return line.label in rules.votable or rules.labels.get(line.label) == "decision"


def _carried(talk: str, least: int) -> bool:
    """By people, not by lines: who votes twice counts once, and the last vote is the one that holds. A bare `0`, and `+0`, stand
    aside and stop nothing that clearly more are for; a `0` that gives its reason has a doubt, and whether that was heard is
    for the minutes to say. A question whether it is carried, and a condition, say nothing of the sort."""
    votes: dict[str, tuple[str, str]] = {}
    for number, vote in enumerate(_VOTE.finditer(talk)):
        name = vote["who"].strip(" \t*_<>[]():").casefold()
        votes[name or f"line {number}"] = vote["vote"].replace(" ", ""), vote["words"].strip(" \t.*_,")
    given = [vote for vote, _ in votes.values()]
    if any(vote[0] in "-−–" for vote in given) or _LOST.search(talk) is not None:
        return False
    if _CARRIED.search(talk) is not None:
        return True
    count, aside = given.count("+1"), len(given) - given.count("+1")
    doubted = any(vote[0] != "+" and words for vote, words in votes.values())
    return count >= max(least, _FOR_EACH_ABSTENTION * aside) and not doubted


def _without_name(shadow: str, start: int, end: int, marks: str) -> tuple[int, int]:
    by = _BY.search(shadow, start, end)
    return trim_marks(shadow, start, by.start(), marks) if by and by.start() > start else (start, end)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and len(one & other) / len(one | other) > _REWORDED
