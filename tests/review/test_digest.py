"""The digest: once a day where something waits too long, by a real mail and a real web server, and nowhere it must not go."""

import datetime as dt
import hashlib
import hmac
import json
import socketserver
from collections.abc import Iterator
from email import message_from_bytes, policy

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from config.mail import mailers
from ledger.actor import Actor, operator
from ledger.errors import NotFound
from ledger.models import Scope
from review.digest.digests import addresses_of, send_all, set_digest
from review.digest.message import plain
from review.models import Digest
from review.webhooks.signing import digest_secret
from tests.aged import make_old
from tests.ledger.conftest import role
from tests.people import candidate
from tests.review.door import House
from tests.review.hooks import Hook, serving
from tests.review.screen import Screen

OPERATOR = operator("Alice")
DAY = dt.timedelta(days=1)


class Postbox(socketserver.ThreadingTCPServer):
    """A mail server that takes what it is given, or refuses some of it."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), PostboxHandler)
        self.mails: list[tuple[str, bytes]] = []
        self.refuses: set[str] = set()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"


class PostboxHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        def say(line: str) -> None:
            self.wfile.write(line.encode() + b"\r\n")

        say("220 ready")
        to = ""
        while line := self.rfile.readline():
            word = line.strip().upper()
            if word.startswith((b"EHLO", b"HELO")):
                say("250 here")
            elif word.startswith(b"RCPT"):
                to = line.decode().split("<")[1].split(">")[0]
                say("550 nobody of that name" if to in self.server.refuses else "250 fine")  # type: ignore[attr-defined]
            elif word == b"DATA":
                say("354 go on")
                body = b""
                while (piece := self.rfile.readline()) != b".\r\n":
                    body += piece
                self.server.mails.append((to, body))  # type: ignore[attr-defined]
                say("250 taken")
            elif word == b"QUIT":
                say("221 bye")
                return
            else:
                say("250 fine")


@pytest.fixture
def postbox(settings) -> Iterator[Postbox]:
    with serving(Postbox()) as box:
        settings.MAILERS = mailers(box.url)
        yield box


@pytest.fixture
def waiting(house: House) -> Scope:
    """Something that has waited for three days, and people with addresses."""
    for name in ("alice", "bob", "vera", "charlie"):
        User.objects.filter(username=name).update(email=f"{name}@example.org")
    User.objects.filter(username="carol").update(email="bob@example.org")
    make_old(candidate(house.child, OPERATOR, "The frame is <b>oak</b>\r\nBcc: eve@example.org \u202eevil"), 3 * DAY)
    return house.scope


def test_those_who_may_decide_get_one_mail_a_day(postbox: Postbox, waiting: Scope) -> None:
    set_digest(waiting, actor=OPERATOR, after_hours=48, mail=True, words=True)
    assert addresses_of(waiting) == ["alice@example.org", "bob@example.org"]
    with role("countersign_worker"):
        (sent,) = send_all()
    assert sent.done == ["mail"] and not sent.failed
    assert sorted(to for to, _ in postbox.mails) == ["alice@example.org", "bob@example.org"]
    mail = message_from_bytes(postbox.mails[0][1], policy=policy.default)
    assert mail["Subject"] == "[Countersign] 1 waiting in studio" and mail["Bcc"] is None
    assert mail.get_content_type() == "text/plain" and mail["To"] == postbox.mails[0][0]
    text = mail.get_content()
    assert "“The frame is <b>oak</b> Bcc: eve@example.org evil”" in text and "72 hours" not in text and "3 days" in text
    assert send_all() == []
    assert send_all(now=timezone.now() + dt.timedelta(hours=19)) == []
    assert len(send_all(now=timezone.now() + DAY)) == 1 and len(postbox.mails) == 4


def test_nothing_is_said_before_the_limit_or_once_it_is_decided(postbox: Postbox, waiting: Scope) -> None:
    set_digest(waiting, actor=OPERATOR, after_hours=73, mail=True)
    assert send_all() == []
    set_digest(waiting, actor=OPERATOR, after_hours=71, mail=True)
    assert "frame" not in send_all(dry_run=True)[0].text
    assert postbox.mails == [] and Digest.objects.get().mailed_at is None


def test_one_refused_address_keeps_it_from_nobody_else(postbox: Postbox, waiting: Scope) -> None:
    set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True)
    postbox.refuses = {"alice@example.org"}
    assert send_all()[0].done == ["mail"]
    assert [to for to, _ in postbox.mails] == ["bob@example.org"] and send_all() == []


def test_a_mail_server_that_is_away_is_tried_again_later_and_later(postbox: Postbox, waiting: Scope, settings) -> None:
    set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True)
    postbox.refuses = {"alice@example.org", "bob@example.org"}
    now = timezone.now()
    assert send_all(now=now)[0].failed
    row = Digest.objects.get()
    assert row.mailed_at is None and row.tries == 1 and row.retry_at == now + dt.timedelta(minutes=5)
    assert "alice" not in row.error
    assert send_all(now=now + dt.timedelta(minutes=4)) == []
    assert send_all(now=now + dt.timedelta(minutes=6))[0].failed
    assert Digest.objects.get().retry_at == now + dt.timedelta(minutes=16)
    postbox.refuses = set()
    assert send_all(now=now + dt.timedelta(minutes=17))[0].done == ["mail"]
    row = Digest.objects.get()
    assert (row.tries, row.retry_at, row.error) == (0, None, "")


def test_the_webhook_is_signed_and_only_what_failed_is_sent_again(postbox: Postbox, hook: Hook, waiting: Scope) -> None:
    row = set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True, webhook=hook.url)
    hook.status = 500
    now = timezone.now()
    (sent,) = send_all(now=now)
    assert sent.done == ["mail"] and "status 500" in sent.failed["webhook"]
    hook.status = 200
    (again,) = send_all(now=now + dt.timedelta(minutes=6))
    assert again.done == ["webhook"] and len(postbox.mails) == 2 and len(hook.got) == 2
    headers, body = hook.got[1]
    at, _, mac = headers["X-Countersign-Signature"].partition(",v1=")
    secret = digest_secret(row)
    assert mac == hmac.new(secret.encode(), at[2:].encode() + b"." + body, hashlib.sha256).hexdigest()
    told = json.loads(body)
    assert (told["type"], told["scope"], told["pending"], told["limit_hours"]) == ("queue.overdue", "studio", 1, 1)
    assert "statement" not in told["oldest"][0] and told["oldest_seconds"] >= 3 * 86400
    assert secret not in str(list(Digest.objects.values()))
    set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True, webhook=hook.url, new_key=True)
    assert digest_secret(Digest.objects.get()) != secret


def test_words_of_a_source_become_one_line() -> None:
    assert plain("a\r\nb\0c\u2028d\u202ee", 40) == "a b c d e"
    assert len(plain("x" * 500, 40)) == 40


def test_only_owners_set_it_and_see_the_secret(house: House) -> None:
    with pytest.raises(NotFound):
        set_digest(house.scope, actor=Actor("human", "eve", "screen"), after_hours=1, mail=True)
    owner, reviewer = Screen("alice"), Screen("bob")
    owner.open("/digests")
    page = owner.press("set-digest", scope="studio", after_hours="24", webhook="https://hooks.example.org/x")
    assert "whsec_" in page.text and "after 24 hours" in page.text
    assert "whsec_" not in reviewer.open("/digests").text
    owner.press("set-digest", at=0, webhook="https://10.0.0.1/")
    assert "no public address" in owner.page.text and Digest.objects.get().webhook == "https://hooks.example.org/x"
    owner.press("end-digest")
    assert not Digest.objects.exists()


def test_the_command_says_what_it_did(postbox: Postbox, waiting: Scope, capsys) -> None:
    call_command("digest")
    assert "No digest is due" in capsys.readouterr().err
    set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True)
    call_command("digest", "--dry-run")
    assert "would go by mail to 2" in capsys.readouterr().out and postbox.mails == []
    call_command("digest")
    assert capsys.readouterr().out == "studio: sent by mail\n"
    postbox.refuses = {"alice@example.org", "bob@example.org"}
    Digest.objects.update(mailed_at=None)
    with pytest.raises(CommandError):
        call_command("digest")


def test_where_mail_goes() -> None:
    made = mailers("smtp+tls://me:s%40crt@mail.example.org")["default"]["OPTIONS"]
    assert (made["port"], made["use_tls"], made["use_ssl"], made["password"]) == (587, True, False, "s@crt")
    assert mailers("smtps://mail.example.org:1465")["default"]["OPTIONS"]["port"] == 1465
    assert "console" in mailers("")["default"]["BACKEND"]
    for wrong in ("http://x", "smtp://", "smtp://host:port"):
        with pytest.raises(ImproperlyConfigured, match="COUNTERSIGN_MAIL_URL"):
            mailers(wrong)
