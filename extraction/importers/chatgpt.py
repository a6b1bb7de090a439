"""ChatGPT: `conversations.json`, each conversation a tree of messages."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import epoch
from extraction.importers.fields import dig, fields_of, first, name_of, strings
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from ledger.actions.ingest import Incoming

SPEAKERS = {"user": "user", "assistant": "agent", "tool": "tool", "system": "system"}
# What people did not type and the model did not say: what the program put before the talk.
WORDS = ("text", "result", "content", "user_profile", "user_instructions", "model_set_context")
NO_MAPPING = "no conversation (it has no mapping)"
SET_UP = {"user_editable_context", "model_editable_context"}


def read(file: File, into: Into) -> Iterator[Found]:
    """Every message of every branch once, a parent before its children and, of two branches, the one left behind before the
    current one. `reply_to` is the message above, so that the branches can be told apart."""
    yield from file.read_objects([("*",)], NO_MAPPING, lambda row, place: conversation(row, file, place))


def conversation(row: dict[str, Any], file: File, place: str) -> Iterator[Found]:
    if not isinstance(row.get("mapping"), dict):
        yield file.skipped(NO_MAPPING, place)
        return
    own = name_of(row.get("conversation_id"), row.get("id"), f"{file.path.stem}#{place}")
    thread = short(f"chatgpt:{own}", 300)
    title = " ".join(strings(row.get("title"))).replace("\0", "")[:500]
    nodes = {name: node for name, node in row["mapping"].items() if isinstance(node, dict)}
    above: dict[str, str] = {}
    for name in _in_order(nodes, name_of(row.get("current_node"))):
        node = nodes[name]
        # A node without words (a hidden start, a call that shows nothing) is passed through: what is below answers what is above.
        parent = above.get(name_of(node.get("parent")), "")
        above[name] = parent
        message = node.get("message")
        if message is None:
            continue
        role = name_of(dig(message, "author", "role"))
        if not isinstance(message, dict) or role not in SPEAKERS:
            yield file.skipped("no message of a known role", f"{place}.mapping.{name}")
            continue
        text = _words(message.get("content"))
        if not text:
            continue
        setup = name_of(dig(message, "content", "content_type")) in SET_UP
        external = short(name_of(message.get("id"), name))
        above[name] = external
        yield file.kept(f"{place}.mapping.{name}", Incoming(
            text=text, kind="message", sender=_sender(message, role),
            sender_kind="system" if setup else SPEAKERS[role],
            sent_at=epoch(message.get("create_time")), conversation=thread,
            external_id=external, reply_to=parent, title=title,
        ))  # fmt: skip


def _sender(message: dict[str, Any], role: str) -> str:
    model = dig(message, "metadata", "model_slug") if role == "assistant" else None
    return named(first(dig(message, "author", "name"), model, role))


def _in_order(nodes: dict[str, dict[str, Any]], current: str) -> Iterator[str]:
    """Each node once, depth first without recursion, from what has no parent here. A ring is begun anywhere."""
    on_branch: set[str] = set()
    while current in nodes and current not in on_branch:
        on_branch.add(current)
        current = name_of(nodes[current].get("parent"))
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    for name, node in nodes.items():
        parent = name_of(node.get("parent"))
        if parent in nodes:
            children.setdefault(parent, []).append(name)
        else:
            roots.append(name)
    done: set[str] = set()
    for start in [*roots, *nodes]:
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            yield name
            # The last to wait is the first to go on.
            below = children.get(name, [])[::-1]
            below.sort(key=lambda child: child not in on_branch)
            waiting += below


def _words(content: Any) -> str:
    """A message's text: its parts as they are, a line of white space between two; pictures and sound by name."""
    if isinstance(content, str):
        return content
    content = fields_of(content)
    for key in ("parts", "thoughts"):
        if isinstance(content.get(key), list):
            return "\n\n".join(filter(None, map(_part, content[key])))
    return "\n\n".join(strings(*map(content.get, WORDS)))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if words := first(dig(part, "text"), dig(part, "content")):
        return words
    kind = name_of(dig(part, "content_type")).removesuffix("_asset_pointer").replace("_", " ")
    return f"[{kind}]" if kind else ""
