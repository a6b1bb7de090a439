"""Turns of a talk kept as one text, and what only looks like one."""

import time

import pytest

from ledger.language.outline import mask_code, one_break
from ledger.language.transcript import turns_of

TALKS = {
    "names": "User: Which lamp?\nAssistant: The red lamp.\n",
    "signs": "user> which lamp?\nassistant> the red lamp.\n",
    "clock": "[10:01] Mira: Which lamp?\n[10:02] Bot: The red lamp.\n",
    "clock behind": "Mira (10:32): Which lamp?\nHelpBot (10:33): The red lamp.\n",
    "people": "Mira: Which lamp?\nClaude: The red lamp.\nMira: Fine.\nClaude: Good.\n",
    "human": "Human: Which lamp?\n\nAI: The red lamp.\n",
    "cursor": "# Lamps\n_Exported from Cursor_\n\n---\n\n**User**\n\nWhich lamp?\n\n---\n\n**Cursor**\n\nThe red lamp.\n",
    "specstory": "# Lamps\n\n_**User**_\n\nWhich lamp?\n\n---\n\n_**Assistant**_\n\nThe red lamp.\n",
    "specstory dated": "_**User (2026-03-02 10:01Z)**_\n\nWhich lamp?\n\n_**Agent (model x-1, mode Agent)**_\n\nThe red lamp.\n",
    "aider": "# aider chat started at 2026-03-02 16:45:52\n\n> x  \n\n#### which lamp?  \n\nThe red lamp.\n\n#### Why\n\nRed.\n",
    "copied page": "You said:\nWhich lamp?\nChatGPT said:\nThe red lamp.\n",
    "headings": "## User\n\nWhich lamp?\n\n## Assistant\n\n# Lamps\n\nThe red lamp.\n",
    "prompts": "## Prompt:\nWhich lamp?\n\n## Response:\nThe red lamp.\n\n## Prompt:\nWhy?\n",
    "signed headings": "### 🧑 User\n\nWhich lamp?\n\n### 🤖 Assistant\n\nThe red lamp.\n",
    "terminal": "> which lamp?\n\n⏺ The red lamp.\n\n  ⎿  done\n",
    "chat markup": "<|im_start|>user\nWhich lamp?\n<|im_start|>assistant\nThe red lamp.\n",
    "asked": "Pupil: Which lamp?\nAI: Lamps are red: take the red lamp.\nPupil: Fine.\nAI: Good.\n",
    "bold": "**You:** Which lamp?\n\n**ChatGPT:** The red lamp.\n",
}  # fmt: skip
NO_TALKS = {
    "minutes": "Present: Mira, Bo\n\nMira: we need paint.\nBo: yes.\nAI: Bo to order paint\nMira: good.\n",
    "actions": "AI: Bo to order paint\nAI: Mira to call the hall\n",
    "timed actions": "[10:01] Mira: we need paint.\n[10:02] AI: Bo to order paint\n",
    "form": "Client: Hall Ltd\nAgent: Mira Kessel\nModel: X1\nSystem: Linux\n",
    "glossary": "Assistant: who helps.\nEditor: who writes.\nReader: who reads.\n",
    "page on an interface": "## User\n\nA person.\n\n## Agent\n\nA program.\n",
    "note-taking bot": "".join(f"Mira: line {at}\nBo: line {at}\n" for at in range(9)) + "trackbot: noted\n",
    "fiction": "Mira: Who is there?\nBo: Nobody.\nMira: Come in.\n",
    "code": "```\nUser: hi\nAssistant: hello\n```\n",
    "changes": "* **assistant:** add a companion\n* **user:** keep the name\n",
    "parameters": "def ask(\n    model: str,\n    system: str,\n    user: str,\n    limit: int = 60,\n) -> str:\n",
    "links": "[trackbot]: https://bots.example/track\n[mira]: https://mira.example\n",
    "page on a model": "# GPT-4\n\nA model.\n\n## GPT-4 Turbo\n\nAnother.\n",
    "roles": "- Assistant: helps whoever asks for it.\n- User: asks for what is wanted.\n- Assistant: ends it.\n",
    "headers": "User-Agent: curl/8.0\nHost: x\nAccept: */*\n",
}


def read(text: str, *, prose: bool = True) -> list[tuple[str, str]]:
    masked = mask_code(one_break(text))
    return [(turn.speaker, masked[turn.content : turn.end].strip()) for turn in turns_of(masked, prose=prose)]


@pytest.mark.parametrize("text", TALKS.values(), ids=TALKS)
def test_a_talk_is_cut_into_turns(text: str) -> None:
    turns = read(text)
    asked = next(words for speaker, words in turns if speaker == "user")
    told = " ".join(words for speaker, words in turns if speaker == "agent")
    assert "hich lamp?" in asked and "red lamp" not in asked and "he red lamp." in told and "hich lamp" not in told


@pytest.mark.parametrize("text", NO_TALKS.values(), ids=NO_TALKS)
def test_names_at_line_heads_alone_are_no_talk(text: str) -> None:
    assert read(text) == []


def test_in_a_message_an_agents_name_alone_is_enough() -> None:
    assert read("Here it is.\nAssistant: The red lamp.", prose=False) == [("agent", "The red lamp.")]
    assert read("AI: Bo to order paint", prose=False) == []
    assert [speaker for speaker, _ in read("- User: I like red.\n- Assistant: I like blue.", prose=False)] == [
        "user",
        "agent",
    ]
    assert [speaker for speaker, _ in read("System: You are kind.\nUser: hi", prose=False)] == ["system", "user"]
    assert [speaker for speaker, _ in read("Agent: I like blue.\nUser: I like red.", prose=False)] == ["agent", "user"]
    fields = "".join(f"Field{n}: {n}\nField{n}: x\n" for n in range(9)) + "helpbot: on\n"
    for page in ("# GPT-4\n\nA model.\n", "[trackbot]: https://bots.example\n", fields):
        assert read(page, prose=False) == []
    assert read("AI: Sorry, I cannot see that.", prose=False) == [("agent", "Sorry, I cannot see that.")]


def test_an_agents_notes_make_no_new_speaker() -> None:
    turns = read("User: go on\nAssistant: A plan.\nNote: I prefer red.\nStep 1: paint\n")
    assert [speaker for speaker, _ in turns] == ["user", "agent"]


@pytest.mark.parametrize(
    "text",
    ["**" * 50_000, "User" * 50_000, "[10:01] " * 30_000, "User:\n" * 30_000 + "Bot:\n" * 30_000, "> " * 80_000, "a b " * 50_000,
     "⏺ x\n> y\n" * 20_000, "=== " * 50_000, "😀" * 80_000, "A (" * 60_000, "Mira:\nBot:\n" * 20_000],
)  # fmt: skip
def test_no_text_holds_it_up(text: str) -> None:
    began = time.process_time()
    read(text)
    read(text, prose=False)
    assert time.process_time() - began < 3
