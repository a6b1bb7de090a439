"""A contradiction is told from a paraphrase, sentence by sentence (D12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.choices import rival_choice
from ledger.language.contradiction import Statement, contradictions, value_words
from ledger.language.polarity import assertion_of
from ledger.language.sentences import sentences

# What holds, what is said, and where it matters the key and value of what holds.
CONTRADICTED = [
    ("Never ship on Friday.", "We will ship on Friday."),
    ("Never ship on a Friday", "Tomorrow we ship the new release on Friday together with the marketing team."),
    ("Ship on Friday", "Do not ship on Friday"),
    ("Ship on Friday", "We ship on Monday"),
    ("Release on Friday", "Release on Thursday"),
    ("The release is on Friday.", "The release is on Tuesday."),
    ("Use PostgreSQL for storage.", "We don't use PostgreSQL for storage."),
    ("Use PostgreSQL, not SQLite.", "We use SQLite."),
    ("Use PostgreSQL, not SQLite.", "Let's use SQLite for the tests."),
    ("Use PostgreSQL instead of SQLite", "Use SQLite instead of PostgreSQL"),
    ("Use PostgreSQL for storage", "Use MySQL for storage"),
    ("We use Redis as a cache", "We use Memcached as a cache"),
    ("No PVC in the set.", "We will use PVC in the set."),
    ("No PVC", "Use PVC for the pipes"),
    ("PVC is forbidden in toys", "PVC is allowed in toys"),
    ("PVC is not allowed", "The frame uses PVC"),
    ("Helmets are required on site", "Helmets are not required on site"),
    ("Helmets are required on site", "Helmets are optional on site"),
    ("Helmets are mandatory on site", "Helmets are not required on site"),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs 5.2 kg"),
    ("The maximum weight is 4.8 kg", "The maximum weight is 6 kg"),
    ("The backdrop weighs at most 4.8 kg.", "The backdrop weighs 5.2 kg."),
    ("The backdrop must not exceed 5 kg", "The backdrop may weigh up to 8 kg"),
    ("The backdrop must not exceed 5 kg", "The backdrop is 7 kg"),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs 4.8 lb"),
    ("The wall is 480 mm wide", "The wall is 48 mm wide"),
    ("The wall is 480 mm wide", "The wall is 48 m wide"),
    ("Retry three times", "Retry five times"),
    ("Retry 3 times before failing", "Retry 5 times before failing"),
    ("The budget is 1,200 EUR", "The budget is 1,500 EUR"),
    ("The budget is €1200", "The budget is $1200"),
    ("The deadline is 2026-03-01", "The deadline is 2026-04-01"),
    ("The deadline is 1 March 2026", "The deadline is March 15, 2026"),
    ("The meeting starts at 10:00", "The meeting starts at 11:00"),
    ("The meeting starts at 5 pm", "The meeting starts at 18:00"),
    ("Passwords have at least 12 characters", "Passwords have at least 8 characters"),
    ("Enable dark mode by default", "Disable dark mode by default"),
    ("Dark mode is on by default", "Dark mode is disabled by default"),
    ("The API returns JSON", "The API does not return JSON"),
    ("The red motor housing is waterproof", "The red motor housing is not waterproof"),
    ("The repository is public", "The repository is private"),
    ("The endpoint is synchronous", "The endpoint is asynchronous"),
    ("Keep support for Python 3.11", "Drop support for Python 3.11"),
    ("Logs are encrypted at rest", "Logs are unencrypted at rest"),
    ("Do not log personal data", "Log personal data for debugging"),
    ("Do not log personal data", "We log personal data"),
    ("Always wear gloves in the workshop", "Never wear gloves in the workshop"),
    ("Avoid inline styles", "Use inline styles"),
    ("We decided to write the service in Rust", "Write the service in Go"),
    ("Paint the frame before assembly", "Paint the frame after assembly"),
    ("Never ride without a helmet", "Ride without a helmet"),
    ("Deploy to Frankfurt", "Do not deploy to Frankfurt"),
    ("Anna must approve every invoice", "Anna need not approve every invoice"),
    ("Tests run on every commit", "Tests do not run on every commit"),
    ("The timeout is 30 seconds", "The timeout is 60 seconds"),
    ("The timeout is 30 s", "The timeout is 2 minutes"),
    ("Backups are kept for 30 days", "Backups are kept for 7 days"),
    ("The cache holds 512 MB", "The cache holds 1 GB"),
    ("Use PostgreSQL 17", "Use PostgreSQL 16"),
    ("The colour of the cover is red", "The cover colour is blue", "cover.colour", "red"),
    ("max-weight: 4.8 kg", "max weight = 5 kg", "max-weight", {"number": 4.8, "unit": "kg"}),
    ("max-weight", "The max weight is 5.5 kg, as measured today", "max-weight", {"number": 4.8, "unit": "kg"}),
    ("offline-mode: True", "Offline mode is disabled", "offline-mode", True),
    ("Guests may not smoke in the kitchen", "Guests may smoke in the kitchen"),
    ("Guests may not smoke in the kitchen", "Can guests smoke in the kitchen? Guests can smoke in the kitchen."),
    ("The door is closed at night", "The door is open at night"),
    ("Meetings take no more than 30 minutes", "Meetings take 45 minutes"),
    ("Meetings take 30 minutes or less", "Meetings take 1 h"),
    ("Soccer practice is on Thursday", "Soccer practice is on Tuesday"),
    ("The train leaves in March", "The train leaves in April"),
    ("Use two coats of paint", "Use three coats of paint"),
    ("The safety factor is 1.5", "The safety factor is 1.2"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Voltage stays between 3 V and 5 V", "Voltage stays at 7 V"),
    ("Voltage stays between 3 and 5 V", "Voltage is 12 V", "voltage", None),
    ("We do not store IP addresses.", "We store IP addresses."),
    ("Nobody may merge without a review", "You may merge without a review"),
    ("Feature flags must not live longer than 90 days", "Feature flags live 120 days"),
    ("All payments go through Stripe", "Payments must not go through Stripe"),
    ("The battery pack has 12 cells", "The battery pack has 14 cells"),
    ("Sessions expire after 15 minutes", "Sessions expire after 30 minutes"),
    ("Do not deploy on weekends", "Deploy on weekends"),
    ("We will not support Internet Explorer", "We support Internet Explorer"),
    ("The library is licensed under MIT", "The library is not licensed under MIT"),
    ("The operating temperature is between -10 °C and 40 °C", "The operating temperature is 55 °C"),
    ("Use TLS 1.3", "Do not use TLS 1.3"),
    ("Use tabs for indentation, not spaces", "Use spaces for indentation"),
    ("Images must be smaller than 2 MB", "Images may be up to 5 MB"),
    ("The lease ends on 31 March 2027", "The lease ends on 30 June 2027"),
    ("Emma has piano on Wednesday at 16:00", "Emma has piano on Wednesday at 17:00"),
    ("We decided not to hire a contractor", "We decided to hire a contractor"),
    ("Reviews are required before merging", "Reviews are optional before merging"),
    ("The rotor diameter shall be 250 mm", "The rotor diameter shall be 300 mm"),
    ("Images must be smaller than 2 MB", "Images may be up to 1.5 MB"),
    ("use postgres for storage", "use mysql for storage"),
    ("we use postgres as the database", "let's use mysql as our database."),
    ("go with oak for the table", "We go with pine for the table, it is cheaper"),
]
NOT_CONTRADICTED = [
    (
        "Approve the minutes of the last call: https://example.org/minutes/2019/2019-04-19",
        "Approve the minutes of the last call: https://example.org/minutes/2020/2020-01-17",
    ),
    ("Defer question #38 until the next group", "Defer question #29 until the next group"),
    ("Never ship on Friday.", "Do not ship on Friday."),
    ("Never ship on Friday.", "We don't ship on Fridays."),
    ("Never ship on Friday.", "We ship on Monday."),
    ("Never ship on Friday.", "Never ship on Saturday."),
    ("Never ship on Friday.", "Shipping on Friday is forbidden."),
    ("Never ship on Friday.", "The ship sails tomorrow."),
    ("We do not ship on Fridays because the ops team is away", "The ops team does not work on Fridays"),
    ("Ship on Friday", "We'll ship it on Friday"),
    ("Ship on Friday", "When do we ship?"),
    ("Use PostgreSQL, not SQLite.", "We use PostgreSQL and no SQLite."),
    ("Use PostgreSQL, not SQLite.", "Use PostgreSQL instead of SQLite."),
    ("Use PostgreSQL, not SQLite.", "Never use SQLite."),
    ("Use PostgreSQL, not SQLite.", "Choose PostgreSQL over SQLite."),
    ("Use PostgreSQL, not SQLite.", "Replace SQLite with PostgreSQL."),
    ("Use PostgreSQL, not SQLite.", "We use PostgreSQL."),
    ("Use PostgreSQL for storage", "PostgreSQL stores everything"),
    ("Use PostgreSQL for storage", "PostgreSQL does not support unsigned integers"),
    ("Use PostgreSQL for storage", "Use Postgres for storage"),
    ("Use PostgreSQL for storage", "Use Redis for queues"),
    ("No PVC in the set.", "The set has no PVC."),
    ("No PVC in the set.", "PVC must not be used in the set."),
    ("No PVC in toys", "PVC is not allowed in toys"),
    ("Do not use PVC in toys", "PVC is not allowed in toys"),
    ("Do not use PVC in toys", "PVC must be avoided in toys"),
    ("PVC is forbidden in toys", "We must not use PVC in toys"),
    ("Helmets are required on site", "Helmets are mandatory on site"),
    ("Helmets are required on site", "You need helmets on site"),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs 4800 g"),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs 4.80 kg."),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs about 5 kg"),
    ("The backdrop weighs 4.8 kg", "The backdrop weighs 10.58 lb"),
    ("The backdrop weighs at most 4.8 kg", "The backdrop weighs 4.5 kg"),
    ("The backdrop weighs at most 4.8 kg", "The backdrop weighs no more than 4.8 kg"),
    ("The backdrop weighs at most 4.8 kg", "The backdrop must not exceed 4.8 kg"),
    ("The backdrop must not exceed 4.8 kg", "The backdrop weighs 4.8 kg or less"),
    ("The maximum weight is 4.8 kg", "The weight is 4.8 kg maximum"),
    ("The backdrop weighs 4.8 kg", "The motor weighs 2 kg"),
    ("The backdrop weighs 4.8 kg", "The backdrop is 480 mm wide"),
    ("The wall is 480 mm wide", "The wall is 48 cm wide"),
    ("Retry three times", "Retry 3 times"),
    ("Retry 3 times", "Wait 5 seconds between retries"),
    ("The meeting takes 90 minutes", "The meeting takes 1.5 hours"),
    ("The timeout is 60 seconds", "The timeout is 1 minute"),
    ("The budget is 1,200 EUR", "The budget is €1200"),
    ("The deadline is 2026-03-01", "The deadline is 1 March 2026"),
    ("The meeting starts at 5 pm", "The meeting starts at 17:00"),
    ("Passwords have at least 12 characters", "Passwords have 12 or more characters"),
    ("Passwords have at least 12 characters", "Passwords have at most 64 characters"),
    ("Passwords have at least 12 characters", "My password has 16 characters"),
    ("Enable dark mode by default", "Dark mode is enabled by default"),
    ("Enable dark mode by default", "Dark mode is on by default"),
    ("The API returns JSON", "JSON is what the API returns"),
    ("The API returns JSON, not XML", "The API does not return XML"),
    ("Keep support for Python 3.11", "Python 3.11 support is kept"),
    ("Do not log personal data", "Personal data must never be logged"),
    ("Do not log personal data", "Logging personal data is prohibited"),
    ("Avoid inline styles", "Do not use inline styles"),
    ("Never ride without a helmet", "Always ride with a helmet"),
    ("Do not ship if tests fail", "Ship if tests pass"),
    ("Do not ship if tests fail", "We ship today"),
    ("Paint the frame before assembly", "Assembly comes after the frame is painted"),
    ("Anna must approve every invoice", "Every invoice needs Anna's approval"),
    ("Rule 5 applies to guests", "Rule 6 applies to guests"),
    ("Section 3 describes the motor", "Section 4 describes the motor"),
    ("The cover is red", "The cover is waterproof"),
    ("Alice likes tea", "Bob likes tea"),
    ("The safety factor is 1.5", "Safety factor: 1.5"),
    ("The frame weighs 4.8 kg and the motor 2 kg", "The motor weighs 2 kg"),
    ("Meetings take no more than 30 minutes", "Meetings take 20 minutes"),
    ("The release is planned for Friday", "By Friday the release is out"),
    ("We use UTF-8 everywhere", "UTF-8 is used everywhere"),
    ("We store no IP addresses", "IP addresses are not stored"),
    ("Prefer composition over inheritance", "Use composition instead of inheritance"),
    ("Prefer composition over inheritance", "Composition is preferred over inheritance"),
    ("Voltage stays between 3 and 5 V", "Voltage is 4 V", "voltage", None),
    ("Deploys happen from main only", "Deploys only happen from main"),
    ("Not only the tests must pass but also the linter", "The tests must pass"),
    ("max-weight: 4.8 kg", "The max weight is 4800 g", "max-weight", {"number": 4.8, "unit": "kg"}),
    ("Nobody may merge without a review", "Every merge needs a review"),
    ("שולחים ביום שישי", "לא שולחים ביום ראשון"),
    ("Feature flags must not live longer than 90 days", "Feature flags live 60 days"),
    ("Guests may not smoke in the kitchen", "Smoking is not allowed for guests in the kitchen"),
    ("Guests may not smoke in the kitchen", "Guests may smoke in the garden"),
    ("All payments go through Stripe", "We route payments through Stripe"),
    ("The battery pack has 12 cells", "Each battery cell weighs 45 g"),
    ("Sessions expire after 15 minutes", "A session lives for 15 min"),
    ("Do not deploy on weekends", "Deploy on Monday"),
    ("We will not support Internet Explorer", "Internet Explorer is not supported"),
    ("The operating temperature is between -10 °C and 40 °C", "The operating temperature is 20 °C"),
    ("Use TLS 1.3", "We use TLS 1.3 everywhere"),
    ("Use tabs for indentation, not spaces", "Indent with tabs"),
    ("Emma has piano on Wednesday at 16:00", "Emma's piano lesson is Wednesday at 4 pm"),
    ("We decided not to hire a contractor", "No contractor will be hired"),
    ("The rotor diameter shall be 250 mm", "The rotor is 25 cm in diameter"),
    ("The rotor diameter shall be 250 mm", "The stator diameter shall be 300 mm"),
    ("No meetings before 10:00", "Meetings start after 10:00"),
    ("No meetings before 10:00", "The standup meeting is at 10:30"),
    ("Release notes are written by Dana", "Dana writes the release notes"),
    ("The sensor samples at 1 kHz", "The sensor samples at 1000 Hz"),
    ("Please don't forget the keys", "Do not forget the keys"),
    ("use postgres for the ledger", "use postgresql for the ledger"),
    ("use postgres for the ledger", "use redis for the queues"),
    ("use postgres for the ledger", "we also use mysql for the ledger"),
    ("use postgres for the ledger", "use it for the ledger"),
    ("use postgres for the ledger", "use mysql for the ledger if it is small"),
    ("use postgres for the ledger", "do not use mysql for the ledger"),
    ("use postgres for the ledger", "postgres is what we use for our ledger"),
    ("use postgres for the ledger", "build the ledger in postgres"),
    ("use gloves for washing", "use both hands for washing"),
    ("use postgres", "use mysql"),
    ("use uv", "use ruff"),
]


@pytest.mark.parametrize("case", CONTRADICTED, ids=lambda case: f"{case[0]} / {case[1]}"[:90])
def test_a_contradiction_is_found_and_names_the_reference(case):
    held, said, *keyed = case
    (found,) = contradictions(said, [Statement("DEC-20260130-001", held, *keyed)])
    assert found.ref == "DEC-20260130-001" and found.why and found.sentence in said


@pytest.mark.parametrize("case", NOT_CONTRADICTED, ids=lambda case: f"{case[0]} / {case[1]}"[:90])
def test_a_paraphrase_or_another_matter_is_not_flagged(case):
    held, said, *keyed = case
    assert contradictions(said, [Statement("DEC-20260130-001", held, *keyed)]) == []


@pytest.mark.parametrize("case", CONTRADICTED + NOT_CONTRADICTED, ids=lambda case: case[0][:60])
def test_nothing_contradicts_itself(case):
    assert contradictions(case[0], [Statement("DEC-20260130-001", case[0])]) == []


@pytest.mark.parametrize(
    ("held", "said", "rivals"),
    [
        ("use postgres", "let's use mysql", True),
        ("we use postgres.", "Use mysql!", True),
        ("use postgres", "use PostgreSQL", False),
        ("use postgres", "also use redis", False),
        ("use postgres", "use it", False),
        ("use postgres", "do not use mysql", False),
        ("use postgres", "pick mysql", False),
        ("use postgres", "use mysql for the reports", False),
        ("use postgres", "should we use mysql?", False),
        ("use postgres", "we use postgres", False),
    ],
)
def test_two_bare_choices_are_rivals_for_whoever_knows_the_topic(held, said, rivals):
    assert bool(rival_choice(assertion_of(said), assertion_of(held))) is rivals


def test_the_reason_names_both_values():
    (found,) = contradictions("The frame weighs 5.2 kg.", [Statement("R", "The frame weighs at most 4.8 kg")])
    assert "5.2 kg" in found.why and "at most 4.8 kg" in found.why


def test_of_a_long_text_only_the_sentence_at_odds_is_named():
    text = "Intro.\n- The frame is blue.\n- We ship on Friday!\nThe end."
    held = [Statement("A", "Never ship on Friday"), Statement("B", "The frame is blue")]
    assert [(f.ref, f.sentence) for f in contradictions(text, held)] == [("A", "- We ship on Friday!")]


@pytest.mark.parametrize(
    ("value", "words"),
    [({"number": 4.8, "unit": "kg"}, "4.8 kg"), (True, "enabled"), ("red", "red"), ([1, "a"], "1, a"), (None, "None")],
)
def test_values_are_said_as_people_write_them(value, words):
    assert value_words(value) == words


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_is_read_without_failing(said, held):
    assertion_of(said)
    assert all(part in said for part in sentences(said))
    contradictions(said, [Statement("R", held, key=held[:20], value=held)])


@given(st.text(alphabet="0123456789.,:-+ kgmnotver%€$/\n", max_size=300))
def test_amounts_of_any_kind_are_read_without_failing(text):
    contradictions(text, [Statement("R", text[::-1], key="a-b", value={"number": 1e308, "unit": "kg"})])
