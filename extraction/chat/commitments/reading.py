"""One message in its thread: what it does, and which message it answers (O3, O4, O6)."""

from collections.abc import Sequence
from functools import cache
from typing import cast

from extraction.chat.commitments.answering import answered
from extraction.chat.commitments.dialogue_acts import asking, says_all
from extraction.chat.commitments.frames import OPEN, Frame, Status, Usual
from extraction.chat.commitments.message_signs import Own, own_of
from extraction.chat.commitments.people import BOT, CHILD, Roster
from extraction.chat.commitments.settings import Attribution
from extraction.chat.commitments.slot_filling import filled
from extraction.chat.commitments.taking import Taken, taken
from extraction.chat.commitments.task_split import Share, shares_of
from extraction.chat.commitments.thread import Thread
from extraction.chat.commitments.weighing import Heard
from extraction.chat.reply_links import Said
from extraction.chat.reply_links.linking import scores_of
from extraction.chat.reply_links.traits import traits
from extraction.chat.reply_links.window import Window
from extraction.chat.tripwire import Member as Known
from extraction.chat.tripwire import Message, Tripwire
from extraction.chat.tripwire.said import people_of
from extraction.chat.tripwire.scoring import told_of
from extraction.chat.tripwire.threads import Told

# People arrange their day in a few lines; of a longer message the beginning is read, so that none costs much.
_LONGEST = 2000


@cache
def _by_words() -> Tripwire:
    """For a scope whose packs have learnt nothing: what words alone tell."""
    return cast(Tripwire, Tripwire.from_packs([{"tripwire": {"learned": "household"}}]))


class ThreadReader:
    """Reads a thread message by message; nothing later than a message is looked at for it."""

    def __init__(
        self,
        people: Roster,
        zone: str,
        settings: Attribution | None = None,
        usual: Sequence[Usual] = (),
        tripwire: Tripwire | None = None,
    ) -> None:
        """`tripwire`: that of the scope, whose learned heads tell much of what a line asks for or takes on."""
        self.settings = settings or Attribution()
        self._tripwire = tripwire if tripwire is not None and tripwire.learned is not None else _by_words()
        self._known = people_of(tuple(Known((one.name, *one.aliases), one.role) for one in people.members))
        self._told_so_far: list[Told] = []
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
        this = self._heard(message)
        heard = Heard(own, this, self.thread, self._told_so_far, chances, (1 if sure else 0) if passed else -1)
        replied = self._ids.get(message.reply_to)
        frame = self._understand(heard, replied) if passed else self._stopped(heard, replied)
        if passed and sure and not frame.status and not own.thanks and not own.laughs:
            frame = filled(Frame(own, "inform", faint=True), self.thread.topic(own), self.thread)
        self.frames.append(frame)
        self._window.add(seen)
        self._told_so_far.append(this)
        if message.external_id:
            self._ids[message.external_id] = len(self.frames) - 1
        return frame

    def _heard(self, message: Said) -> Told:
        """The message as the tripwire sees it."""
        return told_of(self._tripwire, Message(message.text[:_LONGEST], message.sender, message.sent_at), self._known)

    def _understand(self, heard: Heard, replied: int | None) -> Frame:
        own, sure = heard.own, heard.passed > 0
        if own.sender.role.casefold() == BOT:
            return self._told(own)
        explicit = replied if replied is not None and self.frames[replied].status else None
        follows = self.thread.heard(own, explicit, heard.chances)
        to = self.frames[follows] if follows is not None else None
        shares = shares_of(own, self.thread.spoken_to(own, to))
        found = self._weighed(heard, shares, explicit)
        asks = asking(own) or self._asks_on(own)
        if asks and not shares and (found.guessed or not found.told):
            return self._asked(own, asks)
        frame = answered(own, to, shares)
        if found.told and (found.sure or frame.status != "declined"):
            stated = frame.status == "committed" and frame.clear
            return self._taken(own, found, shares, follows, explicit, stated=stated)
        if not frame.status:
            if sure and own.trouble and not (own.question or own.thanks or own.laughs or own.no or own.first):
                return filled(Frame(own, "asked", faint=True), self.thread.topic(own), self.thread)
            return self._told(own)
        if frame.status != "committed":
            frame.source = explicit if explicit is not None else follows
        return self._placed(frame, follows, explicit)

    def _stopped(self, heard: Heard, explicit: int | None) -> Frame:
        """What the tripwire stopped is read all the same where it most likely takes something on."""
        found = self._weighed(heard, (), explicit)
        return self._taken(heard.own, found, (), None, explicit) if found.certain else Frame(heard.own)

    def _weighed(self, heard: Heard, shares: tuple[Share, ...], explicit: int | None) -> Taken:
        return taken(heard, shares, explicit)

    def _asked(self, own: Own, asks: Status) -> Frame:
        frame = Frame(own, asks, clear=True)
        if asks == "offered":
            frame.assignees = (own.sender,)
        elif asks == "requested" and (whom := self.thread.whom(own)):
            frame.addressee, frame.assignees = whom, (whom,)
        return filled(frame, self.thread.topic(own), self.thread)

    def _taken(
        self, own: Own, found: Taken, shares: tuple[Share, ...], heard: int | None, explicit: int | None, *, stated: bool = False
    ) -> Frame:  # fmt: skip
        """Taken on in answer to a line; what says all itself, long after it, rests on nothing. `stated`: in so many words."""
        shares = shares if found.who == {one.member for one in shares} else ()
        who = tuple(dict.fromkeys(one.member for one in shares)) or tuple(sorted(found.who, key=lambda one: one.name))
        frame = Frame(own, "committed", assignees=who, shares=shares, clear=found.sure or stated)
        frame.guess = found.guessed and not stated
        far = explicit is None and self.thread.beyond(own, self.frames[found.at])
        frame.source = None if far and says_all(own) else found.at
        return self._placed(frame, heard, explicit)

    def _placed(self, frame: Frame, heard: int | None, explicit: int | None) -> Frame:
        """With what is known of the matter from the line that it goes back to."""
        if frame.source is None:
            return filled(frame, self.thread.topic(frame.own), self.thread)
        to = self.frames[frame.source]
        frame.late = explicit is None and self.thread.beyond(frame.own, to)
        for at in {frame.source, heard if heard is not None else frame.source}:
            self.frames[at].answered |= frame.status == "committed" and not frame.guess
        return filled(frame, self._last_of(frame.source, heard), self.thread)

    def _last_of(self, source: int, heard: int | None) -> int:
        """The line that knows most: a detail that was heard last, where it belongs to the same matter."""
        if heard is None or (heard <= source and self.frames[source].status):
            return source
        same = self.thread.root(heard) == self.thread.root(source) or not self.frames[source].status
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
