"""What a message between people and agents is made of: text, thinking, calls, results, pictures, as OpenAI, Anthropic and Google
write them, put together to one text in sections that each say who speaks."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from extraction.importers.fields import elements, fields_of, first, listed, name_of
from ledger.rules.sections import SectionSpan

# What programs write into a user's turn.
INSERTED: Final = re.compile(
    r"<(system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|command-name|command-message"
    r"|bash-stdout|bash-stderr|task-notification|ide_opened_file|ide_selection|environment_context|user_instructions"
    r"|turn_aborted|user_shell_command|subagent_notification|permissions instructions|INSTRUCTIONS)>.*?</\1>",
    re.DOTALL,
)
BETWEEN = "\n\n"
# Whose message it is where several speak in it: the first of these.
SPEAKERS: Final = ("user", "agent", "tool", "system")
ROLES: Final = {
    name: speaker
    for speaker, names in {
        "user": "user human",
        "agent": "assistant model gpt bot ai gemini chatgpt agent bing bard claude function_call function_calling",
        "tool": "tool function observation function_response tool_response",
        "system": "system developer info error warning",
    }.items()
    for name in names.split()
}

type Piece = tuple[str, str, str]


def joined(pieces: list[Piece]) -> tuple[str, tuple[SectionSpan, ...]]:
    """The pieces with an empty line between them, in sections that tile the text; what a program wrote into a user's words
    stands in sections of the system."""
    text, spans = "", []
    for at, (name, speaker, piece) in enumerate(pieces):
        start = begun = len(text)
        text += piece + (BETWEEN if at + 1 < len(pieces) else "")
        for inserted in INSERTED.finditer(piece) if speaker == "user" else ():
            spans.append((name, "user", start, begun + inserted.start()))
            start = begun + inserted.end()
            spans.append(("", "system", begun + inserted.start(), start))
        spans.append((name, speaker, start, len(text)))
    return text, tuple(SectionSpan(name[:200], who, (), start, end) for name, who, start, end in spans if end > start)


def speaker_of(sections: tuple[SectionSpan, ...]) -> str:
    return min((section.speaker for section in sections), key=SPEAKERS.index, default="")


def pieces(content: Any, speaker: str) -> Iterator[Piece]:
    """(section's name, who speaks, text) of each block; of a kind that is not known its text, if it has one."""
    blocks = elements(content) if isinstance(content, list) else [content]
    for block in blocks:
        name, who, text = ("", speaker, block) if isinstance(block, str) else _piece(fields_of(block), speaker)
        if isinstance(text, str) and text:
            yield name, who, text


def _piece(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    kind = name_of(block.get("type")) or next(filter(block.get, UNTYPED), "")
    return BLOCKS.get(kind, _text)(block, speaker)


def _text(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    return "", speaker, first(block.get("text"), block.get("refusal"), block.get("value"))


def _thinking(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    return "thinking", "agent", first(block.get("thinking"), block.get("text"), block.get("value"))


def _call(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    """A call under any of its names; what it is called with stands as it is, or as JSON."""
    inner = fields_of(block.get("function") or block.get("functionCall")) or block
    name = name_of(inner.get("name"))
    given = next((inner[key] for key in ("input", "arguments", "args", "action") if key in inner), None)
    return f"call {name}", "agent", f"{name} {_as_text(given)}"


def _result(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    inner = fields_of(block.get("functionResponse")) or block
    return "result", "tool", output(inner.get("content", inner.get("output", inner.get("response"))))


def _shown(block: dict[str, Any], speaker: str) -> tuple[str, str, Any]:
    kind = name_of(block.get("type"), "file").removeprefix("input_").removesuffix("_url")
    return kind, "system", f"[{kind}]"


def output(content: Any) -> str:
    """What a tool answered: a text, or the texts of its blocks."""
    if isinstance(content, list):
        return "\n".join(one["text"] if isinstance(one.get("text"), str) else f"[{name_of(one.get('type'))}]"
                         for one in listed(content))  # fmt: skip
    inner = fields_of(content)
    return first(inner.get("output"), inner.get("content"), inner.get("error")) or (
        _as_text(content) if content else ""
    )


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


# Blocks of Google's have no type but one key.
UNTYPED: Final = ("functionCall", "functionResponse", "inlineData", "fileData")
BLOCKS: Final[dict[str, Callable[[dict[str, Any], str], tuple[str, str, Any]]]] = {
    **dict.fromkeys(("thinking", "reasoning", "summary_text", "reasoning_text"), _thinking),
    **dict.fromkeys(
        ("tool_use", "function", "function_call", "custom_tool_call", "local_shell_call", "functionCall"), _call
    ),
    **dict.fromkeys(("tool_result", "function_call_output", "custom_tool_call_output", "functionResponse"), _result),
    **dict.fromkeys(
        (
            "image",
            "document",
            "input_image",
            "image_url",
            "input_audio",
            "input_file",
            "file",
            "inlineData",
            "fileData",
        ),
        _shown,
    ),
}
