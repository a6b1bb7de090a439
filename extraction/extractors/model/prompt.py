"""What is sent: the rules, what is in force, what is known, and the source's sections between marks nobody can forge."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from extraction.extractors.findings import Reading
from extraction.extractors.model.shape import EXAMPLE, Choices, schema
from extraction.extractors.model.snapshot import Snapshot
from extraction.extractors.model.tokens import most_tokens
from ledger.models import Kind, Section
from ledger.packs import KeySpec, PackSet

MAX_QUOTE: Final = 250
MAX_KEYS: Final = 200
# What was said before in the thread: enough to know whom an "I'll do it" answers. It can't be quoted.
MAX_BEFORE: Final = 6
LONGEST_BEFORE: Final = 300
# Kinds whose values are built of times and people by rules of their own, which a pack asks a model for by name; and what only a
# person's hand writes.
ONLY_WHEN_ASKED: Final = ("event", "assignment", "manual")


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """One request about a `window` of the source (code points, half-open); `sections` are those in it, by their place. `mark` is
    drawn for this request alone."""

    system: str
    user: str
    schema: dict[str, Any]
    sections: tuple[int, ...]
    window: tuple[int, int]
    mark: str

    @property
    def digest(self) -> str:
        """The same for the same input, whichever mark was drawn."""
        return hashlib.sha256(f"{self.system}\n{self.user.replace(self.mark, '')}".encode()).hexdigest()

    @property
    def tokens(self) -> int:
        """At most so many, the marks of the roles included."""
        return most_tokens(self.system) + most_tokens(self.user) + 50


@cache
def template() -> str:
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8")


def kinds_asked(packs: PackSet, kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds in force: those that a pack asks for by name, else all but those with rules of their own."""
    named = packs.setting("model", "asks", None)
    ours = [kind for kind in kinds if kind.pack in packs.names]
    if named:
        return [kind for kind in ours if kind.name in named]
    return [kind for kind in ours if kind.name not in ONLY_WHEN_ASKED]


def most_quote(packs: PackSet) -> int:
    """Code points of a model's quote (T4); a pack may ask for shorter ones."""
    return min(MAX_QUOTE, int(packs.setting("model", "most_quote", MAX_QUOTE)))


@dataclass(frozen=True, slots=True)
class Task:
    """What a model is to do: the template of its rules, what it is told beside what is known (a heading and its lines), and the
    last line of the request."""

    template: str
    request: str
    heading: str = ""
    lines: Sequence[str] = ()


REPORT: Final = "Report what sections S1… say, as one JSON object of FactOps."


def reading_task() -> Task:
    return Task(template(), REPORT)


def question_of(
    reading: Reading, snapshot: Snapshot, kinds: Sequence[Kind], *, most_text: int, task: Task, begin: int = 0
) -> ModelQuestion:
    """About the text from `begin` on; what is beyond `most_text` code points is left out, from the first section that does not
    fit whole."""
    packs = reading.packs
    window = (begin, _end_of_window(reading.sections, reading.source.text, begin, most_text))
    chosen = _sections_in(reading, window)
    choices = Choices(
        kinds=[kind.name for kind in kinds],
        keys=[spec.key for spec in keys_asked(packs, reading.stage)] if packs.keys_closed else (),
        items=list(snapshot.items),
        refs=[one.ref for one in snapshot.known],
        sections=[f"S{at + 1}" for at in chosen],
    )
    mark = request_mark(reading.source.text)
    system, user = _rules(packs, reading.stage, kinds, task), _message(reading, snapshot, chosen, window, task, mark)
    return ModelQuestion(system, user, schema(choices, most_quote(packs)), tuple(chosen), window, mark)


def not_sent(question: ModelQuestion, text: str) -> str:
    """What of the text no model saw, in words; empty where its end was sent."""
    end = question.window[1]
    return f"only the first {end} of {len(text)} characters were sent to the model" if end < len(text) else ""


