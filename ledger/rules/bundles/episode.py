"""An episode: what a user said, a model answered and tools returned, in order, as one text (C1, C2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.rules.sections import SectionedText, SectionSpan

SPEAKERS: Final = {"user": "user", "model": "agent", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class EpisodeEvent:
    """`type` is user, model or tool; `exit_code` and `tool` belong to a tool's output."""

    type: str
    text: str
    tool: str = ""
    exit_code: int | None = None


def build(events: Sequence[EpisodeEvent]) -> tuple[str, tuple[SectionSpan, ...]]:
    """The episode's text and its sections, which tile it.

    Each event is a section that holds its words exactly as they came, so that the hash of a section is that of the event;
    the line above it, which names it, is the system's. A section is named `1 user`, `2 model`, `3 tool`, and its path says
    which tool it was and how it ended: `("pytest", "exit 1")`.
    """
    builder = SectionedText()
    for number, event in enumerate(events, 1):
        builder.section("", "system")
        ended = f"exit {event.exit_code}" if event.exit_code is not None else ""
        path = tuple(part for part in (event.tool, ended) if part)
        builder.write(("\n\n" if number > 1 else "") + f"[{' '.join([str(number), event.type.upper(), *path])}]\n")
        builder.section(f"{number} {event.type}", SPEAKERS[event.type], path)
        builder.write(event.text)
    builder.section("", "system")
    builder.write("\n")
    return builder.built()


def exit_code_of(path: Sequence[str]) -> int | None:
    """How a tool's section ended, as `build` wrote it down; None for any other section."""
    last = path[-1] if path else ""
    code = last.removeprefix("exit ")
    return int(code) if last.startswith("exit ") and code.lstrip("-").isdigit() else None
