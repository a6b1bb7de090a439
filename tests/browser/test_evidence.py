"""Quotes are exact from the sender to the browser: what was sent, stored, cited and lit up is the same to the character."""

import pytest

from tests.browser.conftest import Desk
from tests.browser.exactness import all_true, send, wrong_in_database
from tests.whole import Instance

pytestmark = pytest.mark.browser

TEXTS = {
    "crlf": "one\r\ntwo\r\n\r\nthree\r\n",
    "lone cr": "one\rtwo\r\rthree\r",
    "mixed ends": "\r\n\n\r\r\none\n\r two\r\n",
    "starts with lf": "\n\none",
    "only ends": "\r\n",
    "other breaks": "a\x0bb\x0cc\x85d\u2028e\u2029f",
    "astral": "🚀 to 𝕏, 𠜎 and back 🏳️‍🌈 👩‍👩‍👧‍👦",
    "flags": "🇩🇪🇫🇷 and 🇯🇵",
    "combining": "cafe\u0301 Z\u0351\u036b\u0343alg\u0334o a\u0301\u0302\u0303",
    "mark first": "\u0301begins with a mark",
    "decomposed and not": "é e\u0301 Å A\u030a ﬁ ﬃ Ⅷ",
    "hangul": "각 \u1100\u1161\u11a8 한국어",
    "right to left": "שלום world مرحبا 123 العالم",
    "overrides": "safe \u202egnp.exe\u202c and \u2067inside\u2069 end",
    "zero width": "ze\u200bro\u200dwid\u200cth\ufeff\u2060\u00ad",
    "byte order mark": "\ufeffbegins with one",
    "controls": "".join(map(chr, [*range(1, 32), 127, *range(128, 160)])),
    "noncharacters": "\ufffe\uffff\U0001fffe\U0010ffff\ufdd0\ue000",
    "blanks": " \t\u00a0\u2003\u3000 x \t ",
    "markup": "<b>&amp;</b> &lt;i&gt; &#13; &copy &#x0; <!-- --> ]]> </div></mark><script>alert(1)</script>",
    "entities and ends": "&#13;\r&#10;\n&#x85;\x85",
    "quotes": "\"'`“”‘’«»\\ {{ x }} {% y %} ${z} %s",
    "fences": "```\r\n## Not a heading\r\n```\r\n\r\n## A heading\r\n\r\ntext\r\n",
    "a character": "x",
    "a rocket": "🚀",
}


@pytest.mark.parametrize("kind", ["document", "message"])
def test_every_quote_is_true_in_api_database_and_browser(desk: Desk, up_instance: Instance, kind: str) -> None:
    texts = list(TEXTS.values())
    assert all_true(desk, up_instance.said["database_url"], desk.new_scope(), texts, kind=kind) > 5 * len(texts)
    assert desk.complaints == []


def test_a_line_longer_than_a_page_is_true_too(desk: Desk, up_instance: Instance) -> None:
    """Only a part of a very long text is shown at once; the parts together are the text."""
    line = "wide 🚀 e\u0301 שלום \r" * 30_000
    scope = desk.new_scope()
    (source,) = send(desk, scope, [line])
    places = [(0, 5), (199_990, 200_010), (len(line) - 7, len(line)), (250_000, 262_000)]
    quotes = [{"source": source["id"], "quote": line[a:b], "start": a, "end": b} for a, b in places]
    desk.api("POST", "/candidates", {"scope": scope, "kind": "fact", "statement": "It is long", "evidence": quotes})
    rows = desk.api("GET", f"/sources/{source['id']}/evidence")["items"]
    assert [line[row["start"] : row["end"]] for row in rows] == [row["quote"] for row in rows]
    assert {(row["start"], row["end"]) for row in rows} == set(places)
    assert wrong_in_database(up_instance.said["database_url"], [source]) == []
    shown, lit = "", dict.fromkeys((row["id"] for row in rows), "")
    following: str | None = f"/sources/{source['id']}"
    while following:
        desk.page.goto(desk.url + following, wait_until="domcontentloaded")
        shown += desk.page.eval_on_selector("#source-text", "e => e.textContent")
        marks = "all => all.map(mark => [mark.dataset.evidence, mark.textContent])"
        for pk, words in desk.page.eval_on_selector_all("mark[data-evidence]", marks):
            lit[int(pk)] += words
        later = desk.page.get_by_role("link", name="Later part")
        following = f"/sources/{source['id']}{later.get_attribute('href')}" if later.count() else None
    assert shown == line
    assert lit == {row["id"]: row["quote"] for row in rows}


def test_what_rules_find_is_true_too(desk: Desk, up_instance: Instance) -> None:
    scope = desk.new_scope()
    said = [text for text in TEXTS.values() if text.strip() and len(text.splitlines()) == 1]
    texts = [
        f"# Notes{end}{end}Decision: {words}{end}{end}Done.{end}" for words in said for end in ("\n", "\r\n", "\r")
    ]
    items = [
        {"scope": scope, "kind": "document", "external_id": str(at), "text": text, "wait": 30}
        for at, text in enumerate(texts)
    ]
    results = desk.api("POST", "/sources", {"sources": items})["results"]
    found = 0
    for one, text in zip(results, texts, strict=True):
        for row in desk.api("GET", f"/sources/{one['source']['id']}/evidence")["items"]:
            assert text[row["start"] : row["end"]] == row["quote"], row
            found += 1
    assert found >= len(said), found
    assert wrong_in_database(up_instance.said["database_url"], [one["source"] for one in results]) == []


def test_words_that_were_looked_for_are_the_sources_own(desk: Desk, up_instance: Instance) -> None:
    """Relocated and normalised quotes: the caller's spelling finds the place, the source's is stored."""
    scope = desk.new_scope()
    asked = {
        "The “café”\r\nopens – at nine": 'the "cafe\u0301" opens - at NINE',
        "ze\u200bro wid\u00adth": "zero width",
        "🚀🚀 engines\u00a0only": "🚀🚀 engines only",
        "שלום\u200f world": "שלום world",
    }
    sources = send(desk, scope, [f"Before. {own}. After." for own in asked])
    for source, (own, other) in zip(sources, asked.items(), strict=True):
        evidence = [{"source": source["id"], "quote": other, "start": 2, "end": 3}]
        body = {"scope": scope, "kind": "fact", "statement": own, "evidence": evidence}
        (row,) = desk.api("POST", "/candidates", body)["candidate"]["evidence"]
        assert source["text"][row["start"] : row["end"]] == row["quote"] == own, row
    assert wrong_in_database(up_instance.said["database_url"], sources) == []
