"""The drawing and the steps of why a value is there: value, claims, quotes, sources."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from django import template
from django.urls import reverse

from ledger.reads.why import WhyChain, WhyStep
from review.screens.sources import AT_ONCE

# What the drawing can hold and still be looked at; the steps below it tell all.
MAX_DRAWN = 10
COLUMNS = {"trusted": 34, "entity": 102, "candidate": 170, "evidence": 238, "source": 306}
ROW, TOP, WIDTH = 34, 44, 340
CALLED = {"evidence": "quote"}
FAILED = {
    "trusted": "No person's act stands behind it as the journal tells it.",
    "entity": "The row is not what the journal tells, or nobody's decision made it hold.",
    "candidate": "The row is not what the journal tells.",
    "evidence": "The source does not say these words at this place.",
    "source": "Its text is not the one that was taken in.",
}
PURGED = "Purged: its words are gone from every table; the hash and the record of who decided stay."
WITHHELD_CANDIDATE = "Withheld: it was proposed in a scope that you may not read."
WITHHELD_SOURCE = "Withheld: its source lies in a scope that you may not read. Its place was checked all the same."


@dataclass(slots=True)
class TreeStep:
    """One step. `mark` is verified, failed, withheld or redacted; `said` tells a dead end in words; `address` is where a click
    leads: for a quote the lit place in its source."""

    link: WhyStep
    mark: str
    said: str
    address: str
    name: str
    source: "TreeStep | None" = None
    # Whether its source stands above already, under an earlier quote.
    same_source: bool = False


@dataclass(slots=True)
class ClaimBranch:
    """One claim: as it holds, as it was proposed, and the quotes it rests on."""

    entity: TreeStep | None = None
    candidate: TreeStep | None = None
    quotes: list[TreeStep] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DrawnStep:
    x: int
    y: int
    step: TreeStep


@dataclass(slots=True)
class WhyTree:
    """`lines` are (x1, y1, x2, y2); `left_out` is how many quotes the drawing does not show; `unseen` are the cited refs that
    lead nowhere in the reader's sight."""

    trusted: TreeStep | None
    branches: list[ClaimBranch]
    summary: str
    unseen: list[str]
    nodes: list[DrawnStep] = field(default_factory=list)
    lines: list[tuple[int, int, int, int]] = field(default_factory=list)
    heads: list[tuple[int, str]] = field(default_factory=list)
    height: int = 0
    left_out: int = 0
    left: int = 0
    width: int = WIDTH

    def place(self, layer: str, y: int, step: TreeStep) -> DrawnStep:
        node = DrawnStep(COLUMNS[layer], y, step)
        self.nodes.append(node)
        return node

    def join(self, left: DrawnStep, others: Sequence[DrawnStep]) -> None:
        self.lines += [(left.x, left.y, right.x, right.y) for right in others]


def why_tree_of(why: WhyChain, cites: Sequence[str] = ()) -> WhyTree:
    """No query. `cites` are the refs that a trusted value names."""
    steps = [_step_of(link) for link in why.chain]
    sources = {step.link.id: step for step in steps if step.link.layer == "source"}
    trusted = next((step for step in steps if step.link.layer == "trusted"), None)
    branches = _branches(steps, sources)
    seen = {branch.candidate.link.ref for branch in branches if branch.candidate}
    unseen = [ref for ref in cites if ref not in seen]
    found = WhyTree(trusted, branches, _summary(trusted, branches, sources), unseen)
    _draw(found)
    return found


def _branches(steps: Sequence[TreeStep], sources: dict[int, TreeStep]) -> list[ClaimBranch]:
    branches: list[ClaimBranch] = []
    told: set[int | None] = set()
    for step in steps:
        link = step.link
        if link.layer == "entity":
            branches.append(ClaimBranch(entity=step))
        elif link.layer == "candidate":
            if not branches or branches[-1].candidate is not None:
                branches.append(ClaimBranch())
            branches[-1].candidate = step
        elif link.layer == "evidence":
            step.source = sources.get(link.source or 0)
            step.same_source = link.source in told
            told.add(link.source)
            branches[-1].quotes.append(step)
    return branches


