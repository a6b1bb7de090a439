"""A model over one source: a question for each window of its text, the quotes found there by the program (T2–T4, O6)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from django.conf import settings

from extraction.extractors.documents import Hit
from extraction.extractors.findings import Findings, Note, Reading, ReadingFailed
from extraction.extractors.model import MODEL_VERSION
from extraction.extractors.model.asking import ModelAnswer, ask
from extraction.extractors.model.base import AskingExtractor
from extraction.extractors.model.claims import outcome_of
from extraction.extractors.model.ops import read_answer
from extraction.extractors.model.prompt import (
    ModelQuestion,
    kinds_asked,
    not_sent,
    question_of,
    reading_task,
    template,
)
from extraction.extractors.model.server import Server
from extraction.extractors.model.snapshot import Snapshot, snapshot_of
from extraction.extractors.model.spending import Book, tomorrow
from extraction.extractors.model.tokens import most_tokens
from ledger.models import Kind, Run, Source
from ledger.packs import PackSet
from ledger.reads.packs import kinds

MODEL: Final = "model"
# Less of a text than this is not worth a call.
LEAST_TEXT: Final = 200
# Code points that two windows of a text share, at most: what stands at the end of one is read with what follows.
OVERLAP: Final = 1_500


class ModelExtractor(AskingExtractor):
    """Runs where a pack names it, a server is configured and the scope's texts may go there."""

    name = MODEL
    stage = "extraction"
    threshold = 0.6
    number = MODEL_VERSION

    def rules(self) -> str:
        return template()

    def kinds_in(self, packs: PackSet) -> frozenset[str]:
        return frozenset(packs.setting("model", "kinds", ()))

    def ask_about(self, reading: Reading, server: Server, book: Book) -> Findings:
        return _WindowReader(reading, server, book).findings()


@dataclass(slots=True)
class _WindowReader:
    """One source, window by window. What two windows say of the words that they share counts once; answers that an earlier
    attempt got are not asked for again."""

    reading: Reading
    server: Server
    book: Book
    snapshot: Snapshot = field(init=False)
    asked_for: list[Kind] = field(init=False)
    answers: list[tuple[ModelQuestion, ModelAnswer]] = field(default_factory=list)
    hits: dict[tuple[object, ...], Hit] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    stats: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.snapshot = snapshot_of(self.reading)
        self.asked_for = kinds_asked(self.reading.packs, list(kinds().values()))

    def findings(self) -> Findings:
        """Raises `ReadingFailed` with every answer so far; where waiting does not help, what was read before is kept."""
        begin = 0
        kept = answers_in(self.reading.source)
        while begin < len(self.reading.source.text):
            try:
                begin = self._read_from(begin, kept)
            except ReadingFailed as error:
                if not self.answers or error.again:
                    error.raw_answer = joined(self.answers, error.raw_answer)
                    raise
                self.left_out.append(f"{not_sent(self.answers[-1][0], self.reading.source.text)}: {error}")
                break
        return Findings(
            hits=list(self.hits.values()),
            notes=self.notes,
            raw_answer=joined(self.answers),
            model=self.answers[-1][1].model if self.answers else self.server.model,
            tokens=self.book.tokens,
            calls=self.book.calls,
            partial="; ".join(filter(None, self.left_out)),
            stats={**self.stats, "calls": self.book.calls},
        )

    def _read_from(self, begin: int, kept: Mapping[str, str]) -> int:
        """Where the next window begins."""
        most_answer, question = _question(self.reading, self.snapshot, self.asked_for, self.book, begin)
        start, end = question.window
        if question.sections:
            if raw := kept.get(question.digest):
                asked = ModelAnswer(read_answer(raw), raw, self.server.model, "kept")
            else:
                asked = ask(question, self.server, self.book, most_answer=most_answer)
            self._add(question, asked)
        if end >= len(self.reading.source.text):
            return end
        back = end - min(OVERLAP, (end - start) // 4)
        line = self.reading.source.text.find("\n", back, end)
        return line + 1 if line >= 0 else back

    def _add(self, question: ModelQuestion, asked: ModelAnswer) -> None:
        made = outcome_of(asked.answer, self.reading, self.snapshot, question, self.asked_for)
        for hit in made.hits:
            self.hits.setdefault((hit.kind, hit.key, hit.scope_id, hit.spans, hit.places), hit)
        beyond = f"{asked.answer.beyond} ops beyond the first were not read" if asked.answer.beyond else ""
        self.answers.append((question, asked))
        self.notes += made.notes
        self.left_out += [asked.partial, beyond]
        self.stats += made.stats


def joined(answers: Sequence[tuple[ModelQuestion, ModelAnswer]], last: str = "") -> str:
    """One answer as it came; several, each below a line that tells its window and the digest of its question."""
    if not last and len(answers) == 1:
        return answers[0][1].raw
    told = [f"{_HEAD.format(*question.window, question.digest)}\n{asked.raw}" for question, asked in answers]
    return "\n".join([*told, *([last] if last else [])])


_HEAD: Final = "=== characters {} to {}, question {} ==="
_HEADS: Final = re.compile(r"^=== characters \d+ to \d+, question ([0-9a-f]{64}) ===\n", re.M)


def answers_in(source: Source) -> dict[str, str]:
    """What earlier attempts at this source were answered, by the digest of the question."""
    earlier = Run.objects.filter(source=source, extractor=MODEL).exclude(raw_answer="").order_by("-pk")
    parts = _HEADS.split(earlier.values_list("raw_answer", flat=True).first() or "")
    return {digest: raw.removesuffix("\n") for digest, raw in zip(parts[1::2], parts[2::2], strict=True)}


def _question(
    reading: Reading, snapshot: Snapshot, asked_for: list[Kind], book: Book, begin: int
) -> tuple[int, ModelQuestion]:
    """The question and the answer's limit, both within what is left of the source's tokens. Raises `ReadingFailed`."""
    left, longest = book.left(), settings.COUNTERSIGN_MODEL_ANSWER_TOKENS
    # A text that leaves no room for an answer is cut; an answer may be shorter than the settings allow.
    for_text = left - min(longest, left // 3)
    about = partial(question_of, reading, snapshot, asked_for, task=reading_task(), begin=begin)
    question = about(most_text=settings.COUNTERSIGN_MODEL_TEXT)
    if question.tokens > for_text and question.sections:
        # By the share that is too much, and a little more, for no two stretches of a text cost the same.
        text = reading.source.text[slice(*question.window)]
        over = (question.tokens - for_text) / max(1, most_tokens(text))
        fits = int(len(text) * (1 - over) * 0.95)
        if fits >= LEAST_TEXT:
            question = about(most_text=fits)
    if question.tokens > for_text:
        why = (
            f"the ceiling of {book.limits.tokens_per_source} tokens a day for one source leaves {left}: too few to ask"
        )
        raise ReadingFailed(why, again=False, not_before=tomorrow(), model=book.model)
    most_answer = min(longest, left - question.tokens)
    return most_answer, question
