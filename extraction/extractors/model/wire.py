"""One call over the wire, and what each server was found to take. Knows nothing of packs, sources or ceilings."""

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from extraction.extractors.model.server import Server, on_loopback
from extraction.extractors.model.shape import NAME

if TYPE_CHECKING:
    import openai

RUNGS: Final = ("schema", "json", "text")
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
LONGEST_ERROR: Final = 2_000


class Refused(Exception):
    """The server does not take the request as it was put; the next rung or parameter may do. Costs no tokens."""


class Later(Exception):
    """It may work another time. `after_s` is what the server asks for; `spent` is False where it surely did no work."""

    def __init__(self, why: str, *, after_s: float | None = None, spent: bool = False, raw: str = "") -> None:
        super().__init__(why)
        self.after_s, self.spent, self.raw = after_s, spent, raw


class Hopeless(Exception):
    """Asking again cannot end otherwise: a wrong key, an unknown model, a text that is too long."""

    def __init__(self, why: str, raw: str = "") -> None:
        super().__init__(why)
        self.raw = raw


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `tokens` is None where the server does not tell; `finish` as the server says (stop, length, …)."""

    content: str
    finish: str
    model: str
    tokens: int | None
    refusal: str = ""


@dataclass(slots=True)
class Taken:
    """How a server takes a request for a model, as found out so far. Shared by the threads of one process."""

    rung: int = 0
    limit_as: str = "max_completion_tokens"
    temperature: bool = True

    @property
    def mode(self) -> str:
        return RUNGS[self.rung]


_taken: dict[tuple[str, str], Taken] = {}
_lock = threading.Lock()


def taken_by(server: Server) -> Taken:
    """What this process knows of a server. OpenAI's own wants `max_completion_tokens`; others know the older name."""
    with _lock:
        own = server.host.endswith("openai.com")
        first = Taken(limit_as="max_completion_tokens" if own else "max_tokens")
        return _taken.setdefault((server.base_url, server.model), first)


def forget() -> None:
    with _lock:
        _taken.clear()


def call(server: Server, system: str, user: str, schema: Mapping[str, Any], *, most_answer: int) -> Reply:
    """One request, without any retry. Raises `Refused` (and remembers what not to send), `Later` or `Hopeless`."""
    import openai

    taken = taken_by(server)
    rung, limit_as, temperature = taken.rung, taken.limit_as, taken.temperature
    more: dict[str, Any] = {limit_as: most_answer}
    if temperature:
        more["temperature"] = 0
    if RUNGS[rung] == "schema":
        shape = {"name": NAME, "strict": True, "schema": schema}
        more["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif RUNGS[rung] == "json":
        more["response_format"] = {"type": "json_object"}
    until = time.monotonic() + server.timeout_s
    try:
        with _client(server).chat.completions.with_streaming_response.create(
            model=server.model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            timeout=server.timeout_s,
            **more,
        ) as response:
            if response.status_code >= 300:
                raise Hopeless(f"the server answers {response.status_code} and leads elsewhere; that is not followed")
            body = _body(response, until)
    except openai.APIStatusError as error:
        raise _status(error, taken, rung, limit_as, temperature) from None
    except openai.APITimeoutError:
        raise Later(f"no answer within {server.timeout_s} s", spent=True) from None
    except openai.APIConnectionError as error:
        raise Later(f"the connection failed: {_cause(error)}", spent=False) from None
    except (Later, Hopeless):
        raise
    except Exception as error:  # noqa: BLE001 - whatever the transport raises while a body is read
        raise Later(f"the answer broke off: {_cause(error)}", spent=True) from None
    return _reply(body)


def step_down(server: Server, mode: str) -> None:
    """The server took the request in this mode and did not keep to it; the next question is put in the plainer way."""
    taken = taken_by(server)
    if taken.mode == mode and taken.rung + 1 < len(RUNGS):
        taken.rung += 1


@lru_cache(maxsize=8)
def _client(server: Server) -> "openai.OpenAI":
    import openai

    # No retries of its own: each call is counted before it is made. A redirect could lead the text off this machine, and so
    # could a proxy.
    local = on_loopback(server.base_url)
    http = openai.DefaultHttpxClient(follow_redirects=False, trust_env=not local)
    return openai.OpenAI(base_url=server.base_url, api_key=server.key, max_retries=0, http_client=http)


def _body(response: Any, until: float) -> str:
    """The whole answer, bounded in size and in time: a server that drips bytes is not waited for."""
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > MAX_ANSWER_BYTES:
            raise Hopeless(f"an answer of more than {MAX_ANSWER_BYTES} bytes")
        if time.monotonic() > until:
            raise Later("the answer took too long", spent=True, raw=_text(parts))
    return _text(parts)


def _text(parts: list[bytes]) -> str:
    return b"".join(parts).decode("utf-8", "replace")


def _reply(body: str) -> Reply:
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        message = choice["message"]
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
        usage = data.get("usage")
        tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
        told = isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens < 2**31
        return Reply(
            content if isinstance(content, str) else "",
            str(choice.get("finish_reason") or ""),
            str(data.get("model") or ""),
            tokens if told else None,
            str(message.get("refusal") or ""),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise Later("the answer is none of a chat completion", spent=True, raw=body[:50_000]) from None


_FORMAT = re.compile(r"response_?format|json_?schema|json_?object|structured|grammar|schema|json mode", re.I)
_LIMIT = re.compile(r"max_(?:completion_)?tokens", re.I)
_TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|maximum context|too many tokens|prompt is too long|exceeds? the (?:available )?context", re.I
)  # fmt: skip


def _status(error: "openai.APIStatusError", taken: Taken, rung: int, limit_as: str, temperature: bool) -> Exception:
    """What an error answer means, and what it teaches about the server."""
    status = error.status_code
    said = _said(error)
    raw = said[:LONGEST_ERROR]
    if status in (400, 404, 415, 422, 501) and not (status == 404 and not _FORMAT.search(said)):
        if _TOO_LONG.search(said):
            return Hopeless(f"the model cannot take so much text: {said[:200]}", raw)
        with _lock:
            if _LIMIT.search(said) and not (rung < 2 and _FORMAT.search(said)):
                other = "max_tokens" if limit_as == "max_completion_tokens" else "max_completion_tokens"
                if taken.limit_as == limit_as:
                    taken.limit_as = other
                return Refused(said[:300])
            if "temperature" in said and temperature:
                taken.temperature = False
                return Refused(said[:300])
            if rung + 1 < len(RUNGS):
                taken.rung = max(taken.rung, rung + 1)
                return Refused(said[:300])
        return Hopeless(f"the server refuses the request ({status}): {said[:200]}", raw)
    if status in (408, 409, 425, 429) or status >= 500:
        return Later(f"the server answers {status}: {said[:200]}", after_s=_after(error), spent=False, raw=raw)
    return Hopeless(f"the server answers {status}: {said[:200]}", raw)


def _said(error: "openai.APIStatusError") -> str:
    body = error.body
    if isinstance(body, dict) and body.get("message"):
        return " ".join(str(body[name]) for name in ("message", "param", "code") if body.get(name))
    if body is not None:
        return str(body)[:LONGEST_ERROR]
    return error.message


def _after(error: "openai.APIStatusError") -> float | None:
    """`Retry-After` in seconds, or as a date; also in milliseconds, as OpenAI sends it."""
    headers = error.response.headers
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if 0 <= seconds < 7 * 86_400:
            return seconds
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _cause(error: BaseException) -> str:
    inner = error.__cause__ or error
    return f"{type(inner).__name__}: {inner}"[:200]
