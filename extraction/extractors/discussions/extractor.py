"""The discussion of a task, message by message: what each new one corrects, confirms, contradicts or concludes (D1 to D9)."""

from collections.abc import Sequence
from functools import lru_cache, partial

from extraction.extractors.discussions import DISCUSSION_VERSION, ReadUtterance, Triggers, discuss, hear, utterances
from extraction.extractors.documents import RULES_VERSION, Hit, find_hits
from extraction.extractors.documents.extractor import rules_of
from extraction.extractors.echo import echoes_in, is_within
from extraction.extractors.findings import Extractor, Findings, Reading
from ledger.models import Section, Source
from ledger.packs import PackSet

DISCUSSION = "discussion"
TALK = frozenset({"message", "interaction", "turn", "episode"})
DECIDING = frozenset({"decision", "constraint", "requirement", "preference", "commitment", "action_item", "fact"})
# Messages that were read before, by source and packs: a thread is read once, not with each of its messages.
KEPT = 4_000


class DiscussionExtractor(Extractor):
    """Reads each message in the light of its thread, after all that came before it was read."""

    name = DISCUSSION
    version = f"{DISCUSSION_VERSION}.{RULES_VERSION}"
    stage = "discussion"
    threshold = 0.5
    kinds = TALK
    waits_for = ("rules", DISCUSSION)

    def __init__(self) -> None:
        self._heard: dict[tuple[object, ...], tuple[ReadUtterance, ...]] = {}

    def read(self, reading: Reading) -> Findings:
        triggers = triggers_of(reading.packs)
        thread: list[ReadUtterance] = []
        for message in reading.thread:
            if message.kind in TALK:
                thread += self._hear(message, list(message.sections.all()), reading, triggers)
        own = self._hear(reading.source, reading.sections, reading, triggers)
        if not own:
            return Findings()
        found = discuss([*thread, *own], len(thread), triggers)
        return Findings(found.hits, patterns=found.patterns, marks=found.marks)

    def _hear(
        self, source: Source, sections: Sequence[Section], reading: Reading, triggers: Triggers
    ) -> tuple[ReadUtterance, ...]:
        key = (source.pk, source.sha256, source.sender, source.external_id, reading.packs.digest)
        known = self._heard.get(key)
        if known is None:
            if len(self._heard) >= KEPT:
                self._heard.clear()
            known = self._heard[key] = tuple(hear_all(source, list(sections), reading, triggers))
        return known


def hear_all(source: Source, sections: Sequence[Section], reading: Reading, triggers: Triggers) -> list[ReadUtterance]:
    said = utterances(
        source.pk,
        source.text,
        sections,
        sender=source.sender,
        sent_at=source.sent_at,
        external_id=source.external_id,
        reply_to=source.reply_to,
        spelling=triggers.spelling,
        not_theirs=partial(is_within, echoes_in(source)),
    )
    norms = labelled(source, sections, reading)
    return [
        hear(one, source.text, triggers, [hit for hit in norms if one.start <= hit.spans[0].start < one.end])
        for one in said
    ]


def labelled(source: Source, sections: Sequence[Section], reading: Reading) -> list[Hit]:
    """What the rules find in the same text, so that it is not found twice and a yes to it is known for one."""
    echoed = echoes_in(source)
    hits = find_hits(
        source.text, sections, rules_of(reading.packs), kind=source.kind,
        sent_at=source.sent_at, now=reading.now,
    )  # fmt: skip
    return [hit for hit in hits if hit.kind in DECIDING and hit.explicit and not is_within(echoed, hit.spans[0].start)]


@lru_cache(maxsize=64)
def triggers_of(packs: PackSet) -> Triggers:
    """The compiled triggers of a pack set. Raises PatternError."""
    return Triggers.from_packs(packs.contents)
