"""What was learnt, and the chats that it was learnt from: packed without loss, and the same bytes for the same content."""

from pathlib import Path

import pytest

from extraction.chat.tripwire.model import packed, shipped_model, unpacked
from extraction.training import chats
from ledger.rules.trees import Forest, read_learnt, write_learnt


def test_chats_come_out_as_they_went_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, archives = tmp_path / "texts", tmp_path / "archives"
    chats.unpack(folder)
    assert len(list(folder.glob("*/*.txt"))) == 350
    threads = {path.name: path.read_bytes() for path in folder.glob("threads/*.txt")}
    few = tmp_path / "few"
    few.mkdir()
    archives.mkdir()
    (folder / "threads").rename(few / "threads")
    monkeypatch.setattr(chats, "CHATS", archives)
    chats.pack(few)
    once = (archives / "threads.tar.xz").read_bytes()
    chats.pack(few)
    assert (archives / "threads.tar.xz").read_bytes() == once
    chats.unpack(tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again" / "threads").iterdir()} == threads


def test_weights_come_out_as_they_went_in(tmp_path: Path) -> None:
    shipped = shipped_model("household")
    for name in ("one", "other"):
        write_learnt(tmp_path / name, packed(shipped))
    again = unpacked(read_learnt(tmp_path / "one"))
    assert (again.bias, again.words, again.forest.trees) == (shipped.bias, shipped.words, shipped.forest.trees)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_leaves_of_all_trees_add_up() -> None:
    forest = Forest([[0, 1.5, -1.0, [1, 0.0, 0.25, 2.0]], 0.5])
    assert [forest.odds(numbers) for numbers in ((1.5, 9.0), (2.0, 0.0), (2.0, 0.1))] == [-0.5, 0.75, 2.5]
