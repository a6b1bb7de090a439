from pathlib import Path

from tests.extraction.importers.reading import put, read

PAGE = "https://github.com/yard/gate"
ISSUE = {
    "id": 900,
    "number": 5,
    "title": "Paint the gate",
    "body": "It rusts.",
    "user": {"login": "ada", "type": "User"},
    "created_at": "2024-01-01T10:00:00Z",
    "updated_at": "2024-02-01T10:00:00Z",
    "html_url": PAGE + "/issues/5",
}
COMMENT = {
    "id": 77,
    "body": "Blue!",
    "user": {"login": "ben", "type": "User"},
    "created_at": "2024-01-02T10:00:00Z",
    "updated_at": "2024-01-03T10:00:00Z",
    "html_url": PAGE + "/issues/5#issuecomment-77",
    "issue_url": "https://api.github.com/repos/yard/gate/issues/5",
}
BOT = COMMENT | {
    "id": 78,
    "user": {"login": "paint[bot]", "type": "Bot"},
    "html_url": PAGE + "/issues/5#issuecomment-78",
    "updated_at": COMMENT["created_at"],
}


def test_the_same_thread_in_all_its_forms(tmp_path: Path) -> None:
    whole = [("issue", "ada", "user"), ("issuecomment-77", "ben", "user"), ("issuecomment-78", "paint[bot]", "agent")]
    for name, export in {
        "nested": ISSUE | {"comments": [COMMENT, BOT]},
        "beside": {"issue": ISSUE | {"comments": 2}, "comments": [COMMENT, BOT]},
        "listed": [ISSUE, COMMENT, BOT],
    }.items():
        found = read(put(tmp_path / f"{name}.json", export))
        assert [(one.external_id, one.sender, one.sender_kind) for one in found.texts] == whole, name
        assert {one.conversation for one in found.texts} == {"github:yard/gate#5"} and not found.skipped
        # Comments move an issue's updated_at, so that it tells nothing of its words.
        assert [one.edited_at is not None for one in found.texts] == [False, True, False]


def test_gh_and_reviews(tmp_path: Path) -> None:
    said = {
        "author": {"login": "ben"},
        "body": "Looks right",
        "createdAt": "2024-01-02T10:00:00Z",
        "url": PAGE + "/pull/6#issuecomment-1",
    }
    export = {
        "number": 6,
        "title": "Gate",
        "body": "",
        "author": {"login": "ada", "is_bot": False},
        "url": PAGE + "/pull/6",
        "createdAt": "2024-01-01T10:00:00Z",
        "comments": [said],
        "reviews": [
            {
                "author": {"login": "cy"},
                "body": "",
                "state": "APPROVED",
                "submittedAt": "2024-01-04T10:00:00Z",
                "id": "R1",
            }
        ],
    }
    found = read(put(tmp_path / "pr.json", export))
    assert [(one.external_id, one.text) for one in found.texts] == [
        ("issue", "Gate"),
        ("issuecomment-1", "Looks right"),
        ("comment-R1", "APPROVED"),
    ]
    answer = {
        "id": 9,
        "in_reply_to_id": 8,
        "body": "Fixed",
        "user": {"login": "ada"},
        "created_at": "2024-01-02T10:00:00Z",
        "html_url": PAGE + "/pull/6#discussion_r9",
    }
    found = read(put(tmp_path / "review_comments.json", [answer, {"id": 3}, 4]))
    assert found.texts[0].reply_to == "discussion_r8" and len(found.skipped) == 2
