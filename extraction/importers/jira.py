"""Jira: issues with their comments, as the REST API answers (JSON), as the issue navigator exports them (XML), and its CSV."""

from collections.abc import Iterator, Mapping
from typing import Any

from extraction.importers.clock import moment
from extraction.importers.decoding import head_of
from extraction.importers.fields import dig, fields_of, first, listed, name_of, spoken
from extraction.importers.files import File
from extraction.importers.found import WORDLESS, Found, Into, named, short
from extraction.importers.mail import plain_page
from ledger.actions.ingest import Incoming

# What stands between the parts of a document in Atlassian's format.
ENDS = {"paragraph": "\n", "heading": "\n", "hardBreak": "\n", "codeBlock": "\n", "rule": "\n", "tableRow": "\n"}


def read(file: File, into: Into) -> Iterator[Found]:
    """A search's `issues`, a list of issues, or one."""
    head = head_of(file.head()).lstrip()
    wanted = ("*",) if head.startswith("[") else ("issues", "*") if '"issues"' in head else ()
    return file.read_objects([wanted], "no issue", lambda row, place: _issue(row, file, place, into))


def _issue(row: dict[str, Any], file: File, place: str, into: Into) -> Iterator[Found]:
    fields, key = fields_of(row.get("fields")), name_of(row.get("key"))
    if not key:
        yield file.skipped("no issue with a key", place)
        return
    title = first(fields.get("summary"))
    yield _post(
        {**fields, "author": fields.get("reporter") or fields.get("creator")}, file, place, into, key, title, "issue"
    )
    comments = fields_of(fields.get("comment")).get("comments") or row.get("comments")
    for number, comment in enumerate(listed(comments)):
        own = name_of(comment.get("id"), number)
        yield _post(comment, file, f"{place}.comments.{number}", into, key, title, f"comment-{own}")


def _post(
    row: Mapping[str, Any], file: File, place: str, into: Into, key: str, title: str, own: str
) -> Found:  # fmt: skip
    sent, edited = moment(row.get("created"), into.zone), moment(row.get("updated"), into.zone)
    if sent is None:
        return file.skipped("no time (created)", place)
    author = fields_of(row.get("author"))
    text, sections = spoken(plain(row.get("description") or row.get("body")), [title])
    return file.kept(place, Incoming(
        text=text, sections=sections, kind="message", sent_at=sent,
        sender=named(first(author.get("displayName"), author.get("name"), author.get("emailAddress"))),
        sender_kind="agent" if author.get("accountType") == "app" else "user",
        # What moves the time of an issue is mostly a change of its fields.
        edited_at=edited if edited and edited > sent and own != "issue" else None,
        conversation=short(f"jira:{key}", 300), external_id=own[:500], title=title.replace("\0", "")[:500],
    ), empty=WORDLESS)  # fmt: skip


def plain(content: Any) -> str:
    """Text as it stands; of Atlassian's document format its words, list items and lines."""
    return content if isinstance(content, str) else _words(fields_of(content)).strip("\n")


def _words(node: Mapping[str, Any]) -> str:
    kind = name_of(node.get("type"))
    inside = "".join(map(_words, listed(node.get("content"))))
    own = first(node.get("text"), dig(node, "attrs", "text"), dig(node, "attrs", "url")) if not inside else ""
    mark = "- " if kind in ("listItem", "taskItem") else ""
    return f"{mark}{own}{inside}{ENDS.get(kind, '')}" if kind != "listItem" else f"{mark}{inside.strip()}\n"


def read_xml(file: File, into: Into) -> Iterator[Found]:
    """The navigator's export: an item an issue. What it writes as HTML stands as a reader sees it."""
    from lxml import etree  # noqa: PLC0415 - only who has such files needs it

    with file.open() as stream:
        try:
            for _, item in etree.iterparse(stream, tag="item", resolve_entities=False, no_network=True):
                yield from _item(item, file, into)
                item.clear()
        except etree.XMLSyntaxError as error:
            yield file.skipped(f"no XML from here on: {error}", "rest")


def _item(item: Any, file: File, into: Into) -> Iterator[Found]:
    def words(name: str) -> str:
        return item.findtext(name) or ""

    key, title = words("key").strip(), words("summary").strip()
    if not key:
        yield file.skipped("an item without a key", "item")
        return
    issue = {"description": _page(words("description")), "created": words("created"),
             "author": {"displayName": words("reporter")}}  # fmt: skip
    yield _post(issue, file, key, into, key, title, "issue")
    for comment in item.iterfind("comments/comment"):
        said = {
            "body": _page(comment.text or ""),
            "created": comment.get("created"),
            "author": {"name": comment.get("author")},
        }
        own = comment.get("id", "")
        yield _post(said, file, f"{key}.{own}", into, key, title, f"comment-{own}")


def _page(html: str) -> str:
    return plain_page(html).strip("\n") if html.strip() else ""


def read_csv_row(row: Mapping[str, list[str]], file: File, place: str, into: Into) -> Iterator[Found]:
    """A row of the navigator's CSV: each comment is `day;author;words` in a column of its own."""
    (key, *_), title = row["Issue key"], first(*row.get("Summary", []))
    issue = {"description": first(*row.get("Description", [])), "created": first(*row.get("Created", [])),
             "author": {"displayName": first(*row.get("Reporter", []))}}  # fmt: skip
    yield _post(issue, file, place, into, key, title, "issue")
    for number, comment in enumerate(filter(None, row.get("Comment", []))):
        when, _, rest = comment.partition(";")
        author, _, words = rest.partition(";")
        said = {"body": words, "created": when, "author": {"name": author}}
        yield _post(said, file, f"{place}.comments.{number}", into, key, title, f"comment-{number}")
