"""The turn bundle: one turn of structured questions, chat and generation as one text, to the byte of its template (T1)."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ledger.rules.sections import SectionedText, SectionSpan

NONE: Final = "(none)"
QUICK: Final = ("YES", "NO", "IDK", "IRRELEVANT")
# The speaker of each part. A part without words of its own is nobody's.
PARTS: Final = {
    "TURN_META": "system",
    "STRUCTURED_QUESTIONS": "agent",
    "USER_ANSWERS": "user",
    "FREE_CHAT": "user",
    "AGENT_OUTPUT": "agent",
}
_STAGE: Final = re.compile(r"\[TURN_META\]\nbundleId=[^\n]*\nstage=([^\n]{0,60})\n")


@dataclass(frozen=True, slots=True)
class TurnItem:
    """A part of the project that the turn may speak of."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """`quick` is one of `QUICK`, or empty where only `text` was given."""

    question: str
    quick: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened in one turn. `selected` are ids of `items`; `at` is None until the turn is kept."""

    id: str
    stage: str
    at: datetime | None = None
    items: Sequence[TurnItem] = ()
    selected: Sequence[str] = ()
    questions: Sequence[TurnQuestion] = ()
    answers: Sequence[TurnAnswer] = ()
    free_chat: str = ""
    agent_output: str = ""

    @property
    def reach(self) -> str:
        """`project`, `item` or `multiItem`, by how many items are selected."""
        return ("project", "item")[len(self.selected)] if len(self.selected) < 2 else "multiItem"


def build(turn: Turn) -> tuple[str, tuple[SectionSpan, ...]]:
    """The bundle's text and its sections, which tile it. Equal turns give equal bytes.

    All five headers are always there. Names, questions and answers stand on one line each, written as JSON strings where the
    template quotes them; free chat and output stand exactly as they came. Who speaks where is noted while the text is built:
    a header typed into the chat changes nothing (law 8).
    """
    parts = {
        "TURN_META": _meta(turn),
        "STRUCTURED_QUESTIONS": "\n".join(
            f"Q{number}(id={_word(question.id)}): {_line(question.text)}"
            for number, question in enumerate(turn.questions, 1)
        ),
        "USER_ANSWERS": "\n".join(
            f"A{number}(qId={_word(answer.question)}): quick={answer.quick or NONE} text={_quoted(answer.text)}"
            for number, answer in enumerate(turn.answers, 1)
        ),
        "FREE_CHAT": turn.free_chat,
        "AGENT_OUTPUT": turn.agent_output,
    }
    builder = SectionedText()
    for at, (name, body) in enumerate(parts.items()):
        builder.section(name, "system", ())
        builder.write(("\n\n" if at else "") + f"[{name}]\n")
        said = bool(body.strip())
        builder.section(name, PARTS[name] if said else "system", ())
        builder.write(body if said else NONE)
    builder.section("", "system", ())
    builder.write("\n")
    return builder.built()


def stage_in(text: str) -> str:
    """The stage that a turn's text names at its head; empty where it names none or is no turn's."""
    found = _STAGE.match(text)
    return found[1] if found else ""


def _meta(turn: Turn) -> str:
    items = ", ".join(f"{{id:{_quoted(item.id)},name:{_quoted(item.name)}}}" for item in turn.items)
    return "\n".join(
        [
            f"bundleId={_word(turn.id)}",
            f"stage={_word(turn.stage)}",
            f"scope={turn.reach}",
            f"itemRefs=[{items}]",
            f"selectedItemIds=[{','.join(_quoted(one) for one in turn.selected)}]",
            f"timestamp={turn.at.isoformat() if turn.at else NONE}",
        ]
    )


def _quoted(text: str) -> str:
    """In double quotes on one line; a reader of JSON reads it back."""
    return json.dumps(text, ensure_ascii=False)


def _word(text: str) -> str:
    """An id on its line; its brackets and line ends would end it too early."""
    return text if text.isprintable() and not set(text) & set("()[]\n") else _quoted(text)


def _line(text: str) -> str:
    """A question on one line."""
    return " ".join(text.split()) or NONE
