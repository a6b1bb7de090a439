"""Sentences and measured values, scores, anchoring, and rule sets from packs."""

from datetime import timedelta

import pytest

from extraction.extractors.documents import PatternError, RuleSet
from tests.extraction.reading import NOW, quotes, read


def test_what_a_user_says_in_the_first_person() -> None:
    text = "Morning! I really prefer tea over coffee, e.g. green tea. Do I want it? I'm a nurse.\n- I don't want sugar\nBye"
    hits = read(text, kind="message")
    assert [(hit.rule, hit.kind) for hit in hits] == [
        ("sentence.first_person", "preference"), ("sentence.first_person", "identity"), ("sentence.first_person", "preference"),
    ]  # fmt: skip
    assert quotes(text, hits) == [
        "I really prefer tea over coffee, e.g. green tea.",
        "I'm a nurse.",
        "I don't want sugar",
    ]
    assert not any(hit.explicit for hit in hits) and all(hit.anchored for hit in hits)


@pytest.mark.parametrize(
    "text",
    [
        "I'd like to welcome you.",
        "I want to go home.",
        "That is why I love being here.",
        "I'm a huge fan!",
        "I'm a bit late.",
        "I love that you came.",
    ],
)
def test_moods_and_plans_are_no_preferences(text: str) -> None:
    assert read(text, kind="message") == []


def test_an_agent_or_a_document_speaks_for_no_user() -> None:
    assert [hit.anchored for hit in read("I prefer tea.", kind="message", sender_kind="agent")] == [False]
    assert read("I prefer tea.") == []
    pasted = read("USER:\nDecision: buy it\n\n## User\n\nI prefer tea.", kind="message", sender_kind="agent")
    assert len(pasted) == 2 and not any(hit.anchored for hit in pasted)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("X = 4.8 kg", "x", {"number": 4.8, "unit": "kg"}),
        ("- **Max weight:** 4,800 g", "max-weight", {"number": 4800, "unit": "g"}),
        ("| Max weight: 4.8kg |", "max-weight", {"number": 4.8, "unit": "kg"}),
        ("It works. Max weight: 4.8 kg, with the lid.", "max-weight", {"number": 4.8, "unit": "kg"}),
        ("we found that span = 12 m in the test", "span", {"number": 12, "unit": "m"}),
        ("Budget: €12.50", "budget", {"number": 12.5, "unit": "EUR"}),
    ],
)
def test_a_name_with_a_measured_value_is_a_fact(text: str, key: str, value: object) -> None:
    (hit,) = read(text)
    assert (hit.rule, hit.kind, hit.key, hit.value) == ("value.unit", "fact", key, value)


@pytest.mark.parametrize(
    "text",
    [
        "at 10:30 m",
        "see: 4 people",
        "ratio 3:4 kg",
        "version = 4.8",
        "Content-Length: 7 bytes",
        "**Ann Lee:** 15 m\n\n**Ann Lee:** hm",
        "a long sentence that goes on and on before: 4 kg",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    assert read(text) == []


def test_a_score_is_prior_times_signal_times_freshness() -> None:
    (plain,) = read("# Talk\n\nRESOLUTION: go")
    (high,) = read("# Status\n\nRESOLUTION: go")
    (low,) = read("# Archive\n\nRESOLUTION: go", sent_at=NOW - timedelta(days=3))
    (fresh,) = read("# Talk\n\nRESOLUTION: go", sent_at=NOW - timedelta(days=3))
    (old,) = read("# Talk\n\nRESOLUTION: go", sent_at=NOW - timedelta(days=40))
    assert plain.confidence == old.confidence == 0.65
    assert high.confidence == pytest.approx(0.65 * 1.1)
    assert low.confidence == pytest.approx(0.65 * 0.9 * 1.05, abs=1e-4)
    assert fresh.confidence == pytest.approx(0.65 * 1.05, abs=1e-4)


def test_packs_add_words_and_sentences() -> None:
    sentence = {"id": "mine", "kind": "tactic", "pattern": "always try"}
    mine = {"rules": {"labels": {"decision": ["Entscheidung"]}, "sentences": [sentence]}}
    rules = RuleSet.from_packs([mine])
    assert rules.labels == {"entscheidung": "decision"}
    assert [rule.id for rule in rules.sentences] == ["mine"]
    assert RuleSet.from_packs([]).labels == {}


@pytest.mark.parametrize("pattern", ["(", "(a+)\\1", "x*", "a" * 5_000])
def test_a_bad_pattern_is_named(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"rules\.sentences\[0\]"):
        RuleSet.from_packs([{"rules": {"sentences": [{"kind": "fact", "pattern": pattern}]}}])


@pytest.mark.parametrize(
    "rules",
    [
        [],
        {"labels": []},
        {"labels": {"decision": "word"}},
        {"priors": {"label": "high"}},
        {"sentences": [{"kind": "fact"}]},
    ],
)
def test_a_rules_table_of_the_wrong_shape_is_refused(rules: object) -> None:
    with pytest.raises(PatternError):
        RuleSet.from_packs([{"rules": rules}])


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("I am allergic to walnuts.", "identity"),
        ("I'm left-handed.", "identity"),
        ("I always use the blue ladder.", "preference"),
        ("I never eat before a race.", "preference"),
    ],
)
def test_what_one_is_and_does_as_a_rule(words: str, kind: str) -> None:
    assert [hit.kind for hit in read(words, kind="message", sender_kind="user")] == [kind]


@pytest.mark.parametrize(
    "words", ["I never said that.", "I always forget.", "I am late.", "I never used it back then.", "I only ran once."]
)
def test_what_one_tells_of_a_day_is_neither(words: str) -> None:
    assert read(words, kind="message", sender_kind="user") == []
