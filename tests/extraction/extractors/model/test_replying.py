"""An agent's answer in a conversation, asked of a server on a real socket."""

from typing import Any

import pytest

from extraction.extractors.model.replying import reply_refusal, stream_reply
from extraction.models.spend import ModelCall
from ledger.errors import Invalid
from ledger.models import Scope, Source
from tests.extraction.extractors.model.conftest import tell
from tests.extraction.extractors.model.server import Model, fails, streams

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(hall: Scope) -> Source:
    return tell(hall, "Is the wall ready?", kind="turn")


def test_the_words_come_piece_by_piece_and_are_counted(asked: Source, model: Model) -> None:
    model.says(streams("Which ", "wall?"))
    assert list(stream_reply(asked)) == ["Which ", "wall?"]
    (sent,) = model.requests
    assert sent["stream"] is True and "response_format" not in sent
    assert [one["role"] for one in sent["messages"]] == ["system", "user"]
    assert sent["messages"][-1]["content"] == "Is the wall ready?"
    call = ModelCall.objects.get(source_id=asked.pk)
    assert (call.outcome, call.tokens) == ("answered", call.reserved)


@pytest.mark.parametrize(
    ("reply", "said"),
    [(fails(500), []), (streams("Which ", whole=False), ["Which "]), (streams(*["w "] * 40, pause=0.2), None)],
)
def test_what_breaks_off_is_told_and_no_word_of_the_agent(
    asked: Source, model: Model, settings: Any, reply: Any, said: list[str] | None
) -> None:
    settings.COUNTERSIGN_MODEL_TIMEOUT_S = 2
    model.says(reply)
    words: list[str] = []
    with pytest.raises(Invalid, match="the answer broke off"):
        words.extend(stream_reply(asked))
    assert said is None or words == said
    assert 0 <= len(words) < 30 and all("broke off" not in one for one in words)
    assert ModelCall.objects.get(source_id=asked.pk).outcome == "failed"


def test_nobody_is_asked_where_texts_may_not_go(asked: Source, model: Model, settings: Any) -> None:
    Scope.objects.filter(pk=asked.scope_id).update(allowed_endpoints=["models.example"])
    asked.scope.refresh_from_db()
    assert "do not name" in reply_refusal(asked.scope)
    with pytest.raises(Invalid, match="no answer"):
        list(stream_reply(asked))
    assert model.calls == 0
