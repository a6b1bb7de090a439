"""What is no longer so, was never settled, or is somebody else's word is not proposed as if it held."""

import pytest

from tests.extraction.reading import quotes, read


@pytest.mark.parametrize(
    "words",
    [
        "Decision: still pending, the lawyers look at it",
        "Decision: postponed to the spring meeting",
        "Decision: TBD at the next call",
        "Decision: no agreement yet",
        "Beschluss: noch offen",
        "Decisión: aplazada",
        "Décision : reportée à mardi",
        "## Decisions\n\nWe went through three offers and could not agree on one.",
        "Decision: not taken, the plumber has yet to call",
        "Decision: the board will decide in May",
        "Decision: in discussion",
        "Decision: the ballot ended tied",
        "Decision: slate or gravel, we'll see",
        "Decision: will be made next week",
        "Beschluss: keine Einigung",
        "Entscheidung: wird im Mai gefällt",
        "Decisión: todavía no se ha decidido",
        "Décision : à confirmer",
        "Decisão: em análise",
        "Decisione: da prendere",
        "Besluit: volgt",
        "决定：待议",
        "## Decision\n\nNo agreement could be found, Ada calls the others.",
        "## Decisions\n\nNone today.",
        "Entscheidung (aufgehoben): das Tor grün streichen",
        "Decisión (cancelada): pintar la puerta",
        "Suppose someone writes:\n\nDecision: paint the gate green",
        "Record it like this:\nDecision: paint the gate green",
        "<code>Decision: paint the gate green</code>",
        "Decision: INSERT YOUR DECISION HERE",
        "Decision (withdrawn): paint the gate green",
        "Rejected: Decision: paint the gate green",
        "~~Decision: paint the gate green~~",
        "Example: Decision: paint the gate green",
        "For example:\n\nDecision: paint the gate green",
        "## Examples\n\n- Decision: paint the gate green",
        "<template>\nDecision: paint the gate green\n</template>",
        "Decision: [what was agreed]",
        "Decision: {{decision}}",
        "Resolution: 2560x1440",
    ],
)
def test_nothing_is_decided(words: str) -> None:
    assert [hit for hit in read(words) if hit.kind == "decision"] == []


@pytest.mark.parametrize(
    "words",
    [
        "Decision: open the gate at six",
        "Decision: pending changes are merged first",
        "Decision: none of the rooms gets a carpet",
        "Decision: deferred loading stays on",
        "Decision: open at nine",
        "Decision: see everybody once a year",
        "Decision: no dogs in the kitchen",
        "Decisión: no se permiten perros",
        "Decision: nothing is thrown away",
    ],
)
def test_words_that_only_look_like_it_decide(words: str) -> None:
    (hit,) = read(words)
    assert hit.statement == words.split(": ")[1] and not hit.needs_review


def test_a_status_below_or_in_the_title_is_seen() -> None:
    (hit,) = read("Decision #7: rent the barn\nStatus: rejected\n")
    assert hit.needs_review and hit.summary == "The text says of it: rejected"
    (hit,) = read("# ADR 12 (superseded)\n\n## Decision\n\nRent the barn.\n")
    assert hit.needs_review and "superseded" in hit.summary


@pytest.mark.parametrize(
    "words",
    [
        "Decision: rent the barn (revoked)",
        "Decision: rent the barn -- overruled by the board",
        "Decision: rent the barn. EDIT: no longer valid",
        "Decision: rent the barn\n\nUpdate: this was later cancelled.",
        "Decision: rent the barn\n> Withdrawn in May",
        "- Decision: rent the barn\n  - Ada: this is not true any more",
        "## Decisions\n\n- rent the barn [superseded]\n",
        "Entscheidung: die Scheune mieten (zurückgezogen)",
        "Décision : louer la grange (annulée)",
    ],
)
def test_what_took_it_back_is_shown_beside_it(words: str) -> None:
    (hit,) = read(words)
    assert hit.needs_review and hit.summary.startswith("The text says of it: ")


@pytest.mark.parametrize(
    "words",
    [
        "Decision: rent the barn\n- Rejected: the hall, the tent",
        "Decision: reject the offer of the barn",
        "Decision: rent the barn\n\nRejected offers are filed.",
        "Decision: ask for a cancelled flight's money",
    ],
)
def test_what_was_rejected_beside_it_leaves_it_alone(words: str) -> None:
    assert not read(words)[0].needs_review


@pytest.mark.parametrize(
    "line",
    [
        "▶ Decision: rent the barn", "→ Decision: rent the barn", "[2026-02-03 11:20] Ada: Decision: rent the barn",
        "**Ada** (11:20): Decision: rent the barn", "\u3000Decision: rent the barn", "### ✅ Decision: rent the barn",
        "| Decision: rent the barn",
    ],
)  # fmt: skip
def test_a_label_is_read_behind_marks_times_and_names(line: str) -> None:
    assert [(hit.kind, hit.statement) for hit in read(line)] == [("decision", "rent the barn")]


def test_done_actions_are_over() -> None:
    text = "## Actions\n\n- ✅ Ada to call the glazier\n- Ben to fetch glue\n- Cy to sweep (finished on 4 May)\n"
    assert quotes(text, read(text)) == ["Ben to fetch glue"]
    text = "DONE: Action: Ada to call the glazier\nAction: Ben to fetch glue\n"
    assert quotes(text, read(text)) == ["Ben to fetch glue"]
    text = "## Action items\n\n- [x] Ada to call the glazier\n- [ ] Ben to fetch glue\n- Cy to sweep -- done\n"
    assert quotes(text, read(text)) == ["Ben to fetch glue"]


