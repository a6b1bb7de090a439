"""One question put until it is answered: the ladder, few retries with back-off, every call within the ceilings."""

import random
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.utils import timezone

from extraction.extractors.findings import ReadingFailed
from extraction.extractors.model import wire
from extraction.extractors.model.ops import Answer, read_answer
from extraction.extractors.model.prompt import Question
from extraction.extractors.model.server import Server
from extraction.extractors.model.spending import Book, Ceiling, tomorrow

# Within one run; what is not over by then is the run's own retry, after 30 s, 2 and 5 minutes (O5).
MAX_RETRIES: Final = 2
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 20.0
# Three rungs, the other name of the limit, no temperature: more refusals than these teach nothing.
MAX_REFUSALS: Final = 6


@dataclass(slots=True)
class Asked:
    """An answer with what it cost. `partial` tells that its end is missing."""

    answer: Answer
    raw: str
    model: str
    mode: str
    partial: str = ""


@dataclass(slots=True)
class _Tries:
    """What was tried so far, for the report of a failure."""

    raw: str = ""
    model: str = ""
    refusals: int = 0
    retries: int = 0
    half: list["Asked"] = field(default_factory=list)


def ask(question: Question, server: Server, book: Book, *, most_answer: int) -> Asked:
    """The answer's ops. Raises `ReadingFailed` with the last raw answer and what was spent, however it ends."""
    tries = _Tries()
    while True:
        mode = wire.taken_by(server).mode
        try:
            call = book.reserve(question.tokens + most_answer)
        except Ceiling as error:
            if tries.half and tries.half[0].answer.ops:
                return tries.half[0]
            raise _unreadable(str(error), book, tries, again=False, tomorrow_=True) from None
        try:
            reply = wire.call(server, question.system, question.user, question.schema, most_answer=most_answer)
        except wire.Refused as error:
            book.settle(call, 0, "refused")
            tries.refusals += 1
            if tries.refusals > MAX_REFUSALS:
                raise _unreadable(
                    f"the server refuses every form of the request: {error}", book, tries, again=False
                ) from None
            continue
        except wire.Hopeless as error:
            book.settle(call, 0, "refused")
            tries.raw = error.raw or tries.raw
            raise _unreadable(str(error), book, tries, again=False) from None
        except wire.Later as error:
            book.settle(call, None if error.spent else 0, "failed")
            tries.raw = error.raw or tries.raw
            _pause(error, book, tries)
            continue
        except BaseException:
            book.settle(call, None, "failed")
            raise
        book.settle(call, reply.tokens, "answered")
        tries.raw, tries.model = reply.content or reply.refusal, reply.model or server.model
        asked = _read(reply, mode, server, book, tries)
        if asked is None:
            continue
        return asked


def _read(reply: wire.Reply, mode: str, server: Server, book: Book, tries: _Tries) -> Asked | None:
    """The answer, or None where the question is put once more because only half of it came."""
    if reply.refusal and not reply.content:
        raise _unreadable(f"the model declines: {reply.refusal[:200]}", book, tries, again=False)
    answer = read_answer(reply.content)
    strict = not isinstance(answer, str) and answer.how == "strict"
    short = not strict and (reply.finish == "length" or (not isinstance(answer, str) and answer.cut))
    if not strict and not short and reply.finish != "content_filter":
        # It was asked for JSON alone and said something else: it does not keep to this rung.
        wire.step_down(server, mode)
    if not short:
        if isinstance(answer, str):
            raise _unreadable(answer, book, tries)
        return Asked(answer, reply.content, tries.model, mode)
    cut = "the model's answer broke off" + (" at its longest" if reply.finish == "length" else "")
    if not isinstance(answer, str):
        tries.half.append(Asked(answer, reply.content, tries.model, mode, f"{cut}; {len(answer.ops)} ops were whole"))
    return _half(cut, book, tries)


def _half(cut: str, book: Book, tries: _Tries) -> Asked | None:
    best = max(tries.half, key=lambda one: len(one.answer.ops), default=None)
    if tries.retries >= 1:
        if best is not None and best.answer.ops:
            return best
        raise _unreadable(cut, book, tries)
    tries.retries += 1
    time.sleep(_back_off(1))
    return None


def _pause(error: wire.Later, book: Book, tries: _Tries) -> None:
    """Wait as long as the server asks, where that is short; raises `ReadingFailed` where it is long, or was tried enough."""
    tries.retries += 1
    asked_s = error.after_s or 0.0
    if tries.retries > MAX_RETRIES or asked_s > LONGEST_PAUSE_S:
        again = _unreadable(str(error), book, tries)
        again.not_before = timezone.now() + timedelta(seconds=asked_s) if asked_s else None
        raise again from None
    # Never earlier than it asks.
    time.sleep(asked_s + _back_off(tries.retries) * (0.2 if asked_s else 1.0))


def _back_off(retry: int) -> float:
    """1, 2, 4 … seconds, give or take a half, so that many workers do not come back at once."""
    pause: float = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (retry - 1))
    return pause * random.uniform(0.5, 1.5)  # noqa: S311


def _unreadable(why: str, book: Book, tries: _Tries, *, again: bool = True, tomorrow_: bool = False) -> ReadingFailed:
    spent = f" ({book.calls} call{'' if book.calls == 1 else 's'}, {book.tokens} tokens)" if book.calls else ""
    error = ReadingFailed(
        why + spent, raw_answer=tries.raw, model=tries.model or book.model, tokens=book.tokens, again=again
    )
    if tomorrow_:
        error.not_before = tomorrow()
    return error
