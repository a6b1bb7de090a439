"""One message in its thread: what it does, and which message it answers (O3, O4, O6)."""

import math
from collections.abc import Sequence
from datetime import timedelta

from extraction.coordination.frames import OPEN, Frame, Status, Usual, may_take
from extraction.coordination.judging import accepts, alike, asking, fits, guessed, helps, rests_on, says_all, type_of
from extraction.coordination.own import Own, own_of
from extraction.coordination.people import BOT, CHILD, Member, Roster
from extraction.coordination.settings import Attribution
from extraction.coordination.shares import shares_of
from extraction.links import Said
from extraction.links.linking import scores_of
from extraction.links.traits import traits
from extraction.links.window import Window

# How much each thing that a message may answer draws an answer towards it.
_PULL: dict[Status, float] = {
    "asked": 3.0, "requested": 3.0, "query": 2.0, "offered": 1.6, "inform": 1.3, "committed": 0.6, "declined": 0.0, "ack": -1.0
}  # fmt: skip
_WEAKEST = -1.5
# What only the tripwire holds for coordination draws less.
_FAINT = 0.6
_TOPIC_SECONDS = 1800
# People arrange their day in a few lines; of a longer message the beginning is read, so that none costs much.
_LONGEST = 2000


class ThreadReader:
    """Reads a thread message by message; nothing later than a message is looked at for it."""

    def __init__(
        self, people: Roster, zone: str, settings: Attribution | None = None, usual: Sequence[Usual] = ()
    ) -> None:  # fmt: skip
        self.people, self.zone, self.usual = people, zone, usual
        self.settings = settings or Attribution()
        self.frames: list[Frame] = []
        self._ids: dict[str, int] = {}
        aliases = {alias: one.name for one in people.members for alias in one.aliases}
        self._window = Window(self.settings.messages, aliases)

    def read(self, message: Said, *, passed: bool = True, sure: bool = False) -> Frame:
        """The frame of the next message. What the tripwire did not let pass coordinates nothing, and still counts as talk;
        `sure`, what it did let pass tells something, whatever the words: an answer may rest on it.
        Raises ValueError for a message without a time."""
        if message.sent_at is None:
            raise ValueError("a message without a time cannot be placed in its thread")
        own = own_of(message.text[:_LONGEST], message.sender, message.sent_at, self.zone, self.people)
        seen = traits(message)
        chances = scores_of(seen, self._window)
        frame = self._understand(own, self._ids.get(message.reply_to), chances, sure) if passed else Frame(own)
        if passed and sure and not frame.status and not own.thanks and not own.laughs:
            frame = self._filled(Frame(own, "inform", faint=True), self._topic(own))
        self.frames.append(frame)
        self._window.add(seen)
        if message.external_id:
            self._ids[message.external_id] = len(self.frames) - 1
        return frame

    # ── what it does ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _understand(self, own: Own, replied: int | None, chances: Sequence[float], sure: bool) -> Frame:
        asks = asking(own) or self._asks_on(own)
        if asks == "offered":
            frame = Frame(own, asks, assignees=(own.sender,), clear=True)
            return self._filled(frame, self._topic(own))
        if asks:
            frame = Frame(own, asks, addressee=self._whom(own) if asks == "requested" else None)
            frame.assignees = (frame.addressee,) if frame.addressee else ()
            frame.clear = True
            return self._filled(frame, self._topic(own))
        if own.sender.role.casefold() == BOT:
            return self._told(own)
        source, late = self._source(own, replied, chances)
        answered = self.frames[source] if source is not None else None
        frame = self._answer(own, answered)
        if not frame.status:
            if sure and own.trouble and not (own.question or own.thanks or own.laughs or own.no or own.first):
                return self._filled(Frame(own, "asked", faint=True), self._topic(own))
            told = self._told(own)
            if told.status or answered is None or late or not any(one is answered for one in self.frames[-6:]):
                return told
            frame = guessed(own, answered)
            if not frame.status:
                return told
        if frame.status in ("committed", "offered") and (not rests_on(frame, answered) or (late and says_all(own))):
            source = None
        frame.source, frame.late = source, late and source is not None
        if source is not None and frame.status == "committed" and answered is not None:
            answered.answered = True
        return self._filled(frame, source if source is not None else self._topic(own))

    def _asks_on(self, own: Own) -> Status:
        """`can you do it?`: asks for what was just spoken of."""
        topic = self._topic(own)
        if topic is not None and own.passes_on and own.adults and self.frames[topic].status in OPEN and not own.yes:
            return "requested"
        topic = topic if own.asks_you and own.question and not own.yes else None
        return "requested" if topic is not None and self._age(own, topic) <= self.settings.window else ""

    def _answer(self, own: Own, to: Frame | None) -> Frame:
        """What a message does that asks nothing: take, offer, refuse, agree. Without a status where it does none of these."""
        taking = own.first or (to is not None and (own.bare_me or own.takes_by_sign))
        if own.on_condition and not own.nods_by_sign and to is not None and to.status in (*OPEN, "query"):
            return Frame(own, "offered", assignees=(own.sender,))
        shared = shares_of(own, self._spoken_to(own, to))
        if shared:
            takers = tuple(dict.fromkeys(one.member for one in shared))
            return Frame(own, "committed", assignees=takers, shares=shared, clear=True)
        if own.subject and not own.question and (own.duty or (to is not None and to.status in (*OPEN, "query"))):
            return Frame(own, "committed", assignees=(own.subject,), clear=bool(own.duty))
        both = own.first and to is not None and to.status in OPEN
        if own.you_do and not both and not own.question and (to is not None or own.addressed):
            return Frame(own, "committed", assignees=self._other_than(own.sender, own.addressed, to), clear=True)
        if to is not None and to.status in OPEN and own.busy and not own.first and not own.yes:
            return Frame(own, "declined")
        if (
            own.no
            and not own.yes
            and to is not None
            and to.status in (*OPEN, "query", "inform")
            and not own.thanks
            and not own.nods_by_sign
        ):
            if not own.first:
                return Frame(own, "declined")
            if own.conditional or own.times.clocks:
                return Frame(own, "offered", assignees=(own.sender,))
        if to is not None and to.status == "offered" and accepts(own, to):
            return Frame(own, "committed", assignees=to.assignees)
        if (
            to is not None
            and (own.yes or own.takes_by_sign)
            and own.sender in to.assignees
            and to.own.sender != own.sender
        ):
            return Frame(own, "committed", assignees=(own.sender,), clear=True)
        if to is not None and (taking or own.yes):
            if own.nods_by_sign and not (
                to.status in OPEN and may_take(own.sender, to) and to.own.sender != own.sender
            ):
                return Frame(own, "ack")
            if to.status in ("committed", "ack", "declined") and not (own.first and (own.duty or own.children)):
                return Frame(own, "ack", assignees=to.assignees) if own.yes or own.takes_by_sign else Frame(own)
            asked_by_child = to.own.sender.role.casefold() == CHILD
            if to.status == "query" and not own.first and not to.own.asks_you and asked_by_child:
                return Frame(own, "ack")
            if not may_take(own.sender, to) and not (own.first and own.duty):
                return Frame(own, "ack")
            if own.first and own.conditional and own.duty and to.status not in OPEN:
                return Frame(own, "offered", assignees=(own.sender,), clear=True)
            return Frame(own, "committed", assignees=(own.sender,), clear=True)
        if to is not None and self._next_to(to) and helps(own, to):
            return Frame(own, "committed", assignees=(own.sender,))
        if own.first and not own.no and (own.children or (own.duty and (own.activity or own.pronoun or own.times))):
            if own.sender.role.casefold() == CHILD and not own.duty:
                return Frame(own)
            status: Status = "offered" if own.conditional else "committed"
            return Frame(own, status, assignees=(own.sender,), clear=bool(own.duty and (own.children or own.activity)))
        if (
            own.first
            and (own.conditional or own.times.days)
            and not own.no
            and own.sender.role.casefold() != CHILD
            and own.length >= 4
        ):
            return Frame(own, "offered", assignees=(own.sender,))
        return Frame(own)

    def _spoken_to(self, own: Own, to: Frame | None) -> Member | None:
        """Who `you` is: whoever is addressed, else whoever is answered, else the last other grown-up who spoke."""
        if own.addressed:
            return own.addressed
        others = [to.own.sender] if to is not None else []
        others += [one.own.sender for one in reversed(self.frames[-4:])]
        return next((one for one in others if one != own.sender and one.role.casefold() not in (CHILD, BOT)), None)

    def _next_to(self, to: Frame) -> bool:
        """Whether a call for help is what is being talked about: three lines away at most."""
        return any(one is to for one in self.frames[-3:])

    def _told(self, own: Own) -> Frame:
        """News: an activity at its time, a change, or a detail of what is being talked about."""
        if own.thanks and own.empty:
            return Frame(own)
        known = own.activity or own.duty
        if known and own.sender.role.casefold() == CHILD and own.length <= 8 and not own.laughs:
            return self._filled(Frame(own, "inform"), self._topic(own))
        if (own.change and (known or own.children or own.times)) or (known and (own.times or own.children)):
            return self._filled(Frame(own, "inform", clear=bool(own.times)), self._topic(own))
        topic = self._topic(own)
        recent = topic is not None and self._age(own, topic) <= self.settings.window
        if recent and (own.times or (own.children and own.duty) or (own.activity and own.length <= 8)):
            frame = self._filled(Frame(own, "inform"), topic)
            frame.source = topic
            return frame
        if own.children and own.times:
            return self._filled(Frame(own, "inform"), topic)
        return Frame(own)

    # ── which message it answers ─────────────────────────────────────────────────────────────────────────────────────

    def _source(self, own: Own, replied: int | None, chances: Sequence[float]) -> tuple[int | None, bool]:
        """The message that is answered, and whether that lies beyond the window (then it is a guess)."""
        if replied is not None and self.frames[replied].status:
            return replied, False
        best, best_score, best_late = None, _WEAKEST, False
        elsewhere = self._elsewhere(own, chances)
        passed = 0
        for at in range(len(self.frames) - 1, max(-1, len(self.frames) - 1 - self.settings.messages), -1):
            frame = self.frames[at]
            if not frame.status:
                continue
            age = self._age(own, at)
            limit = self.settings.question_window if frame.status in (*OPEN, "query") else self.settings.window
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
            if age > limit:
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
                best, best_score, best_late = at, score, age > limit
            passed += 1
        return best, best_late

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

    def _topic(self, own: Own) -> int | None:
        """The last message of coordination that a new one may go on about."""
        for at in range(len(self.frames) - 1, max(-1, len(self.frames) - 1 - self.settings.messages), -1):
            frame = self.frames[at]
            if frame.status and frame.status != "ack" and self._age(own, at) <= _TOPIC_SECONDS:
                disjoint = own.children and frame.children and not set(own.children) & set(frame.children)
                other = own.activity and frame.activity and own.activity != frame.activity
                return None if disjoint or other else at
        return None

    def _age(self, own: Own, at: int) -> float:
        return (own.sent_at - self.frames[at].own.sent_at).total_seconds()

    def _whom(self, own: Own) -> Member | None:
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
                and self._age(own, at) <= self.settings.window // 2
                and other.role.casefold() not in (CHILD, BOT)
            ):
                return other
        grown = [one for one in self.people.members if one != own.sender and one.role.casefold() not in (CHILD, BOT)]
        return grown[0] if len(grown) == 1 else None

    def _other_than(self, sender: Member, addressed: Member | None, to: Frame | None) -> tuple[Member, ...]:
        if addressed is not None:
            return (addressed,)
        if to is None:
            return ()
        return (to.own.sender,) if to.own.sender != sender else to.assignees

    # ── what it is about ─────────────────────────────────────────────────────────────────────────────────────────────

    def _filled(self, frame: Frame, topic: int | None) -> Frame:
        """The frame with type, children, activity, days and clocks: its own, else those of what it goes on about."""
        own = frame.own
        about = self.frames[topic] if topic is not None else None
        frame.type = type_of(frame, about)
        frame.activity = own.activity or (about.activity if about else "")
        frame.activity_words = own.activity_words if own.activity else about.activity_words if about else ""
        frame.place = own.place or (about.place if about else "")
        frame.children = self._children(frame, about)
        if own.next_one and about is not None and about.days:
            frame.days = tuple(day + timedelta(days=7) for day in about.days)
        elif own.times.days and not (own.repeats and about is not None):
            frame.days = own.times.days
        elif about is not None:
            frame.days, frame.implied_day = about.days, about.implied_day
        else:
            frame.days, frame.implied_day = (own.day,), True
        answers = frame.source is not None or own.empty or own.same_time
        frame.clocks = own.times.clocks or (about.clocks if about is not None and (answers or not own.activity) else ())
        if own.same_time and not frame.clocks:
            frame.clocks = next(
                (one.clocks for one in reversed(self.frames) if one.status and one.own.times.clocks), ()
            )
        return frame

    def _children(self, frame: Frame, about: Frame | None) -> tuple[Member, ...]:
        own = frame.own
        children = tuple(child for child in own.children if child != frame.addressee or len(own.children) > 1)
        if children:
            return children
        if own.sender.role.casefold() == CHILD and (own.speaks_of_self or about is None) and frame.status != "ack":
            return (own.sender,)
        if about is not None and about.children:
            return about.children
        usual = self._usual(own)
        if usual:
            return usual
        kids = self.people.children
        return kids if len(kids) == 1 and (own.duty or own.activity) else ()

    def _usual(self, own: Own) -> tuple[Member, ...]:
        days = {day.weekday() for day in own.times.days} or {own.day.weekday()}
        for usual in self.usual:
            same = (own.activity and usual.activity and alike(own.activity_words, usual.activity)) or (
                usual.place and usual.place.casefold() in own.text.casefold()
            )
            if same and (not usual.weekdays or days & usual.weekdays):
                return tuple(self.people.of(name) for name in usual.people)
        return ()
