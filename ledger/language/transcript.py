"""Turns of a talk that stands in one text: `User: …`, `[10:02] Bot: …`, `**Assistant**` on a line, what Cursor, SpecStory, Aider,
ChatGPT and Claude Code write (law 8). Pure.

One line decides nothing: `AI:` may label an action, `Agent:` may be a field of a form. A text is a talk where the names at its
line heads answer each other, one of them an agent's.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says in one go: from the line that names them (`start`) to the next turn or the end of the talk. Their
    words begin at `content`. `speaker` is user, agent, tool or system."""

    start: int
    content: int
    end: int
    name: str
    speaker: str


@dataclass(frozen=True, slots=True)
class _Head:
    """A line that names a speaker. `form` is how: heads of one talk are written alike."""

    start: int
    content: int
    name: str
    role: str
    form: str
    stamped: bool

    @property
    def speaker(self) -> str:
        return _SPEAKER_OF.get(self.role, "user")


_TIME: Final = r"(?:\d{4}-\d\d-\d\d[T ,]*+)?\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,6})?Z?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
_HEAD: Final = re.compile(
    rf"""^[ \t]*+(?:>[ \t]?){{0,3}}+(?P<bullet>[-*+•][ \t]++)?+
    (?:(?P<hashes>\#{{1,6}})[ \t]++|(?P<rule>={{2,10}}|-{{2,10}})[ \t]++)?+
    (?:[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]{{1,6}}+[ \t]*+)?+
    (?P<time>[\[(]?{_TIME}[\])]?[ \t]*+(?:[-–—|,][ \t]*+)?)?+
    (?P<marks>[*_]{{1,4}}+)?+(?:[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]{{1,6}}+[ \t]*+)?+
    (?P<open><\|(?:im_start\|>)?|[\[<])?+
    (?P<name>[^\W\d_][\w.'’-]{{0,30}}+(?:[ ][\w.'’-]{{1,30}}+){{0,3}}?)
    (?P<app>[ \t]+(?:APP|BOT))?
    (?:[ \t]*[(\[](?P<beside>[^()\[\]\n]{{1,80}})[)\]]|[ \t]{{1,4}}(?P<stamp>{_TIME}))?
    (?P<close>\|>|[\]>])?
    (?:(?P<colon>[*_]{{0,4}}[:：][*_]{{0,4}})(?=[ \t\n]|\Z)|(?P<sign>(?<=>)|>)(?=[ \t])
      |(?P<alone>[*_]{{0,4}}[ \t]*[=-]{{0,10}}(?=[ \t]*$)))
    [ \t]*""",
    re.M | re.X,
)

_ROLES: Final = {
    name: role
    for role, names in {
        "user": "user human you me customer client prompt usuario benutzer nutzer utilisateur utente usuário ich yo moi",
        "agent": "assistant chatgpt gpt claude copilot gemini bot chatbot cursor codex aider llama mistral deepseek grok"
        " perplexity bard llm qwen assistent asistente assistente chatbots",
        # Words that are fields and topics as often as speakers.
        "machine": "ai agent model response completion ki ia",
        "tool": "tool function",
        "system": "system developer",
    }.items()
    for name in names.split()
}
_SPEAKER_OF: Final = {"agent": "agent", "machine": "agent", "tool": "tool", "system": "system"}
_AGENT_NAME: Final = re.compile(
    r"(?:ai|virtual|github|microsoft|google|coding|chat) (?:assistant|copilot|gemini|agent|bot)"
    r"|(?:claude|gpt|chatgpt|gemini|llama|mistral|deepseek|grok|copilot|cursor|codex|qwen|assistant)[ -][\w.-]{1,30}"
    r"(?: [\w.-]{1,20}){0,2}"
    r"|[\w.]{1,30}[ _-]bot|(?!abbot\Z|talbot\Z|cabot\Z|robot\Z)[a-z]{3,20}bot"
)
_TOOL_NAME: Final = re.compile(r"tool (?:call|use|result|output|response)|function (?:call|result|output)")
# Headings of these names stand over what a page says of them as often as over what they say.
_TOPICS: Final = frozenset({"bot", "chatbot", "chatbots", "cursor", "codex", "llm", "gpt"})
_OF_SAID: Final = re.compile(r"(?: said| wrote| says|'s (?:reply|answer|response))\Z")
# Words at line heads that are nobody's name.
_NO_NAMES: Final = frozenset(
    """note notes example examples summary step warning tip important result results output input answer question todo action
    decision resolution status update name date time version title subject to from cc re owner due reason goal context
    background plan options option pros cons problem solution fix error usage description type author files file first
    second third finally next also however so then and but or yes no ok decided resolved agreed requirement constraint
    actions decisions present attendees topic agenda scribe http https task tasks code conclusion""".split()
)
_CLOSES: Final[dict[str | None, str | None]] = {"<|": "|>", "<|im_start|>": None, "[": "]", "<": ">", None: None}
MAX_TALK: Final = 2_000_000
_FIRST: Final = re.compile(r"\w")


