"""`manage.py telegram`: fetches what happens in Telegram's chats, for those without a public address, or names one."""

import time
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, close_old_connections

from config.api_request import UnreadableBody
from config.chats import telegram
from config.chats.api import answer_update
from config.chats.door import NotPosted
from config.chats.services import TELEGRAM
from ledger.actions.chat_link import link_chat
from ledger.actions.locking import alone
from ledger.command import ProjectCommand, person
from ledger.reads.scopes import scope_at
from ledger.rules.permissions import Right

POLL_LOCK = 8
WAIT_S = 25
PAUSE_AFTER_FAULT_S = 5.0


class Command(ProjectCommand):
    help = """Take in what happens in Telegram's chats.

By itself it asks Telegram again and again (long polling), which needs no public address, and goes on where it was after a restart.
With --webhook Telegram is told to send updates to an https address that leads here; then nothing is to be polled. The bot's token
stands in COUNTERSIGN_TELEGRAM_TOKEN. A chat is linked to a scope by --link, or by an owner who writes /link SCOPE in it."""
    example = "telegram --link -1001234567890 --scope miller"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--webhook", metavar="URL", help="the address of this server, such as https://example.org")
        parser.add_argument("--link", metavar="CHAT", help="the id of a chat to be linked; with --scope")
        parser.add_argument("--scope", help="where what is said there belongs")
        parser.add_argument("--once", action="store_true", help="take in what waits, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if not TELEGRAM.bot:
            raise CommandError("COUNTERSIGN_TELEGRAM_TOKEN names no bot")
        try:
            self.carry_out(options)
        except NotPosted as error:
            raise CommandError(f"Telegram: {error}") from None

    def carry_out(self, options: dict[str, Any]) -> None:
        if options["link"]:
            self.link(options["link"], options["scope"] or "")
        elif options["webhook"]:
            address = f"{options['webhook'].rstrip('/')}/api/v1/telegram/{telegram.webhook_secret()}"
            telegram.register(address)
            self.say("Telegram sends what happens to this server.")
        else:
            with alone(POLL_LOCK) as is_alone, suppress(KeyboardInterrupt):
                if not is_alone:
                    raise CommandError("another one is at work here")
                telegram.unregister()
                self.poll(once=options["once"])

    def link(self, chat: str, path: str) -> None:
        actor = person()
        scope = scope_at(path, actor.access, Right.ADMINISTER)
        conversation = TELEGRAM.conversation(chat)
        link_chat(scope, actor=actor, door=TELEGRAM.name, bot=TELEGRAM.bot, chat=chat, conversation=conversation)
        self.say(f"What is said in {chat} is kept in {scope.path}.")

    def poll(self, *, once: bool) -> None:
        """What was taken in and not yet confirmed to Telegram comes again, and is known."""
        last: int | None = None
        while True:
            try:
                updates = telegram.updates_after(last, 0 if once else WAIT_S)
                for update in updates:
                    self.take(update)
                    last = int(update["update_id"])
            except (NotPosted, OperationalError, InterfaceError) as error:
                if once:
                    raise
                self.say(f"Tried again in {PAUSE_AFTER_FAULT_S:.0f} s: {str(error).strip()[:200]}")
                close_old_connections()
                time.sleep(PAUSE_AFTER_FAULT_S)
                continue
            if once and not updates:
                return

    def take(self, update: Mapping[str, Any]) -> None:
        try:
            if reply := answer_update(update):
                telegram.carry_out(reply)
        except NotPosted as error:
            self.say(f"An answer did not arrive: {error}")
        except UnreadableBody as error:
            self.say(f"Passed over update {update.get('update_id')}: {error.message}")
