"""What one message says by itself, before anything around it is looked at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from extraction.chat.commitments import lexicon as words
from extraction.chat.commitments import replies
from extraction.chat.commitments.activities import ACTIVITY, VAGUE
from extraction.chat.commitments.cues import cues_of
from extraction.chat.commitments.mentions import (
    NameMention,
    Place,
    Roster,
    addressed_of,
    children_and_adults,
    kin_addressed,
    mentions_in_sentence,
    other_parent,
    subject_of,
)
from extraction.chat.commitments.named_times import NamedTimes, named_times
from extraction.chat.decision_tables import signs_among
from extraction.chat.people import BOT, HouseholdMember
from ledger.language.fold import fold_in_place

TRANSPORT: Final = "transport"
CARE: Final = "care_coverage"
_DUTIES: Final = ((CARE, words.CARE), (TRANSPORT, words.TRANSPORT))
# Verbs of everyday, which tell of a duty before a child's name: `I got Leo`.
_DUTIES_BEFORE_CHILD: Final = ((TRANSPORT, replies.BEFORE_A_CHILD), (CARE, replies.CARE_OF_A_CHILD))
_WORD = re.compile(r"\w+")
_COVER = ("cover", "cubr")


@dataclass(frozen=True, slots=True)
class ChatUtterance:
    """One message and the signs in it. Places are `start:end` of its text; `duty` is transport, care_coverage or empty;
    `length` counts its words."""

    text: str
    sender: HouseholdMember
    sent_at: datetime
    day: date
    signs: frozenset[str]
    length: int
    mentions: tuple[NameMention, ...]
    children: tuple[HouseholdMember, ...]
    adults: tuple[HouseholdMember, ...]
    subject: HouseholdMember | None
    addressed: HouseholdMember | None
    duty: str
    duty_at: Place | None
    activity: str
    activity_words: str
    activity_at: Place | None
    place: str
    times: NamedTimes

    def shows(self, *signs: str) -> bool:
        """Whether one of these is there."""
        return not self.signs.isdisjoint(signs)

    def turns_to(self, member: HouseholdMember) -> bool:
        return member == self.addressed or member in self.adults


@lru_cache(maxsize=4096)
def utterance_of(text: str, sender: str, sent_at: datetime, zone: str, people: Roster) -> ChatUtterance:
    """Read one message; equal ones are read once a process. The day is that of the people's zone."""
    folded = fold_in_place(text)
    speaker = people.of(sender)
    named = tuple(people.mentions(text))
    times = named_times(text, at=sent_at, zone=zone)
    duty, duty_at = _duty(folded, named)
    activity, activity_words, activity_at = _activity(folded, named)
    children, adults = children_and_adults(mentions_in_sentence(named, folded, duty_at), speaker)
    length = len(_WORD.findall(folded))
    cues = cues_of(text, folded, length, times, named, speaker)
    subject = subject_of(folded, named, speaker) or other_parent(folded, speaker, people)
    asks = not cues.isdisjoint(("question", "asks_you"))
    addressed = addressed_of(folded, named, speaker, asks, subject) or kin_addressed(folded, named, speaker, people)
    content = {
        "duty": duty, "activity": activity, "children": children, "times": times, "adults": adults, "subject": subject,
        "addressed": addressed, "addressed_grown": addressed is not None and not addressed.is_child,
        "by_child": speaker.is_child, "by_bot": speaker.has_role(BOT),
    }  # fmt: skip
    # What shows none of these can only be understood by what it answers.
    signs = cues | signs_among(content)
    signs |= signs_among({"empty": signs.isdisjoint(("children", "activity", "duty", "times", "change"))})
    return ChatUtterance(
        text, speaker, sent_at, sent_at.astimezone(ZoneInfo(zone)).date(), frozenset(signs), length, named, children, adults,
        subject, addressed, duty, duty_at, activity, activity_words, activity_at, _place(text, activity_at, people), times,
    )  # fmt: skip


def _place(text: str, activity_at: Place | None, people: Roster) -> str:
    """A place by its name; not somebody's (`from Leo`), nor what names a feast (`to Mia's party`)."""
    found = words.PLACE.search(text)
    if found is None or people.mentions(found["place"]):
        return ""
    return "" if activity_at and activity_at[0] == found.end("place") + 1 else found["place"]


def _activity(folded: str, named: Sequence[NameMention]) -> tuple[str, str, Place | None]:
    """The most particular activity that is named, its words and where; what is part of somebody's name is none."""
    names = {place for one in named for place in range(one.start, one.end)}
    found = [one for one in ACTIVITY.finditer(folded) if names.isdisjoint(range(*one.span()))]
    best = min(found, key=lambda one: one.lastgroup in VAGUE, default=None)
    return ("", "", None) if best is None else (best.lastgroup or "", best.group(), best.span())


def _duty(folded: str, named: Sequence[NameMention]) -> tuple[str, Place | None]:
    """The first duty that is spoken of."""
    found = sorted(_duties(folded, named))
    if not found:
        return "", None
    start, end, kind = found[0]
    if kind == CARE and folded[start:end].startswith(_COVER):
        # `cover the pick-up`: what is covered says what it is.
        start, end, kind = next((one for one in found if one[2] == TRANSPORT), found[0])
    return kind, (start, end)


def _duties(folded: str, named: Sequence[NameMention]) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in _DUTIES:
        if found := pattern.search(folded):
            yield *found.span(), kind
    for mention in named:
        for kind, pattern in _DUTIES_BEFORE_CHILD:
            if mention.of_child and (found := pattern.search(folded[: mention.start])):
                yield *found.span(1), kind