def _rules(packs: PackSet, stage: str, kinds: Sequence[Kind], task: Task) -> str:
    """They come first and stay the same, so that a server can keep what it made of them."""
    system = task.template.format(
        most_quote=most_quote(packs),
        shape=EXAMPLE,
        kinds="\n".join(f"- {kind.name}{_anchors(kind)}{_help(kind, packs)}" for kind in kinds),
        keys=_keys(packs, stage),
    )
    guidance = " ".join(str(c["model"]["guidance"]) for c in packs.contents if c.get("model", {}).get("guidance"))
    return system + (f"\nGuidance\n{guidance}\n" if guidance else "")


def _message(
    reading: Reading, snapshot: Snapshot, chosen: Sequence[int], window: tuple[int, int], task: Task, fence: str
) -> str:
    text, (begin, end) = reading.source.text, window
    parts = [f"The mark of this request is {fence}", f"{fence} KNOWN", snapshot.as_text()]
    if task.lines:
        parts += [f"{fence} {task.heading}", *task.lines]
    if before := _before(reading):
        parts += [f"{fence} BEFORE (said earlier in this conversation; for understanding only)", before]
    for at in chosen:
        section = reading.sections[at]
        sender = reading.source.sender if section.speaker == "user" else ""
        fields = {"speaker": section.speaker, "name": section.name, "sender": sender}
        header = json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)
        parts += [f"{fence} S{at + 1} {header}", text[max(section.start, begin) : min(section.end, end)]]
    parts += [f"{fence} END", task.request]
    return "\n".join(parts)


def request_mark(text: str) -> str:
    """A mark that stands nowhere in the text, and that nobody could have known when it was written."""
    while True:
        mark = f"<{secrets.token_hex(6)}>"
        if mark not in text:
            return mark


def _sections_in(reading: Reading, window: tuple[int, int]) -> list[int]:
    """The places of the sections of which the window holds some words."""
    text, (begin, end) = reading.source.text, window
    parts = [(max(section.start, begin), min(section.end, end)) for section in reading.sections]
    return [at for at, (first, last) in enumerate(parts) if first < last and text[first:last].strip()]


def _end_of_window(sections: Sequence[Section], text: str, begin: int, most: int) -> int:
    """A section's end where one lies in its second half, else a line's end."""
    half, last = begin + most // 2, begin + most
    if len(text) <= last:
        return len(text)
    borders = [section.end for section in sections if half <= section.end <= last]
    breaks = text.rfind("\n", half, last)
    return max(borders) if borders else (breaks + 1 if breaks > 0 else last)


def _before(reading: Reading) -> str:
    if reading.source.conversation_id is None:
        return ""
    said = list(reading.thread)[-MAX_BEFORE:]
    return "\n".join(f"{json.dumps(one.sender or one.sender_kind)}: {one.text[:LONGEST_BEFORE]}" for one in said)


def _anchors(kind: Kind) -> str:
    return f" (only words of {' or '.join(kind.anchors)})" if kind.anchors else ""


def _help(kind: Kind, packs: PackSet) -> str:
    """What the kind is, in the words of the pack that defines it."""
    rows = packs.rows("kinds")
    return next((f": {row['help']}" for row in rows if row["name"] == kind.name and row.get("help")), "")


def keys_asked(packs: PackSet, stage: str) -> list[KeySpec]:
    """The keys of a stage (T5), at most `MAX_KEYS`."""
    rows = [spec for spec in packs.keys.values() if not spec.stages or not stage or stage in spec.stages]
    return rows[:MAX_KEYS]


def _keys(packs: PackSet, stage: str) -> str:
    lines = [
        f"- {spec.key}"
        + (f": {spec.value_type}" if spec.value_type else "")
        + (f" in {spec.unit}" if spec.unit else "")
        + (f", one of {', '.join(spec.values[:20])}" if spec.values else "")
        for spec in keys_asked(packs, stage)
    ]
    if not packs.keys_closed:
        lines.append("- or a short name of your own: lower case, words joined by -")
    return "\n".join(lines) or "- none: report no facts"
