"""The digest: once a day where something waits too long, by a real mail and a real web server, and nowhere it must not go."""

import datetime as dt
import hashlib
import hmac
import http.server
import ipaddress
import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from config.mail import mailers
from ledger.actor import Actor, operator
from ledger.errors import Invalid, NotFound
from ledger.models import Scope
from review.digest import webhook
from review.digest.digests import addresses_of, send_all, set_digest
from review.digest.message import plain
from review.digest.webhook import NotDelivered, checked_address, may_go_to, post, secret_of, signature
from review.models import Digest
from tests.aged import make_old
from tests.ledger.conftest import role
from tests.people import candidate
from tests.review.door import House
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


class Hook(http.server.ThreadingHTTPServer):
    """A web server that keeps what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), HookHandler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 204

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?a=1"


class HookHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving[Server: socketserver.BaseServer](server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def postbox(settings) -> Iterator[Postbox]:
    with serving(Postbox()) as box:
        settings.MAILERS = mailers(box.url)
        yield box


@pytest.fixture
def hook(settings) -> Iterator[Hook]:
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = settings.COUNTERSIGN_WEBHOOK_HTTP = True
    with serving(Hook()) as server:
        yield server


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
    secret = secret_of(waiting.pk, row.key)
    assert mac == hmac.new(secret.encode(), at[2:].encode() + b"." + body, hashlib.sha256).hexdigest()
    told = json.loads(body)
    assert (told["type"], told["scope"], told["pending"], told["limit_hours"]) == ("queue.overdue", "studio", 1, 1)
    assert "statement" not in told["oldest"][0] and told["oldest_seconds"] >= 3 * 86400
    assert secret not in str(list(Digest.objects.values()))
    set_digest(waiting, actor=OPERATOR, after_hours=1, mail=True, webhook=hook.url, new_key=True)
    assert secret_of(waiting.pk, Digest.objects.get().key) != secret


def test_a_redirect_is_not_followed(hook: Hook) -> None:
    hook.status = 302
    with pytest.raises(NotDelivered, match="status 302"):
        post(hook.url, {}, secret="x")
    assert len(hook.got) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://user:word@example.org/", "https://example.org/a b",
        "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://169.254.169.254/latest", "https://[fe80::1]/",
        "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://0.0.0.0/",
        "https://224.0.0.1/", "https://100.64.0.1/", "https://example.org:0/", "https://example.org:99999/",
        "https://exämple.org/", "https://example.org/\r\nX: y", "https://192.168.1.1:8080/", "https://[fd00::1]/",
        "javascript:alert(1)", "https://example.org/" + "a" * 600,
    ],
)  # fmt: skip
def test_where_a_webhook_may_not_go(url: str) -> None:
    with pytest.raises(Invalid) as refused:
        checked_address(url)
    assert refused.value.field == "webhook"


@pytest.mark.parametrize("name", ["localhost", "127.1", "2130706433", "0x7f.1"])
def test_a_name_that_leads_inside_is_found_out_when_it_is_sent(name: str) -> None:
    with pytest.raises((NotDelivered, Invalid)):
        post(f"https://{name}/", {}, secret="x")


def test_one_private_address_among_public_ones_is_enough(monkeypatch) -> None:
    found = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(webhook.socket, "getaddrinfo", lambda *a, **k: found)
    with pytest.raises(NotDelivered, match="not public"):
        post("https://example.org/", {}, secret="x")


def test_a_server_without_tls_and_a_name_that_is_none(settings) -> None:
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = True
    with serving(Hook()) as plain_server, pytest.raises(NotDelivered):
        post(f"https://127.0.0.1:{plain_server.server_address[1]}/", {}, secret="x")
    for host in ("a" * 70 + ".example.org", "nowhere.invalid"):
        with pytest.raises(NotDelivered):
            post(f"https://{host}/", {}, secret="x")


def test_a_server_that_says_nothing_is_given_up(monkeypatch, settings) -> None:
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = settings.COUNTERSIGN_WEBHOOK_HTTP = True
    monkeypatch.setattr(webhook, "TIMEOUT_S", 0.4)

    class Drips(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            for _ in range(40):
                try:
                    self.request.sendall(b"H")
                except OSError:
                    return
                threading.Event().wait(0.05)

    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Drips)) as server:
        began = timezone.now()
        with pytest.raises(NotDelivered):
            post(f"http://127.0.0.1:{server.server_address[1]}/", {}, secret="x")
        assert timezone.now() - began < dt.timedelta(seconds=2)


def test_public_addresses_may_be_gone_to(settings) -> None:
    assert may_go_to(ipaddress.ip_address("93.184.216.34")) and not may_go_to(ipaddress.ip_address("10.1.1.1"))
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = True
    assert may_go_to(ipaddress.ip_address("10.1.1.1")) and not may_go_to(ipaddress.ip_address("224.0.0.1"))
    assert signature("s", b"{}", at=5) == signature("s", b"{}", at=5) != signature("s", b"{}", at=6)


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
