"""A brain that runs elsewhere, asked over HTTP in the same shape as our own answers (O7): within a time, by nobody's name, and only
where the scope lets its texts go."""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import structlog
from django.conf import settings

from extraction.extractors.model.server import why_not_sent
from ledger.models import Scope
from ledger.packs import PackSet

MAX_BYTES: Final = 1_000_000
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RemoteBrain:
    """`scope` is what the place asked about is called there."""

    url: str
    token: str
    scope: str

    def ask(self, question: str, timeout_s: float) -> "RemoteAnswer | None":
        """None where no answer in the shape came in time: whoever asked does without."""
        # The other side may send a byte now and then for ever; the thread ends with its own time.
        own = ThreadPoolExecutor(max_workers=1)
        try:
            return _answer_of(own.submit(self._get, question, timeout_s).result(timeout_s))
        except (URLError, OSError, ValueError, TypeError, KeyError) as error:
            log.info("brain_not_answered", url=self.url, why=type(error).__name__)
            return None
        finally:
            own.shutdown(wait=False, cancel_futures=True)

    def _get(self, question: str, timeout_s: float) -> Any:
        query = urlencode({"scope": self.scope, "q": question, "context": "observer", "format": "json"})
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        asked = Request(f"{self.url}?{query}", headers=headers)  # noqa: S310  http or https: `remote_brain` looked
        with _OPENER.open(asked, timeout=timeout_s) as answer:
            return json.loads(answer.read(MAX_BYTES))


@dataclass(frozen=True, slots=True)
class RemoteAnswer:
    answer: str
    relevance: float


def remote_brain(scope: Scope, packs: PackSet) -> RemoteBrain | None:
    """The brain that the environment names, where questions of this scope may be sent there; None for the one in process. One
    query where one is named."""
    url = settings.COUNTERSIGN_BRAIN_URL.rstrip("/")
    if urlsplit(url).scheme not in ("http", "https") or why_not_sent(url, scope, packs):
        return None
    return RemoteBrain(url, settings.COUNTERSIGN_BRAIN_TOKEN, scope.path)


def _answer_of(body: Any) -> RemoteAnswer:
    """Raises ValueError, TypeError or KeyError for what is not the shape."""
    given: Mapping[str, Any] = body if isinstance(body, dict) else {}
    relevance = given["relevance_score"]
    if isinstance(relevance, bool) or not 0 <= relevance <= 1:
        raise ValueError("no relevance")
    return RemoteAnswer(str(given["answer"])[:2000], float(relevance))


class _Unmoved(HTTPRedirectHandler):
    """A token goes nowhere but where it was meant for."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


_OPENER: Final = build_opener(_Unmoved)
