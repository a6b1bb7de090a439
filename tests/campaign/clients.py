"""Somebody who works over HTTP and remembers everything that was acknowledged."""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from tests import whole

# Answers after which the same request is sent again, under the same key.
AGAIN = {429, 500, 502, 503, 504}
# As long as `up` may take to start where others want the cores.
PATIENCE_S = whole.PATIENCE_S


class GaveUp(Exception):
    """No answer came within the patience."""


@dataclass
class Api:
    """One caller's connection; what was cut off is asked again until it is answered."""

    url: str
    token: str
    faults: list[str] = field(default_factory=list)

    def once(self, method: str, path: str, body: Any = None, key: str = "", timeout: float = 20) -> tuple[int, Any]:
        """One try. Raises OSError or HTTPException where no whole answer came."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=timeout)
        try:
            connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Until it is answered for good. Raises `GaveUp`."""
        key = uuid.uuid4().hex if method != "GET" else ""
        until, met = time.monotonic() + PATIENCE_S, Counter[str]()
        while time.monotonic() < until:
            try:
                status, answer = self.once(method, path, body, key)
            except (OSError, http.client.HTTPException, ValueError) as error:
                met[type(error).__name__] += 1
                time.sleep(0.1)
                continue
            met[str(status)] += 1
            if status == 500:
                self.faults.append(f"{method} {path.partition('?')[0]} answered 500")
            if status not in AGAIN:
                return status, answer
            time.sleep(0.1)
        raise GaveUp(f"{method} {path.partition('?')[0]}, which met {dict(met)} until {datetime.now(UTC):%H:%M:%S}")


@dataclass
class Client(threading.Thread):
    """Works in a scope of its own, so that it knows in which state each of its claims must be."""

    api: Api
    scope: str
    over: threading.Event
    seed: int
    sources: dict[str, int] = field(default_factory=dict)
    statements: set[str] = field(default_factory=set)
    # By ref the status that its last acknowledged verb led to, and the verbs that were acknowledged.
    states: dict[str, str] = field(default_factory=dict)
    events: dict[int, str] = field(default_factory=dict)
    operations: int = 0
    gave_up: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True, name=self.scope)
        self.random = random.Random(self.seed)
        self.undoable: list[tuple[int, str, str]] = []

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        verbs = [
            self.send,
            self.send,
            self.propose,
            self.decide,
            self.decide,
            self.decide,
            self.undo,
            self.read,
            self.ask,
        ]
        while not self.over.is_set():
            try:
                self.random.choice(verbs)()
            except GaveUp as error:
                self.gave_up.append(str(error))

    def word(self) -> str:
        return f"{self.scope.rpartition('/')[2]}x{self.operations}x{self.random.randrange(10**6)}"

    def send(self) -> None:
        """A document whose one decision becomes a candidate once it is read."""
        name = self.word()
        text = f"# Note\n\n## Decision: Option {name} is chosen\n"
        body = {"scope": self.scope, "kind": "document", "external_id": name, "text": text}
        status, answer = self.api("POST", "/sources", body)
        if status in (200, 201):
            self.operations += 1
            self.sources[name] = answer["source"]["id"]

    def propose(self) -> None:
        statement = f"The door {self.word()} stands open"
        status, _ = self.api("POST", "/candidates", {"scope": self.scope, "kind": "fact", "statement": statement})
        if status == 201:
            self.operations += 1
            self.statements.add(statement)

    def decide(self) -> None:
        status, page = self.api("GET", f"/candidates?scope={self.scope}&limit=20")
        if status != 200 or not page["items"]:
            return
        claim = self.random.choice(page["items"])
        verb = self.random.choice(("promote", "promote", "reject", "defer"))
        status, answer = self.api("POST", f"/candidates/{claim['ref']}/{verb}", {"version": claim["version"]})
        if status == 200:
            self.done(answer["event"], claim["ref"], answer["candidate"]["status"])
            self.undoable.append((answer["event"]["id"], claim["ref"], claim["status"]))

    def undo(self) -> None:
        if not self.undoable:
            return
        event, ref, before = self.undoable.pop(self.random.randrange(len(self.undoable)))
        status, answer = self.api("POST", f"/journal/{event}/undo", {})
        if status == 200:
            self.done(answer["event"], ref, before)

    def done(self, event: dict[str, Any], ref: str, state: str) -> None:
        self.operations += 1
        self.events[event["id"]] = event["verb"]
        self.states[ref] = state

    def read(self) -> None:
        path = self.random.choice(
            (f"/context?scope={self.scope}&query=door", f"/search?scope={self.scope}&q=option", "/health")
        )
        self.api("GET", path)

    def ask(self) -> None:
        """Have one source read by the model, which is slow and lies."""
        if self.sources and self.random.random() < 0.1:
            source = self.random.choice(list(self.sources.values()))
            self.api("POST", f"/sources/{source}/extract", {"extractors": ["model"]})