def turns_of(masked: str, *, prose: bool, part_end: Callable[[int, int], int] | None = None) -> list[Turn]:
    """The turns of the talk in a text whose code is blanked, in order, without overlaps; none where it is no talk.

    In `prose` (documents) names must answer each other before they are taken for speakers; in a message an agent's name alone
    is enough. `part_end` tells by the starts of the first and the last turn where the part of the text that holds the talk is
    over, -1 for its end.
    """
    if len(masked) > MAX_TALK:
        return []
    turns = _marked_turns(masked) or _named_turns(masked, prose=prose)
    if turns and part_end:
        last = turns[-1]
        if (over := part_end(turns[0].start, last.start)) >= 0:
            turns[-1] = replace(last, end=over)
    return turns


def _named_turns(masked: str, *, prose: bool) -> list[Turn]:
    heads = list(_heads(masked))
    if prose:
        # A page lists what a user and an agent are as often as what they say.
        heads = [head for head in heads if head.form[0] != "-"]
    if not any(head.speaker in ("agent", "system") for head in heads):
        return []
    speaking = _speaking(heads, masked, prose=prose)
    ends = [*(head.start for head in speaking[1:]), len(masked)]
    return [
        Turn(head.start, head.content, end, head.name, head.speaker) for head, end in zip(speaking, ends, strict=False)
    ]


def _heads(masked: str) -> Iterator[_Head]:
    for found in _HEAD.finditer(masked):
        if head := _head(found):
            yield head


def _head(found: re.Match[str]) -> _Head | None:
    """None where a line only begins like one."""
    name = _OF_SAID.sub("", found["name"])
    role = _role(name, found)
    if not _is_closed(found) or not _names_a_speaker(found, role) or _LINK_TARGET.match(found.string, found.end()):
        return None
    return _Head(found.start(), found.end(), name, role, _form(found, said=name != found["name"]), _is_stamped(found))


# `[rustbot]: https://…`
_LINK_TARGET: Final = re.compile(r"(?<=\]:)[ \t]*https?:|(?<=\]:[ \t])https?:")


def _is_closed(found: re.Match[str]) -> bool:
    """Whether what opens before a name closes behind it; in `user>` nothing opens."""
    return found["close"] == _CLOSES[found["open"]] or (found["sign"] is not None and found["open"] is None)


def _names_a_speaker(found: re.Match[str], role: str) -> bool:
    """Alone on its line a name must be set off, and be a role's; before a sign it is bracketed, or a role's."""
    if found["alone"] is not None:
        set_off = any(found[group] for group in ("hashes", "rule", "marks", "open", "stamp"))
        return set_off and (role != "person" or bool(found["stamp"]))
    return found["sign"] is None or found["open"] == "<" or role in ("user", "agent", "machine")


def _is_stamped(found: re.Match[str]) -> bool:
    return bool(found["time"] or found["stamp"] or re.search(_TIME, found["beside"] or ""))


def _form(found: re.Match[str], *, said: bool) -> str:
    ending = "alone" if said or found["alone"] is not None else "colon" if found["colon"] else "sign"
    before = f"{'-' if found['bullet'] else ''}{'#' if found['hashes'] else ''}"
    return f"{before}{'bold' if found['marks'] else ''}{found['open'] or ''}{ending}"


