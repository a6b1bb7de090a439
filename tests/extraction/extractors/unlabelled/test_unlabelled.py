"""Learned readers: what a sentence shows, what is proposed of a document, and what never is."""

import csv
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from extraction.extractors.documents import Hit, RuleSet, find_hits
from extraction.extractors.documents.extractor import hits_in
from extraction.extractors.documents.pieces import is_transcript
from extraction.extractors.unlabelled.features import KINDS, Manner, features_of, known, sentences_of, tokens_of
from extraction.extractors.unlabelled.model import SentenceModel, packed, shipped_model, unpacked
from extraction.extractors.unlabelled.proposals import (
    MAX_CONFIDENCE,
    is_put,
    kinds_sought,
    labelled_in,
    labels_what_counts,
    owner_in,
    proposals_in,
)
from extraction.training.gold import FOLDER, gold_files, kappa
from ledger.language.outline import headings
from ledger.packs import SHIPPED
from ledger.rules.sections import sections_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    names = ("core", "engineering")
    return RuleSet.from_packs([tomllib.loads((SHIPPED / f"{name}.toml").read_text(encoding="utf-8")) for name in names])


def proposed(text: str, rules: RuleSet, speaker: str = "document") -> list[Hit]:
    sections = sections_of(text, kind="document", sender_kind=speaker)
    hits = find_hits(text, sections, rules, kind="document", sent_at=None, now=NOW)
    return list(proposals_in(text, sections, rules, shipped_model(), hits))


NOTES = """# Harbour group, weekly notes

## Crane software

- The vendor sent a new build last week.
- Oskar will open an issue about the alarm and report back next week.
- Mara wondered why the logs are empty.
"""

RULES_FILE = """# Guide for helpers

## Style

- Always run the linter before committing.
- Never push to the main branch.
- Do not add new dependencies without asking.
- Keep functions short.
- Use tabs.
- The service listens on port 80.
"""


def test_a_promise_in_notes_is_proposed_with_its_owner_and_why(rules: RuleSet) -> None:
    [hit] = proposed(NOTES, rules)
    assert (hit.kind, hit.assignee, hit.explicit) == ("action_item", "Oskar", False)
    span = hit.spans[0]
    assert NOTES[span.start : span.end] == "Oskar will open an issue about the alarm and report back next week."
    assert hit.rule == "unlabelled.action"
    assert hit.summary.startswith("No label says so; it reads like an action (")
    assert hit.confidence <= MAX_CONFIDENCE < 0.65 * 0.9


def test_orders_of_a_rules_file_are_constraints_and_what_it_tells_is_not(rules: RuleSet) -> None:
    found = {hit.statement: hit.kind for hit in proposed(RULES_FILE, rules)}
    assert found.get("Do not add new dependencies without asking.") == "constraint"
    assert "The service listens on port 80." not in found


def test_a_pack_asks_for_it_and_its_gate_is_its_own() -> None:
    sections = sections_of(NOTES, kind="document", sender_kind="document")
    asked = RuleSet.from_packs([{"rules": {"unlabelled": ["action_item"]}}])

    def found(rules: RuleSet, kind: str = "document") -> list[str]:
        return [hit.stage for hit in hits_in(NOTES, sections, rules, kind=kind, sent_at=None, now=NOW)]

    assert found(asked) == ["unlabelled"]
    assert found(RuleSet.from_packs([])) == []
    assert found(asked, "message") == []


def test_what_a_rule_reads_is_left_to_it(rules: RuleSet) -> None:
    labelled = NOTES.replace("- Oskar will", "- ACTION: Oskar will")
    assert proposed(labelled, rules) == []


def test_a_transcript_is_left_to_who_wrote_it_down(rules: RuleSet) -> None:
    talk = "Ann: I will send the list tomorrow.\nBob: I will open an issue.\n… and report back next week.\nAnn: fine.\n"
    assert is_transcript(talk)
    assert proposed(talk, rules) == []
    assert not is_transcript(NOTES)


def test_decisions_are_looked_for_only_in_minutes_that_label_none(rules: RuleSet) -> None:
    def sought(text: str) -> set[str]:
        sections = sections_of(text, kind="document", sender_kind="document")
        hits = find_hits(text, sections, rules, kind="document", sent_at=None, now=NOW)
        return set(kinds_sought(Manner.of(text, headings(text), labelled_in(hits))))

    minutes = "# Minutes of the harbour group\n\n- We keep the old crane.\n"
    assert sought(minutes) == {"decision", "action", "constraint"}
    assert sought(minutes + "- DECISION: sell the boat\n") == {"action", "constraint"}
    assert sought(minutes.replace("Minutes", "Crane")) == {"action", "constraint"}


@pytest.mark.parametrize(
    ("words", "put"), [("Vote: phase 1", True), ("**Proposal**: sell it", True), ("Bo: I will", False)]
)
def test_what_is_put_to_the_vote_is_left_out(words: str, put: bool, rules: RuleSet) -> None:
    assert is_put(words, rules) is put


