"""Topics, the weight of a conclusion, contradictions and questions asked again (D3, D5, D6, D8)."""

import pytest

from extraction.extractors.discussions import shipped
from extraction.extractors.discussions.plain import sentences_of
from extraction.extractors.discussions.questions import questions_of, same_question
from extraction.extractors.discussions.topics import importance, topics_of
from tests.extraction.extractors.discussions.talk import last, listen, talk

TALK = "the database question about postgres and mysql, and what the operators know of each of them so far, part"


def long_talk(messages: int) -> list[str]:
    return [f"{'Ann' if at % 2 else 'Bob'}: {TALK} {at}" for at in range(messages)]


def test_importance_is_the_seeds_figure() -> None:
    assert round(importance(10, 500, 15), 1) == 33.3
    assert importance(0, 0, 5) == 0


def test_long_talk_and_a_short_conclusion_make_a_candidate() -> None:
    (hit,) = last(*long_talk(9), "Bob: So let's go with Postgres for the database").hits
    assert (hit.kind, hit.statement) == ("decision", "So let's go with Postgres for the database")
    assert hit.summary.startswith("importance 23.5 = 188 words of talk in 10 messages ÷ 8 words")
    assert hit.needs_review is False and hit.confidence_word == "" and "postgres" in hit.tags[0]


def test_between_the_thresholds_it_is_flagged_and_below_it_stays_talk() -> None:
    (hit,) = last(*long_talk(5), "Bob: So let's go with Postgres for the database").hits
    assert hit.needs_review is True
    assert not last(*long_talk(2), "Bob: So let's go with Postgres for the database").hits


def test_talk_after_the_conclusion_counts_and_is_told_once() -> None:
    lines = [*long_talk(4), "Bob: So let's go with Postgres for the database", *long_talk(8)]
    hits = [(at, hit.needs_review) for at, found in enumerate(talk(*lines)) for hit in found.hits]
    assert [review for _, review in hits] == [True, False] and hits[0][0] < hits[1][0]


def test_talk_that_a_conclusion_ended_counts_once() -> None:
    lines = [
        *long_talk(9),
        "Bob: So let's go with Postgres for the database",
        "Ann: So the operators document Postgres",
    ]
    assert [len(found.hits) for found in talk(*lines)][-2:] == [1, 0]


def test_words_quoted_of_others_count_where_they_were_said() -> None:
    quoting = f"Bob: > {TALK} 1\n> {TALK} 2\n\nSo let's go with Postgres for the database"
    assert not last(*long_talk(2), quoting).hits


@pytest.mark.parametrize(
    "end",
    [
        "So the database runs on Postgres from June, and the operators get a course.",
        "We go with Postgres for the database.",
        "Right, then the operators keep Postgres.", "Fine, we're moving the operators to Postgres.", "Settled. Postgres wins.",
        "I think we can close this: Postgres it is.", "Alright, Postgres then.", "Dann bleibt es bei Postgres.",
        "Entonces usamos Postgres.", "Donc on prend Postgres.", "From now on the operators use Postgres.",
    ],
)  # fmt: skip
def test_conclusions_as_people_write_them(end: str) -> None:
    (hit,) = last(*long_talk(12), f"Bob: {end}").hits
    assert hit.rule == "discussion.conclusion" and "Postgres" in hit.statement


