"""A household's talk so far: its readings, and what each new message may go on about or answer at first sight (O4)."""

import math
from collections.abc import Sequence

from extraction.chat.commitments.dialogue_acts import fits
from extraction.chat.commitments.frames import OPEN, Frame, Status, Usual
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import BOT, CHILD, Member, Roster
from extraction.chat.commitments.settings import Attribution

# How much each thing that a message may answer draws an answer towards it.
_PULL: dict[Status, float] = {
    "asked": 3.0, "requested": 3.0, "query": 2.0, "offered": 1.6, "inform": 1.3, "committed": 0.6, "declined": 0.0, "ack": -1.0
}  # fmt: skip
_WEAKEST = -1.5
# What only the tripwire holds for coordination draws less.
_FAINT = 0.6
_TOPIC_SECONDS = 1800


class Thread:
    """The readings of one talk, oldest first, with the people, their zone and what they do every week."""

    def __init__(self, people: Roster, zone: str, settings: Attribution, usual: Sequence[Usual] = ()) -> None:
        self.people, self.zone, self.settings, self.usual = people, zone, settings, usual
        self.frames: list[Frame] = []

    def heard(self, own: Own, replied: int | None, chances: Sequence[float]) -> int | None:
        """The message that it seems to follow."""
        if replied is not None:
            return replied
        best, best_score = None, _WEAKEST
        elsewhere = self._elsewhere(own, chances)
        passed = 0
        for at in range(len(self.frames) - 1, max(-1, len(self.frames) - 1 - self.settings.messages), -1):
            frame = self.frames[at]
            if not frame.status:
                continue
            age = self.age(own, at)
            score = (
                _PULL[frame.status]
                - 0.25 * passed
                - 0.6 * math.log2(1 + age / 600)
                + (max(fits(own, frame), 0.0) if own.you_do else fits(own, frame))
                + self._chance(at, chances)
            )
            if frame.status not in OPEN:
                score -= elsewhere
            if frame.faint:
                score -= _FAINT
            if self.beyond(own, frame):
                score -= 1.0
            if frame.answered and frame.status in OPEN:
                score -= 1.5
            if (own.first or own.bare_me) and not own.you_do and frame.status in ("committed", "ack", "declined"):
                score -= 1.5
            if frame.own.sender == own.sender:
                score -= 0.5 if own.change or own.same_time else 1.2 if frame.status in OPEN and own.first else 2.5
            if frame.addressee is not None:
                score += 1.5 if frame.addressee == own.sender else -1.0
            if score > best_score:
                best, best_score = at, score
            passed += 1
        return best

    def _chance(self, at: int, chances: Sequence[float]) -> float:
        """How likely the words and turns alone make the link; between -1.4 and 0."""
        back = len(self.frames) - at
        place = len(chances) - 1 - back
        return 0.3 * math.log(max(chances[place] if place >= 0 else 0.0, 0.01))

    def _elsewhere(self, own: Own, chances: Sequence[float]) -> float:
        """How likely it answers talk that is no coordination: up to 2 against whatever is not open."""
        start = len(self.frames) - (len(chances) - 1)
        talk = sum(
            chance
            for at, chance in enumerate(chances[:-1], start)
            if at >= 0 and not self.frames[at].status and self.frames[at].own.sender != own.sender
        )
        return 2.0 * talk

    def topic(self, own: Own) -> int | None:
        """The last message of coordination that a new one may go on about."""
        for at in range(len(self.frames) - 1, max(-1, len(self.frames) - 1 - self.settings.messages), -1):
            frame = self.frames[at]
            if frame.status and frame.status != "ack" and self.age(own, at) <= _TOPIC_SECONDS:
                disjoint = own.children and frame.children and not set(own.children) & set(frame.children)
                other = own.activity and frame.activity and own.activity != frame.activity
                return None if disjoint or other else at
        return None

    def root(self, at: int) -> int:
        """Where the matter of a line began: what it goes on about, and what that goes on about."""
        while True:
            before = self.frames[at].source
            before = self.frames[at].about if before is None else before
            if before is None or before >= at:
                return at
            at = before

    def age(self, own: Own, at: int) -> float:
        return (own.sent_at - self.frames[at].own.sent_at).total_seconds()

    def beyond(self, own: Own, frame: Frame) -> bool:
        """Whether it lies further back than an answer reaches."""
        limit = self.settings.question_window if frame.status in (*OPEN, "query") else self.settings.window
        return (own.sent_at - frame.own.sent_at).total_seconds() > limit

    def whom(self, own: Own) -> Member | None:
        """Who is asked: who is addressed or named, else whoever was just talking with the asker, else the only other one."""
        if own.addressed or own.subject:
            return own.addressed or own.subject
        if own.adults:
            return own.adults[0]
        if own.who or own.needs or not own.asks_you:
            return None
        for at in range(len(self.frames) - 1, max(-1, len(self.frames) - 4), -1):
            other = self.frames[at].own.sender
            if (
                other != own.sender
                and self.age(own, at) <= self.settings.window // 2
                and other.role.casefold() not in (CHILD, BOT)
            ):
                return other
        grown = [one for one in self.people.members if one != own.sender and one.role.casefold() not in (CHILD, BOT)]
        return grown[0] if len(grown) == 1 else None

    def spoken_to(self, own: Own, to: Frame | None) -> Member | None:
        """Who `you` is: whoever is addressed, else whoever is answered, else the last other grown-up who spoke."""
        if own.addressed:
            return own.addressed
        others = [to.own.sender] if to is not None else []
        others += [one.own.sender for one in reversed(self.frames[-4:])]
        return next((one for one in others if one != own.sender and one.role.casefold() not in (CHILD, BOT)), None)
