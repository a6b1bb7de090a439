"""What was said, utterance by utterance: who, when, and where it stands in which source. Plain values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.extractors.discussions.plain import NOTHING, Sentence, sentences_of
from extraction.extractors.documents import SectionLike


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