@pytest.mark.parametrize(
    "end",
    [
        "So the bus gets a new driver.", "So Postgres was slow.", "So the operators are late, I guess.",
        "So we talked about Postgres.",
        "We go there with Postgres every summer, want to come?",
        "Then we need to talk about Postgres.", "So what do the operators do?",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_conclusion(end: str) -> None:
    assert not last(*long_talk(12), f"Bob: {end}").hits


FRIDGE = [
    "Ann: The fridge in the lab was at nine degrees again this morning.",
    "Bob: The vaccine samples need four degrees at most.",
    "Ann: Maybe the door seal of the fridge is worn.",
    "Cid: I measured the seal last week and it looked fine.",
    "Bob: Then the compressor of the fridge is too weak for the summer.",
    "Ann: A new fridge costs two thousand and takes six weeks.",
    "Cid: A logger would tell us when it gets warm.",
    "Bob: The logger from the old lab still works, I think.",
]


def test_a_topic_begins_where_nothing_is_taken_up() -> None:
    def members(*lines: str) -> list[list[int]]:
        return [topic.members for topic in topics_of([one.utterance for one in listen(list(lines))], shipped())]

    assert members(*FRIDGE, "Ann: The pens are running out.", "Bob: I order pens.") == [list(range(8)), [8, 9]]
    # An answer, a pronoun or a but goes on with what was said.
    assert members(*FRIDGE, "Ann: But money is short this year.") == [list(range(9))]
    # Somebody still talks of the fridge after the aside.
    assert members(*FRIDGE, "Ann: The pens are running out.", "Bob: The compressor hums.")[0] == [*range(8), 9]
    (hit,) = last(*FRIDGE, "Ann: So the fridge gets a logger.").hits
    assert hit.statement == "So the fridge gets a logger" and "in 9 messages" in hit.summary


def test_no_conclusion_no_decision() -> None:
    for end in (
        "maybe we use Postgres?",
        "Should we go with Postgres?",
        "Postgres would be nice",
        "If we use Postgres, fine",
    ):
        assert not last(*long_talk(12), f"Bob: {end}").hits, end


def test_an_agent_concludes_nothing() -> None:
    assert not last(*long_talk(12), "bot: So we'll use Postgres for the database").hits


def test_topics_part_and_come_back() -> None:
    heard = listen(
        [
            "Ann: Which database do we take, Postgres or MySQL?",
            "Bob: Postgres has better indexes than MySQL",
            "Ann: By the way, who waters the office plants in August?",
            "Bob: The plants get water from the caretaker",
            "Ann: ok",
            "Bob: The indexes of Postgres are smaller as well",
        ]
    )
    topics = topics_of([one.utterance for one in heard], shipped())
    assert [topic.members for topic in topics] == [[0, 1, 5], [2, 3, 4]]
    assert "postgres" in topics[0].label and "plants" in topics[1].label
    # What came later changed nothing of where the earlier ones are.
    earlier = topics_of([one.utterance for one in heard[:4]], shipped())
    assert [topic.members for topic in earlier] == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Where do I find the deploy key?", "Where is the deploy key?", True),
        ("where can i look up the deploy key", "Where is the deploy key kept?", True),
        ("When is the review meeting?", "What time is the review meeting?", True),
        ("How do I restart the worker?", "how can we restart the worker??", True),
        ("Where is the deploy key?", "Who has the deploy key?", False),
        ("Is version 3 released?", "Is version 4 released?", False),
        ("Where is the deploy key?", "Where is the house key?", False),
        ("How are you?", "How are you?", False),
        ("What do you think?", "What do you think?", False),
    ],
)
def test_the_same_question(one: str, other: str, same: bool) -> None:
    a, b = (questions_of(sentences_of(text)) for text in (one, other))
    assert bool(a and b and same_question(a[0], b[0], 0.6)) is same


def test_a_question_asked_again_names_all_its_messages() -> None:
    lines = ["Ann: Where is the deploy key?", "Bob: In the vault.", "Cid: Where do I find the deploy key?"]
    (pattern,) = last(*lines).patterns
    assert pattern.type == "repeated_question" and pattern.sources == (1, 3)
    (again,) = last(*lines, "Ann: Where's the deploy key again?").patterns
    assert again.sources == (1, 3, 4)


def test_two_conclusions_that_cannot_both_hold() -> None:
    found = last("Ann: We'll use Postgres for storage.", "Bob: hm", "Cid: We'll use MySQL for storage.")
    (pattern,) = found.patterns
    assert pattern.type == "contradiction" and pattern.sources == (1, 3)
    assert all(hit.needs_review for hit in found.hits) and len(found.hits) == 2
    assert not last("Ann: We'll use Postgres for storage.", "Cid: We'll use Redis for the cache.").patterns


def test_talk_without_signal_gives_nothing() -> None:
    lines = [
        "Ann: hi all!",
        "Bob: morning :)",
        "Ann: 1. Who brings the cake?\n2. When do we start?\n3. Is the room booked?",
        "Bob: ```python\ndef decide():\n    raise ValueError('no, that is wrong')\n```",
        "Ann: 2026-03-02 09:14:02 WARN retry=3 host=db1 you need to check the log",
        "Bob: lol",
        "Ann: What a weekend. We went to the lake and took the boat out.",
        "Bob: Sounds lovely, we should go there as well one day!",
        "Ann: thanks, see you tomorrow",
    ]
    for found in talk(*lines):
        assert not found.hits and not found.patterns and not found.marks


def test_two_people_who_choose_differently_in_one_topic_contradict_each_other() -> None:
    lines = ["Ann: The ledger needs a database.", "Ann: Decision: use postgres", "Bob: Decision: use mysql"]
    (pattern,) = last(*lines).patterns
    assert pattern.type == "contradiction" and "postgres" in pattern.description
    assert {(mark.verb, mark.source_id) for mark in last(*lines).marks} == {("flag", 2), ("flag", 3)}


@pytest.mark.parametrize(
    "second",
    [
        "Ann: Decision: use mysql",
        "Bob: Decision: also use redis",
        "Bob: Decision: use postgres",
        "Bob: Decision: use mysql for the reports",
    ],
)
def test_who_wants_both_contradicts_nobody(second: str) -> None:
    lines = ["Ann: The ledger needs a database.", "Ann: Decision: use postgres", second]
    assert not last(*lines).patterns
