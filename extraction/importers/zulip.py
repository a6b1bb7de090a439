"""Zulip: an organisation's export (`realm.json` and `messages-000001.json`), and messages as its API answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from extraction.importers.clock import epoch
from extraction.importers.fields import fields_of, first, name_of
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, Skipped, named, short
from ledger.actions.ingest import Incoming

ABOUT = "realm.json"
LISTS = {"zerver_userprofile", "zerver_userprofile_crossrealm", "zerver_userprofile_mirrordummy", "zerver_stream",
         "zerver_recipient"}  # fmt: skip
# Kinds of recipient: one person, a channel, several people.
CHANNEL = 2


@dataclass(frozen=True, slots=True)
class Realm:
    """Who and which channels an export's numbers mean."""

    people: dict[str, tuple[str, bool]] = field(default_factory=dict)
    channels: dict[str, str] = field(default_factory=dict)
    # The recipients that are channels, by their own number.
    recipients: dict[str, str] = field(default_factory=dict)

    def take(self, kind: str, row: dict[str, Any]) -> None:
        own = name_of(row.get("id"))
        if kind == "zerver_stream":
            self.channels[own] = first(row.get("name"))
        elif kind != "zerver_recipient":
            self.people[own] = (first(row.get("full_name"), row.get("email")), row.get("is_bot") is True)
        elif row.get("type") == CHANNEL:
            self.recipients[own] = name_of(row.get("type_id"))


def about(files: Sequence[File]) -> dict[PurePosixPath, File]:
    """The files that say who is meant, by their folder."""
    return {file.path.parent: file for file in files if file.path.name == ABOUT}


def read(file: File, into: Into, beside: File | None = None) -> Iterator[Found]:
    """Each message under its channel and topic; without `realm.json` people and channels are numbers."""
    realm = Realm()
    for one in beside.records([(kind, "*") for kind in sorted(LISTS)]) if beside else ():
        if isinstance(one, Skipped):
            yield one
        else:
            realm.take(str(one.path[0]), fields_of(one.value))
    wanted = [("zerver_message", "*"), ("messages", "*")]
    yield from file.read_objects(wanted, "no message", lambda row, place: [_message(row, file, place, realm)])


def _message(row: dict[str, Any], file: File, place: str, realm: Realm) -> Found:
    own, sent = name_of(row.get("id")), epoch(row.get("date_sent") or row.get("timestamp"))
    if not own or sent is None:
        return file.skipped("no message with id and time (date_sent)", place)
    number = name_of(row.get("sender"), row.get("sender_id"))
    known, is_bot = realm.people.get(number, ("", False))
    topic = first(row.get("subject"), row.get("topic"))
    channel = _channel(row, realm)
    return file.kept(place, Incoming(
        text=first(row.get("content")), kind="message", sent_at=sent, external_id=own[:500],
        sender=named(first(known, row.get("sender_full_name"), row.get("sender_email"), number and f"user {number}")),
        sender_kind="agent" if is_bot else "user", edited_at=epoch(row.get("last_edit_time") or row.get("last_edit_timestamp")),
        conversation=short(f"zulip:{channel}{f'/{topic}' * bool(topic)}", 300),
        title=f"#{channel}{f' > {topic}' * bool(topic)}".replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def _channel(row: dict[str, Any], realm: Realm) -> str:
    recipient = name_of(row.get("recipient"), row.get("recipient_id"))
    return first(
        realm.channels.get(realm.recipients.get(recipient, "")),
        row.get("display_recipient"),
        f"conversation {recipient}",
    )
