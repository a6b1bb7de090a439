"""One message in its thread: what it does, and which message it answers (O3, O4, O6)."""

from collections.abc import Sequence

from extraction.coordination.answering import answered
from extraction.coordination.filling import filled
from extraction.coordination.frames import OPEN, Frame, Status, Usual
from extraction.coordination.judging import asking, guessed, rests_on, says_all, takes_alone
from extraction.coordination.openings import opening_of, root_of
from extraction.coordination.own import Own, own_of
from extraction.coordination.people import BOT, CHILD, Roster
from extraction.coordination.settings import Attribution
from extraction.coordination.thread import Thread
from extraction.links import Said
from extraction.links.linking import scores_of
from extraction.links.traits import traits
from extraction.links.window import Window

# People arrange their day in a few lines; of a longer message the beginning is read, so that none costs much.
_LONGEST = 2000


class ThreadReader:
    """Reads a thread message by message; nothing later than a message is looked at for it."""

    def __init__(
        self, people: Roster, zone: str, settings: Attribution | None = None, usual: Sequence[Usual] = ()
    ) -> None:  # fmt: skip
        self.settings = settings or Attribution()
        self.thread = Thread(people, zone, self.settings, usual)
        self._ids: dict[str, int] = {}
        aliases = {alias: one.name for one in people.members for alias in one.aliases}
        self._window = Window(self.settings.messages, aliases)

    @property
    def frames(self) -> list[Frame]:
        return self.thread.frames

    def read(self, message: Said, *, passed: bool = True, sure: bool = False) -> Frame:
        """The frame of the next message. What the tripwire did not let pass coordinates nothing, and still counts as talk;
        `sure`, what it did let pass tells something, whatever the words: an answer may rest on it.
        Raises ValueError for a message without a time."""
        if message.sent_at is None:
            raise ValueError("a message without a time cannot be placed in its thread")
        own = own_of(message.text[:_LONGEST], message.sender, message.sent_at, self.thread.zone, self.thread.people)
        seen = traits(message)
        chances = scores_of(seen, self._window)
        frame = self._understand(own, self._ids.get(message.reply_to), chances, sure) if passed else Frame(own)
        if passed and sure and not frame.status and not own.thanks and not own.laughs:
            frame = filled(Frame(own, "inform", faint=True), self.thread.topic(own), self.thread)
        self.frames.append(frame)
        self._window.add(seen)
        if message.external_id:
            self._ids[message.external_id] = len(self.frames) - 1
        return frame

    def _understand(self, own: Own, replied: int | None, chances: Sequence[float], sure: bool) -> Frame:
        asks = asking(own) or self._asks_on(own)
        if asks == "offered":
            frame = Frame(own, asks, assignees=(own.sender,), clear=True)
            return filled(frame, self.thread.topic(own), self.thread)
        if asks:
            frame = Frame(own, asks, addressee=self.thread.whom(own) if asks == "requested" else None)
            frame.assignees = (frame.addressee,) if frame.addressee else ()
            frame.clear = True
            return filled(frame, self.thread.topic(own), self.thread)
        if own.sender.role.casefold() == BOT:
            return self._told(own)
        heard, late = self.thread.heard(own, replied, chances)
        to = self.frames[heard] if heard is not None else None
        frame = answered(own, to, self.thread)
        if not frame.status and takes_alone(own):
            frame, heard = self._again(own, chances)
        if not frame.status:
            if sure and own.trouble and not (own.question or own.thanks or own.laughs or own.no or own.first):
                return filled(Frame(own, "asked", faint=True), self.thread.topic(own), self.thread)
            told = self._told(own)
            if told.status or to is None or late or not any(one is to for one in self.frames[-6:]):
                return told
            frame = guessed(own, to)
            if not frame.status:
                return told
        return self._attributed(frame, heard, replied, chances)

    def _again(self, own: Own, chances: Sequence[float]) -> tuple[Frame, int | None]:
        """A first person that seems to follow nothing: what opened the matter is asked once more."""
        opening = opening_of(Frame(own, "committed", assignees=(own.sender,)), None, self.thread, chances)
        if opening is None:
            return Frame(own), None
        asked = self.frames[opening]
        if self.thread.beyond(own, asked) and (asked.status not in OPEN or asked.answered):
            return Frame(own), None
        return Frame(own, "committed", assignees=(own.sender,)), opening

    def _attributed(self, frame: Frame, heard: int | None, replied: int | None, chances: Sequence[float]) -> Frame:
        """With the message that it goes back to, an explicit reply first, and what is known of the matter from there on."""
        explicit = heard is not None and heard == replied
        if explicit:
            frame.source = heard
        else:
            frame.source = opening_of(frame, heard, self.thread, chances)
        to = self.frames[frame.source] if frame.source is not None else None
        frame.late = not explicit and to is not None and self.thread.beyond(frame.own, to)
        if frame.status in ("committed", "offered") and (
            not rests_on(frame, to) or (frame.late and says_all(frame.own))
        ):
            frame.source, frame.late = None, False
        if frame.source is None:
            return filled(frame, self.thread.topic(frame.own), self.thread)
        for at in {frame.source, heard if heard is not None else frame.source}:
            self.frames[at].answered |= frame.status == "committed"
        return filled(frame, self._last_of(frame.source, heard), self.thread)

    def _last_of(self, source: int, heard: int | None) -> int:
        """The line that knows most: a detail that was heard last, where it belongs to the same matter."""
        if heard is None or (heard <= source and self.frames[source].status):
            return source
        same = root_of(heard, self.thread) == root_of(source, self.thread) or not self.frames[source].status
        return heard if same else source

    def _asks_on(self, own: Own) -> Status:
        """`can you do it?`: asks for what was just spoken of."""
        topic = self.thread.topic(own)
        if topic is not None and own.passes_on and own.adults and self.frames[topic].status in OPEN and not own.yes:
            return "requested"
        topic = topic if own.asks_you and own.question and not own.yes else None
        return "requested" if topic is not None and self.thread.age(own, topic) <= self.settings.window else ""

    def _told(self, own: Own) -> Frame:
        """News: an activity at its time, a change, or a detail of what is being talked about."""
        if own.thanks and own.empty:
            return Frame(own)
        known = own.activity or own.duty
        if known and own.sender.role.casefold() == CHILD and own.length <= 8 and not own.laughs:
            return filled(Frame(own, "inform"), self.thread.topic(own), self.thread)
        if (own.change and (known or own.children or own.times)) or (known and (own.times or own.children)):
            return filled(Frame(own, "inform", clear=bool(own.times)), self.thread.topic(own), self.thread)
        topic = self.thread.topic(own)
        recent = topic is not None and self.thread.age(own, topic) <= self.settings.window
        if recent and (own.times or (own.children and own.duty) or (own.activity and own.length <= 8)):
            frame = filled(Frame(own, "inform"), topic, self.thread)
            frame.source = topic
            return frame
        if own.children and own.times:
            return filled(Frame(own, "inform"), topic, self.thread)
        return Frame(own)
