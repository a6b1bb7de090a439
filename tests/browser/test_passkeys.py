"""A passkey in a real browser, whose authenticator is a virtual one: made, used, and asked for where something is changed."""

import secrets

import psycopg
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE_S
from tests.whole import Instance

pytestmark = pytest.mark.browser
USER = (
    "INSERT INTO auth_user (username, password, is_active, is_staff, is_superuser, first_name, last_name, email, date_joined)"
    " VALUES (%s, %s, true, false, false, '', '', '', now())"
)
STICK = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": False, "automaticPresenceSimulation": True}


def test_made_and_used(browser: Browser, up_instance: Instance) -> None:
    name, password = "keys-" + secrets.token_hex(4), secrets.token_hex(8)
    with psycopg.connect(up_instance.said["database_url"], autocommit=True) as connection:
        # The tests' own hasher is quicker, and none that the instance knows.
        connection.execute(USER, [name, PBKDF2PasswordHasher().encode(password, secrets.token_hex(8))])
    context = browser.new_context(base_url=up_instance.url.replace("127.0.0.1", "localhost"))
    context.set_default_timeout(PATIENCE_S * 1000)
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    stick = devices.send("WebAuthn.addVirtualAuthenticator", {"options": STICK})["authenticatorId"]

    def sign_in() -> None:
        page.goto("/login/")
        page.fill("#username", name)
        page.fill("#password", password)
        page.keyboard.press("Enter")

    sign_in()
    page.wait_for_url(lambda url: "/login" not in url)
    page.goto("/second-factor")
    page.fill("#password", password)
    page.click("[data-action=begin-passkey]")
    page.fill("#name", "Stick")
    page.click("[data-action=finish-passkey]")
    page.wait_for_selector(".recovery-codes")
    assert len(devices.send("WebAuthn.getCredentials", {"authenticatorId": stick})["credentials"]) == 1

    context.clear_cookies()
    sign_in()
    page.wait_for_url("**/login/code**")
    # The field takes the focus by itself, but after the page has loaded: a key pressed at once would be nobody's.
    page.press("[name=code]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)
    page.goto("/second-factor")
    expect(page.locator(".passkeys li")).to_contain_text("Stick for localhost, used")
    page.click("[data-action=renew]")
    page.wait_for_selector(".recovery-codes")

    devices.send("WebAuthn.clearCredentials", {"authenticatorId": stick})
    page.goto("/second-factor")
    page.click("[data-action=remove]")
    page.get_by_text("The browser gave no passkey").wait_for()
    context.close()
