"""The drawing and the steps of why a value is there: value, claims, quotes, sources."""

from collections.abc import Sequence
from dataclasses import dataclass, field

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


def why_tree_of(why: WhyChain, cites: Sequence[str] = ()) -> WhyTree:
    """No query. `cites` are the refs that a trusted value names."""
    sources = {link.id: _step_of(link) for link in why.chain if link.layer == "source"}
    trusted: TreeStep | None = None
    branches: list[ClaimBranch] = []
    told: set[int] = set()
    for link in why.chain:
        rung = _step_of(link)
        if link.layer == "trusted":
            trusted = rung
        elif link.layer == "entity":
            branches.append(ClaimBranch(entity=rung))
        elif link.layer == "candidate":
            if not branches or branches[-1].candidate is not None:
                branches.append(ClaimBranch())
            branches[-1].candidate = rung
        elif link.layer == "evidence":
            rung.source = sources.get(link.source or 0)
            rung.same_source = link.source in told
            told.add(link.source or 0)
            branches[-1].quotes.append(rung)
    seen = {branch.candidate.link.ref for branch in branches if branch.candidate}
    unseen = [ref for ref in cites if ref not in seen]
    found = WhyTree(trusted, branches, _summary(trusted, branches, sources), unseen)
    _draw(found)
    return found


def _step_of(link: WhyStep) -> TreeStep:
    mark = "verified" if link.verified else "failed"
    said = "" if link.verified else FAILED[link.layer]
    if link.redacted:
        mark, said = (
            "redacted",
            "Purged: its words are gone from every table; the hash and the record of who decided stay.",
        )
    if link.withheld:
        mark, said = (
            "withheld",
            "Withheld: it was proposed in a scope that you may not read."
            if link.layer == "candidate"
            else "Withheld: its source lies in a scope that you may not read. Its place was checked all the same.",
        )
    return TreeStep(link, mark, said, _address(link), CALLED.get(link.layer, link.layer))


def _address(link: WhyStep) -> str:
    if link.withheld:
        return ""
    if link.layer == "trusted":
        return reverse("trusted", args=[link.ref])
    if link.layer == "entity":
        return reverse("entity", args=[link.ref])
    if link.layer == "candidate":
        return reverse("candidate", args=[link.ref])
    if link.layer == "source":
        return reverse("source", args=[link.id])
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
    heights: dict[int, list[int]] = {}
    middles: list[int] = []
    drawn: dict[int, TreeStep] = {}
    for branch in found.branches:
        ys = []
        drawn_quotes: list[TreeStep | None] = [*branch.quotes] or [None]
        for quote in drawn_quotes:
            if row >= MAX_DRAWN:
                found.left_out += quote is not None
                continue
            y = TOP + row * ROW
            row += 1
            ys.append(y)
            if quote is not None:
                found.nodes.append(DrawnStep(COLUMNS["evidence"], y, quote))
                if quote.source is not None:
                    heights.setdefault(quote.source.link.id, []).append(y)
                    drawn[quote.source.link.id] = quote.source
        if not ys:
            continue
        middle = (ys[0] + ys[-1]) // 2
        middles.append(middle)
        last = None
        for rung in (branch.entity, branch.candidate):
            if rung is not None:
                x = COLUMNS[rung.link.layer]
                found.nodes.append(DrawnStep(x, middle, rung))
                if last is not None:
                    found.lines.append((last, middle, x, middle))
                last = x
        if last is not None:
            found.lines += [(last, middle, COLUMNS["evidence"], y) for y in ys if branch.quotes]
    for pk, ys in heights.items():
        middle = sum(ys) // len(ys)
        found.nodes.append(DrawnStep(COLUMNS["source"], middle, drawn[pk]))
        found.lines += [(COLUMNS["evidence"], y, COLUMNS["source"], middle) for y in ys]
    if found.trusted is not None:
        middle = sum(middles) // len(middles) if middles else TOP
        found.nodes.append(DrawnStep(COLUMNS["trusted"], middle, found.trusted))
        to = [COLUMNS["entity"] if branch.entity else COLUMNS["candidate"] for branch in found.branches]
        found.lines += [(COLUMNS["trusted"], middle, x, y) for x, y in zip(to, middles, strict=False)]
    layers = {node.step.link.layer for node in found.nodes}
    found.heads = [(x, CALLED.get(layer, layer)) for layer, x in COLUMNS.items() if layer in layers]
    if found.trusted is None:
        found.left, found.width = COLUMNS["trusted"], WIDTH - COLUMNS["trusted"]
    found.height = TOP + max(row, 1) * ROW - 8


register = template.Library()


@register.simple_tag
def why_tree(why: WhyChain, cites: Sequence[str] | str = ()) -> WhyTree:
    """Of an answer of `ledger.reads.why`; `cites` are the refs of a trusted value."""
    return why_tree_of(why, [] if isinstance(cites, str) else cites)
