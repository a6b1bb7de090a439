"""A scope whose pack names the model, a server that does as it is told, and no pauses."""

from collections.abc import Iterator
from typing import Any

import pytest

from extraction.extractors.model import asking, wire
from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.load_pack import load_pack
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.models import Run, Scope, Source
from tests.extraction.extractors.model import server as wired

PERSON = operator("Ada")
PACK = """
[pack]
name = "{name}"
version = "1"
extractors = ["model"]

[keys]
closed = {closed}

[[keys.list]]
key = "wall.width"
value_type = "dimension"
unit = "cm"

[[keys.list]]
key = "budget.total"
value_type = "currency"
unit = "EUR"
high_risk = true
{more}
"""


@pytest.fixture
def model(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[wired.Model]:
    monkeypatch.setattr(asking, "FIRST_PAUSE_S", 0.01)
    wire.forget()
    with wired.serving() as served:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = served.address, "k-123"
        settings.COUNTERSIGN_MODEL, settings.COUNTERSIGN_MODEL_TIMEOUT_S = "small-1", 5
        yield served


@pytest.fixture
def hall(db: None) -> Scope:
    return make_hall()


def make_hall(
    path: str = "hall", *, pack: str = "building", closed: bool = True, more: str = "", **scope: Any
) -> Scope:
    load_pack(PACK.format(name=pack, closed=str(closed).lower(), more=more).encode(), file=f"{pack}.toml")
    return create_scope(path, tier="project", packs=[pack], actor=PERSON, **scope)


def tell(scope: Scope, text: str, *, kind: str = "message", by: str = "user", sections: Any = None) -> Source:
    told = Incoming(text=text, kind=kind, sender_kind=by, sender="Ada", sections=sections)
    extractors = [one for one in for_scope(scope) if one.name == "model"]
    return ingest([told], scope=scope, actor=PERSON, extractors=extractors)[0].source


def read(scope: Scope, text: str, **more: Any) -> Run:
    """One source read by the model, and its run."""
    source = tell(scope, text, **more)
    work_off()
    return Run.objects.get(source=source, extractor="model")


def op(quote: str, **more: Any) -> dict[str, Any]:
    """A whole FactOp as a good model writes it."""
    section = more.pop("section", "S1")
    cited = {"quote": quote, "startChar": more.pop("start", None), "endChar": None, "sourceSection": section}
    return {
        "op": "ADD", "scope": {"type": "project", "itemId": None}, "kind": "fact", "key": "wall.width",
        "valueType": "dimension", "value": "600 cm", "statement": None, "evidence": cited, "confidence": 0.9,
        "needsReview": False, "replaces": None, "assignee": None, "reason": "stated",
    } | more  # fmt: skip
