"""An agent that answers at once, for the working screen's tests."""

from collections.abc import Iterator

from ledger.models import Scope, Source


def reply_refusal(scope: Scope) -> str:
    return ""


def stream_reply(source: Source) -> Iterator[str]:
    yield "Is the backdrop "
    yield "fire-proof?"
