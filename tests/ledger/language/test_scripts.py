"""How a question in scripts that run on is cut into what it is about."""

import pytest

from ledger.language.scripts import pieces, spaced_words


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("服务器", ["服务器"]),
        ("备份存放在哪里？", ["备份", "份存", "存放", "放在"]),
        ("我们的服务器是什么", ["服务器"]),
        ("目的", ["目的"]),
        ("大阪支社はいつ開きますか", ["大阪", "阪支", "支社", "開"]),
        ("ｻｰﾊﾞｰ", ["サーバー"]),
        ("さくら", ["さくら"]),
        ("서버는 어디에 있습니까", ["서버", "어디", "있습니까"]),
        ("الخادم", ["الخادم"]),
        ("ما هو الخادم؟", ["الخادم"]),
        ("oak 木 x", ["木"]),
        ("plain words", []),
    ],
)
def test_a_question_is_cut_into_what_it_is_about(question, about):
    assert pieces(question) == about


def test_words_in_other_scripts_are_cut_out_of_a_run():
    assert spaced_words("用Redis缓存v2") == ["Redis", "v2"]
