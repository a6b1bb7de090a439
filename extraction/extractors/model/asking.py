"""One question put until it is answered: the ladder, few retries with back-off, every call within the ceilings."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.utils import timezone

from extraction.extractors.findings import ReadingFailed
from extraction.extractors.model import wire
from extraction.extractors.model.ops import Answer, read_answer
from extraction.extractors.model.prompt import ModelQuestion
from extraction.extractors.model.server import Server
from extraction.extractors.model.spending import Book, Ceiling, tomorrow
from extraction.models import ModelCall

# Within one run; what is not over by then is the run's own retry, after 30 s, 2 and 5 minutes (O5).
MAX_RETRIES: Final = 2
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 20.0
# Three rungs, the other name of the limit, no temperature: more refusals than these teach nothing.
MAX_REFUSALS: Final = 6


@dataclass(slots=True)
class ModelAnswer:
    """An answer with what it cost. `partial` tells that its end is missing."""

    answer: Answer
    raw: str
    model: str
    mode: str
    partial: str = ""


def ask(
    question: ModelQuestion,
    server: Server,
    book: Book,
    *,
    most_answer: int,
    reader: Callable[[str], Answer] = read_answer,
) -> ModelAnswer:
    """The answer as `reader` reads it. Raises `ReadingFailed` with the last raw answer and what was spent, however it ends."""
    return _Exchange(question, server, book, most_answer, reader).answered()


@dataclass(slots=True)
class _Exchange:
    """One question, and what was tried so far, for the report of a failure."""

    question: ModelQuestion
    server: Server
    book: Book
    most_answer: int
    reader: Callable[[str], Answer] = read_answer
    raw: str = ""
    model: str = ""
    refusals: int = 0
    retries: int = 0
    half: list[ModelAnswer] = field(default_factory=list)

    def answered(self) -> ModelAnswer:
        answer = None
        while answer is None:
            mode = wire.form_for(self.server).mode
            try:
                call = self.book.reserve(self.question.tokens + self.most_answer)
            except Ceiling as error:
                if self.half and self.half[0].answer.ops:
                    return self.half[0]
                failed = self.failure(str(error), again=False)
                failed.not_before = tomorrow()
                raise failed from None
            reply = self.called(call)
            answer = self.read(reply, mode) if reply else None
        return answer

    def called(self, call: ModelCall) -> wire.Reply | None:
        """The reply to one call, its cost settled; None where another call may do."""
        question = self.question
        try:
            reply = wire.call(
                self.server, question.system, question.user, question.schema, most_answer=self.most_answer
            )
        except wire.Refused as error:
            self.book.settle(call, 0, "refused")
            self.refusals += 1
            if self.refusals > MAX_REFUSALS:
                raise self.failure(f"the server refuses every form of the request: {error}", again=False) from None
            return None
        except wire.Hopeless as error:
            self.book.settle(call, 0, "refused")
            self.raw = error.raw or self.raw
            raise self.failure(str(error), again=False) from None
        except wire.Later as error:
            self.book.settle(call, None if error.spent else 0, "failed")
            self.raw = error.raw or self.raw
            self.pause(error)
            return None
        except BaseException:
            self.book.settle(call, None, "failed")
            raise
        self.book.settle(call, reply.tokens, "answered")
        self.raw, self.model = reply.content or reply.refusal, reply.model or self.server.model
        return reply

    def read(self, reply: wire.Reply, mode: str) -> ModelAnswer | None:
        """The answer, or None where the question is put once more because only half of it came."""
        if reply.refusal and not reply.content:
            raise self.failure(f"the model declines: {reply.refusal[:200]}", again=False)
        answer = self.reader(reply.content)
        strict = answer.how == "strict"
        if not strict and (reply.finish == "length" or answer.cut):
            return self.read_half(answer, reply, mode)
        if not strict and reply.finish != "content_filter":
            # It was asked for JSON alone and said something else: it does not keep to this rung.
            wire.step_down(self.server, mode)
        if answer.fault:
            raise self.failure(answer.fault)
        return ModelAnswer(answer, reply.content, self.model, mode)

    def read_half(self, answer: Answer, reply: wire.Reply, mode: str) -> ModelAnswer | None:
        """The best half once it was asked for twice; None before."""
        cut = "the model's answer broke off" + (" at its longest" if reply.finish == "length" else "")
        partial = f"{cut}; {len(answer.ops)} ops were whole"
        self.half.append(ModelAnswer(answer, reply.content, self.model, mode, partial))
        if self.retries == 0:
            self.retries = 1
            time.sleep(_back_off(1))
            return None
        best = max(self.half, key=lambda one: len(one.answer.ops))
        if best.answer.ops:
            return best
        raise self.failure(cut)

    def pause(self, error: wire.Later) -> None:
        """Wait as long as the server asks, where that is short; raises `ReadingFailed` where it is long, or was tried
        enough."""
        self.retries += 1
        asked_s = error.after_s or 0.0
        if self.retries > MAX_RETRIES or asked_s > LONGEST_PAUSE_S:
            again = self.failure(str(error))
            again.not_before = timezone.now() + timedelta(seconds=asked_s) if asked_s else None
            raise again from None
        # Never earlier than it asks.
        time.sleep(asked_s + _back_off(self.retries) * (0.2 if asked_s else 1.0))

    def failure(self, why: str, *, again: bool = True) -> ReadingFailed:
        book = self.book
        spent = f" ({book.calls} call{'' if book.calls == 1 else 's'}, {book.tokens} tokens)" if book.calls else ""
        return ReadingFailed(
            why + spent, raw_answer=self.raw, model=self.model or book.model, tokens=book.tokens, again=again
        )


def _back_off(retry: int) -> float:
    """1, 2, 4 … seconds, give or take a half, so that many workers do not come back at once."""
    pause: float = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (retry - 1))
    return pause * random.uniform(0.5, 1.5)  # noqa: S311
