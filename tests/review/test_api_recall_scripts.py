"""Recall in scripts whose words a blank does not cut, through the API."""

import pytest

from tests.people import tell
from tests.review.door import House
from tests.review.recalling import ALICE, context, hold, refs, search

HELD = {
    "zh": "备份每天凌晨写入杭州的对象存储，保留三十天。",
    "ja": "大阪支社のサーバーは毎週金曜日に再起動します。",
    "ko": "백업은 부산 데이터센터에서 매일 실행된다",
    "ar": "تُحفظ النسخ الاحتياطية في الخادم الرئيسي وللمكتب خزانة",
    "th": "เราสำรองข้อมูลทุกคืน",
    "en": "The gasket is made of nitrile",
}
"""The words of each language, and what of it a question finds."""
SOUGHT = [
    ("zh", "对象存储"),
    ("zh", "杭州"),
    ("zh", "备份保留多少天？"),
    ("ja", "大阪"),
    ("ja", "ｻｰﾊﾞｰ"),
    ("ja", "再起動はいつですか"),
    ("ko", "데이터센터"),
    ("ko", "백업이 어디에서"),
    ("ko", "부산에"),
    ("ar", "خادم"),
    ("ar", "نسخ"),
    ("ar", "والمكتب"),
    ("th", "ข้อมูล"),
    ("en", "gaskets"),
]


@pytest.fixture
def held(house: House) -> dict[str, str]:
    return {language: hold(house.scope, statement).ref for language, statement in HELD.items()}


def test_a_word_inside_a_run_is_found(house: House, held):
    found = {question: refs(search(house.agent, question)) for _, question in SOUGHT}
    assert found == {question: [held[language]] for language, question in SOUGHT}


def test_the_pack_holds_what_a_question_in_its_own_script_finds(house: House, held):
    packs = {question: refs(context(house.agent, query=question)["items"]) for _, question in SOUGHT}
    assert [question for language, question in SOUGHT if held[language] not in packs[question]] == []


def test_what_nothing_holds_is_not_found(house: House, held):
    for question in ("京都", "轴承", "베어링", "محمل", "ลูกปืน", "木"):
        assert search(house.agent, question) == [], question
        assert context(house.agent, query=question)["items"] == [], question


def test_a_source_is_found_by_what_stands_inside_it_and_lights_it_up(house: House):
    text = "会议记录。" * 80 + "阀门由张伟更换。" + "其他事项。" * 80
    tell(house.scope, ALICE, text)
    (hit,) = search(house.agent, "阀门", sources="true")
    assert "阀门由张伟更换" in hit["snippet"]


def test_words_of_two_scripts_in_one_question(house: House, held):
    both = hold(house.scope, "缓存使用Valkey，不用Redis。").ref
    assert refs(search(house.agent, "缓存Valkey"))[0] == both
