"""Plain instructions: what a user lays down for good, and what only sounds like it."""

import pytest

from extraction.extractors.documents.instructions import instruction_in
from tests.extraction.reading import read


@pytest.mark.parametrize(
    "words",
    [
        "Always wash the brushes before you leave.",
        "Never commit a secret to the repository.",
        "NEVER run a migration on production!",
        "Don't ever rename a public function.",
        "Do not add dependencies without asking.",
        "You must not write to the archive.",
        "You may only read the drawings.",
        "Stop adding emojis to headings.",
        "Please stop apologising for everything.",
        "From now on answer in French.",
        "Only commit when all tests are green.",
        "Whenever you change the schema, always write a migration.",
        "In commit messages, never mention yourself.",
        "Robot, always ask before you delete something.",
        "Every function must have a docstring.",
        "Keep answers short from now on.",
        "Führe immer die Tests aus, bevor du etwas abgibst.",
        "Niemals direkt auf main pushen.",
        "Du darfst das Archiv nicht anfassen.",
        "Ab sofort antworte bitte auf Deutsch.",
        "Nunca borres la carpeta de copias.",
        "Ejecuta siempre las pruebas primero.",
        "Ne touche jamais au dossier des archives.",
        "À partir de maintenant, réponds en français.",
        "Nunca apague o banco de dados.",
        "Não use nunca a pasta antiga.",
        "Non usare mai le maiuscole.",
        "Gebruik nooit de oude map.",
        "Vanaf nu in het Nederlands antwoorden.",
    ],
)
def test_what_is_laid_down_for_good_is_an_instruction(words: str) -> None:
    assert instruction_in(words) == "instruction"


@pytest.mark.parametrize(
    "words",
    [
        "Prefer short functions over clever ones.",
        "Please use metres instead of feet.",
        "Use pytest, not unittest.",
        "I'd rather you asked before you delete anything.",
        "Bevorzuge kurze Namen gegenüber langen.",
        "Usa metros en lugar de pies.",
        "Préfère les listes aux tableaux.",
        "Prefira nomes curtos a nomes longos.",
        "Geef de voorkeur aan korte namen.",
    ],
)
def test_one_thing_rather_than_another_is_a_preference(words: str) -> None:
    assert instruction_in(words) == "preference"


@pytest.mark.parametrize(
    "words",
    [
        "Never mind.",
        "Never again!",
        "Never heard of it.",
        "Always a pleasure.",
        "Always happy to help.",
        "Always wanted to see that.",
        "Never works on my machine.",
        "He always forgets the keys.",
        "I never said that.",
        "You never told me.",
        "You can always call me.",
        "You must be joking.",
        "You must not have seen the mail.",
        "It always snows in March.",
        "Don't worry about the noise.",
        "Don't merge it yet.",
        "Don't forget the milk.",
        "Stop the server.",
        "Stop by tomorrow.",
        "Should we never push to main?",
        "We used metres instead of feet.",
        "Prefer not to say.",
        "From now on I work from home.",
        "Only two of them worked.",
        "Es schneit immer im März.",
        "Niemals hätte ich das gedacht.",
        "Siempre llueve en abril.",
        "Nunca me dijiste eso.",
        "Jamais vu ça.",
        "Mai visto.",
        "Nooit van gehoord.",
    ],
)
def test_stories_politeness_and_orders_for_once_are_none(words: str) -> None:
    assert instruction_in(words) == ""


def found(text: str, **how: str) -> list[tuple[str, str]]:
    return [(hit.kind, hit.statement) for hit in read(text, **how) if hit.rule.startswith("intent.")]  # type: ignore[arg-type]


def test_a_users_message_is_read_sentence_by_sentence() -> None:
    said = "Thanks. Never touch the archive.\n- Prefer tabs over spaces\n\nWhat is next?"
    assert found(said, kind="message") == [
        ("constraint", "Never touch the archive."),
        ("preference", "Prefer tabs over spaces"),
    ]


@pytest.mark.parametrize("speaker", ["agent", "tool", "system"])
def test_nobody_else_lays_anything_down(speaker: str) -> None:
    assert found("Never touch the archive.", kind="message", sender_kind=speaker) == []


@pytest.mark.parametrize(
    "words",
    [
        'She told me "never touch the archive" and left.',
        "My boss said: never touch the archive.",
        "> Never touch the archive.",
        "Imagine you must never touch the archive.",
        "`Never touch the archive.` is what it prints.",
    ],
)
def test_what_is_quoted_or_imagined_lays_nothing_down(words: str) -> None:
    assert found(words, kind="message") == []
