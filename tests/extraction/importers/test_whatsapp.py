"""Chats saved as text: every locale's header, whatever it means, is read from the file as a whole."""

from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

import pytest

from extraction.importers.chat_lines import header_of, sender_of
from tests.extraction.importers.reading import Read, put, read

NAMES = ["Ada Berg", "+49 170 1234567", "Dr. No", "🤓", "O'Neil (yard)"]
WORDS = ["Hello", "two\nlines", "a: b", "12/12 at 10:30 - is that fine?", "🎉", "see [1/2/24, 10:00] there"]
DATES = [f"{a}{sep}{b}{sep}{c}" for sep in "./-" for a, b, c in
         (("%d", "%m", "%y"), ("%d", "%m", "%Y"), ("%m", "%d", "%y"), ("%m", "%d", "%Y"), ("%y", "%m", "%d"), ("%Y", "%m", "%d"),
          ("%y", "%d", "%m"), ("%-d", "%-m", "%Y"), ("%-m", "%-d", "%y"))]  # fmt: skip
CLOCKS = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%-I:%M:%S\u202f%p", "%H.%M"]
FRAMES = [
    "{date}, {clock} - {name}: ",
    "[{date}, {clock}] {name}: ",
    "[{date} {clock}] {name}: ",
    "{date} {clock} - {name}: ",
]


def talk(date: str, clock: str, frame: str) -> tuple[str, list[tuple[datetime, str, str]]]:
    moment = datetime(2021, 11, 3, 23, 15, 7)
    lines, wanted = [], []
    for number in range(60):
        moment += timedelta(minutes=(number * 977) % 2400)
        name, words = NAMES[number % len(NAMES)], WORDS[number % len(WORDS)]
        lines.append(frame.format(date=moment.strftime(date), clock=moment.strftime(clock), name=name) + words)
        wanted.append((moment if "%S" in clock else moment.replace(second=0), name, words))
    return "\n".join(lines) + "\n", wanted


def told(found: Read) -> list[tuple[datetime | None, str, str]]:
    return [(one.sent_at.replace(tzinfo=None) if one.sent_at else None, one.sender, one.text) for one in found.texts]


@pytest.mark.parametrize("date", DATES)
def test_any_header(tmp_path: Path, date: str) -> None:
    for clock, frame in product(CLOCKS, FRAMES):
        text, wanted = talk(date, clock, frame)
        found = read(put(tmp_path / "WhatsApp Chat with Yard.txt", text))
        assert told(found) == wanted, (date, clock, frame)
        assert not found.skipped and {one.conversation for one in found.texts} == {"chat:WhatsApp Chat with Yard"}


@pytest.mark.parametrize(
    ("header", "hour"),
    [
        ("24/12/2023, 3:04 p. m. - Ada: x", 15), ("24.12.23, 15:04 - Ada: x", 15), ("\u200e[24.12.23, 15:04:05] Ada: x", 15),
        ("12/24/23, 12:04\u202fAM - Ada: x", 0), ("2023/12/24 下午3:04 - Ada: x", 15), ("2023. 12. 24. 오후 3:04 - Ada: x", 15),
        ("24/12/2023 às 15:04 - Ada: x", 15), ("24.12.23 klo 15.04 - Ada: x", 15), ("24/12/23, 3:04 μ.μ. - Ada: x", 15),
        ("٢٤/١٢/٢٠٢٣، ٣:٠٤ م - Ada: x", 15), ("\u200f24/12/2023, 3:04 ب.ظ - Ada: x", 15), ("2023. 12. 24. de. 9:04 - Ada: x", 9),
        ("24-12-2023 15:04 - Ada: x", 15), ("24/12/23, 13:04:00 p.m. - Ada: x", 13), ("24.12.23, 15:04 Uhr - Ada: x", 15),
        ("[2023-12-24, 15:04] Ada: x", 15), ("24.12.2023, 15:04 – Ada: x", 15),
    ],
)  # fmt: skip
def test_headers_of_other_lands(header: str, hour: int, tmp_path: Path) -> None:
    seen = header_of(header)
    assert seen is not None and (seen.hour, seen.minute) == (hour, 4), header
    assert sender_of(header[seen.end :])[0] == "Ada"
    found = read(put(tmp_path / "chat.txt", header + "\n"))
    assert told(found)[0][1:] == ("Ada", "x"), header


@pytest.mark.parametrize("line", [
    "1. buy paint - blue: two", "10:30 - Ada: x", "On 24/12/2023, 15:04 - Ada: x", "99/99/2023", "24/12/2023, 15:61 - Ada: x", "",
    "[1/2] half - way: there", "24/12/2023, 15:04 about - Ada: x",
])  # fmt: skip
def test_what_is_no_header(line: str) -> None:
    assert header_of(line) is None


IOS = """\u200e[24/12/23, 09:00:00] Yard: \u200eMessages and calls are end-to-end encrypted. Only people in this chat can read them.
[24/12/23, 09:00:01] \u200eAda created this group
[24/12/23, 09:01:00] Ada: We must keep the door.\r
\r
And oil it.
\u200e[24/12/23, 09:02:00] ~\u202fBen: \u200eimage omitted
[24/12/23, 09:03:00] \u200eAda changed the subject from "Yard: old" to "Yard: new"
"""


def test_lines_of_the_system_are_nobodys_words(tmp_path: Path) -> None:
    found = read(put(tmp_path / "WhatsApp Chat - Yard" / "_chat.txt", IOS), zone="Europe/Madrid")
    assert [(one.sender, one.sender_kind) for one in found.texts] == [
        ("Yard", "system"), ("", "system"), ("Ada", "user"), ("~ Ben", "user"), ("", "system"),
    ]  # fmt: skip
    said = found.texts[2]
    assert said.text == "We must keep the door.\r\n\r\nAnd oil it." and said.conversation == "chat:WhatsApp Chat - Yard"
    assert said.sent_at is not None and said.sent_at.isoformat() == "2023-12-24T09:01:00+01:00"


def test_what_cannot_be_known_is_said(tmp_path: Path) -> None:
    found = read(put(tmp_path / "chat.txt", "03/04/23, 10:00 - Ada: x\n04/04/23, 10:00 - Ada: y\n"))
    assert "can be read as" in found.remarks[0] and "DMY was taken" in found.remarks[0]
    clock = "29/10/23, 02:30 - Ada: x\n30/10/23, 10:00 - Ada: y\n"
    assert "1 times are of an hour" in read(put(tmp_path / "chat.txt", clock), zone="Europe/Madrid").remarks[0]
    assert read(put(tmp_path / "b.txt", "nothing\n"), "whatsapp").skipped


def test_a_message_has_one_id_in_every_export(tmp_path: Path) -> None:
    text, _ = talk("%d/%m/%y", "%H:%M", FRAMES[0])
    starts = [at for at in range(len(text)) if at == 0 or text[at - 1] == "\n" and header_of(text[at : at + 60])]
    whole = [one.external_id for one in read(put(tmp_path / "a.txt", text)).texts]
    part = [one.external_id for one in read(put(tmp_path / "b.txt", text[starts[20] : starts[40]])).texts]
    assert len(set(whole)) == 60 and part == whole[20:40]
