"""A model over one source: one question, its quotes found in the text by the program (T2–T4, O6)."""

import hashlib
from typing import Final

from django.conf import settings

from extraction.extractors.findings import Extractor, Findings, Reading, ReadingFailed
from extraction.extractors.model import MODEL_VERSION
from extraction.extractors.model.asking import ask
from extraction.extractors.model.claims import outcome_of
from extraction.extractors.model.prompt import ModelQuestion, kinds_asked, question_of, reading_task, template
from extraction.extractors.model.server import Server, configured, refusal
from extraction.extractors.model.snapshot import Snapshot, snapshot_of
from extraction.extractors.model.spending import Book, limits_of, tomorrow
from extraction.extractors.model.tokens import most_tokens
from ledger.models import Kind, Scope
from ledger.packs import PackSet
from ledger.reads.packs import kinds

MODEL: Final = "model"
# Less of a text than this is not worth a call.
LEAST_TEXT: Final = 200


class ModelExtractor(Extractor):
    """Runs where a pack names it, a server is configured and the scope's texts may go there."""

    name = MODEL
    stage = "extraction"
    threshold = 0.6
    # It costs money and time, so a dry run leaves it out.
    asks_outside = True

    @property
    def version(self) -> str:
        """Another model or another prompt is another reader of the same source (law 7)."""
        asked = hashlib.sha256(f"{settings.COUNTERSIGN_MODEL}\n{template()}".encode()).hexdigest()
        return f"{MODEL_VERSION}+{asked[:8]}"

    def kinds_in(self, packs: PackSet) -> frozenset[str]:
        return frozenset(packs.setting("model", "kinds", ()))

    def refusal(self, scope: Scope, packs: PackSet) -> str:
        """Why it can't read texts of this scope now; empty where it can."""
        return refusal(scope, packs)

    def read(self, reading: Reading) -> Findings:
        why = refusal(reading.scope, reading.packs)
        server = configured()
        if why or server is None:
            raise ReadingFailed(why, again=False)
        snapshot = snapshot_of(reading)
        asked_for = kinds_asked(reading.packs, list(kinds().values()))
        book = Book(reading, limits_of(reading.packs), server.host, server.model)
        most_answer, question = _question(reading, snapshot, asked_for, book)
        if not question.sections:
            return Findings(model=server.model, stats={"calls": 0})
        return _read(reading, server, snapshot, asked_for, book, question, most_answer)


def _question(reading: Reading, snapshot: Snapshot, asked_for: list[Kind], book: Book) -> tuple[int, ModelQuestion]:
    """The question and the answer's limit, both within what is left of the source's tokens. Raises `ReadingFailed`."""
    left, longest = book.left(), settings.COUNTERSIGN_MODEL_ANSWER_TOKENS
    # A text that leaves no room for an answer is cut; an answer may be shorter than the settings allow.
    for_text = left - min(longest, left // 3)
    task = reading_task()
    question = question_of(reading, snapshot, asked_for, most_text=settings.COUNTERSIGN_MODEL_TEXT, task=task)
    if question.tokens > for_text and question.sent:
        # By the share that is too much, and a little more, for no two stretches of a text cost the same.
        text = reading.source.text[: question.sent]
        over = (question.tokens - for_text) / max(1, most_tokens(text))
        fits = int(len(text) * (1 - over) * 0.95)
        if fits >= LEAST_TEXT:
            question = question_of(reading, snapshot, asked_for, most_text=fits, task=task)
    if question.tokens > for_text:
        why = (
            f"the ceiling of {book.limits.tokens_per_source} tokens a day for one source leaves {left}: too few to ask"
        )
        raise ReadingFailed(why, again=False, not_before=tomorrow(), model=book.model)
    most_answer = min(longest, left - question.tokens)
    return most_answer, question


def _read(
    reading: Reading,
    server: Server,
    snapshot: Snapshot,
    asked_for: list[Kind],
    book: Book,
    question: ModelQuestion,
    most_answer: int,
) -> Findings:
    asked = ask(question, server, book, most_answer=most_answer)
    made = outcome_of(asked.answer, reading, snapshot, question, asked_for)
    beyond = f"{asked.answer.beyond} ops beyond the first were not read" if asked.answer.beyond else ""
    return Findings(
        hits=made.hits,
        notes=made.notes,
        raw_answer=asked.raw,
        model=asked.model,
        tokens=book.tokens,
        calls=book.calls,
        partial="; ".join(filter(None, (question.partial, asked.partial, beyond))),
        stats={**made.stats, "calls": book.calls},
    )
