"""Jira's, GitLab's and Trello's issues and cards."""

import json
from pathlib import Path
from typing import Any

from tests.extraction.importers.reading import Read, put, read

type Row = dict[str, Any]


def shown(found: Read) -> list[tuple[str, str, str, str, str]]:
    """What was said, by whom, where, as what, in answer to what."""
    return [(one.text, one.sender, one.conversation, one.external_id, one.reply_to) for one in found.texts]


WHEN = "2026-03-04T10:0{}:00.000+0000"


def jira_issue(key: str, description: Any = "Which glue holds?") -> Row:
    comment = {
        "id": "71",
        "author": {"displayName": "Bo"},
        "body": "Use bone glue.",
        "created": WHEN.format(2),
        "updated": WHEN.format(3),
    }
    fields = {"summary": "The door", "description": description, "reporter": {"displayName": "Ann"}, "created": WHEN.format(1),
              "comment": {"comments": [comment]}}  # fmt: skip
    return {"key": key, "id": "1", "fields": fields}


def test_jira_issues_have_their_comments(tmp_path: Path) -> None:
    found = read(put(tmp_path / "search.json", {"startAt": 0, "issues": [jira_issue("YARD-1"), {"id": "2"}, 7]}))
    assert shown(found) == [
        ("Which glue holds?", "Ann", "jira:YARD-1", "issue", ""),
        ("Use bone glue.", "Bo", "jira:YARD-1", "comment-71", ""),
    ]
    assert found.texts[0].title == "The door" and str(found.texts[1].edited_at) == "2026-03-04 10:03:00+00:00"
    assert len(found.skipped) == 2
    assert len(read(put(tmp_path / "one.json", jira_issue("YARD-1"))).texts) == 2


def test_jira_documents_stand_as_their_words(tmp_path: Path) -> None:
    def node(kind: str, *inside: Row, **own: Any) -> Row:
        return {"type": kind, "content": list(inside), **own}

    def words(text: str) -> Row:
        return {"type": "text", "text": text}

    listed = node(
        "bulletList",
        node("listItem", node("paragraph", words("oak"))),
        node("listItem", node("paragraph", words("ash"))),
    )
    document = node("doc", node("paragraph", words("Ask "), {"type": "mention", "attrs": {"text": "@Bo"}}), listed)
    found = read(put(tmp_path / "one.json", jira_issue("YARD-1", document)))
    assert found.texts[0].text == "Ask @Bo\n- oak\n- ash"


JIRA_XML = """<?xml version="1.0"?><rss version="0.92"><channel><title>Yard</title><item><title>[YARD-1] The door</title>
<key id="1">YARD-1</key><summary>The door</summary><description>&lt;p&gt;Which glue &amp;amp; oil?&lt;/p&gt;</description>
<reporter username="ann">Ann</reporter><created>Wed, 4 Mar 2026 10:01:00 +0000</created><comments>
<comment id="71" author="bo" created="Wed, 4 Mar 2026 10:02:00 +0000">&lt;p&gt;Bone glue.&lt;/p&gt;</comment></comments></item>{}"""


def test_jira_s_xml_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    said = [
        ("Which glue & oil?", "Ann", "jira:YARD-1", "issue", ""),
        ("Bone glue.", "bo", "jira:YARD-1", "comment-71", ""),
    ]
    assert shown(read(put(tmp_path / "a.xml", JIRA_XML.format("</channel></rss>")))) == said
    broken = read(put(tmp_path / "b.xml", JIRA_XML.format("<item><key>")))
    assert shown(broken) == said and "no XML" in next(iter(broken.skipped.values()))


def test_jira_s_csv_has_a_column_for_each_comment(tmp_path: Path) -> None:
    rows = "Summary,Issue key,Reporter,Created,Description,Comment,Comment\r\n" \
           "The door,YARD-1,Ann,04/Mar/26 10:01 AM,Which glue?,04/Mar/26 10:02 AM;bo;Bone; always.,\r\n"  # fmt: skip
    assert shown(read(put(tmp_path / "jira.csv", rows))) == [
        ("Which glue?", "Ann", "jira:YARD-1", "issue", ""), ("Bone; always.", "bo", "jira:YARD-1", "comment-0", ""),
    ]  # fmt: skip


ISSUE: Row = {
    "id": 90, "iid": 5, "project_id": 3, "title": "The door", "description": "Which glue?",
    "created_at": "2026-03-04T10:01:00.000Z",
    "author": {"username": "ann", "name": "Ann"}, "web_url": "https://git.example/yard/doors/-/issues/5",
}  # fmt: skip


