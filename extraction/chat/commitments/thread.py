"""A household's talk so far: its acts, and what each new message may go on about or answer at first sight (O4)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extraction.chat.commitments.dialogue_acts import (
    SETTLED,
    DialogueAct,
    Status,
    WeeklyRoutine,
    fits,
    same_activity,
    same_children,
)
from extraction.chat.commitments.mentions import Roster
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.chat.people import HouseholdMember

# How much each thing that a message may answer draws an answer towards it.
_PULL: dict[Status, float] = {
    "asked": 3.0, "requested": 3.0, "query": 2.0, "offered": 1.6, "inform": 1.3, "committed": 0.6, "declined": 0.0, "ack": -1.0
}  # fmt: skip
_MIN_PULL = -1.5
# What draws more or less, one table a question; what only the tripwire holds for coordination is faint.
_ADJUSTMENTS = (
    sign_rules("line_faint -> -0.6"),
    sign_rules("line_beyond -> -1.0"),
    sign_rules("line_open line_answered -> -1.5"),
    sign_rules("line_settled first|bare_me !you_do -> -1.5"),
    sign_rules("""
        own_line change|same_time -> -0.5
        own_line line_open first  -> -1.2
        own_line                  -> -2.5
    """),
    sign_rules("""
        line_to_sender            -> 1.5
        line_to_other             -> -1.0
    """),
)
_MAX_TOPIC_AGE_S = 1800


@dataclass(frozen=True, slots=True)
class AttributionSettings:
    """How far back an answer may reach, in seconds, and how sure an attribution is (O4): one that was found, and a guess beyond
    the windows. A pack's `[attribution]` changes each."""

    window: int = 600
    question_window: int = 900
    found: float = 0.85
    unknown: float = 0.3
    # How many messages before it are read for what it answers.
    messages: int = 24


SHIPPED_ATTRIBUTION = AttributionSettings()


class Thread:
    """The acts of one talk, oldest first, with the people, their zone and what they do every week."""

    def __init__(
        self, people: Roster, zone: str, settings: AttributionSettings, routines: Sequence[WeeklyRoutine] = ()
    ) -> None:
        self.people, self.zone, self.settings, self.routines = people, zone, settings, routines
        self.acts: list[DialogueAct] = []

    def line_followed(self, own: ChatUtterance, chances: Sequence[float]) -> int | None:
        """The place of the message that it seems to follow; `chances` is what words and turns alone make of each link."""
        elsewhere = self._chance_of_talk(own, chances)
        coordinating = [at for at in self._latest() if self.acts[at].status]
        pulls = {at: self._pull(own, at, passed, elsewhere, chances) for passed, at in enumerate(coordinating)}
        best = max(pulls, key=pulls.__getitem__, default=None)
        return best if best is not None and pulls[best] > _MIN_PULL else None

    def _pull(self, own: ChatUtterance, at: int, passed: int, elsewhere: float, chances: Sequence[float]) -> float:
        """How strongly a line draws the answer; `passed` coordinating ones stand between."""
        act = self.acts[at]
        fit = fits(own, act)
        score = _PULL[act.status] - 0.25 * passed - 0.6 * math.log2(1 + self.age(own, at) / 600)
        score += max(fit, 0.0) if own.shows("you_do") else fit
        score += 0.3 * math.log(max(self.link_chance(at, chances), 0.01))
        score -= 0.0 if act.is_open else 2.0 * elsewhere
        signs = own.signs | signs_among(
            {
                "line_open": act.is_open,
                "line_answered": act.answered,
                "line_settled": act.status in SETTLED,
                "line_faint": act.faint,
                "line_beyond": self.beyond(own, act),
                "own_line": act.sender == own.sender,
                "line_to_sender": act.addressee == own.sender,
                "line_to_other": act.addressee is not None,
            }
        )
        for table in _ADJUSTMENTS:
            score += float(first_outcome(table, signs) or 0)
        return score

    def link_chance(self, at: int, chances: Sequence[float]) -> float:
        """How likely the words and turns alone make the link."""
        place = len(chances) - 1 - (len(self.acts) - at)
        return chances[place] if place >= 0 else 0.0

    def _chance_of_talk(self, own: ChatUtterance, chances: Sequence[float]) -> float:
        """How likely it answers somebody's talk that is no coordination."""
        start = len(self.acts) - (len(chances) - 1)
        known = [(chance, self.acts[at]) for at, chance in enumerate(chances[:-1], start) if at >= 0]
        return sum(chance for chance, act in known if not act.status and act.sender != own.sender)

    def topic(self, own: ChatUtterance) -> int | None:
        """The last message of coordination that a new one may go on about."""
        for at in self._latest():
            act = self.acts[at]
            if act.status not in ("", "ack") and self.age(own, at) <= _MAX_TOPIC_AGE_S:
                return at if min(same_children(own, act), same_activity(own, act)) >= 0 else None
        return None

    def root(self, at: int) -> int:
        """Where the matter of a line began: what it goes on about, and what that goes on about."""
        before = self._goes_back_to(at)
        while before < at:
            at, before = before, self._goes_back_to(before)
        return at

    def _goes_back_to(self, at: int) -> int:
        act = self.acts[at]
        before = act.about if act.source is None else act.source
        return at if before is None else before

    def last_clocks(self) -> tuple[str, ...]:
        """Those that somebody named last while something was arranged."""
        named = (one.clocks for one in reversed(self.acts) if one.status and one.utterance.times.clocks)
        return next(named, ())

    def age(self, own: ChatUtterance, at: int) -> float:
        return (own.sent_at - self.acts[at].utterance.sent_at).total_seconds()

    def beyond(self, own: ChatUtterance, act: DialogueAct) -> bool:
        """Whether it lies further back than an answer reaches."""
        asks = act.is_open or act.status == "query"
        limit = self.settings.question_window if asks else self.settings.window
        return (own.sent_at - act.utterance.sent_at).total_seconds() > limit

    def addressee_of(self, own: ChatUtterance) -> HouseholdMember | None:
        """Who is asked: who is addressed or named, else whoever was just talking with the asker, else the only other one."""
        named = own.addressed or own.subject or next(iter(own.adults), None)
        if named or own.shows("who", "needs") or not own.shows("asks_you"):
            return named
        lately = [self.acts[at].sender for at in self._latest(3) if self.age(own, at) <= self.settings.window // 2]
        talking, others = _grown_beside(own, lately), _grown_beside(own, self.people.members)
        return next(iter(talking), others[0] if len(others) == 1 else None)

    def spoken_to(self, own: ChatUtterance, to: DialogueAct | None) -> HouseholdMember | None:
        """Who `you` is: whoever is addressed, else whoever is answered, else the last other grown-up who spoke."""
        acts = [*filter(None, [to]), *reversed(self.acts[-4:])]
        return own.addressed or next(iter(_grown_beside(own, (act.sender for act in acts))), None)

    def _latest(self, most: int = 0) -> range:
        """The places of the last lines, the newest first; without `most` as many as an answer may reach."""
        size = len(self.acts)
        return range(size - 1, max(-1, size - 1 - (most or self.settings.messages)), -1)


def _grown_beside(own: ChatUtterance, people: Iterable[HouseholdMember]) -> list[HouseholdMember]:
    """Those of the people who are grown up, without who sent the message."""
    return [one for one in people if one != own.sender and one.is_grown]
