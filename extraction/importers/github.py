"""GitHub: issues and pull requests with their comments, as the REST API or `gh … --json` writes them."""

import re
from collections.abc import Iterator
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.decoding import head_of
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from extraction.importers.json_stream import Broken, records
from extraction.importers.words import dig, listed, name_of, spoken, strings
from ledger.actions.ingest import Incoming

# …/repos/owner/name/issues/5 of the API, …/owner/name/pull/5#issuecomment-77 of the pages.
PLACE = re.compile(
    r"https?://[^/]+/(?:api/v3/)?(?:repos/)?([^/]+/[^/]+)/(?:issues|pull|pulls|discussions)/(\d+)(?:#([\w-]+))?"
)
INSIDE = ("comments", "reviews", "review_comments", "timeline", "events", "latestReviews")


def read(file: File, into: Into) -> Iterator[Found]:
    """An object is one issue with what is in it, a list many of them, or a dump of comments."""
    with file.open() as stream:
        many = head_of(file.head()).lstrip().startswith("[")
        for one in records(stream, [("*",) if many else ()]):
            if isinstance(one, Broken):
                yield file.skipped(one.why, one.place)
            elif not isinstance(one.value, dict):
                yield file.skipped("no issue and no comment", one.place)
            else:
                yield from _thread(one.value, file, one.place, into)


def _thread(row: dict[str, Any], file: File, place: str, into: Into) -> Iterator[Found]:
    """`row` itself, then what is nested in it. `{"issue": {…}, "comments": […]}` is read like an issue with comments."""
    head = next((row[key] for key in ("issue", "pull_request", "pr") if _is_post(row.get(key))), row)
    thread, title = "", ""
    if _is_post(head) or isinstance(head.get("event"), str):
        found = _post(head, file, place, into, "", "")
        yield found
        if isinstance(found, Incoming):
            thread, title = found.conversation, found.title
    elif head is row and not any(isinstance(row.get(key), list) for key in INSIDE):
        yield file.skipped("no issue and no comment", place)
    for key in INSIDE:
        for holder in {id(one): one for one in (head, row)}.values():
            for number, inner in enumerate(listed(holder.get(key))):
                if key == "latestReviews" and isinstance(holder.get("reviews"), list):
                    continue
                yield _post(inner, file, f"{place}.{key}.{number}", into, thread, title)


def _is_post(value: Any) -> bool:
    return isinstance(value, dict) and "body" in value and ("user" in value or "author" in value)


def _post(row: dict[str, Any], file: File, place: str, into: Into, thread: str, title: str) -> Found:
    sent = iso(_first(row, "created_at", "createdAt", "submitted_at", "submittedAt"), into.zone)
    if sent is None:
        return file.skipped("no time (created_at)", place)
    where, fragment = _place(row)
    number = name_of(row.get("number"))
    is_issue = bool(number) and isinstance(row.get("title"), str)
    event = name_of(row.get("event"))
    user: dict[str, Any] = next((row[key] for key in ("user", "author", "actor") if isinstance(row.get(key), dict)), {})
    login = name_of(user.get("login")) or name_of(user.get("name"))
    text, sections = spoken(row.get("body"), _carried(row, login, event))
    if not text:
        return file.skipped("without any words", place)
    bot = user.get("type") == "Bot" or user.get("is_bot") is True or login.endswith("[bot]")
    own = "issue" if is_issue else fragment or f"{event or 'comment'}-{name_of(row.get('id')) or place}"
    answers = name_of(row.get("in_reply_to_id")) or name_of(dig(row, "replyTo", "id"))
    changed = iso(_first(row, "last_edited_at", "lastEditedAt"), into.zone)
    if changed is None and not is_issue:
        # An issue's own updated_at moves with every comment and label; a comment's only when its words change.
        changed = iso(_first(row, "updated_at", "updatedAt"), into.zone)
    fallback = f"github:{file.path.stem}" + (f"#{number}" if is_issue else "")
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sender=named(login),
        sender_kind="system" if event and event not in ("commented", "reviewed") else "agent" if bot else "user",
        sent_at=sent, edited_at=changed if changed and changed > sent else None,
        conversation=short(where or thread or fallback, 300), external_id=short(own),
        reply_to=f"discussion_r{answers}"[:500] if answers else "",
        title=(" ".join(strings(row.get("title"))) or title).replace("\0", "")[:500],
    ))  # fmt: skip


def _first(row: dict[str, Any], *keys: str) -> Any:
    return next((row[key] for key in keys if row.get(key)), None)


def _place(row: dict[str, Any]) -> tuple[str, str]:
    """The thread (`github:owner/name#5`) and the fragment that names a comment on its page."""
    thread, fragment = "", ""
    for key in ("html_url", "issue_url", "pull_request_url", "url"):
        found = PLACE.match(row[key]) if isinstance(row.get(key), str) else None
        if found:
            thread = thread or f"github:{found[1]}#{found[2]}"
            fragment = fragment or found[3] or ""
    return thread, fragment


def _carried(row: dict[str, Any], login: str, event: str) -> Iterator[str]:
    if event:
        label = strings(dig(row, "label", "name"), dig(row, "milestone", "title"), dig(row, "assignee", "login"))
        yield " · ".join([*strings(login), event.replace("_", " "), *label])
    else:
        yield " · ".join(strings(row.get("title"))) or " · ".join(strings(row.get("state")))