def test_the_whole_decision_is_read() -> None:
    text = "Decision: in winter we\n\n## Decision: Floor wax\n\nWe use beeswax for the parquet.\n"
    assert read(text)[-1].statement == "Floor wax: We use beeswax for the parquet."
    text = "Decision: we do three things:\n1. close the pool\n2. drain the pipes\n"
    assert read(text)[0].statement.endswith("drain the pipes")
    text = "Decision: these rules hold from now on, see the following list\n\n* no shoes\n* no skates\n"
    assert read(text)[0].statement.endswith("no skates")
    text = "Decision: lock the gate at six.\nException: market days.\n"
    assert read(text)[0].statement == "lock the gate at six. Exception: market days."
    text = "- Decision: dogs are welcome\n  - except in the kitchen\n- Topic: cats\n"
    assert "except in the kitchen" in read(text)[0].statement


def test_words_of_others_are_nobodys_preference() -> None:
    assert read('My aunt says "I prefer gravel." a lot.', kind="message") == []
    text = "User: I prefer slate.\nAssistant: I prefer gravel.\n"
    assert quotes(text, read(text, kind="message")) == ["I prefer slate."]


@pytest.mark.parametrize(
    "text",
    [
        "Nadia asked me: \"Please send the keys.\"", "My boss said: I prefer slate.", "Let's pretend I promise to pay for it.",
        "I promise to swim to Malta, I'm joking.",
        "It's not like you need to call the glazier.", "In theory you need to send the plans.",
    ],
)  # fmt: skip
def test_what_is_reported_imagined_or_a_joke_is_not_meant(text: str) -> None:
    assert read(text, kind="message") == []


@pytest.mark.parametrize(
    "text",
    [
        "For instance:\n\nDecision: use slate", "e.g.\n\n- Decision: use slate", "Example 2: Decision: use slate",
        "A note looks like this:\n\n> Decision: use slate\n", "Input: it rains\nOutput: Decision: shut the roof\n",
        "Decision: TODO",
        "Decision: lorem ipsum dolor",
    ],
)  # fmt: skip
def test_examples_and_blank_forms_decide_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "*** rob has quit (Ping timeout: 245 seconds)", "Elapsed time: 3.2 s", "Downloaded: 12 MB", "depth: 16bit",
        "Last seen: 5 min ago",
        "INFO pump: pressure = 4 bar", "listen from t=90s", "by the way: 5 km",
    ],
)  # fmt: skip
def test_what_programs_say_of_a_moment_is_no_fact(text: str) -> None:
    assert read(text, kind="note") == []
    assert read("word size: 8 bits\nread timeout: 30 s\n", kind="note") != []


def test_statements_show_escaped_marks_and_entities_as_read() -> None:
    (hit,) = read("Decision: keep \\*old\\* names &amp; `new_ones`[^1]")
    assert hit.statement == "keep *old* names & `new_ones`" or hit.statement == "keep *old* names & new_ones"


def test_who_speaks_labels_nothing() -> None:
    assert read("Human: what now?\nAI: Sand it first.\nHuman: ok\nAI: Then oil it.\n", kind="document") == []
    (hit,) = read("ROB: hm\n\nAI: Rob to oil the door\n")
    assert (hit.kind, hit.assignee) == ("action_item", "Rob")


def test_a_table_whose_head_names_a_kind() -> None:
    text = (
        "| Action | Owner | Due | Status |\n|---|---|---|---|\n| Oil the hinges | Ada | 2026-05-04 | open |\n"
        "| Sweep the yard | Ben | 2026-05-05 | done |\n"
    )
    (hit,) = read(text)
    assert hit.value == {"task": "Oil the hinges", "assignee": "Ada", "due": "2026-05-04"}


@pytest.mark.parametrize(
    "words",
    [
        "决定：使用橡木。",
        "Decisão: usamos carvalho.",
        "Besluit: we nemen eik.",
        "\ufeffDecision: use oak.",
        "✅ Decision: use oak.",
    ],
)
def test_labels_of_other_languages_and_behind_other_signs(words: str) -> None:
    (hit,) = read(words)
    assert hit.kind == "decision"


@pytest.mark.parametrize(
    "words",
    ["depth: 3 m?", "Is depth = 3 m?", "If depth = 3 m we need a ladder", "depth: 3 m is wrong", "We never said depth = 3 m",
     "See https://maps.example/?depth=3m", "Present: Ada, Ben\n\nBen: 3 hours"],
)  # fmt: skip
def test_a_value_that_nobody_states(words: str) -> None:
    assert read(words) == []


def test_the_day_that_holds() -> None:
    (hit,) = read("Action: Ada to pay (was due 2026-05-04, now 2026-05-11)", kind="message")
    assert isinstance(hit.value, dict) and hit.value["due"] == "2026-05-11"


def test_a_name_of_a_quantity_may_stand_under_each_heading() -> None:
    text = "## Crane A\n\nWeight: 500 kg\n\n## Crane B\n\nWeight: 800 kg\n"
    assert [hit.value for hit in read(text)] == [{"number": 500, "unit": "kg"}, {"number": 800, "unit": "kg"}]
    assert read("Ada: how heavy was it?\nBen: I weighed it.\nBen: 12 kg\nAda: ok\n") == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Anforderung: Die Tür ist feuerfest.", "requirement"),
        ("Requisito: la puerta resiste el fuego.", "requirement"),
        ("Exigence : la porte résiste au feu.", "requirement"),
        ("Restrição: a porta abre para dentro.", "constraint"),
        ("Beperking: de deur opent naar binnen.", "constraint"),
        ("要件：ドアは耐火であること。", "requirement"),
    ],
)
def test_norms_are_labelled_in_other_languages(text: str, kind: str) -> None:
    assert [hit.kind for hit in read(text)] == [kind]
