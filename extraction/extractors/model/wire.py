"""One call over the wire, and what each server was found to take. Knows nothing of packs, sources or ceilings."""

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AliasPath, BaseModel, Field, PlainValidator

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


def _words(content: Any) -> str:
    """The text of a message, also where it comes in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(tokens: Any) -> int | None:
    return tokens if type(tokens) is int and 0 <= tokens < 2**31 else None


type _Text = Annotated[str, PlainValidator(lambda value: str(value or ""))]


class Reply(BaseModel):
    """What came back. `tokens` is None where the server does not tell; `finish` as the server says (stop, length, …)."""

    message: dict[str, Any] = Field(validation_alias=AliasPath("choices", 0, "message"))
    content: Annotated[str, PlainValidator(_words)] = Field(
        "", validation_alias=AliasPath("choices", 0, "message", "content")
    )
    finish: _Text = Field("", validation_alias=AliasPath("choices", 0, "finish_reason"))
    model: _Text = ""
    tokens: Annotated[int | None, PlainValidator(_count)] = Field(
        None, validation_alias=AliasPath("usage", "total_tokens")
    )
    refusal: _Text = Field("", validation_alias=AliasPath("choices", 0, "message", "refusal"))


@dataclass(slots=True)
class RequestForm:
    """How a server takes a request for a model, as found out so far. Shared by the threads of one process."""

    rung: int = 0
    limit_as: str = "max_completion_tokens"
    temperature: bool = True

    @property
    def mode(self) -> str:
        return RUNGS[self.rung]

    def parameters(self, schema: Mapping[str, Any], most_answer: int) -> dict[str, Any]:
        formats: dict[str, dict[str, Any]] = {
            "schema": {"type": "json_schema", "json_schema": {"name": NAME, "strict": True, "schema": schema}},
            "json": {"type": "json_object"},
        }
        given: dict[str, Any] = {self.limit_as: most_answer}
        if self.temperature:
            given["temperature"] = 0
        if self.mode in formats:
            given["response_format"] = formats[self.mode]
        return given

    def learn(self, sent: "RequestForm", error: str) -> bool:
        """Note what not to send again, by the error that the form `sent` met. False where nothing else can be tried."""
        if _LIMIT.search(error) and not (sent.rung < 2 and _FORMAT.search(error)):
            self.limit_as = _OTHER_LIMIT[sent.limit_as]
        elif "temperature" in error and sent.temperature:
            self.temperature = False
        elif sent.rung + 1 < len(RUNGS):
            self.rung = max(self.rung, sent.rung + 1)
        else:
            return False
        return True


_OTHER_LIMIT: Final = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_forms: dict[tuple[str, str], RequestForm] = {}
_lock = threading.Lock()


def form_for(server: Server) -> RequestForm:
    """What this process knows of a server. OpenAI's own wants `max_completion_tokens`; others know the older name."""
    with _lock:
        own = server.host.endswith("openai.com")
        first = RequestForm(limit_as="max_completion_tokens" if own else "max_tokens")
        return _forms.setdefault((server.base_url, server.model), first)


def forget() -> None:
    with _lock:
        _forms.clear()


def call(server: Server, system: str, user: str, schema: Mapping[str, Any], *, most_answer: int) -> Reply:
    """One request, without any retry. Raises `Refused` (and remembers what not to send), `Later` or `Hopeless`."""
    import openai

    form = form_for(server)
    sent = replace(form)
    until = time.monotonic() + server.timeout_s
    try:
        with client_of(server).chat.completions.with_streaming_response.create(
            model=server.model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            timeout=server.timeout_s,
            **sent.parameters(schema, most_answer),
        ) as response:
            if response.status_code >= 300:
                raise Hopeless(f"the server answers {response.status_code} and leads elsewhere; that is not followed")
            body = _body(response, until)
    except openai.APIStatusError as error:
        raise _status(error, form, sent) from None
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
    form = form_for(server)
    if form.mode == mode and form.rung + 1 < len(RUNGS):
        form.rung += 1


@lru_cache(maxsize=8)
def client_of(server: Server) -> "openai.OpenAI":
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
        return Reply.model_validate(json.loads(body))
    except (ValueError, RecursionError):
        raise Later("the answer is none of a chat completion", spent=True, raw=body[:50_000]) from None


_FORMAT = re.compile(r"response_?format|json_?schema|json_?object|structured|grammar|schema|json mode", re.I)
_LIMIT = re.compile(r"max_(?:completion_)?tokens", re.I)
_TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|maximum context|too many tokens|prompt is too long|exceeds? the (?:available )?context", re.I
)  # fmt: skip


_AT_FAULT: Final = frozenset({400, 404, 415, 422, 501})
_BUSY: Final = frozenset({408, 409, 425, 429})


def _status(error: "openai.APIStatusError", form: RequestForm, sent: RequestForm) -> Exception:
    """What an error answer means, and what it teaches about the server."""
    status, words = error.status_code, _message(error)
    raw = words[:LONGEST_ERROR]
    if status in _AT_FAULT and (status != 404 or _FORMAT.search(words)):
        if _TOO_LONG.search(words):
            return Hopeless(f"the model cannot take so much text: {words[:200]}", raw)
        with _lock:
            if form.learn(sent, words):
                return Refused(words[:300])
        return Hopeless(f"the server refuses the request ({status}): {words[:200]}", raw)
    if status in _BUSY or status >= 500:
        return Later(f"the server answers {status}: {words[:200]}", after_s=_after(error), spent=False, raw=raw)
    return Hopeless(f"the server answers {status}: {words[:200]}", raw)


def _message(error: "openai.APIStatusError") -> str:
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
