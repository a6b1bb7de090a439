"""What was said, utterance by utterance: who, when, where, and all that can be read from it alone, so that a thread's
messages are read once, not with each new one. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

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
    found: list[Utterance] = []
    for at, section in enumerate(sections):
        words = text[section.start : section.end]
        if not words.strip():
            continue
        found.append(
            Utterance(
                source_id=source_id,
                section_index=at,
                start=section.start,
                text=words,
                speaker=section.speaker,
                sender=(sender if len(sections) == 1 else "") or section.speaker,
                sent_at=sent_at,
                external_id=external_id if not found else "",
                reply_to=reply_to if not found else "",
                sentences=tuple(
                    sentence
                    for sentence in sentences_of(words, offset=section.start, spelling=spelling)
                    if not not_theirs(sentence.start)
                ),
                named=bool(sender) and len(sections) == 1,
            )
        )
    return found


NORMS = frozenset({"decision", "constraint", "requirement", "preference", "commitment"})


@dataclass(frozen=True, slots=True)
class Stand:
    """What an utterance holds to be so: a labelled norm, or a conclusion. `labelled` where the rules find it too."""

    start: int
    end: int
    statement: str
    kind: str
    labelled: bool
    said: Assertion


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
    agent = utterance.speaker == "agent"
    covered = [(hit.spans[0].start, hit.spans[0].end) for hit in norms]

    def labelled(saying: ImpliedNorm) -> bool:
        return any(start < saying.end and end > saying.start for start, end in covered)

    sentences = utterance.sentences
    conclusions = [one for one in conclusions_of(sentences, source, triggers) if not labelled(one)]
    proposals = [one for one in proposals_of(sentences, source, triggers, agent=agent) if not labelled(one)]
    stands = [
        Stand(hit.spans[0].start, hit.spans[0].end, hit.statement, hit.kind, True, assertion_of(hit.statement))
        for hit in norms
    ]
    stands += [
        Stand(one.start, one.end, one.statement, "decision", False, assertion_of(one.statement)) for one in conclusions
    ]
    last = sentences[-1] if sentences else None
    asks = last is not None and last.asks
    return ReadUtterance(
        utterance=utterance,
        source=source,
        proposals=tuple(proposals),
        conclusions=tuple(conclusions),
        # Law 8: what an agent concludes is a proposal until a user says yes.
        stands=tuple(stands) if utterance.speaker in ("user", "document") else (),
        norms=tuple(norms),
        questions=tuple(questions_of(sentences)),
        asks=asks,
        open_question=asks and last is not None and not any(one.start == last.start for one in proposals),
    )