def note(own: int, body: str, **more: Any) -> Row:
    return {"id": own, "body": body, "created_at": "2026-03-04T10:02:00.000Z", "updated_at": "2026-03-04T10:02:00.000Z",
            "author": {"username": "bo", "name": "Bo"}, "system": False, **more}  # fmt: skip


def test_gitlab_issues_have_notes_and_discussions(tmp_path: Path) -> None:
    talk = {"id": "d", "individual_note": False, "notes": [note(2, "Bone?"), note(3, "Yes.")]}
    found = read(
        put(
            tmp_path / "issue.json",
            [{**ISSUE, "notes": [note(1, "closed", system=True)], "discussions": [talk]}, {"x": 1}],
        )
    )
    where = "gitlab:yard/doors#5"
    assert shown(found) == [
        ("Which glue?", "Ann", where, "issue", ""), ("closed", "Bo", where, "note_1", ""), ("Bone?", "Bo", where, "note_2", ""),
        ("Yes.", "Bo", where, "note_3", "note_2"),
    ]  # fmt: skip
    assert [one.sender_kind for one in found.texts] == ["user", "system", "user", "user"] and len(found.skipped) == 1


def test_gitlab_s_lists_of_notes_and_exported_lines(tmp_path: Path) -> None:
    noted = {"noteable_type": "MergeRequest", "noteable_iid": 8, "project_id": 3}
    assert shown(read(put(tmp_path / "notes.json", [note(1, "Good.", **noted)]))) == [
        ("Good.", "Bo", "gitlab:3!8", "note_1", "")
    ]
    said = {"id": 1, "note": "Bone.", "created_at": "2026-03-04T10:02:00Z", "author": {"name": "Bo"}}
    exported = {key: ISSUE[key] for key in ("iid", "title", "description", "created_at")}
    line = json.dumps({**exported, "author_id": 7, "notes": [said]}) + '\n{"iid":\n'
    found = read(put(tmp_path / "issues.ndjson", line))
    assert [(one.text, one.sender) for one in found.texts] == [("Which glue?", "7"), ("Bone.", "Bo")]
    assert "no JSON" in next(iter(found.skipped.values()))


def test_a_trello_board_has_cards_checklists_and_comments(tmp_path: Path) -> None:
    card = {"id": "69a80c80" + "0" * 16, "shortLink": "aB3", "name": "The door", "desc": "Which glue?", "idList": "l"}
    bare = {"id": "69a80c90" + "0" * 16, "shortLink": "cD4", "name": "Buy bone glue", "desc": "", "idList": "l"}

    def action(own: str, kind: str, minute: int, **data: Any) -> Row:
        data = {"card": {"id": card["id"], "shortLink": "aB3", "name": "The door"}, **data}
        return {
            "id": own,
            "type": kind,
            "date": f"2026-03-04T10:0{minute}:00.000Z",
            "memberCreator": {"fullName": "Bo"},
            "data": data,
        }

    board = {
        "id": "b", "name": "Yard", "shortLink": "zZ", "prefs": {}, "lists": [{"id": "l", "name": "To do"}],
        "actions": [action("3", "commentCard", 3, text="Yes."), action("2", "updateCard", 2),
                    action("1", "commentCard", 1, text="Bone?"), action("0", "createCard", 0), {"type": "commentCard"}],
        "cards": [card, bare],
        "checklists": [{"id": "69a80ca0", "idCard": card["id"], "name": "Steps",
                        "checkItems": [{"name": "sand it", "state": "complete"}, {"name": "oil it", "state": "incomplete"}]}],
    }  # fmt: skip
    found = read(put(tmp_path / "board.json", board))
    assert shown(found) == [
        ("Which glue?", "Bo", "trello:aB3", "card", ""),
        ("Buy bone glue", "", "trello:cD4", "card", ""),
        ("Steps:\n- [x] sand it\n- [ ] oil it", "", "trello:aB3", "checklist-69a80ca0", ""),
        ("Bone?", "Bo", "trello:aB3", "1", ""),
        ("Yes.", "Bo", "trello:aB3", "3", ""),
    ]
    assert str(found.texts[0].sent_at) == "2026-03-04 10:42:08+00:00" and len(found.skipped) == 1
    assert read(
        put(tmp_path / "cut.json", '{"shortLink": "z", "prefs": {}, "cards": [{"idList": "l", "desc": "a')
    ).skipped
