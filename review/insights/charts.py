"""The figures of the insights as plots, each with its table, a sentence, and what to do where there is nothing yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from ledger.reads.insights.precision import Calibration, DecisionFigures
from ledger.reads.insights.throughput import DailyFlow, Reviewers, WaitingAges
from ledger.reads.insights.trust import ConflictsByDay, CorrectionFigures, Traceability
from review import plots
from review.insights.decision_times import TimeFigures
from review.insights.figures import Insights
from review.plots.lines import line_in_words

MAX_BARS: Final = 12
MAX_EXTRACTORS: Final = 6
FEW_BINS: Final = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """`said` in one line what it shows, `svg`, and the figures themselves: `head`, and `rows` whose first cell names them.
    Without rows, `empty` says what to do."""

    slug: str
    title: str
    said: str
    svg: SafeString
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]
    empty: str = ""
    note: str = ""


def keeping_up(found: Insights) -> list[Figure]:
    """Whether people keep up with what comes in."""
    return [_reviewers(found.reviewers), _times(found.times), _daily(found.daily), _ages(found.ages)]


def proposals(found: Insights) -> list[Figure]:
    """How good the proposals are."""
    rules = [] if not found.decided.rules else [_by_rule(found.decided), _precision(found.decided)]
    return [*rules, *(_calibration(one) for one in found.decided.calibrations[:MAX_EXTRACTORS])]


def trust(found: Insights) -> list[Figure]:
    """Whether what holds can be trusted."""
    return [_traced(found.traced), _corrections(found.corrections), _conflicts(found.conflicts)]


def _reviewers(found: Reviewers) -> Figure:
    rows = found.rows
    stacks = [plots.Stack(one.name, (round(one.per_hour, 1),)) for one in rows[:MAX_BARS]]
    best = max((one.per_hour for one in rows), default=0)
    said = f"{sum(one.decided for one in rows):,} decisions by {len(rows)}; the fastest {best:.0f} an hour at it"
    return Figure(
        "reviewers",
        "Decisions an hour, by reviewer",
        said,
        plots.bars(stacks, said=f"Decisions an hour: {_list((one.name, f'{one.per_hour:.1f}') for one in rows)}"),
        ("Who", "Decisions", "Hours at it", "An hour", "Promoted", "Rejected", "In batches", "Taken back"),
        [
            (
                one.name if one.kind == "human" else f"{one.name} ({one.kind})",
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
        "Nobody decided anything in this time. Open the queue and press p or r, or choose a longer time.",
        "An hour at it is six stretches of ten minutes in which anything was decided." + _newest(found.more),
    )


def _times(found: TimeFigures) -> Figure:
    said = (
        "" if found.median_s is None else f"Half within {found.median_s:.1f} s, nine of ten within {found.p90_s:.1f} s"
    )
    return Figure(
        "times",
        "From shown to decided",
        said,
        plots.histogram(found.classes, said=f"Decisions by time: {_list((n, f'{c:,}') for n, c in found.classes)}"),
        ("Time", "Decisions"),
        [(name, f"{count:,}") for name, count in found.classes] if found.count else [],
        "Nobody decided at a desk in this time. Decide some cards of the queue: their time is measured.",
        "From when a card could be read, or the decision before it. Decisions of many at once and those through the API are not"
        " timed." + _newest(found.more),
    )


def _daily(found: DailyFlow) -> Figure:
    labels = [f"{day:%-d %b}" for day in found.days]
    came, went = sum(found.came), sum(found.went)
    said = (
        f"{came:,} came in, {went:,} left: the queue {'grew' if came > went else 'shrank' if went > came else 'stood'}"
    )
    lines = [plots.LineSeries("came in", found.came), plots.LineSeries("left the queue", found.went)]
    told = f"Came in: {line_in_words(labels, found.came)}. Left: {line_in_words(labels, found.went)}"
    rows = zip(found.days, found.came, found.went, strict=True)
    return Figure(
        "daily",
        "What came in and what was decided, each day",
        said,
        plots.line(labels, lines, said=told),
        ("Day (UTC)", "Came in", "Left the queue"),
        [(f"{day:%-d %b %Y}", f"{one:,}", f"{other:,}") for day, one, other in rows] if came or went else [],
        "Nothing came in and nothing was decided in this time. Send a source, or choose a longer time.",
        "Opened again and woken count as coming in, put off and expired as leaving. The last minute may be missing.",
    )


def _ages(found: WaitingAges) -> Figure:
    about = "about " if found.about else ""
    old = sum(count for _, count in found.classes[-2:])
    said = f"{about}{found.waiting:,} wait, {about}{old:,} of them for more than a week"
    return Figure(
        "ages",
        "How long the queue has waited",
        said.capitalize(),
        plots.histogram(found.classes, said=f"Waiting: {about}{_list((n, f'{c:,}') for n, c in found.classes)}"),
        ("Waited", "Candidates"),
        [(name, about + f"{count:,}") for name, count in found.classes] if found.waiting else [],
        "Nothing waits: all is decided.",
        "Estimated from a part of the table." if found.about else "",
    )


def _by_rule(found: DecisionFigures) -> Figure:
    stacks = [
        plots.Stack(f"{one.rule} · {one.extractor} {one.version}", (one.promoted, one.rejected))
        for one in found.rules[:MAX_BARS]
    ]
    yes, no = sum(one.promoted for one in found.rules), sum(one.rejected for one in found.rules)
    told = _list((one.rule, f"{one.promoted} promoted, {one.rejected} rejected") for one in found.rules[:MAX_BARS])
    return Figure(
        "by-rule-plot",
        "Promoted and rejected, by rule and version",
        f"{yes:,} promoted, {no:,} rejected",
        plots.bars(stacks, said=told, names=["promoted", "rejected"]),
        (),
        [],
        note="The table below has all of them." + _newest(found.more),
    )


def _precision(found: DecisionFigures) -> Figure:
    rows = found.rules[:MAX_BARS]
    made = [
        plots.Range(f"{one.rule} · {one.version}", one.low, one.precision, one.high, f"{one.promoted} of {one.decided}")
        for one in rows
    ]
    told = _list((one.rule, f"{one.precision:.2f}, between {one.low:.2f} and {one.high:.2f}") for one in rows)
    return Figure(
        "precision-plot",
        "Precision, by rule",
        "The dot is the share that was promoted, the bar where the true one lies (95 %)",
        plots.ranges(made, said=f"Precision: {told}"),
        (),
        [],
    )


def _calibration(found: Calibration) -> Figure:
    held = [one for one in found.bins if one.count]
    bins = [plots.ReliabilityBin(b.low, b.high, b.count, b.mean, b.share, b.share_low, b.share_high) for b in held]
    sure = sum(one.count * (one.mean - one.share) for one in held)
    tends = "too sure of itself" if sure > 0 else "too modest" if sure < 0 else "even"
    said = f"Off by {found.error:.2f} on average over {found.decided:,} decisions; on the whole {tends}"
    told = _list(
        (f"confidence {one.low:.1f} to {one.high:.1f}", f"{one.share:.2f} right of {one.count}") for one in held
    )
    few = " A rule gives few different scores: few dots are to be expected." if len(held) < FEW_BINS else ""
    return Figure(
        f"calibration-{found.extractor}",
        f"Confidence against decisions: {found.extractor}",
        said,
        plots.reliability(bins, said=f"{found.extractor}: {told}"),
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
    share = found.share
    of = {"": "all that holds", "any": "a sample of what holds", "newest": "the newest that holds"}[found.sample]
    made = (
        []
        if share is None
        else [plots.Range("leads to a source", found.low, share, found.high, f"{found.traced} of {found.looked_at}")]
    )
    return Figure(
        "traced",
        "Values that lead back to a source",
        "" if share is None else f"{found.traced} of {found.looked_at} ({share:.1%}), of {of}; the target is all",
        plots.ranges(made, said="" if share is None else f"{share:.3f}, between {found.low:.3f} and {found.high:.3f}"),
        ("What", "Values"),
        [("Looked at", str(found.looked_at)), ("Every step true", str(found.traced))] if found.looked_at else [],
        "Nothing holds yet. Promote what is right in the queue.",
        "Each step of why is checked anew: rows against their journal, quotes against their sources, sources against their hash.",
    )


def _corrections(found: CorrectionFigures) -> Figure:
    rows = found.rows
    stacks = [plots.Stack(one.scope, (one.corrections - one.again, one.again)) for one in rows[:MAX_BARS]]
    told = _list((one.scope, f"{one.corrections} corrections, {one.again} said before") for one in rows[:MAX_BARS])
    return Figure(
        "corrections",
        "Corrections that had to be said again",
        f"{found.again:,} of {found.total:,}, {found.signed:,} of them after somebody had signed the first; the target is none",
        plots.bars(stacks, said=told, names=["for the first time", "again"]),
        ("Scope", "Corrections", "Said again", "After it was signed"),
        [(one.scope, f"{one.corrections:,}", f"{one.again:,}", f"{one.signed:,}") for one in rows],
        "No corrections were read in this time. They come from discussions: give a scope the pack discussion and send its talk.",
        "Said again: it makes the same constraint as an earlier one, or one of nearly the same words."
        + _newest(found.more),
    )


def _conflicts(found: ConflictsByDay) -> Figure:
    labels = [f"{day:%-d %b}" for day in found.days]
    about = "about " if found.about else ""
    rows = zip(found.days, found.open, found.opened, found.closed, strict=True)
    anything = any((*found.open, *found.opened, *found.closed))
    said = f"{about}{found.open[-1]:,} open now; {sum(found.opened):,} opened and {sum(found.closed):,} closed in this time"
    return Figure(
        "conflicts-open",
        "Conflicts open",
        said.capitalize(),
        plots.line(
            labels, [plots.LineSeries("open", found.open)], said=f"Open: {about}{line_in_words(labels, found.open)}"
        ),
        ("Day (UTC)", "Open at its end", "Opened", "Closed"),
        [(f"{day:%-d %b %Y}", about + f"{n:,}", f"{up:,}", f"{down:,}") for day, n, up, down in rows]
        if anything
        else [],
        "No conflict was open in this time.",
    )


def _list(pairs: Iterable[tuple[str, str]]) -> str:
    """`name: figure`, one after the other."""
    return "; ".join(f"{name}: {figure}" for name, figure in list(pairs)[:40])


def _newest(more: bool) -> str:
    return " Of the newest only: there are more." if more else ""
