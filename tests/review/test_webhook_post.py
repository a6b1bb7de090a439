"""Where a message may go, and what becomes of one that does not arrive."""

import datetime as dt
import ipaddress
import socketserver
import threading

import pytest
from django.utils import timezone

from ledger.errors import Invalid
from ledger.rules.outward import checked_address, may_go_to
from review.webhooks.post import NotDelivered, post
from tests.review.hooks import Hook, allow_this_machine, serving


def test_a_redirect_is_not_followed(hook: Hook) -> None:
    hook.status = 302
    with pytest.raises(NotDelivered, match="status 302"):
        post(hook.url, b"{}", {})
    assert len(hook.got) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://user:word@example.org/", "https://example.org/a b",
        "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://169.254.169.254/latest", "https://[fe80::1]/",
        "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://0.0.0.0/",
        "https://224.0.0.1/", "https://100.64.0.1/", "https://example.org:0/", "https://example.org:99999/",
        "https://exämple.org/", "https://example.org/\r\nX: y", "https://192.168.1.1:8080/", "https://[fd00::1]/",
        "javascript:alert(1)", "https://example.org:22/", "https://example.org:6379/", "https://example.org:10000/",
        "https://example.org/" + "a" * 600,
    ],
)  # fmt: skip
def test_where_a_webhook_may_not_go(url: str) -> None:
    with pytest.raises(Invalid) as refused:
        checked_address(url)
    assert refused.value.field == "webhook"


@pytest.mark.parametrize("name", ["localhost", "127.1", "2130706433", "0x7f.1"])
def test_a_name_that_leads_inside_is_found_out_when_it_is_sent(name: str) -> None:
    with pytest.raises((NotDelivered, Invalid)):
        post(f"https://{name}/", b"{}", {})


def test_one_private_address_among_public_ones_is_enough(monkeypatch) -> None:
    found = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *a, **k: found)
    with pytest.raises(NotDelivered, match="not public"):
        post("https://example.org/", b"{}", {})


def test_a_server_without_tls_and_a_name_that_is_none(settings) -> None:
    allow_this_machine(settings)
    with serving(Hook()) as plain_server, pytest.raises(NotDelivered):
        post(f"https://127.0.0.1:{plain_server.server_address[1]}/", b"{}", {})
    for host in ("a" * 70 + ".example.org", "nowhere.invalid"):
        with pytest.raises(NotDelivered):
            post(f"https://{host}/", b"{}", {})


def test_a_server_that_says_nothing_is_given_up(monkeypatch, settings) -> None:
    allow_this_machine(settings)
    monkeypatch.setattr("review.webhooks.post.TIMEOUT_S", 0.4)

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
            post(f"http://127.0.0.1:{server.server_address[1]}/", b"{}", {})
        assert timezone.now() - began < dt.timedelta(seconds=2)


def test_public_addresses_may_be_gone_to(settings) -> None:
    assert may_go_to(ipaddress.ip_address("93.184.216.34")) and not may_go_to(ipaddress.ip_address("10.1.1.1"))
    settings.COUNTERSIGN_WEBHOOK_PRIVATE = True
    assert may_go_to(ipaddress.ip_address("10.1.1.1")) and not may_go_to(ipaddress.ip_address("224.0.0.1"))
