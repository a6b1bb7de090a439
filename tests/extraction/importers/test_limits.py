"""Files that mean harm, and files larger than memory."""

import io
import json
import os
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.importers import limits
from tests.extraction.importers.reading import put, read


def test_an_archive_that_lies_about_its_sizes(tmp_path: Path) -> None:
    """The directory says that a megabyte of packed bytes unpacks to little; what is read decides."""
    box = tmp_path / "lie.zip"
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.jsonl", b"0" * 30_000_000)
        archive.writestr("good.txt", "Keep the door")
    raw = bytearray(box.read_bytes())
    at = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"good.txt"))
    first = raw.index(b"PK\x01\x02")
    for place, small in ((first, 1000),):
        struct.pack_into("<I", raw, place + 24, small)
    box.write_bytes(raw)
    found = read(box)
    assert (
        at > 0
        and [one.text for one in found.texts] == ["Keep the door"]
        and "lie.zip/bomb.jsonl" in "".join(found.skipped)
    )


def test_what_is_read_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = limits.Budget(1500)
    stream = limits.Counted(io.BytesIO(b"x" * 2000), 2000, budget)
    with pytest.raises(limits.TooMuch, match="GiB"):
        stream.read(1600)
    monkeypatch.setattr(limits, "SLACK_BYTES", 0)
    with pytest.raises(limits.TooMuch, match="far more"):
        io.BufferedReader(limits.Counted(io.BytesIO(b"x" * 10_000), 10, limits.Budget())).read()


def test_names_and_links_in_archives(tmp_path: Path) -> None:
    box = tmp_path / "box.zip"
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("..\\evil.txt", "x")
        archive.writestr("C:/evil.txt", "x")
        archive.writestr("a/inner.zip", b"PK")
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("good.txt", "x")
    found = read(box)
    assert len(found.texts) == 1 and len(found.skipped) == 4


def test_links_and_pipes_in_folders(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    put(folder / "good.txt", "x")
    os.symlink("good.txt", folder / "inside.txt")
    os.symlink("nowhere", folder / "broken.txt")
    os.symlink("..", folder / "up")
    os.mkfifo(folder / "pipe.txt")
    found = read(folder)
    assert [one.external_id for one in found.texts] == ["a/good.txt", "a/inside.txt"]
    assert set(found.skipped) == {"a/broken.txt", "a/pipe.txt"}


MEASURE = """
import os, resource, sys
from pathlib import Path
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from extraction.importers import Into, read_paths
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for file in map(Path, sys.argv[1:]):
    kept = sum(1 for one in read_paths([file], "auto", Into("yard")) if hasattr(one, "text"))
    print(file.name, kept, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_a_long_file_is_not_read_whole(tmp_path: Path) -> None:
    """16 MB in at most 10 MB more than an empty process takes, whatever their form."""
    count, words = 8_000, "the door stays blue " * 100
    files = {
        "result.json": (
            json.dumps({"id": n, "type": "message", "date_unixtime": str(1700000000 + n), "from": "Ada", "text": words})
            + ("," if n + 1 < count else "")
            for n in range(count)
        ),
        "list.mbox": (
            f"From a@b.example Tue Nov 14 10:00:00 2023\nFrom: a@b.example\nMessage-ID: <{n}@x>\n\n{words}\n"
            for n in range(count)
        ),
        "chat.txt": (f"14/11/23, {n // 60 % 24:02}:{n % 60:02} - Ada: {words}" for n in range(count)),
        "a.jsonl": (json.dumps({"text": words, "id": str(n)}) for n in range(count)),
    }
    for name, rows in files.items():
        around = ('{"name": "Yard", "id": 1, "type": "x", "messages": [', "]}") if name == "result.json" else ("", "")
        with (tmp_path / name).open("w") as out:
            out.write(around[0])
            out.writelines(row + "\n" for row in rows)
            out.write(around[1])
    command = [sys.executable, "-c", MEASURE, *(tmp_path / name for name in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        name, kept, megabytes = line.split()
        assert int(kept) == count and int(megabytes) < 10, line
    assert len(done.stdout.splitlines()) == len(files)


@given(
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6), cut=st.floats(0.5, 1.5)
)
def test_damaged_archives(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[float, int]], cut: float
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/2023-11-14.json", '[{"type": "message", "user": "U1", "text": "hi", "ts": "1700000000.1"}]')
        archive.writestr("é.md", "x" * 300)
    raw = bytearray(packed.getvalue())
    for place, byte in places:
        raw[min(int(place * len(raw)), len(raw) - 1)] = byte
    found = read(put(tmp_path_factory.mktemp("damaged") / "box.zip", bytes(raw[: int(cut * len(raw))])))
    assert all(one.text for one in found.texts)


def test_a_page_that_shows_the_conversations_is_no_second_source(tmp_path: Path) -> None:
    box = tmp_path / "export.zip"
    talk = {"mapping": {"a": {"message": {"id": "a", "author": {"role": "user"}, "content": {"parts": ["hi"]}}}}}
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("conversations.json", json.dumps([talk]))
        archive.writestr("chat.html", "<html>hi</html>")
    found = read(box)
    assert [one.text for one in found.texts] == ["hi"] and list(found.skipped) == ["export.zip/chat.html"]
