"""What was said, utterance by utterance: who, when, where, and all that can be read from it alone, so that a thread's
messages are read once, not with each new one. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from extraction.extractors.discussions.concluding import ImpliedNorm, conclusions_of, proposals_of
from extraction.extractors.discussions.plain import NOTHING, Sentence, sentences_of
from extraction.extractors.discussions.questions import Question, questions_of
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.documents import Hit, SectionLike
from ledger.language.polarity import Assertion, assertion_of


@dataclass(frozen=True, slots=True)
class Utterance:
    """The words of one speaker in one go: a message, or a section of a turn or an episode.

    `start` is its first code point in its source, `section_index` its section there; `sentences` have offsets into the
    source. A `LinkedLine` of chat.
    """

    source_id: int
    section_index: int
    start: int
    text: str
    speaker: str
    sender: str
    sent_at: datetime | None
    external_id: str
    reply_to: str
    sentences: tuple[Sentence, ...]
    named: bool = True

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def same_voice(self, other: "Utterance") -> bool:
        """Whether one person said both. Two users without a name may be two people; nobody answers their own message."""
        nameless = self.speaker == other.speaker == "user" and not (self.named and other.named)
        return not nameless and (self.speaker, self.sender) == (other.speaker, other.sender)

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def own_words(self) -> int:
        """Without what is quoted of others, and without code: that was counted where it was said."""
        return sum(len(self.text[one.start - self.start : one.end - self.start].split()) for one in self.sentences)


def utterances(
    source_id: int,
    text: str,
    sections: Sequence[SectionLike],
    *,
    sender: str,
    sent_at: datetime | None,
    external_id: str = "",
    reply_to: str = "",
    spelling: Mapping[str, str] = NOTHING,
    not_theirs: Callable[[int], bool] = lambda position: False,
) -> list[Utterance]:
    """A source as what its speakers say in turn. Only the first is a reply to what came before the source. Sentences that
    begin where `not_theirs` says so are left out."""
    named = sender if len(sections) == 1 else ""
    found: list[Utterance] = []
    for at, section in enumerate(sections):
        words = text[section.start : section.end]
        if words.strip():
            sentences = sentences_of(words, offset=section.start, spelling=spelling)
            found.append(
                Utterance(
                    source_id=source_id,
                    section_index=at,
                    start=section.start,
                    text=words,
                    speaker=section.speaker,
                    sender=named or section.speaker,
                    sent_at=sent_at,
                    external_id="" if found else external_id,
                    reply_to="" if found else reply_to,
                    sentences=tuple(one for one in sentences if not not_theirs(one.start)),
                    named=bool(named),
                )
            )
    return found


NORMS = frozenset({"decision", "constraint", "requirement", "preference", "commitment"})


class TextRange(Protocol):
    """`start:end` of a source."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Stand:
    """What an utterance holds to be so: a labelled norm, or a conclusion. `labelled` where the rules find it too."""

    start: int
    end: int
    statement: str
    kind: str
    labelled: bool
    said: Assertion

    @classmethod
    def of(cls, place: TextRange, statement: str, kind: str, *, labelled: bool = False) -> "Stand":
        return cls(place.start, place.end, statement, kind, labelled, assertion_of(statement))


@dataclass(frozen=True, slots=True)
class ReadUtterance:
    """`proposals` are what a yes would accept; `stands` what it would lift; `open_question` where it ends in a question that
    proposes nothing, `asks` where it ends in any."""

    utterance: Utterance
    source: str
    proposals: tuple[ImpliedNorm, ...]
    conclusions: tuple[ImpliedNorm, ...]
    stands: tuple[Stand, ...]
    norms: tuple[Hit, ...]
    questions: tuple[Question, ...]
    asks: bool
    open_question: bool

    @property
    def by_user(self) -> bool:
        return self.utterance.speaker == "user"

    @property
    def decides(self) -> bool:
        return bool(self.stands or self.norms)


def hear(utterance: Utterance, source: str, triggers: Triggers, norms: Sequence[Hit]) -> ReadUtterance:
    """`source` is the whole text that the utterance stands in, `norms` what the rules find in the utterance."""
    sentences, speaker = utterance.sentences, utterance.speaker
    conclusions = _unlabelled(conclusions_of(sentences, source, triggers), norms)
    proposals = _unlabelled(proposals_of(sentences, source, triggers, agent=speaker == "agent"), norms)
    stands = (
        *(Stand.of(hit.spans[0], hit.statement, hit.kind, labelled=True) for hit in norms),
        *(Stand.of(one, one.statement, "decision") for one in conclusions),
    )
    # Where it ends in a question.
    asked = [sentence.start for sentence in sentences[-1:] if sentence.asks]
    return ReadUtterance(
        utterance=utterance,
        source=source,
        proposals=proposals,
        conclusions=conclusions,
        # Law 8: what an agent concludes is a proposal until a user says yes.
        stands=stands if speaker in ("user", "document") else (),
        norms=tuple(norms),
        questions=tuple(questions_of(sentences)),
        asks=bool(asked),
        open_question=bool(asked) and asked[0] not in {one.start for one in proposals},
    )


def _unlabelled(sayings: Sequence[ImpliedNorm], norms: Sequence[Hit]) -> tuple[ImpliedNorm, ...]:
    return tuple(one for one in sayings if not is_labelled(one.start, one.end, norms))


def is_labelled(start: int, end: int, norms: Sequence[Hit]) -> bool:
    """Whether the words of `start:end` have a label of their author's, so that the rules propose them."""
    return any(hit.spans[0].start < end and hit.spans[0].end > start for hit in norms)
