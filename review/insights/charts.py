"""The figures of the insights as plots, each with its table, a sentence, and what to do where there is nothing yet."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.safestring import SafeString

from ledger.reads.insights.memory_gates import MemoryGates
from ledger.reads.insights.precision import Calibration, DecisionFigures, EvaluationSeries
from ledger.reads.insights.throughput import DailyFlow, Reviewers, WaitingAges
from ledger.reads.insights.trust import ConflictsByDay, CorrectionFigures, Objector, Traceability
from review import plots
from review.insights.decision_times import TimeFigures
from review.insights.figures import Insights
from review.plots.lines import line_in_words

MAX_BARS: Final = 12
MAX_EXTRACTORS: Final = 6
MAX_LISTED: Final = 40
FEW_BINS: Final = 3
# What a difference says by its sign.
FLOW: Final = {1: "grew", 0: "stood", -1: "shrank"}
TENDENCY: Final = {1: "too sure of itself", 0: "even", -1: "too modest"}
SAMPLES: Final = {"": "all that holds", "any": "a sample of what holds", "newest": "the newest that holds"}


@dataclass(frozen=True, slots=True)
class Figure:
    """`summary` says in one line what it shows, `svg` shows it, and the figures themselves stand in a table: `head`, and `rows`
    whose first cell names them. Where there are none, `empty` says what to do."""

    slug: str
    title: str
    summary: str = ""
    svg: SafeString = SafeString("")  # noqa: RUF009
    head: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    empty: str = ""
    note: str = ""


def keeping_up(found: Insights) -> list[Figure]:
    """Whether people keep up with what comes in."""
    return [_reviewers(found.reviewers), _times(found.times), _daily(found.daily), _ages(found.ages)]


def proposals(found: Insights) -> list[Figure]:
    """How good the proposals are; nothing where nothing was decided about them."""
    calibrations = [_calibration(one) for one in found.decided.calibrations[:MAX_EXTRACTORS]]
    if not found.decided.rules:
        return calibrations
    return [_by_rule(found.decided), _precision(found.decided), *calibrations]


def trust(found: Insights) -> list[Figure]:
    """Whether what holds can be trusted."""
    doubts = [_corrections(found.corrections), _conflicts(found.conflicts), _objectors(found.objectors)]
    return [_traced(found.traced), *doubts, _memory(found.memory)]


def _memory(found: MemoryGates) -> Figure:
    """The four gates before finer credit would pay (C16)."""
    slug, title = "memory-gates", "Is what agents are shown ready for finer credit?"
    if not (found.conversations or found.holds):
        return Figure(
            slug, title, empty="No agent reported an outcome in this time: POST /outcomes, or report_outcome by MCP."
        )
    rows: list[tuple[str, ...]] = [
        (name, "yes" if is_open else "not yet", *told) for name, is_open, *told in found.as_words()
    ]
    summary = f"{found.open_gates} of 4 open; {found.conversations:,} conversations with an outcome"
    return Figure(slug, title, summary, head=("Gate", "Open", "Figure", "From"), rows=rows)


def f1_over_time(series: EvaluationSeries) -> SafeString:
    """The F1 of each kept run from left to right."""
    figures = [float(one.figures["f1"]) for one in series.kept]
    told = ", ".join(f"{f1:.3f}" for f1 in figures)
    alt = f"F1 of {len(figures)} runs, oldest first: {told}" if len(figures) > 1 else f"F1 {told}"
    return plots.spark(figures, alt=alt, width=160, height=40)


def _reviewers(found: Reviewers) -> Figure:
    slug, title, rows = "reviewers", "Decisions an hour, by reviewer", found.rows
    if not rows:
        empty = "Nobody decided anything in this time. Open the queue and press p or r, or choose a longer time."
        return Figure(slug, title, empty=empty)
    best = max(one.per_hour for one in rows)
    stacks = [plots.Stack(one.name, (round(one.per_hour, 1),)) for one in rows[:MAX_BARS]]
    return Figure(
        slug,
        title,
        f"{sum(one.decided for one in rows):,} decisions by {len(rows)}; the fastest {best:.0f} in an hour of work",
        plots.bars(stacks, alt=f"Decisions an hour: {_list((one.name, f'{one.per_hour:.1f}') for one in rows)}"),
        ("Who", "Decisions", "Hours at it", "An hour", "Promoted", "Rejected", "In batches", "Taken back"),
        [
            (
                _who(one.kind, one.name),
                f"{one.decided:,}",
                f"{one.hours:.1f}",
                f"{one.per_hour:.1f}",
                f"{one.promoted:,}",
                f"{one.rejected:,}",
                f"{one.in_batches:,}",
                f"{one.undone:,}",
            )
            for one in rows
        ],
        note="An hour of work is six stretches of ten minutes in which anything was decided." + _newest(found.more),
    )


def _times(found: TimeFigures) -> Figure:
    slug, title = "times", "From shown to decided"
    if not found.count:
        empty = "Nobody decided at a desk in this time. Decide some cards of the queue: their time is measured."
        return Figure(slug, title, empty=empty)
    return Figure(
        slug,
        title,
        f"Half within {found.median_s:.1f} s, nine of ten within {found.p90_s:.1f} s",
        plots.histogram(found.classes, alt=f"Decisions by time: {_list(_grouped(found.classes))}"),
        ("Time", "Decisions"),
        _grouped(found.classes),
        note="From when a card could be read, or the decision before it. Decisions of many at once and those through the API are"
        " not timed." + _newest(found.more),
    )


def _daily(found: DailyFlow) -> Figure:
    slug, title = "daily", "What came in and what was decided, each day"
    came, went = sum(found.came), sum(found.went)
    if not came and not went:
        empty = "Nothing came in and nothing was decided in this time. Send a source, or choose a longer time."
        return Figure(slug, title, empty=empty)
    labels = _labels(found.days)
    alt = f"Came in: {line_in_words(labels, found.came)}. Left: {line_in_words(labels, found.went)}"
    lines = [plots.LineSeries("came in", found.came), plots.LineSeries("left the queue", found.went)]
    return Figure(
        slug,
        title,
        f"{came:,} came in, {went:,} left: the queue {FLOW[_sign(came - went)]}",
        plots.line(labels, lines, alt=alt),
        ("Day (UTC)", "Came in", "Left the queue"),
        _by_day(found.days, found.came, found.went),
        note="Opened again and woken count as coming in, put off and expired as leaving. The last minute may be missing.",
    )


def _ages(found: WaitingAges) -> Figure:
    slug, title = "ages", "How long the queue has waited"
    if not found.waiting:
        return Figure(slug, title, empty="Nothing waits: all is decided.")
    about, note = ("about ", "Estimated from a part of the table.") if found.about else ("", "")
    old = sum(count for _, count in found.classes[-2:])
    return Figure(
        slug,
        title,
        f"{about}{found.waiting:,} wait, {about}{old:,} of them for more than a week".capitalize(),
        plots.histogram(found.classes, alt=f"Waiting: {about}{_list(_grouped(found.classes))}"),
        ("Waited", "Candidates"),
        _grouped(found.classes, about),
        note=note,
    )


def _by_rule(found: DecisionFigures) -> Figure:
    rows = found.rules[:MAX_BARS]
    stacks = [plots.Stack(f"{one.rule} · {one.extractor} {one.version}", (one.promoted, one.rejected)) for one in rows]
    yes, no = sum(one.promoted for one in found.rules), sum(one.rejected for one in found.rules)
    alt = _list((one.rule, f"{one.promoted} promoted, {one.rejected} rejected") for one in rows)
    return Figure(
        "by-rule-plot",
        "Promoted and rejected, by rule and version",
        f"{yes:,} promoted, {no:,} rejected",
        plots.bars(stacks, alt=alt, names=["promoted", "rejected"]),
        note="The table below has all of them." + _newest(found.more),
    )


def _precision(found: DecisionFigures) -> Figure:
    rows = found.rules[:MAX_BARS]
    shares = [
        plots.Range(f"{one.rule} · {one.version}", one.low, one.precision, one.high, f"{one.promoted} of {one.decided}")
        for one in rows
    ]
    told = _list((one.rule, f"{one.precision:.2f}, between {one.low:.2f} and {one.high:.2f}") for one in rows)
    return Figure(
        "precision-plot",
        "Precision, by rule",
        "The dot is the share that was promoted, the bar where the true one lies (95 %)",
        plots.ranges(shares, alt=f"Precision: {told}"),
    )


def _calibration(found: Calibration) -> Figure:
    held = [one for one in found.bins if one.count]
    tends = TENDENCY[_sign(sum(one.count * (one.mean - one.share) for one in held))]
    told = _list(
        (f"confidence {one.low:.1f} to {one.high:.1f}", f"{one.share:.2f} right of {one.count}") for one in held
    )
    few = " A rule gives few different scores: few dots are to be expected." if len(held) < FEW_BINS else ""
    return Figure(
        f"calibration-{found.extractor}",
        f"Confidence against decisions: {found.extractor}",
        f"Off by {found.error:.2f} on average over {found.decided:,} decisions; on the whole {tends}",
        plots.reliability(held, alt=f"{found.extractor}: {told}"),
        ("Confidence", "Decided", "Mean confidence", "Right", "Between"),
        [
            (
                f"{one.low:.1f} to {one.high:.1f}",
                f"{one.count:,}",
                f"{one.mean:.3f}",
                f"{one.share:.3f}",
                f"{one.share_low:.2f} to {one.share_high:.2f}",
            )
            for one in held
        ],
        note="On the dashed line, what was given 0.7 is right seven times of ten; below it the extractor is too sure. Only what"
        f" passed its gate is ever decided.{few}",
    )


def _traced(found: Traceability) -> Figure:
    slug, title, share = "traced", "Values that lead back to a source", found.share
    if share is None:
        return Figure(slug, title, empty="Nothing holds yet. Promote what is right in the queue.")
    of = f"{found.traced} of {found.looked_at}"
    return Figure(
        slug,
        title,
        f"{of} ({share:.1%}), of {SAMPLES[found.sample]}; the target is all",
        plots.ranges(
            [plots.Range("leads to a source", found.low, share, found.high, of)],
            alt=f"{share:.3f}, between {found.low:.3f} and {found.high:.3f}",
        ),
        ("What", "Values"),
        [("Looked at", str(found.looked_at)), ("Every step true", str(found.traced))],
        note="Each step of why is checked anew: rows against their journal, quotes against their sources, sources against their"
        " hash.",
    )


def _corrections(found: CorrectionFigures) -> Figure:
    slug, title = "corrections", "Corrections that had to be said again"
    if not found.rows:
        empty = (
            "No corrections were read in this time. They come from discussions: give a scope the pack discussion and send its"
            " talk."
        )
        return Figure(slug, title, empty=empty)
    first = found.rows[:MAX_BARS]
    stacks = [plots.Stack(one.scope, (one.corrections - one.again, one.again)) for one in first]
    alt = _list((one.scope, f"{one.corrections} corrections, {one.again} said before") for one in first)
    return Figure(
        slug,
        title,
        f"{found.again:,} of {found.total:,}, {found.signed:,} of them after somebody had signed the first; the target is none",
        plots.bars(stacks, alt=alt, names=["for the first time", "again"]),
        ("Scope", "Corrections", "Said again", "After it was signed"),
        [(one.scope, f"{one.corrections:,}", f"{one.again:,}", f"{one.signed:,}") for one in found.rows],
        note="Said again: it makes the same constraint as an earlier one, or one of nearly the same words."
        + _newest(found.more),
    )


def _conflicts(found: ConflictsByDay) -> Figure:
    slug, title = "conflicts-open", "Conflicts open"
    opened, closed = sum(found.opened), sum(found.closed)
    if not opened and not closed and not any(found.open):
        return Figure(slug, title, empty="No conflict was open in this time.")
    labels, about = _labels(found.days), "about " if found.about else ""
    summary = f"{about}{found.open[-1]:,} open now; {opened:,} opened and {closed:,} closed in this time"
    alt = f"Open: {about}{line_in_words(labels, found.open)}"
    return Figure(
        slug,
        title,
        summary.capitalize(),
        plots.line(labels, [plots.LineSeries("open", found.open)], alt=alt),
        ("Day (UTC)", "Open at its end", "Opened", "Closed"),
        _by_day(found.days, found.open, found.opened, found.closed, about=about),
    )


def _objectors(found: Sequence[Objector]) -> Figure:
    slug, title = "objections", "Who disputes how often"
    if not found:
        return Figure(slug, title, empty="Nobody disputed anything in this time.")
    first = found[:MAX_BARS]
    stacks = [plots.Stack(one.name, (one.raised - one.own, one.own)) for one in first]
    alt = _list((one.name, f"{one.raised} objections, {one.own} by own words alone") for one in first)
    return Figure(
        slug,
        title,
        f"{sum(one.raised for one in found):,} objections by {len(found)}",
        plots.bars(stacks, alt=alt, names=["anchored", "own words alone"]),
        ("Who", "Objections", "To claims", "By own words alone", "Answered or taken back"),
        [
            (_who(one.kind, one.name), f"{one.raised:,}", f"{one.claims:,}", f"{one.own:,}", f"{one.answered:,}")
            for one in found
        ],
        note="What rests on the objecting agent's own words alone is kept and marks nothing.",
    )


def _who(kind: str, name: str) -> str:
    return name if kind == "human" else f"{name} ({kind})"


def _labels(days: Iterable[dt.date]) -> list[str]:
    return [f"{day:%-d %b}" for day in days]


def _by_day(
    days: Sequence[dt.date], first: Sequence[int], *others: Sequence[int], about: str = ""
) -> list[tuple[str, ...]]:
    """A row a day; `about` stands before the first figure."""
    rows = zip(days, first, *others, strict=True)
    return [(f"{day:%-d %b %Y}", f"{about}{one:,}", *(f"{more:,}" for more in rest)) for day, one, *rest in rows]


def _grouped(classes: Iterable[tuple[str, int]], about: str = "") -> list[tuple[str, ...]]:
    return [(name, f"{about}{count:,}") for name, count in classes]


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _list(pairs: Iterable[tuple[str, ...]]) -> str:
    """`name: figure`, one after the other."""
    return "; ".join(f"{name}: {figure}" for name, figure in list(pairs)[:MAX_LISTED])


def _newest(more: bool) -> str:
    return " Of the newest only: there are more." if more else ""
