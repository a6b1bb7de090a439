"""Scores of extracted spans against gold spans. Pure: hits and gold in, figures out."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """What ought to be found: `start:end` in code points. `owner` is asked for only where it is given."""

    kind: str
    start: int
    end: int
    owner: str = ""
    # How it is told apart in the table by kind, where that is finer than what must agree; and what values are right.
    sort: str = ""
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """What was found, by which rule, and what it is taken to mean."""

    kind: str
    start: int
    end: int
    owner: str = ""
    sort: str = ""
    value: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ScoredText:
    """One text with its gold and what was found in it. `open_spans` are proposals and polls that nobody adopted."""

    id: str
    text: str
    gold: Sequence[GoldSpan]
    found: Sequence[FoundSpan]
    open_spans: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """A gold span nobody found, or a hit without gold, with its words."""

    row: str
    what: str
    kind: str
    start: int
    end: int
    words: str


@dataclass(slots=True)
class SpanCounts:
    """Counts of one kind or one rule. Recall counts gold spans, precision counts hits."""

    gold: int = 0
    hits: int = 0
    gold_found: int = 0
    hits_right: int = 0
    exact: int = 0

    @property
    def precision(self) -> float:
        """Share of hits that meet gold of their kind; 1 without hits."""
        return share(self.hits_right, self.hits)

    @property
    def recall(self) -> float:
        """Share of gold spans met by a hit of their kind; 1 without gold."""
        return share(self.gold_found, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return share(2 * self.precision * self.recall, self.precision + self.recall, of_nothing=0.0)

    @property
    def exact_share(self) -> float:
        """Share of the gold spans for which a hit has exactly their offsets; 1 without gold."""
        return share(self.exact, self.gold)

    def ratios(self) -> dict[str, float]:
        """Precision, recall, F1 and exact share, rounded."""
        return {name: round(getattr(self, name), 4) for name in ("precision", "recall", "f1", "exact_share")}


@dataclass(slots=True)
class Score(SpanCounts):
    """Counts over rows; `overlap` decides unless `iou` was asked for. `unlabelled` rows have no gold, `alarmed` ones of them a hit
    all the same; `false_on_unlabelled` counts only the decisions among such hits."""

    rows: int = 0
    owners: int = 0
    owners_right: int = 0
    values: int = 0
    values_right: int = 0
    unlabelled: int = 0
    alarmed: int = 0
    false_on_unlabelled: int = 0
    false_on_open: int = 0
    by_kind: dict[str, SpanCounts] = field(default_factory=dict)
    by_rule: dict[str, SpanCounts] = field(default_factory=dict)
    misses: list[Miss] = field(default_factory=list)

    @classmethod
    def counted(cls, rows: int, *, gold: int, hits: int, right: int) -> "Score":
        """Of what is either right or wrong, and nothing beside it."""
        return cls(gold, hits, right, right, right, rows=rows)

    def count_text(self, *, labelled: bool, hit: bool) -> None:
        self.rows += 1
        self.unlabelled += not labelled
        self.alarmed += hit and not labelled

    def count_whole(self, *, labelled: bool, hit: bool) -> None:
        """One more text that is hit as a whole or not."""
        both = labelled and hit
        self.count_text(labelled=labelled, hit=hit)
        self.gold += labelled
        self.hits += hit
        self.gold_found += both
        self.hits_right += both
        self.exact += both

    def figures(self) -> dict[str, object]:
        """The counts and ratios as plain values, whole, by kind and by rule, without the misses. A rule has precision only."""
        counts = {name: value for name, value in asdict(self).items() if name not in ("misses", "by_kind", "by_rule")}
        kinds = {name: asdict(one) | one.ratios() for name, one in sorted(self.by_kind.items())}
        rules = {
            name: {"hits": one.hits, "hits_right": one.hits_right, "precision": round(one.precision, 4)}
            for name, one in sorted(self.by_rule.items())
        }
        return counts | self.ratios() | {"by_kind": kinds, "by_rule": rules}


def share(part: float, whole: float, *, of_nothing: float = 1.0) -> float:
    return part / whole if whole else of_nothing


def intersection_over_union(a: tuple[int, int], b: tuple[int, int]) -> float:
    """Shared length by joint length of two half-open ranges, 0 to 1."""
    shared = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return share(shared, max(a[1], b[1]) - min(a[0], b[0]), of_nothing=0.0)


def score(texts: Iterable[ScoredText], *, kinds: frozenset[str], iou: float = 0.0) -> Score:
    """Score all texts. Only `kinds` count; two spans meet where they overlap, or where their intersection over union reaches
    `iou`. A decision in a text without any gold, or on a proposal that nobody adopted, is counted as false there too."""
    total = Score()
    for text in texts:
        gold = [span for span in text.gold if span.kind in kinds]
        found = [span for span in text.found if span.kind in kinds]
        total.count_text(labelled=bool(gold), hit=bool(found))
        for one in gold:
            _count_gold(total, text, one, [span for span in found if _meet(one, span, iou)])
        for hit in found:
            _count_hit(total, text, hit, [one for one in gold if _meet(one, hit, iou)])
    return total


def _count_gold(total: Score, text: ScoredText, gold: GoldSpan, meeting: Sequence[FoundSpan]) -> None:
    same = [span for span in meeting if (span.start, span.end) == (gold.start, gold.end)]
    for counts in (total, total.by_kind.setdefault(gold.sort or gold.kind, SpanCounts())):
        counts.gold += 1
        counts.gold_found += bool(meeting)
        counts.exact += bool(same)
    if not meeting:
        total.misses.append(_miss(text, "missed", gold))
        return
    total.values += bool(gold.values)
    total.values_right += [*same, *meeting][0].value in gold.values
    if gold.owner:
        total.owners += 1
        total.owners_right += gold.owner.casefold() in [span.owner.casefold() for span in meeting]


def _count_hit(total: Score, text: ScoredText, hit: FoundSpan, met: Sequence[GoldSpan]) -> None:
    """A right hit counts for the kind of what it met first, a false one for its own."""
    of: GoldSpan | FoundSpan = met[0] if met else hit
    by_kind = total.by_kind.setdefault(of.sort or of.kind, SpanCounts())
    for counts in (total, by_kind, total.by_rule.setdefault(hit.rule, SpanCounts())):
        counts.hits += 1
        counts.hits_right += bool(met)
    if met:
        return
    total.misses.append(_miss(text, "false", hit))
    if hit.kind == "decision":
        total.false_on_unlabelled += not text.gold
        total.false_on_open += any(start < hit.end and hit.start < end for start, end in text.open_spans)


def _meet(gold: GoldSpan, hit: FoundSpan, iou: float) -> bool:
    overlap = gold.start < hit.end and hit.start < gold.end
    near = intersection_over_union((gold.start, gold.end), (hit.start, hit.end)) >= iou
    return gold.kind == hit.kind and overlap and near


def _miss(text: ScoredText, what: str, span: GoldSpan | FoundSpan) -> Miss:
    words = " ".join(text.text[span.start : span.end].split())[:160]
    return Miss(text.id, what, span.kind, span.start, span.end, words)
