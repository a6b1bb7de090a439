"""The same thing said again is told from another thing said alike (C6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.nearness import MAX_LEFT_OUT, form_of, near_keys, overlap

AGAIN = [
    ("We will use PostgreSQL for storage.", "PostgreSQL is used for storage"),
    ("For storage, we use PostgreSQL.", "Use PostgreSQL for the storage!"),
    ("We decided to ship on Friday", "Let's ship on Friday."),
    ("It was agreed that the door stays blue", "The door stays blue"),
    ("The backdrop is 3 m wide", "Backdrop is 3 metres wide."),
    ("It weighs 4.8kg", "it weighs 4.8 kg"),
    ("It weighs 4,800 g", "It weighs 4.8 kg"),
    ("We won't ship **on Friday**", "We will not ship on Friday"),
    ("Don't ship", "Do not ship!"),
    ("Each door is blue", "every door is blue"),
    ("Meet at 17:30", "Meet at 5:30 pm"),
    ("Retry three times", "Retry 3 times"),
    ("Decision: freeze the follow-up", "Freeze the follow up"),
    ("Passwords have no more than 12 characters", "Passwords have at most 12 characters"),
    ("The tide table is final.", "Please: the tide table is final"),
    ("Die Tür bleibt blau.", "die Tür bleibt blau"),
]
ANOTHER = [
    ("Ship on Friday", "Ship on Monday"), ("Ship on Friday", "Ship on Fridays"), ("Ship on Friday", "Ship before Friday"),
    ("Ship on Friday", "Do not ship on Friday"), ("Ship on Friday", "Ship on Friday?"), ("Ship it", "We shipped it"),
    ("It costs 1234567 EUR", "It costs 1234568 EUR"), ("It costs 5 EUR", "It costs 5 USD"), ("Score 3-2", "Score 2-3"),
    ("Version 1.2.3.4.5", "Version 1.2.3.4.6"), ("The ratio is 12:75", "The ratio is 13:15"), ("At -5 °C", "At 5 °C"),
    ("It is 1,5 m long", "It is 15 m long"), ("It takes 5 MW", "It takes 5 mW"), ("Send 5 MB", "Send 5 Mb"),
    ("Less than 5 kg", "At most 5 kg"), ("More than 5 kg", "At least 5 kg"), ("Meet at 5:30", "Meet at 5:30 am"),
    ("Peter calls", "Peters calls"), ("Alice reports to Bob", "Bob reports to Alice"), ("Dog bites man", "Man bites dog"),
    ("I bring it", "We bring it"), ("I bring it", "You bring it"), ("Users must sign in", "Users may sign in"),
    ("The client called", "The client is called"), ("Choose plan A", "Choose plan"), ("Only admins delete", "Admins delete"),
    ("Ask legal and finance", "Ask legal or finance"), ("Fly from Rome to Oslo", "Fly from Oslo to Rome"),
    ("La puerta no es azul", "La puerta es azul"), ("We ship with tests", "We ship without tests"),
    ("Paint all doors", "Paint some doors"), ("The gate was open", "The gate is open"), ("Feed two", "Feed twice"),
    ("The tool is used by Ana", "Use the tool"), ("Due 2026-03-01", "Due 2026-03-02"), ("Turn it on", "Turn it off"),
]  # fmt: skip


def share(one: str, other: str) -> float:
    a, b = form_of(one), form_of(other)
    assert a is not None and b is not None
    assert overlap(a, b) == overlap(b, a)
    return overlap(a, b)


def keys(statement: str, **more: object) -> list[int]:
    claim = {"scope_id": 1, "layer": "entity", "kind": "fact", "slot": "", "key": "", "value": None, **more}
    return near_keys(statement=statement, **claim)  # type: ignore[arg-type]


@pytest.mark.parametrize(("one", "other"), AGAIN)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert share(one, other) == 1.0 and keys(one)[0] == keys(other)[0]


@pytest.mark.parametrize(("one", "other"), ANOTHER)
def test_a_changed_word_is_another_statement(one: str, other: str) -> None:
    assert share(one, other) == 0.0 and not set(keys(one)) & set(keys(other))


def test_a_spare_word_more_is_nearly_the_same_and_found() -> None:
    short, long = "Users upload images to the bucket", "Users upload large images to the bucket"
    assert share(short, long) == pytest.approx(5 / 6) and set(keys(short)) & set(keys(long))
    assert share("Users upload images to the bucket", "Users upload no images to the bucket") == 0
    assert share("Users upload images to the bucket", "Users upload 5 images to the bucket") == 0
    assert share("Users upload images to the bucket", "Users upload Lena images to the bucket") == 0
    assert len(keys("one two three four five six seven eight nine ten eleven twelve thirteen")) <= MAX_LEFT_OUT + 1


@pytest.mark.parametrize(
    "more", [{"scope_id": 2}, {"kind": "decision"}, {"layer": "memory"}, {"slot": "fact|t:door"}, {"assignee": "Ana"}]
)
def test_another_place_kind_slot_or_person_is_never_met(more: dict[str, object]) -> None:
    assert not set(keys("The door stays blue")) & set(keys("The door stays blue", **more))


def test_a_value_on_a_slot_and_a_long_text_are_compared_to_the_letter_only() -> None:
    assert keys("max weight is 5 kg", key="max-weight", value={"number": 5, "unit": "kg"}) == []
    assert keys("word " * 200) == [] and keys("…") == []
    on = {"title": "x", "start": "2026-05-08T17:00:00+02:00"}
    assert keys("Soccer at five", value=on) != keys("Soccer at five", value=on | {"start": "2026-05-15T17:00:00+02:00"})


NAMES = st.sampled_from("Ana Anna Peter Peters Jon John Mia Maya Noah Noa Ben Benn Carla Karla".split())
DAYS = st.sampled_from(
    ["on Monday", "on Tuesday", "on Sunday", "tomorrow", "today", "on 2026-05-08", "on 8 May 2026", "on 9 May 2026", "in May",
     "in March", "by Friday", "after Friday", "on the 3rd", "next week", "this week", "at 17:00", "at 7 pm", "at 6 pm"]
)  # fmt: skip
UNITS = st.sampled_from("kg g lb mm cm m km EUR USD % h min MB Mb GB kW W days hours".split())
NUMBERS = st.one_of(
    st.integers(-10_000, 10_000_000).map(str),
    st.floats(0.001, 100_000, allow_nan=False).map(lambda n: f"{n:.3f}"),
    st.sampled_from(["two", "three", "twelve", "1,200", "1.200", "1,2", "1e3", "5-10", "10-5", "3.5", "35", "0.35"]),
)
DENIALS = st.sampled_from(["", "not ", "never ", "no longer "])
TEMPLATES = st.sampled_from(
    [
        "{who} must {no}bring {n} {unit} of sand {when}",
        "We will {no}pay {who} {n} {unit} {when}",
        "{when}, {who} does {no}carry more than {n} {unit}",
        "{who}: the crate weighs {no}{n} {unit}, see {when}",
        "it was decided that {who} can {no}take {n} {unit} {when}",
        "{who} darf {no}{n} {unit} tragen {when}",
    ]
)
FIELDS = ("who", "when", "n", "unit", "no")
SAID = st.fixed_dictionaries({"who": NAMES, "when": DAYS, "n": NUMBERS, "unit": UNITS, "no": DENIALS})


def meaning(name: str, word: str) -> object:
    """What tells two of these words apart; a number and a day may be written in two ways."""
    spelt = {"two": "2", "three": "3", "twelve": "12", "on 8 May 2026": "on 2026-05-08"}
    if name != "n":
        return spelt.get(word, word)
    word = spelt.get(word, word)
    word = word.replace(",", "") if word == "1,200" else word
    try:
        return float(word)
    except ValueError:
        return word


@given(TEMPLATES, SAID, SAID, st.sampled_from(FIELDS))
def test_what_differs_in_number_unit_denial_person_or_date_never_meets(
    template: str, said: dict[str, str], others: dict[str, str], changed: str
) -> None:
    other = said | {changed: others[changed]}
    if meaning(changed, said[changed]) == meaning(changed, other[changed]):
        return
    one, two = template.format(**said), template.format(**other)
    assert share(one, two) == 0.0, (one, two)
    assert keys(one)[0] != keys(two)[0]


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_has_a_form_or_none_and_meets_itself(one: str, other: str) -> None:
    a, b = form_of(one), form_of(other)
    if a is not None:
        assert overlap(a, a) == 1.0
        assert all(-(2**63) <= key < 2**63 for key in keys(one))
    if a is not None and b is not None:
        assert (overlap(a, b) == 1.0) == (keys(one)[0] == keys(other)[0]) and overlap(a, b) == overlap(b, a)