def _role(name: str, found: re.Match[str]) -> str:
    folded = name.casefold()
    if found["app"] or _AGENT_NAME.fullmatch(folded):
        return "agent"
    return _ROLES.get(folded) or ("tool" if _TOOL_NAME.fullmatch(folded) else "person")


def _speaking(heads: Sequence[_Head], masked: str, *, prose: bool) -> list[_Head]:
    """The heads that begin turns; none where the text is no talk."""
    by_role = [head for head in heads if head.role != "person"]
    for _, alike in groupby(sorted(by_role, key=lambda head: head.form), key=lambda head: head.form):
        group = sorted(alike, key=lambda head: head.start)
        if _answer_each_other(group, masked) or (not prose and _is_prompted(group, masked)):
            return group
    people = [head for head in heads if head.role in ("person", "agent", "machine", "user")]
    for form in dict.fromkeys(head.form for head in by_role if head.speaker == "agent"):
        group = _with_people([head for head in people if head.form == form], masked, prose=prose)
        if group:
            return group
    return []


def _answer_each_other(group: Sequence[_Head], masked: str) -> bool:
    """Whether a user and an agent take turns. Words that are fields of a form too must do so in sentences, or again and again."""
    sides = [side for side, _ in groupby(head.speaker for head in group if head.speaker in ("user", "agent"))]
    if len(sides) < 2:
        return False
    if any(map(_is_agent_by_name, group)):
        return True
    if group[0].form.startswith("bold") and group[0].form.endswith("alone"):
        return True
    lines = [_line_at(masked, head.content) for head in group]
    if 2 * sum(_FIELD.search(line) is not None for line in lines) >= len(lines):
        return False
    spelled = any(head.name.casefold() in ("human", "me", "you") for head in group)
    return len(sides) > 2 or spelled or any(map(_is_sentence, lines))


def _is_agent_by_name(head: _Head) -> bool:
    """`# Claude` may be a page on it."""
    return head.role == "agent" and not (head.form[0] == "#" and head.name.casefold() in _TOPICS)


def _is_sentence(line: str) -> bool:
    return bool(_SENTENCE.match(line) or _FIRST_PERSON.match(line))


# The types of parameters, and what opens a block of code: `model: str,`.
_FIELD: Final = re.compile(r"[,{(\[=]\s*\Z|\bNone\b|\A(?:str|int|bool|float|list|dict|Any)\b")
_FIRST_PERSON: Final = re.compile(r"(?:i|i['’]\w{1,2}|my|we|our) [a-z]", re.I)
# `System: You are helpful.`, and below it a user's words.
_PROMPT: Final = re.compile(r"(?:you are|you['’]re|your|act as|always|never|du bist|eres|tu es|você é)\b", re.I)


def _is_prompted(group: Sequence[_Head], masked: str) -> bool:
    sides = [head.speaker for head in group]
    return sides[:2] == ["system", "user"] and _PROMPT.match(_line_at(masked, group[0].content)) is not None


def _with_people(group: Sequence[_Head], masked: str, *, prose: bool) -> list[_Head]:
    """Turns of people, by their own names, with an agent among them."""
    agents = [head for head in group if head.speaker == "agent"]
    lines = [_line_at(masked, head.content) for head in agents]
    if not _speaks_as_agent(agents, lines) and not _is_asked(group, lines, masked):
        return []
    counts = Counter(head.name for head in group)
    named = [head for head in group if head.speaker == "agent" or _is_a_person(head, counts, agents[0].start)]
    if group[0].form.startswith("#"):
        # `# GPT-4` heads a page on it; a talk has everybody more than once.
        talks = len(agents) > 1 and all(counts[head.name] > 1 for head in named)
    else:
        talks = _is_spoken_with(agents, named) or (not prose and len(named) <= MAX_PEOPLE * len(agents))
    return named if talks else []


def _is_spoken_with(agents: Sequence[_Head], named: Sequence[_Head]) -> bool:
    """Minutes have bots that take notes; who is spoken with has a good part of the turns."""
    in_turns = len(agents) > 1 or all(head.stamped for head in named)
    return len(agents) < len(named) <= 4 * len(agents) and in_turns


# So many lines of people for one of an agent in a talk that somebody pastes; more are fields.
MAX_PEOPLE: Final = 12


