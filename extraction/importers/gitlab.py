"""GitLab: issues and merge requests with their notes, as the REST API answers, and `issues.ndjson` of a project's export."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from extraction.importers.clock import moment
from extraction.importers.decoding import head_of
from extraction.importers.fields import dig, first, listed, name_of, present, spoken
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, named, short
from extraction.importers.json_lines import read_lines
from ledger.actions.ingest import Incoming

# …/group/project/-/issues/5 of the pages.
PLACE = re.compile(r"https?://[^/]+/(.+?)/(?:-/)?(issues|merge_requests|work_items)/(\d+)")


def read(file: File, into: Into) -> Iterator[Found]:
    """An object is one issue with what is in it, a list many of them, or notes, or discussions; of NDJSON each line is one."""
    if file.suffix in (".ndjson", ".jsonl"):
        yield from read_lines(file, lambda row, number: _thread(row, file, str(number), into))
        return
    many = head_of(file.head()).lstrip().startswith("[")
    yield from file.read_objects(
        [("*",) if many else ()], "no issue and no note", lambda row, place: _thread(row, file, place, into)
    )


def _thread(row: dict[str, Any], file: File, place: str, into: Into) -> Iterator[Found]:
    """`row` itself, then the notes nested in it; what goes on in a discussion answers the note that began it."""
    is_issue = bool(name_of(row.get("iid"))) and isinstance(row.get("title"), str)
    thread, title = _place(row, file), first(row.get("title"))
    if is_issue:
        yield _post(row, file, place, into, thread, title)
    notes = listed(row.get("notes"))
    talks = [[note] for note in notes] if is_issue else [notes]
    talks += [listed(talk.get("notes")) for talk in listed(row.get("discussions"))]
    nested = list(chain.from_iterable(_talk(talk, file, place, into, thread, title) for talk in talks))
    if nested or is_issue:
        yield from nested
    elif present(row, "body", "note") is not None:
        yield _post(row, file, place, into, thread, title)
    else:
        yield file.skipped("no issue and no note", place)


def _talk(
    notes: list[dict[str, Any]], file: File, place: str, into: Into, thread: str, title: str
) -> Iterator[Found]:  # fmt: skip
    began = ""
    for note in notes:
        own = name_of(note.get("id"))
        # A list of discussions names its issue on each note.
        where = _place(note, file) if note.get("noteable_iid") else thread
        yield _post(note, file, f"{place}.notes.{own}", into, where, title, began)
        began = began or own


def _place(row: dict[str, Any], file: File) -> str:
    """`gitlab:group/project#5`, `!5` for a merge request; without an address the project's number or the file's name."""
    full, address = first(dig(row, "references", "full")), PLACE.match(first(row.get("web_url")))
    if address:
        full = full or f"{address[1]}{'!' if address[2] == 'merge_requests' else '#'}{address[3]}"
    sign = "!" if row.get("noteable_type") == "MergeRequest" else "#"
    number = name_of(row.get("noteable_iid"), row.get("iid"))
    return short(
        f"gitlab:{full or name_of(row.get('project_id'), file.path.stem) + f'{sign}{number}' * bool(number)}", 300
    )


def _post(
    row: dict[str, Any], file: File, place: str, into: Into, thread: str, title: str, answered: str = ""
) -> Found:  # fmt: skip
    sent = moment(row.get("created_at"), into.zone)
    if sent is None:
        return file.skipped("no time (created_at)", place)
    is_issue = isinstance(row.get("title"), str)
    edited = moment(present(row, "last_edited_at") if is_issue else row.get("updated_at"), into.zone)
    text, sections = spoken(present(row, "description", "body", "note"), [first(row.get("title"))])
    user = name_of(dig(row, "author", "name"), dig(row, "author", "username"), row.get("author_id"))
    kind = (
        "system" if row.get("system") is True else "agent" if "bot" in first(dig(row, "author", "username")) else "user"
    )
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=named(user), sender_kind=kind, sent_at=sent,
        edited_at=edited if edited and edited > sent else None, conversation=thread,
        external_id="issue" if is_issue else f"note_{name_of(row.get('id'), place)}"[:500],
        reply_to=f"note_{answered}"[:500] if answered else "", title=title.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip
