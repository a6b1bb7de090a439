"""Trello: a board as its menu exports it, JSON. A card is a conversation: its description, its checklists, its comments."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from extraction.importers.clock import moment
from extraction.importers.fields import dig, fields_of, first, listed, name_of, spoken
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, named, short
from ledger.actions.ingest import Incoming

COMMENTS = {"commentCard", "copyCommentCard"}
MADE = {"createCard", "copyCard", "convertToCardFromCheckItem", "emailCard"}


def read(file: File, into: Into) -> Iterator[Found]:
    """Comments in the order of their days: an export begins with the newest. Moves, labels and members are nobody's words."""
    return file.read_objects([()], "no board", lambda row, _: _board(row, file, into))


def _board(board: dict[str, Any], file: File, into: Into) -> Iterator[Found]:
    cards, actions = listed(board.get("cards")), listed(board.get("actions"))
    if not cards and not actions:
        yield file.skipped("no board with cards")
    makers = {name_of(dig(row, "data", "card", "id")): row for row in actions if row.get("type") in MADE}
    for number, card in enumerate(cards):
        yield _card(card, file, f"cards.{number}", makers.get(name_of(card.get("id")), {}))
    conversations = {name_of(card.get("id")): card for card in cards}
    for number, checklist in enumerate(listed(board.get("checklists"))):
        yield _checklist(
            checklist, file, f"checklists.{number}", conversations.get(name_of(checklist.get("idCard")), {})
        )
    comments = [
        (name_of(row.get("date")), number, row) for number, row in enumerate(actions) if row.get("type") in COMMENTS
    ]
    for _, number, row in sorted(comments, key=itemgetter(0)):
        yield _comment(row, file, f"actions.{number}", into)


def _under(card: Mapping[str, Any], text: Incoming) -> Incoming:
    """The text in the conversation of its card."""
    conversation = short(f"trello:{name_of(card.get('shortLink'), card.get('id'))}", 300)
    return replace(text, conversation=conversation, title=first(card.get("name")).replace("\0", "")[:500])


def _card(card: dict[str, Any], file: File, place: str, made: Mapping[str, Any]) -> Found:
    text, sections = spoken(card.get("desc"), [first(card.get("name"))])
    return file.kept(place, _under(card, Incoming(
        text=text, sections=sections, kind="message", sender=_who(made), external_id="card",
        sent_at=_made_at(name_of(card.get("id"))),
    )), empty="a card without words")  # fmt: skip


def _checklist(row: dict[str, Any], file: File, place: str, card: Mapping[str, Any]) -> Found:
    items = listed(row.get("checkItems"))
    lines = [f"- [{'x' if item.get('state') == 'complete' else ' '}] {first(item.get('name'))}" for item in items]
    title = first(row.get("name"))
    return file.kept(place, _under(card, Incoming(
        text="\n".join([*([f"{title}:"] if title else []), *lines]) if lines else "", kind="message",
        external_id=f"checklist-{name_of(row.get('id'), place)}"[:500], sent_at=_made_at(name_of(row.get("id"))),
    )), empty="a checklist without items")  # fmt: skip


def _comment(row: dict[str, Any], file: File, place: str, into: Into) -> Found:
    sent = moment(row.get("date"), into.zone)
    if sent is None:
        return file.skipped("a comment without a time (date)", place)
    data = fields_of(row.get("data"))
    return file.kept(place, _under(fields_of(data.get("card")), Incoming(
        text=first(data.get("text")), kind="message", sender=_who(row), sent_at=sent,
        edited_at=moment(data.get("dateLastEdited"), into.zone), external_id=name_of(row.get("id"), place)[:500],
    )), empty=WORDLESS)  # fmt: skip


def _who(action: Mapping[str, Any]) -> str:
    return named(first(dig(action, "memberCreator", "fullName"), dig(action, "memberCreator", "username")))


def _made_at(own: str) -> datetime | None:
    """The moment that an id begins with: seconds since 1970 in hexadecimal."""
    try:
        return datetime.fromtimestamp(int(own[:8], 16), UTC)
    except (ValueError, OverflowError, OSError):
        return None
