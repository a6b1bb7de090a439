from pathlib import Path

from tests.extraction.importers.reading import put, read

PLAIN = b"""From: =?utf-8?q?Ada_Berg?= <ada@yard.example>
To: ben@yard.example
Subject: =?utf-8?b?VMO8cmU=?=
Date: Tue, 14 Nov 2023 10:00:00 +0100
Message-ID: <one@yard.example>

We keep the door.
"""
ANSWER = b"""From: ben@yard.example
Subject: Re: door
Date: Tue, 14 Nov 2023 11:00:00 -0000
Message-ID: <two@yard.example>
In-Reply-To: <one@yard.example>
References: <one@yard.example>

> We keep the door.
Yes.
>From here on it is blue.
"""


def test_an_mbox_is_a_thread(tmp_path: Path) -> None:
    box = (
        b"From ada@yard.example Tue Nov 14 10:00:00 2023\n" + PLAIN + b"\nFrom ben Tue Nov 14 11:00:00 2023\n" + ANSWER
    )
    for name in ("list.mbox", "list.txt"):
        found = read(put(tmp_path / name, box))
        assert [(one.external_id, one.sender, one.reply_to, one.conversation) for one in found.texts] == [
            ("one@yard.example", "Ada Berg", "", "mail:one@yard.example"),
            ("two@yard.example", "ben@yard.example", "one@yard.example", "mail:one@yard.example"),
        ]
        assert (
            found.texts[0].title == "Türe"
            and found.texts[1].text == "> We keep the door.\nYes.\nFrom here on it is blue.\n"
        )
        times = [one.sent_at.isoformat() for one in found.texts if one.sent_at]
        assert times == ["2023-11-14T10:00:00+01:00", "2023-11-14T11:00:00+00:00"]


def mail(tmp_path: Path, headers: bytes, body: bytes) -> tuple[str, str]:
    found = read(put(tmp_path / "a.eml", b"From: a@b.example\nMIME-Version: 1.0\n" + headers + b"\n\n" + body))
    return (found.texts[0].text if found.texts else ""), "".join(found.skipped.values())


def test_charsets_and_those_that_lie(tmp_path: Path) -> None:
    assert mail(tmp_path, b"Content-Type: text/plain; charset=iso-8859-1", b"T\xfcr")[0] == "Tür"
    assert mail(tmp_path, b"Content-Type: text/plain; charset=us-ascii", "Tür".encode())[0] == "Tür"
    assert mail(tmp_path, b"Content-Type: text/plain; charset=nonsense", "Tür".encode())[0] == "Tür"
    assert (
        "utf-8, as it declares, at byte 1" in mail(tmp_path, b"Content-Type: text/plain; charset=utf-8", b"T\xfcr")[1]
    )
    assert (
        "'nonsense' is not known, and byte 1"
        in mail(tmp_path, b"Content-Type: text/plain; charset=nonsense", b"T\xfcr")[1]
    )
    cut = b"Content-Type: text/plain; charset=nonsense\nContent-Transfer-Encoding: base64"
    assert mail(tmp_path, cut, b"VGhlIGZyYW1lIGlzIHN0ZWVs")[0] == "The frame is steel"
    for body in (b"VGhlIGZyYW1lIGlzIHN0ZWV", b"VGhlIGZyYW1lIGlzIHN0Z"):
        assert (
            mail(tmp_path, cut, body) == ("", mail(tmp_path, cut, body)[1])
            and "cut off" in mail(tmp_path, cut, body)[1]
        )
    assert (
        mail(tmp_path, b"Content-Type: text/html", b"<style>x</style><p>One&amp;two</p><p>three</p>")[0]
        == "One&two\nthree\n"
    )


def test_what_is_enclosed_is_somebody_elses(tmp_path: Path) -> None:
    body = b"\n".join(
        [
            b"--x",
            b"Content-Type: text/plain",
            b"",
            b"Please read.",
            b"--x",
            b"Content-Type: message/rfc822",
            b"",
            PLAIN,
            b"--x--",
        ]
    )
    found = read(put(tmp_path / "a.eml", b"From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n" + body))
    text = found.texts[0]
    assert text.sections and [one.speaker for one in text.sections] == ["user", "document"]
    assert "keep the door" in text.text[text.sections[1].start : text.sections[1].end]


def test_bounces_and_answers_of_machines(tmp_path: Path) -> None:
    bounce = read(put(tmp_path / "b.eml", b"From: MAILER-DAEMON@x.example\nSubject: failed\n\nno such user\n"))
    away = read(put(tmp_path / "c.eml", b"From: ben@x.example\nAuto-Submitted: auto-replied\n\nI am away\n"))
    assert (bounce.texts[0].sender_kind, away.texts[0].sender_kind) == ("system", "agent")


def test_hostile_headers(tmp_path: Path) -> None:
    for headers in (b"Date: yesterday\nMessage-ID: <<>>", b"Subject: =?x?b?\xff?=\nReferences: \xff", b"Content-Type: ;;;=\xff",
                    b"Content-Type: text/plain; charset*=a'b'%ff%00", b"From: \x00\x01", b"To: " + b"(" * 5000):  # fmt: skip
        text, why = mail(tmp_path, headers, b"hello")
        assert text == "hello" or why
