"""What training measures and makes: which kind is taken for which, and the lexicon of WordNet's files."""

from collections import Counter

from extraction.training.gold import GoldFile, Mark
from extraction.training.groups import _proposed_as, all_hits_of, confusion, is_clean, shipped_rules
from extraction.training.wordnet import lexicon


def test_a_mark_is_found_under_the_kind_that_it_has_where_there_are_two():
    text = "# Minutes\n\nDecision: we keep the old pump.\n\nThe pump is red.\n"
    file = GoldFile("1", "a/b", "", "minutes.md", "", "minutes", 0, len(text), 2, ())
    hits = all_hits_of(file, text, shipped_rules())
    start = text.index("we keep")
    at = {"start": start, "end": start + 20, "owner": "", "sure": True, "labelled": True}
    assert _proposed_as(Mark(kind="decision", **at), hits) == "decision"
    assert _proposed_as(Mark(kind="action", **at), hits) == "decision"
    nowhere = {**at, "start": text.index("The pump"), "end": len(text)}
    assert _proposed_as(Mark(kind="decision", **nowhere), hits) == "nothing"


def test_a_statement_is_clean_without_markup_and_without_a_word_of_the_next_line():
    text = "# Minutes\n\n- **Decision:** we keep the old pump\n- it is red\n"
    start = text.index("we keep")
    mark = Mark(start, start + len("we keep the old pump"), "decision", "", sure=True, labelled=True)
    assert is_clean("we keep the old pump", mark, text)
    assert not is_clean("we keep the **old** pump", mark, text) and not is_clean(
        "we keep the old pump it is red", mark, text
    )


def test_the_table_has_a_line_for_each_kind_and_one_for_what_is_none():
    count = Counter({("decision", "decision"): 3, ("action", "nothing"): 1, ("nothing", "fact"): 2})
    assert confusion(count).splitlines()[0] == "| marked | decision | fact | nothing |"
    assert confusion(count).splitlines()[2:] == [
        "| action |  |  | 1 |",
        "| decision | 3 |  |  |",
        "| nothing |  | 2 |  |",
    ]


def test_the_lexicon_keeps_senses_that_are_used_with_their_meanings_opposites_and_forms(tmp_path):
    files = {
        "data.verb": "00000010 30 v 02 open 0 unclose 0 002 ! 00000020 v 0101 + 00000030 n 0101 01 + 02 00 | to open\n"
        "00000020 30 v 01 shut 0 001 ! 00000010 v 0101 01 + 02 00 | to shut\n",
        "data.noun": "00000030 04 n 01 opening 0 001 + 00000010 v 0101 | an opening\n",
        "data.adj": "", "data.adv": "", "noun.exc": "", "adj.exc": "",
        "index.verb": "open v 1 1 ! 1 1 00000010  \nshut v 1 1 ! 1 1 00000020  \nunclose v 1 1 ! 1 0 00000010  \n",
        "index.noun": "opening n 1 1 + 1 1 00000030  \n",
        "index.adj": "", "index.adv": "",
        "cntlist.rev": "open%2:30:00:: 1 9\nshut%2:30:00:: 1 2\nopening%1:04:00:: 1 3\n",
        "verb.exc": "opun open\nshut shut\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    words, _, forms = lexicon(tmp_path).partition("\n\n")
    assert words.splitlines() == ["open\tv\t0 1\tshut", "opening\tn\t0 1\t", "shut\tv\t\topen"]
    assert forms == "opun open\n"
