"""What is a secret in a text, and what only looks like one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.secrets import MASK, find_secrets, masked, masked_in
from ledger.rules.secrets.finding import compiled

RANDOM = "q7Rk2mZx9Lw4Tb8Vn3Yc6Hd1Jf5Gs0Pa"
# No token stands here as a whole: what looks for leaked ones in this file finds none.
TOKENS = (
    f"cs_{RANDOM}{RANDOM[:11]}", f"ghp_{RANDOM}{RANDOM[:4]}", f"github_pat_{RANDOM}", f"glpat-{RANDOM[:20]}",
    f"AKIA{'QWERTYUI2345ASDF'}", f"sk-ant-api03-{RANDOM}{RANDOM}", f"sk_live_{RANDOM[:24]}",
    f"xoxb-123456789012-123456789012-{RANDOM[:24]}",
    f"AIza{RANDOM}abc", f"npm_{RANDOM}{RANDOM[:4]}", f"hf_{'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi'}",
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{RANDOM}", f"SG.{RANDOM[:22]}.{RANDOM}{RANDOM[:11]}", f"123456789:{RANDOM}AbC",
)  # fmt: skip
SAID = (
    ("password: hunter2", "hunter2"), ("The wifi password is blue-Horse42.", "blue-Horse42"), ("DB_PASSWORD=kJ8sP2qL", "kJ8sP2qL"),
        ("Das Passwort lautet Tulpe1984", "Tulpe1984"), ("contraseña: Girasol2020", "Girasol2020"),
    ("PIN for the garage: 4711", "4711"),
    ("Passwort für das NAS: Tulpe-1984", "Tulpe-1984"), ("postgres://app:hunt3r-Two2@db.test/app", "hunt3r-Two2"),
    (f"client_secret={RANDOM}", RANDOM), (f"X-Api-Key: {RANDOM.lower()}", RANDOM.lower()),
    (f"-----BEGIN RSA PRIVATE KEY-----\n{RANDOM * 2}\n{RANDOM}\n-----END RSA PRIVATE KEY-----", f"{RANDOM * 2}\n{RANDOM}"),
    ("my card: 4111 1111 1111 1111, ok", "4111 1111 1111 1111"), ("Karte 5555-5555-5555-4444", "5555-5555-5555-4444"),
    ("amex 378282246310005", "378282246310005"), ("SSN 536-90-4399", "536-90-4399"), ("AHV 756.9217.0769.85", "756.9217.0769.85"),
    ("codice fiscale RCCMNL83S18D969H", "RCCMNL83S18D969H"), ("PESEL 44051401359", "44051401359"), ("BSN 111222333", "111222333"),
    ("Steuer-ID 36 574 261 809", "36 574 261 809"), ("NI number AB123456C", "AB123456C"),
)  # fmt: skip
CLEAN = (
    "The password must be at least 10 characters.", "password: required", "password: ********", "api_key: YOUR_API_KEY",
    "export TOKEN=$TOKEN", "password = os.environ['DB_PASSWORD']", "The key is under the mat.", "auth token: expired",
    "commit 6b6a55901f2e7d8c9b0a1f2e3d4c5b6a79880123", "id 550e8400-e29b-41d4-a716-446655440000", "ISBN 978-3-16-148410-0",
    "Order 4111 1111 1111 1112", "Call +49 151 23456789", "Invoice 2024-00001234, 1.234,56 EUR", "PESEL 44051401358",
    "serial 123-45-6789-X", "our password policy is ISO27001 conform", "Password: TBD", "2026-11-29T11:02:43.123456+00:00",
    "https://example.org/a?token=abc", "IBAN DE89 3704 0044 0532 0130 00", "0000 0000 0000 0000", "The PIN is on the fridge",
)  # fmt: skip


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("frame", ["@", "We use @ for it.", "KEY=@", '{"it": "@"}'])
def test_tokens_of_ours_and_of_providers(token: str, frame: str) -> None:
    text = frame.replace("@", token)
    assert masked(text, find_secrets(text)) == frame.replace("@", MASK * len(token))


@pytest.mark.parametrize(("text", "secret"), SAID)
def test_what_words_or_check_digits_say_is_one(text: str, secret: str) -> None:
    hidden = masked(text, find_secrets(text))
    assert secret not in hidden and secret[1:-1] not in hidden
    assert len(hidden) == len(text) and hidden.split()[0][:2] in (text[:2], MASK * 2)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_one(text: str) -> None:
    assert find_secrets(text) == []


def test_the_rules_of_the_package_are_read() -> None:
    _, rules = compiled()
    assert len(rules) >= 60


def test_masks_keep_every_offset() -> None:
    text = f"ünï 🔑 token {TOKENS[0]} and more"
    [span] = find_secrets(text)
    assert text[span.start : span.end] == TOKENS[0] and span.kind == "token"
    assert (
        masked(text[span.start + 2 : span.end + 4], [span], start=span.start + 2)
        == MASK * (len(TOKENS[0]) - 2) + " and"[:4]
    )
    assert masked_in({"a": [text, 3]}) == {"a": [masked(text, [span]), 3]}


@given(st.text(max_size=300))
def test_any_text_keeps_its_length(text: str) -> None:
    spans = find_secrets(text)
    assert len(masked(text, spans)) == len(text)
    assert all(0 <= one.start < one.end <= len(text) for one in spans)
    assert find_secrets(masked(text, spans)) == [] or spans


@pytest.mark.parametrize(
    "piece",
    ["eyJ", "password is ", "4111 ", "-----BEGIN RSA PRIVATE KEY-----\n", "xoxb-1-", "token=", "://a:b", "ssn ", "1"],
)
def test_no_text_holds_it_up(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    began = time.process_time()
    find_secrets(text)
    assert time.process_time() - began < 5
