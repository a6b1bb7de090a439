"""Plots: well-formed, in words too, nothing inline, hostile names escaped, every value where it belongs."""

import re
from xml.etree import ElementTree

import pytest

from ledger.rules.calibration import Bin
from review.plots import LineSeries, Range, Stack, bars, histogram, line, ranges, reliability, spark
from review.plots.canvas import HEIGHT, WIDTH, amount, cut, top_of
from review.plots.lines import line_in_words

HOSTILE = '<script>alert(1)</script>" onload="x'
EMPTY = [
    bars([], alt="none"), histogram([], alt="none"), line([], [], alt="none"), spark([], alt="none"),
    ranges([], alt="none"), reliability([], alt="none"),
]  # fmt: skip
FULL = [
    bars([Stack(HOSTILE, (3, 1)), Stack("b", (0, 0))], alt=HOSTILE, names=[HOSTILE, "rejected"]),
    histogram([(HOSTILE, 2), ("a day", 0)], alt=HOSTILE),
    line([HOSTILE, "2", "3"], [LineSeries(HOSTILE, (1, 2, 3)), LineSeries("b", (0, 0, 0))], alt=HOSTILE),
    spark([1, 3, 2], alt=HOSTILE),
    ranges([Range(HOSTILE, 0.2, 0.5, 0.8, HOSTILE)], alt=HOSTILE),
    reliability([Bin(0.6, 0.7, 12, 0.65, 0.5, 0.3, 0.7)], alt=HOSTILE),
]


@pytest.mark.parametrize("svg", [*EMPTY, *FULL])
def test_it_is_an_image_with_words_and_nothing_inline(svg: str) -> None:
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own bytes
    assert root.tag == "svg" and root.get("role") == "img" and root.get("aria-label")
    for one in root.iter():
        assert one.tag in {"svg", "rect", "line", "polyline", "circle", "text"}
        assert not [name for name in one.attrib if name == "style" or name.startswith("on") or name == "id"]
    assert "nan" not in svg.casefold() and "inf" not in svg.casefold()


@pytest.mark.parametrize("svg", FULL)
def test_names_are_words_and_no_markup(svg: str) -> None:
    assert "<script" not in svg and ' onload="' not in svg
    assert ElementTree.fromstring(svg).get("aria-label") == HOSTILE  # noqa: S314 - our own bytes


def rects(svg: str, class_: str) -> list[tuple[float, ...]]:
    found = re.findall(rf'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)" class="{class_}"', svg)
    return [tuple(map(float, one)) for one in found]


def test_the_parts_of_a_bar_are_as_long_as_their_figures_and_lie_end_to_end() -> None:
    svg = bars([Stack("a", (30, 10)), Stack("b", (20, 0))], alt="x")
    (first, second), (other,) = rects(svg, "plot-1"), rects(svg, "plot-2")
    assert first[2] / other[2] == pytest.approx(3, abs=0.01) and first[2] / second[2] == pytest.approx(1.5, abs=0.01)
    assert other[0] == pytest.approx(first[0] + first[2], abs=0.1)


def test_a_histogram_is_as_high_as_its_counts() -> None:
    one, two = rects(histogram([("a", 4), ("b", 1), ("c", 0)], alt="x"), "plot-1")
    assert one[3] == pytest.approx(4 * two[3], abs=0.3) and one[1] + one[3] == two[1] + two[3]


def test_a_line_has_few_dots_and_few_labels() -> None:
    svg = line(["a", "b", "c", "d", "e"], [LineSeries("n", (1, 2, 0, 2, 4))], alt="x")
    assert svg.count("<polyline") == 1 and svg.count("<circle") == 5
    assert line(["a"], [LineSeries("n", (1,))], alt="x").count("<circle") == 1
    many = [str(day) for day in range(90)]
    labels = re.findall(r'<text x="([\d.]+)" y="169"', line(many, [LineSeries("n", tuple(range(90)))], alt="x"))
    assert 2 <= len(labels) <= 16 and all(0 <= float(x) <= WIDTH for x in labels)


def test_a_sure_extractor_that_is_wrong_lies_below_the_even_line() -> None:
    svg = reliability([Bin(0.9, 1, 10, 0.95, 0.2, 0.06, 0.5)], alt="x")
    x, y = map(float, re.findall(r'<circle cx="([^"]+)" cy="([^"]+)"', svg)[0])
    assert x == pytest.approx(30 + 300 * 0.95) and y == pytest.approx(8 + 210 * 0.8)


def test_axes_end_on_round_figures() -> None:
    assert [top_of([n]) for n in (0, 1, 3, 7, 11, 23, 26, 900)] == [1, 1, 5, 10, 20, 25, 50, 1000]
    assert top_of([0.3]) == pytest.approx(0.5)
    assert [amount(n) for n in (0, 2.5, 1234, 25_000, 14_987, 497_576)] == ["0", "2.5", "1,234", "25k", "15k", "498k"]
    assert cut("a long name", 30) == "a lo…" and HEIGHT < WIDTH


def test_a_line_in_words() -> None:
    assert line_in_words(["Mon", "Tue", "Wed"], [1, 5, 2]) == (
        "from 1 (Mon) to 2 (Wed), 1 times up and 1 times down, most 5 (Tue)"
    )
    assert line_in_words([], []) == "no figures"
