"""An utterance with all that can be read from it alone, so that a thread's messages are read once, not with each new one."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.extractors.discussions.concluding import Saying, conclusions_of, proposals_of
from extraction.extractors.discussions.questions import Question, questions_of
from extraction.extractors.discussions.said import Utterance
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.documents import Hit
from ledger.language.polarity import Assertion, assertion_of

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
class Heard:
    """`proposals` are what a yes would accept; `stands` what it would lift; `open_question` where it ends in a question that
    proposes nothing, `asks` where it ends in any."""

    utterance: Utterance
    source: str
    proposals: tuple[Saying, ...]
    conclusions: tuple[Saying, ...]
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


def hear(utterance: Utterance, source: str, triggers: Triggers, norms: Sequence[Hit]) -> Heard:
    """`source` is the whole text that the utterance stands in, `norms` what the rules find in the utterance."""
    agent = utterance.speaker == "agent"
    covered = [(hit.spans[0].start, hit.spans[0].end) for hit in norms]

    def labelled(saying: Saying) -> bool:
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
    return Heard(
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
