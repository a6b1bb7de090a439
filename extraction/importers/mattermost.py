"""Mattermost: the bulk export's JSONL, each post with its replies in one line."""

from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import epoch
from extraction.importers.fields import elements, fields_of, listed, name_of, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Ids, Into, named, short
from extraction.importers.json_lines import read_lines
from ledger.actions.ingest import Incoming

POSTS = {"post", "direct_post"}
# Lines of teams, channels, roles, schemes, emoji and the version hold nothing that was said.


def read(file: File, into: Into) -> Iterator[Found]:
    """Posts of channels and direct ones; a reply answers its post. Posts have no ids: time, author and text make one."""
    bots: set[str] = set()
    ids = Ids()
    return read_lines(file, lambda row, number: _line(row, file, number, bots, ids))


def _line(row: dict[str, Any], file: File, number: int, bots: set[str], ids: Ids) -> Iterator[Found]:
    kind = name_of(row.get("type"))
    post = fields_of(row.get(kind))
    if kind == "bot":
        bots.add(name_of(post.get("username")))
    if kind not in POSTS:
        return
    members = sorted(strings(*elements(post.get("channel_members"))))
    place = "/".join(strings(post.get("team"), post.get("channel"))) or ", ".join(members)
    begun = _post(post, file, str(number), place, "", bots, ids)
    yield begun
    first_id = begun.external_id if isinstance(begun, Incoming) else ""
    for at, reply in enumerate(listed(post.get("replies"))):
        yield _post(reply, file, f"{number}.replies.{at}", place, first_id, bots, ids)


def _post(row: dict[str, Any], file: File, at: str, place: str, answered: str, bots: set[str], ids: Ids) -> Found:
    sent = epoch(row.get("create_at"), 1000)
    if sent is None:
        return file.skipped("no post with a time (create_at)", at)
    sender = named(row.get("user"))
    text, sections = spoken(row.get("message"), _carried(row))
    return file.kept(at, Incoming(
        text=text, sections=sections, kind="message", sender=sender, sender_kind=_kind(row, sender, bots),
        sent_at=sent, edited_at=epoch(row.get("edit_at"), 1000), conversation=short(f"mattermost:{place}", 300),
        external_id=ids.of(place, str(row["create_at"]), sender, text), reply_to=answered, title=place[:500],
    ), empty=WORDLESS)  # fmt: skip


def _kind(row: dict[str, Any], sender: str, bots: set[str]) -> str:
    if name_of(row.get("type")).startswith("system_"):
        return "system"
    return "agent" if sender in bots or fields_of(row.get("props")).get("from_bot") == "true" else "user"


def _carried(row: dict[str, Any]) -> Iterator[str]:
    for card in listed(fields_of(row.get("props")).get("attachments")):
        yield "\n".join(strings(card.get("pretext"), card.get("title"), card.get("text"))) or name_of(
            card.get("fallback")
        )
    for file in listed(row.get("attachments")):
        yield f"[file: {name_of(file.get('path'), 'without a name').rpartition('/')[2]}]"