@pytest.mark.parametrize(
    ("line", "labels"), [("- DECISION: sell it", True), ("Poll: sell it?", True), ("We met: twice", False)]
)
def test_a_text_that_labels_what_it_settles_has_bars_of_its_own(line: str, labels: bool, rules: RuleSet) -> None:
    text = f"# Minutes\n\n{line}\n"
    sections = sections_of(text, kind="document", sender_kind="document")
    hits = find_hits(text, sections, rules, kind="document", sent_at=None, now=NOW)
    manner = Manner.of(text, headings(text), labelled_in(hits))
    assert labels_what_counts(text, sentences_of(text, manner), manner, rules) is labels


def test_an_agents_words_are_never_proposed(rules: RuleSet) -> None:
    assert proposed(NOTES, rules, "agent") == []


def test_examples_and_code_are_not_read(rules: RuleSet) -> None:
    assert proposed("# Notes of a meeting\n\n```\n" + NOTES + "```\n", rules) == []


@pytest.mark.parametrize(
    ("words", "owner"),
    [
        ("Oskar will open an issue", "Oskar"),
        ("Petra: I'll draft the page", "Petra"),
        ("Petra: draft the page", "Petra"),
        ("Oskar and Petra to meet the vendor", "Oskar and Petra"),
        ("write it up (Mara)", "Mara"),
        ("a group will be formed", ""),
        ("When it is dry, Petra will paint it", "Petra"),
        ("Das Boot ist nass, Oskar wird die Farbe bestellen.", "Oskar"),
        ("Petra said that she would ask the vendor", "Petra"),
        ("#12 - crane software - archive it @mara", "mara"),
        ("Look at the list of tasks - Petra", "Petra"),
        ("- Petra: I'll draft the page", "Petra"),
    ],
)
def test_the_owner_is_who_is_named_or_speaks(words: str, owner: str) -> None:
    assert owner_in(words, frozenset()) == owner


def test_words_are_known_by_shape_where_few_use_them() -> None:
    tokens = tokens_of("Anna Lund won’t touch `main.py`, see https://a.example/x 42")
    assert tokens == ["Anna", "Lund", "won't", "touch", "<code>", ",", "see", "<link>", "<number>"]
    assert known(tokens, frozenset({"won't"})) == ["Xx", "won't", "xx", "<code>", ",", "xx", "<link>", "<number>"]


def test_sentences_are_cut_where_one_ends_and_headings_are_none() -> None:
    text = "# Notes\n\n1. We met, e.g. at noon. It was short.\n- [x] Ask Bo | Ask Mo\n"
    words = [text[one.piece.start : one.piece.end] for one in sentences_of(text)]
    assert words == ["We met, e.g. at noon.", "It was short.", "Ask Bo", "Ask Mo"]
    assert [one.piece.ticked for one in sentences_of(text)] == ["-", "-", "x", "x"]


def test_what_stands_around_a_sentence_is_shown_too() -> None:
    text = "# Notes\n\n## What was decided?\n\n- Shall we?\n- We keep it.\n  - Ann will tell Bo.\n"
    manner = Manner.of(text, headings(text), {"decision": 1})
    shown = set(features_of(sentences_of(text, manner)[1], frozenset({"decided"})))
    assert {("h", "decided"), ("hq", "True"), ("p", "asks"), ("nd", "1"), ("nc", "WILL")} <= shown
    assert {("lab", "decision", "1"), ("lab", "action", "0"), ("c", "WE"), ("min", "True")} <= shown


def test_who_speaks_counts_for_every_sentence_of_a_line() -> None:
    sentences = sentences_of("Ann: I will send it. It is short.\nIt rained.\n")
    spoken = [dict(feature[:2] for feature in features_of(one, frozenset()))["said"] for one in sentences]
    assert list(sentences[0].text.spoken) == [True, True, False]
    assert ("spoken", "True") in features_of(sentences[1], frozenset())
    assert set(spoken) == {"3"}


def test_a_model_packs_and_adds_up_what_is_shown() -> None:
    [sentence] = sentences_of("go now\n")
    model = SentenceModel(
        frozenset({"go", "now"}), [0.0, -9.0, -9.0], [[0.7] * 3, [0.74] * 3], {("b", "go", "now"): (100, 0, 0)}
    )
    judged = unpacked(packed(model)).judge(sentence)
    assert unpacked(packed(model)).judge(sentence, labels=True) is None
    assert ("b", "go", "now") in features_of(sentence, model.words)
    assert judged is not None
    assert (judged.kind, round(judged.chance, 3), judged.reasons) == ("decision", 0.731, (("b", "go", "now"),))


def test_gold_stands_in_order_without_any_text() -> None:
    files = gold_files()
    assert len({file.repository for file in files}) >= 40
    for file in files:
        assert len(file.sha256) == 64
        assert all(file.start <= mark.start < mark.end <= file.end for mark in file.marks)
        assert all(one.end <= other.start for one, other in zip(file.marks, file.marks[1:], strict=False))
    with (FOLDER / "marks.csv").open(encoding="utf-8", newline="") as handle:
        longest = max(len(row["owner"]) for row in csv.DictReader(handle))
    assert longest < 60
    assert {path.suffix for path in Path(FOLDER).iterdir()} == {".csv"}


def test_kappa_is_what_is_left_of_agreement_beyond_chance() -> None:
    assert kappa([("a", "a"), ("b", "b")]) == 1.0
    assert kappa([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]) == 0.0
    assert [len(bars) for bars in shipped_model().bars] == [len(KINDS)] * 2
