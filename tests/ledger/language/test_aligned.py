"""English statements in other words, aligned by form and meaning: what cannot both be true, and what can (D12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.aligned.clashes import clash, speak_past_each_other
from ledger.language.aligned.lexicon import base_of, opposite, same_meaning
from ledger.language.contradiction import Statement, contradicts
from tests.bench.contradictions import judged, pairs

CLASHING = [
    ("The quarry is fenced off.", "There is no fence around the quarry."),
    ("The boiler is serviced every month.", "Service of the boiler: quarterly"),
    ("The rehearsal begins at half past six.", "Rehearsals start at 19:00."),
    ("The audit is due on 3 March.", "The audit is due on 10 March."),
    ("The crane lifts 800 kg.", "The capacity of the crane is 650 kg."),
    ("Visitors must not feed the goats.", "Visitors may feed the goats with carrots."),
    ("Nobody opens the kiln without a mask.", "Potters may open the kiln with no mask on."),
    ("Every parcel is weighed, without exception.", "Small parcels are not weighed."),
    ("The toll is free for residents.", "Residents pay the toll."),
    ("Revenue rose by 4 % in the second quarter.", "Revenue fell by 2 % in the second quarter."),
    ("Rinse the rice before soaking it.", "Soak the rice before rinsing it."),
    ("The nurses prefer tea to coffee.", "The nurses would rather have coffee than tea."),
    ("Ines chairs the jury.", "The jury is chaired by Mr Okon."),
    ("The gateway is written in Elixir.", "We are writing the gateway in Haskell."),
    ("Blueprints are stored in Drumlin.", "We keep the blueprints in Quarrel."),
    ("We do not open the dam until July.", "The dam opens in May."),
]
COMPATIBLE = [
    ("The upper dam leaks.", "The lower dam does not leak."),
    ("Last spring the pond froze.", "This spring the pond did not freeze."),
    ("The mill opened at 9.", "The mill opens at 8."),
    ("Until June the ferry leaves at 7.", "From July the ferry leaves at 6."),
    ("In fiscal year 2031 the rent is 900 EUR.", "In fiscal year 2032 the rent is 950 EUR."),
    ("I don't drink milk.", "Tom drinks milk."),
    ("No one under 12 may row.", "Rowers are at least 12."),
    ("Drop the third demo.", "There will be no third demo."),
    ("The leaflet is available in Dutch.", "The leaflet is available in Danish."),
    ("They hope to win the tender.", "They do not win the tender."),
    ("You need not sign the form.", "You may sign the form."),
    ("Only cooks may enter the cellar.", "Guests may not enter the cellar."),
    ("The goat eats hay.", "The goat does not eat paper."),
    ("The pond is 2 m deep.", "The pond is 12 m long."),
    ("A goat is standing in the yard.", "A goat is lying in the yard."),
    ("Some tiles are cracked.", "Some tiles are not cracked."),
    ("See question #12 in the tracker.", "See question #14 in the tracker."),
]


@pytest.mark.parametrize("pair", CLASHING, ids=lambda pair: pair[0])
def test_two_in_other_words_cannot_both_be_true(pair):
    one, other = (Statement(str(at), words) for at, words in enumerate(pair))
    assert contradicts(one, other) and contradicts(other, one)


@pytest.mark.parametrize("pair", COMPATIBLE, ids=lambda pair: pair[0])
def test_two_that_may_both_be_true_are_accused_by_nobody(pair):
    one, other = (Statement(str(at), words) for at, words in enumerate(pair))
    assert contradicts(one, other) == contradicts(other, one) == ""


@pytest.mark.parametrize("name", ["open", "second"])
def test_of_the_pairs_that_may_be_read_none_is_wrongly_accused(name):
    rows = [(pair, judged(pair)) for pair in pairs(name) if pair["lang"] == "en"]
    assert [pair["id"] for pair, why in rows if why and not pair["contradict"]] == []
    found = [bool(why) for pair, why in rows if pair["contradict"]]
    assert sum(found) >= 0.65 * len(found)


def test_what_is_told_of_two_times_says_nothing_of_each_other():
    assert speak_past_each_other("The hall was open.", "The hall is closed.")
    assert speak_past_each_other("We think that it is safe.", "It is not safe.")
    assert not speak_past_each_other("We ship on Friday.", "We ship on Monday.")


def test_the_lexicon_knows_forms_meanings_and_opposites():
    forms = {"froze": "freeze", "children": "child", "locked": "lock", "boxes": "box", "Flurbled".lower(): "flurbl"}
    assert {form: base_of(form) for form in forms} == forms
    assert same_meaning("begin", "start") and same_meaning("rehearse", "rehearsal") and not same_meaning("begin", "end")
    assert opposite("lock", "unlock") and opposite("approve", "reject") and opposite("delete", "archive")
    assert not opposite("wood", "wooden") and not opposite("red", "tall")


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_are_compared_without_failing_in_either_order(one, other):
    assert bool(clash(one, other)) == bool(clash(other, one))
    assert clash(one, one) == ""