def _step_of(link: WhyStep) -> TreeStep:
    return TreeStep(link, *_mark_of(link), _address(link), CALLED.get(link.layer, link.layer))


def _mark_of(link: WhyStep) -> tuple[str, str]:
    if link.withheld:
        return "withheld", WITHHELD_CANDIDATE if link.layer == "candidate" else WITHHELD_SOURCE
    if link.redacted:
        return "redacted", PURGED
    return ("verified", "") if link.verified else ("failed", FAILED[link.layer])


def _address(link: WhyStep) -> str:
    if link.withheld:
        return ""
    if link.layer == "source":
        return reverse("source", args=[link.id])
    if link.layer != "evidence":
        return reverse(link.layer, args=[link.ref])
    part = f"?from={link.start}" if (link.start or 0) >= AT_ONCE else ""
    return f"{reverse('source', args=[link.source])}{part}#evidence-{link.id}"


def _summary(trusted: TreeStep | None, branches: list[ClaimBranch], sources: dict[int, TreeStep]) -> str:
    quotes = sum(len(branch.quotes) for branch in branches)
    parts = [f"{quotes} quote{'s' * (quotes != 1)} from {len(sources)} source{'s' * (len(sources) != 1)}"]
    if trusted is not None:
        parts.insert(0, f"1 trusted value on {len(branches)} cited claim{'s' * (len(branches) != 1)}")
    return ", ".join(parts)


def _draw(found: WhyTree) -> None:
    """Quotes and sources stand in rows; what rests on them stands in the middle of its rows."""
    row = 0
    claims: list[DrawnStep] = []
    for branch in found.branches:
        rows = min(max(len(branch.quotes), 1), MAX_DRAWN - row)
        found.left_out += len(branch.quotes[rows:])
        if rows:
            claims.append(_draw_branch(found, branch, [TOP + at * ROW for at in range(row, row + rows)]))
        row += rows
    _draw_sources(found)
    if found.trusted is not None:
        middle = sum(claim.y for claim in claims) // len(claims) if claims else TOP
        found.join(found.place("trusted", middle, found.trusted), claims)
    else:
        found.left, found.width = COLUMNS["trusted"], WIDTH - COLUMNS["trusted"]
    layers = {node.step.link.layer for node in found.nodes}
    found.heads = [(x, CALLED.get(layer, layer)) for layer, x in COLUMNS.items() if layer in layers]
    found.height = TOP + max(row, 1) * ROW - 8


def _draw_branch(found: WhyTree, branch: ClaimBranch, ys: list[int]) -> DrawnStep:
    """The claim at the left of the branch, which a trusted value's line leads to."""
    quotes = [found.place("evidence", y, quote) for y, quote in zip(ys, branch.quotes, strict=False)]
    middle = (ys[0] + ys[-1]) // 2
    faces = [found.place(step.link.layer, middle, step) for step in (branch.entity, branch.candidate) if step]
    for left, right in pairwise(faces):
        found.join(left, [right])
    found.join(faces[-1], quotes)
    return faces[0]


def _draw_sources(found: WhyTree) -> None:
    sources = {node.step.source.link.id: node.step.source for node in found.nodes if node.step.source}
    for source in sources.values():
        quotes = [node for node in found.nodes if node.step.source is source]
        drawn = found.place("source", sum(quote.y for quote in quotes) // len(quotes), source)
        for quote in quotes:
            found.join(quote, [drawn])


register = template.Library()


@register.simple_tag
def why_tree(why: WhyChain, cites: Sequence[str] | str = ()) -> WhyTree:
    """Of an answer of `ledger.reads.why`; `cites` are the refs of a trusted value."""
    return why_tree_of(why, [] if isinstance(cites, str) else cites)
