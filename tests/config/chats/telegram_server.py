"""A small Bot API: the paths, the encodings and the answers of Telegram's own, as far as the bot here uses them."""

import http.server
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

TOKEN = "123456:test-token-of-the-small-bot-api-000"
CHAT = -1001234567890
GROUP = {"id": CHAT, "type": "supergroup", "title": "Family"}


class BotApi(http.server.ThreadingHTTPServer):
    """Keeps what it is asked (`calls`), answers the next of `refusals` first, and hands out `updates`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), BotApiHandler)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.refusals: list[dict[str, Any] | None] = []
        self.updates: list[dict[str, Any]] = []
        self.last_message = 1000

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def asked(self, method: str) -> list[dict[str, Any]]:
        return [arguments for name, arguments in self.calls if name == method]

    def answer(self, method: str, arguments: Mapping[str, Any]) -> Any:
        if method == "getUpdates":
            return [one for one in self.updates if one["update_id"] >= int(arguments.get("offset", 0))]
        if method in ("sendMessage", "editMessageText"):
            self.last_message += method == "sendMessage"
            number = int(arguments.get("message_id", self.last_message))
            return {"message_id": number, "date": 1780000000, "chat": GROUP, "text": arguments["text"]}
        return True


class BotApiHandler(http.server.BaseHTTPRequestHandler):
    server: BotApi

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path, _, query = self.path.partition("?")
        given = {name: values[0] for name, values in (parse_qs(raw) | parse_qs(query)).items()}
        arguments = {name: _value(text) for name, text in given.items()}
        bot, _, method = path.removeprefix("/bot").partition("/")
        if bot != TOKEN:
            self._reply({"ok": False, "error_code": 401, "description": "Unauthorized"})
            return
        self.server.calls.append((method, arguments))
        refusal = self.server.refusals.pop(0) if self.server.refusals else {}
        if refusal is None:
            self.close_connection = True
        else:
            self._reply(refusal or {"ok": True, "result": self.server.answer(method, arguments)})

    def _reply(self, body: Mapping[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(body.get("error_code", 200))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def refusal(code: int, description: str, **parameters: Any) -> dict[str, Any]:
    return {"ok": False, "error_code": code, "description": description, "parameters": parameters}


def user(number: int, name: str, **more: Any) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": name, "language_code": "en", **more}


JOHN, SARAH, STRANGER = user(501, "John", last_name="Miller"), user(502, "Sarah"), user(999, "Nobody")


def text_update(number: int, message: int, author: Mapping[str, Any], text: str, **more: Any) -> dict[str, Any]:
    return {
        "update_id": number,
        "message": {
            "message_id": message, "from": author, "chat": GROUP, "date": more.pop("date", 1780000000), "text": text, **more,
        },
    }  # fmt: skip


def command_update(number: int, message: int, author: Mapping[str, Any], text: str, **more: Any) -> dict[str, Any]:
    entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
    return text_update(number, message, author, text, entities=[entity], **more)


def press_update(number: int, author: Mapping[str, Any], message: int, data: str) -> dict[str, Any]:
    where = {"message_id": message, "chat": GROUP, "date": 1780000000, "text": "…"}
    return {
        "update_id": number,
        "callback_query": {
            "id": f"press{number}", "from": author, "message": where, "chat_instance": "1", "data": data,
        },
    }  # fmt: skip