def _is_asked(group: Sequence[_Head], lines: Sequence[str], masked: str) -> bool:
    """Whether somebody's question stands right above a line of the agent's, of which none is a task."""
    asked = any(
        after.speaker == "agent"
        and before.speaker == "user"
        and masked[before.content : after.start].rstrip().endswith("?")
        for before, after in pairwise(group)
    )
    return asked and not any(map(_TASK.match, lines))


def _speaks_as_agent(agents: Sequence[_Head], lines: Sequence[str]) -> bool:
    """Whether the heads by agents' names are certain, stamped and no tasks (`AI: Bo to order paint`), or all begin replies."""
    if any(head.role == "agent" for head in agents) or all(map(_REPLY.match, lines)):
        return True
    return all(head.stamped for head in agents) and not any(map(_TASK.match, lines))


def _is_a_person(head: _Head, counts: Counter[str], first_agent: int) -> bool:
    recurs = head.stamped or counts[head.name] > 1 or head.start < first_agent
    return recurs and head.name.casefold() not in _NO_NAMES


def _line_at(masked: str, at: int) -> str:
    found = _FIRST.search(masked, at, at + 2_000)
    at = found.start() if found else at
    end = masked.find("\n", at)
    return masked[at : end if end >= 0 else len(masked)][:300]


_REPLY: Final = re.compile(
    r"(?:hello|hi|hey|sure|of course|certainly|absolutely|sorry|thanks|thank you|great|good (?:question|morning|point)"
    r"|you(?:'re| are)|yes|no|ok(?:ay)?|as an ai|here(?:'s| is| are)|i(?!['’]ll\b| will\b)(?:['’]\w+)? [a-z])\b",
    re.I,
)
_SENTENCE: Final = re.compile(
    r"\S+(?:\s+\S+){3,}[.!?]\s*\Z|.*\?\s*\Z|\S+\s.*\b(?:is|are|was|do|does|can|i|you|we|it)\b", re.I
)


# `AI: Bo to order paint`
_TASK: Final = re.compile(r"(?:@?[\w.'’-]{1,30},? (?:and |& )?){1,4}to [a-z]")


# Programs that mark lines instead of naming speakers: what tells them, and whose the lines are, the first that fits.
_AIDER: Final = re.compile(r"^# aider chat started at ", re.M)
# It ends its own lines and the user's with two blanks, which keeps an agent's headings and quotations apart.
_AIDER_LINE: Final = re.compile(r"(?P<user>\#{4} .*  )\Z|(?P<tool>>.*  |# aider chat started at .*)\Z|(?P<agent>\S.*)")
_TERMINAL: Final = re.compile(r"^[ \t]{0,2}[⏺●] \S", re.M)
_TERMINAL_LINE: Final = re.compile(r"(?P<user>[>❯›] \S)|(?P<agent>[ \t]{0,2}[⏺●] )|(?P<tool>[ \t]{0,4}⎿ )")
_LINE: Final = re.compile(r"[^\n]*(?:\n|\Z)")


def _marked_turns(masked: str) -> list[Turn]:
    for sign, line in ((_AIDER, _AIDER_LINE), (_TERMINAL, _TERMINAL_LINE)):
        if sign.search(masked):
            return list(_by_line(masked, line))
    return []


def _by_line(masked: str, form: re.Pattern[str]) -> Iterator[Turn]:
    """A turn goes on until a line of somebody else's."""
    begun = [
        (found.start(), marked.lastgroup)
        for found in _LINE.finditer(masked)
        if (marked := form.match(found[0].rstrip("\n"))) and marked.lastgroup
    ]
    starts = [(start, whose) for (_, before), (start, whose) in pairwise([(0, None), *begun]) if whose != before]
    for (start, whose), (end, _) in pairwise([*starts, (len(masked), None)]):
        if whose:
            yield Turn(start, start, end, "", whose)


def turn_at(turns: Sequence[Turn], position: int) -> Turn | None:
    """Whose turn a position stands in."""
    at = bisect_right(turns, position, key=lambda turn: turn.start) - 1
    return turns[at] if at >= 0 and position < turns[at].end else None
