"""GitHub: issues and pull requests with their comments, as the REST API or `gh … --json` writes them."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import product
from typing import Any

from extraction.importers.clock import iso
from extraction.importers.decoding import head_of
from extraction.importers.fields import dig, fields_of, first, listed, name_of, spoken, strings
from extraction.importers.files import File
from extraction.importers.found import Found, Into, named, short
from ledger.actions.ingest import Incoming

# …/repos/owner/name/issues/5 of the API, …/owner/name/pull/5#issuecomment-77 of the pages.
PLACE = re.compile(
    r"https?://[^/]+/(?:api/v3/)?(?:repos/)?([^/]+/[^/]+)/(?:issues|pull|pulls|discussions)/(\d+)(?:#([\w-]+))?"
)
INSIDE = ("comments", "reviews", "review_comments", "timeline", "events", "latestReviews")


def read(file: File, into: Into) -> Iterator[Found]:
    """An object is one issue with what is in it, a list many of them, or a dump of comments."""
    many = head_of(file.head()).lstrip().startswith("[")
    yield from file.read_objects(
        [("*",) if many else ()], "no issue and no comment", lambda row, place: _thread(row, file, place, into)
    )


def _thread(row: dict[str, Any], file: File, place: str, into: Into) -> Iterator[Found]:
    """`row` itself, then what is nested in it. `{"issue": {…}, "comments": […]}` is read like an issue with comments."""
    head = next((row[key] for key in ("issue", "pull_request", "pr") if _is_post(row.get(key))), row)
    thread, title = "", ""
    if _is_post(head) or isinstance(head.get("event"), str):
        post = _post(head, file, place, into, "", "")
        yield post
        if isinstance(post, Incoming):
            thread, title = post.conversation, post.title
    elif head is row and not any(isinstance(row.get(key), list) for key in INSIDE):
        yield file.skipped("no issue and no comment", place)
    for key, inner in _nested([row] if head is row else [head, row]):
        yield _post(inner, file, f"{place}.{key}", into, thread, title)


def _nested(holders: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What stands in lists inside, with its place there. The latest reviews stand among all reviews where the export has these."""
    for key, holder in product(INSIDE, holders):
        if key != "latestReviews" or not isinstance(holder.get("reviews"), list):
            for number, inner in enumerate(listed(holder.get(key))):
                yield f"{key}.{number}", inner


def _is_post(value: Any) -> bool:
    return isinstance(value, dict) and "body" in value and ("user" in value or "author" in value)


def _post(row: dict[str, Any], file: File, place: str, into: Into, thread: str, title: str) -> Found:
    sent = iso(_value(row, "created_at", "createdAt", "submitted_at", "submittedAt"), into.zone)
    if sent is None:
        return file.skipped("no time (created_at)", place)
    where, fragment = _place(row)
    number, event = name_of(row.get("number")), name_of(row.get("event"))
    is_issue = bool(number) and isinstance(row.get("title"), str)
    user = next(filter(None, map(fields_of, map(row.get, ("user", "author", "actor")))), {})
    login = name_of(user.get("login"), user.get("name"))
    text, sections = spoken(row.get("body"), _carried(row, login, event))
    comment = fragment or f"{event or 'comment'}-{name_of(row.get('id'), place)}"
    answered = name_of(row.get("in_reply_to_id"), dig(row, "replyTo", "id"))
    named_after_file = f"github:{file.path.stem}{f'#{number}' * is_issue}"
    return file.kept(
        place,
        Incoming(
            text=text,
            sections=sections,
            kind="message",
            sender=named(login),
            sender_kind=_sender_kind(user, login, event),
            sent_at=sent,
            edited_at=_edited_at(row, is_issue, sent, into),
            conversation=short(where or thread or named_after_file, 300),
            external_id="issue" if is_issue else short(comment),
            reply_to=f"discussion_r{answered}"[:500] if answered else "",
            title=first(row.get("title"), title).replace("\0", "")[:500],
        ),
        empty="without any words",
    )


def _edited_at(row: dict[str, Any], is_issue: bool, sent: datetime, into: Into) -> datetime | None:
    """An issue's own updated_at moves with every comment and label; a comment's only when its words change."""
    edited = iso(_value(row, "last_edited_at", "lastEditedAt"), into.zone)
    if edited is None and not is_issue:
        edited = iso(_value(row, "updated_at", "updatedAt"), into.zone)
    return edited if edited and edited > sent else None


def _sender_kind(user: dict[str, Any], login: str, event: str) -> str:
    if event not in ("", "commented", "reviewed"):
        return "system"
    is_bot = user.get("type") == "Bot" or user.get("is_bot") is True or login.endswith("[bot]")
    return "agent" if is_bot else "user"


def _value(row: dict[str, Any], *keys: str) -> Any:
    return next(filter(None, map(row.get, keys)), None)


def _place(row: dict[str, Any]) -> tuple[str, str]:
    """The thread (`github:owner/name#5`) and the fragment that names a comment on its page."""
    thread, fragment = "", ""
    for key in ("html_url", "issue_url", "pull_request_url", "url"):
        if address := PLACE.match(first(row.get(key))):
            thread = thread or f"github:{address[1]}#{address[2]}"
            fragment = fragment or address[3] or ""
    return thread, fragment


def _carried(row: dict[str, Any], login: str, event: str) -> Iterator[str]:
    if event:
        label = strings(dig(row, "label", "name"), dig(row, "milestone", "title"), dig(row, "assignee", "login"))
        yield " · ".join([*strings(login), event.replace("_", " "), *label])
    else:
        yield " · ".join(strings(row.get("title"))) or " · ".join(strings(row.get("state")))
