"""What people really have, read into texts: one format a file, each `read(file, into)` a stream of what it found.

Add one by writing its module, naming it in `FORMATS`, and telling `detect` by what it is recognised.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from extraction.importers import (
    calendars,
    chatgpt,
    claude_code,
    codex,
    csv_rows,
    cues,
    discord,
    github,
    gitlab,
    jira,
    line_chats,
    mail,
    mattermost,
    messages,
    meta,
    office,
    pdf,
    rooms,
    rows,
    slack,
    teams,
    telegram,
    texts,
    trello,
    whatsapp,
    zulip,
)
from extraction.importers.detect import Recognized, recognized
from extraction.importers.files import UNREADABLE, File, Tree, trees
from extraction.importers.found import Found, Into, Remark, Skipped
from ledger.actions.ingest import Incoming

type Reader = Callable[[File, Into], Iterator[Found]]

READERS: Final[dict[str, Reader]] = {
    "markdown": texts.read,
    "text": texts.read,
    "jsonl": rows.read,
    "slack": slack.day,
    "telegram": telegram.read,
    "whatsapp": whatsapp.read,
    "discord": discord.read,
    "chatgpt": chatgpt.read,
    "claude-code": claude_code.read,
    "mbox": mail.read_mbox,
    "eml": mail.read_eml,
    "github": github.read,
    "minutes": texts.read_minutes,
    "meta": meta.read,
    "messages": messages.read,
    "codex": codex.read,
    "mattermost": mattermost.read,
    "google-chat": rooms.read_google,
    "matrix": rooms.read_matrix,
    "gitlab": gitlab.read,
    "jira": jira.read,
    "jira-xml": jira.read_xml,
    "trello": trello.read,
    "zulip": zulip.read,
    "teams": teams.read,
    "csv": csv_rows.read,
    "captions": cues.read,
    "ics": calendars.read,
    "word": office.read_word,
    "opendocument": office.read_open_document,
    "pdf": pdf.read,
    **dict.fromkeys((layout.name for layout in line_chats.LAYOUTS), line_chats.read),
}
FORMATS: Final = ("auto", *READERS)
# Where a format is given for a folder, only such files are meant.
ENDINGS: Final = {
    **dict.fromkeys(
        (
            "slack",
            "telegram",
            "discord",
            "chatgpt",
            "github",
            "meta",
            "google-chat",
            "matrix",
            "jira",
            "trello",
            "zulip",
            "teams",
        ),
        {".json"},
    ),
    **dict.fromkeys(("claude-code", "codex", "mattermost"), {".jsonl"}),
    "messages": {".json", ".jsonl", ".ndjson"},
    "gitlab": {".json", ".ndjson", ".jsonl"},
    "jira-xml": {".xml", ".rss"},
    "csv": {".csv", ".tsv"},
    "captions": {".vtt", ".srt", ".sbv", ".txt"},
    "ics": {".ics", ".ical", ".ifb"},
    "whatsapp": {".txt"},
    "word": {".docx"},
    "opendocument": {".odt"},
    "pdf": {".pdf"},
}

__all__ = ["FORMATS", "Found", "Into", "Remark", "Skipped", "read_paths"]


def read_paths(paths: Iterable[Path], form: str, into: Into) -> Iterator[Found]:
    """Everything under the paths, in the order of their names. A text's external id is its path from the folder that holds the
    given path, so that the same folder ingested again is recognised wherever one stands; messages have their own ids."""
    first_path: dict[str, Path] = {}
    for path in paths:
        for tree in trees(path):
            for found in _tree(tree, form, into):
                whole = found.external_id if isinstance(found, Incoming) and _is_named_by_path(found) else ""
                first = first_path.setdefault(whole, path) if whole else path
                if first == path:
                    yield found
                else:
                    yield Skipped(whole, f"{first} has the same name; give their common folder instead")


def _is_named_by_path(text: Incoming) -> bool:
    """Messages and events of calendars have ids of their own, whatever file they came in."""
    return not text.conversation and not text.external_id.startswith(calendars.ID_PREFIX)


def _tree(tree: Tree, form: str, into: Into) -> Iterator[Found]:
    yield from tree.skipped
    taken: set[str] = set()
    if form in ("auto", "slack"):
        for export in slack.exports(tree.files, looks_right=form == "auto"):
            taken |= export.files
            yield from _safely(export.days[0][1], slack.read(export, into))
    names, realms = {file.name for file in tree.files}, zulip.about(tree.files)
    for file in tree.files:
        if file.path.name == "chat.html" and str(file.path.with_name("conversations.json")) in names:
            yield file.skipped("it shows the conversations that conversations.json holds")
        elif file.name not in taken:
            yield from _safely(file, _file(file, form, into, realms.get(file.path.parent)))


def _file(file: File, form: str, into: Into, realm: File | None) -> Iterator[Found]:
    told = recognized(file, file.head()) if form == "auto" else Recognized(form)
    chosen = told.form
    if told.doubt:
        yield Remark(file.name, told.doubt)
    if not chosen:
        why = "no chat of a known format" if file.suffix == ".json" else f"no format is known for {file.suffix}"
        yield file.skipped(why)
    elif form in ENDINGS and not file.asked_for and file.suffix not in ENDINGS[form]:
        yield file.skipped(f"no file of the format {form}")
    else:
        found = zulip.read(file, into, realm) if chosen == "zulip" else READERS[chosen](file, into)
        yield next(found, file.skipped(f"nothing said in it, read as {chosen}"))
        yield from found


def _safely(file: File, found: Iterator[Found]) -> Iterator[Found]:
    """What cannot be opened, unpacked or decoded is one line of the report; what came before it is kept."""
    try:
        yield from found
    except OSError as error:
        yield file.skipped(f"cannot be read: {error.strerror or error}")
    except UNREADABLE as error:
        yield file.skipped(str(error) or type(error).__name__)
