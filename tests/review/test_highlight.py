"""What is lit up is exactly what was quoted, whatever the text holds."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.desk.highlight import LitSpan, excerpt, highlight


class Reader(HTMLParser):
    """Reads HTML as a browser's DOM would show it: the text content, and that of the marks of each evidence."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.text, self.marks, self.open, self.tags = "", {}, [], set()
        # A browser normalises newlines of the input before it reads any character reference.
        self.feed(html.replace("\r\n", "\n").replace("\r", "\n"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(int(dict(attrs)["data-evidence"]))

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        self.text += data
        for evidence in set(self.open):
            self.marks[evidence] = self.marks.get(evidence, "") + data

    def handle_charref(self, name):
        self.handle_data(chr(int(name[1:], 16) if name.startswith("x") else int(name)))

    def handle_entityref(self, name):
        self.handle_data({"amp": "&", "lt": "<", "gt": ">", "quot": '"'}[name])


HOSTILE = [
    "line one\r\nline two\r\n",
    "old mac\rline\r",
    "<script>alert(1)</script>&lt;b&gt;\"'",
    "</mark><mark data-evidence=9>",
    "𝒜 family 👨‍👩‍👧‍👦 and 🇩🇪 flags",
    "e\u0301a\u0300 combining",
    "שלום עולם \u202eevil\u202c",
    "zero\u200bwidth\ufeffjoiner\u200d",
    "\ttabs \x0b\x0c\x85\u2028\u2029 breaks",
    "&#13;&amp;&nbsp;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_each_range_of_a_hostile_text_is_lit_exactly(text: str) -> None:
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            read = Reader(highlight(text, [LitSpan(start, end, 1)]))
            assert read.text == text
            assert read.marks == {1: text[start:end]}
            assert read.tags == {"mark"}


@given(st.data())
def test_any_spans_over_any_text_keep_text_and_quotes(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet=st.sampled_from(list("ab<>&\"'\r\n 𝒜é\u0301ש\u200b")), max_size=30))
    count = data.draw(st.integers(0, 5))
    spans = []
    for number in range(count):
        start = data.draw(st.integers(0, len(text)))
        spans.append(LitSpan(start, data.draw(st.integers(start, len(text))), number))
    read = Reader(highlight(text, spans))
    assert read.text == text
    assert read.marks == {s.evidence: text[s.start : s.end] for s in spans if s.start < s.end}


def test_a_span_inside_another_is_one_mark_each() -> None:
    html = highlight("we ship on Friday", [LitSpan(0, 17, 1), LitSpan(11, 17, 2)])
    assert html.count("<mark") == 2
    assert 'id="evidence-2"' in html


def test_crossing_spans_are_closed_and_opened_again() -> None:
    html = highlight("abcdef", [LitSpan(0, 4, 1), LitSpan(2, 6, 2)])
    assert html.count('data-evidence="2"') == 2
    assert html.count('id="evidence-2"') == 1


def test_a_window_says_what_it_left_out_and_holds_the_quote() -> None:
    text = "filler line\n" * 500 + "the quote\n" + "more filler\n" * 500
    start = text.index("the quote")
    part = excerpt(text, [LitSpan(start, start + 9, 7)])
    assert part.cut_before
    assert part.cut_after
    assert Reader(part.html).text == text[part.start : part.end]
    assert Reader(part.html).marks == {7: "the quote"}
    assert text[part.start - 1] == "\n"


def test_a_short_text_is_shown_whole() -> None:
    part = excerpt("short & sweet", [LitSpan(0, 5, 1)])
    assert (part.start, part.end, part.cut_before, part.cut_after) == (0, 13, False, False)


@given(st.text(max_size=3000), st.integers(0, 3000), st.integers(1, 50), st.integers(0, 100))
def test_a_window_is_a_true_part_of_its_text(text: str, start: int, length: int, context: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    part = excerpt(text, [LitSpan(start, end, 1)] if end > start else [], context=context)
    assert Reader(part.html).text == text[part.start : part.end]
    assert part.start <= start
    assert not end > start or part.end >= end
