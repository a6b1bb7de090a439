"""One message in its thread: what it does, and which message it answers (O3, O4, O6)."""

from collections.abc import Sequence
from functools import cache
from typing import cast

from extraction.chat.commitments.assignee_features import MessageInThread
from extraction.chat.commitments.assignee_model import AssigneePrediction, predict_assignees
from extraction.chat.commitments.dialogue_acts import DialogueAct, Status, WeeklyRoutine, answered, asking, says_all
from extraction.chat.commitments.mentions import Roster
from extraction.chat.commitments.slot_filling import filled
from extraction.chat.commitments.task_split import TaskShare, shares_of
from extraction.chat.commitments.thread import SHIPPED_ATTRIBUTION, AttributionSettings, Thread
from extraction.chat.commitments.utterances import ChatUtterance, utterance_of
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.chat.messages import ChatMessage, LinkedLine
from extraction.chat.reply_links import ChatWindow, link_chances, traits_of
from extraction.chat.tripwire import AnalysedMessage, Tripwire, analysed, people_known

# People arrange their day in a few lines; of a longer message the beginning is read, so that none costs much.
_MAX_CHARS = 2000
# `can you do it?` asks for what was just spoken of, `and Javi?` passes it on.
_ASKING_ON = sign_rules("""
    passes_on adults topic_open !yes                   -> requested
    asks_you question recent_topic !yes                -> requested
""")
# News: an activity at its time, a change, or a detail of what is being talked about.
_TELLING = sign_rules("""
    thanks empty                                       ->
    by_child duty|activity upto_8 !laughs              -> news
    change duty|activity|children|times                -> news_of_its_own
    duty|activity times|children                       -> news_of_its_own
    recent_topic times                                 -> detail
    recent_topic children duty                         -> detail
    recent_topic activity upto_8                       -> detail
    children times                                     -> news
""")
# What the tripwire let pass, and no words explain.
_FAINT_CALL = sign_rules("trouble !question !thanks !laughs !no !first -> asked")


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
        settings: AttributionSettings = SHIPPED_ATTRIBUTION,
        routines: Sequence[WeeklyRoutine] = (),
        tripwire: Tripwire | None = None,
    ) -> None:
        """`tripwire`: that of the scope, whose learned heads tell much of what a line asks for or takes on."""
        self.settings = settings
        self._tripwire = tripwire if tripwire is not None and tripwire.learned else _by_words()
        self._known = people_known(people.members)
        self._lines: list[AnalysedMessage] = []
        self.thread = Thread(people, zone, settings, routines)
        self._ids: dict[str, int] = {}
        aliases = {alias: one.name for one in people.members for alias in one.aliases}
        self._window = ChatWindow(settings.messages, aliases)

    @property
    def acts(self) -> list[DialogueAct]:
        return self.thread.acts

    def read(self, message: LinkedLine, *, passed: bool = True, sure: bool = False) -> DialogueAct:
        """The act of the next message. What the tripwire did not let pass coordinates nothing, and still counts as talk;
        `sure`, what it did let pass tells something, whatever the words: an answer may rest on it.
        Raises ValueError for a message without a time."""
        if message.sent_at is None:
            raise ValueError("a message without a time cannot be placed in its thread")
        text = message.text[:_MAX_CHARS]
        own = utterance_of(text, message.sender, message.sent_at, self.thread.zone, self.thread.people)
        traits = traits_of(message)
        line = analysed(self._tripwire, ChatMessage(message.sender, text, message.sent_at), self._known)
        chances = link_chances(traits, self._window)
        judged = int(sure) if passed else -1
        placed = MessageInThread(own, line, self.thread, self._lines, chances, judged)
        replied = self._ids.get(message.reply_to)
        act = self._understood(placed, replied) if passed else self._stopped(placed, replied)
        if judged > 0 and not act.status and not own.shows("thanks", "laughs"):
            act = self._on_topic(DialogueAct(own, "inform", faint=True))
        self.acts.append(act)
        self._window.add(traits)
        self._lines.append(line)
        if message.external_id:
            self._ids[message.external_id] = len(self.acts) - 1
        return act

    def _understood(self, message: MessageInThread, replied: int | None) -> DialogueAct:
        own = message.own
        if own.shows("by_bot"):
            return self._told(own)
        explicit = self._coordinating(replied)
        follows = explicit if explicit is not None else self.thread.line_followed(own, message.chances)
        to = self.acts[follows] if follows is not None else None
        shares = shares_of(own, self.thread.spoken_to(own, to))
        found = self._predicted(message, shares, explicit)
        asks = self._asks(own)
        if asks and not shares and not found.convincing:
            return self._asked(own, asks)
        act = answered(own, to, shares)
        if found.told and (found.sure or act.status != "declined"):
            act = self._taken_on(own, found, shares, explicit, stated=act.status == "committed" and act.clear)
        elif not act.status:
            return self._unanswering(message)
        elif act.status != "committed":
            act.source = follows
        return self._placed(act, follows, explicit)

    def _coordinating(self, replied: int | None) -> int | None:
        """The line that is replied to, where it coordinates something."""
        return replied if replied is not None and self.acts[replied].status else None

    def _asks(self, own: ChatUtterance) -> Status:
        """Empty for what asks nothing, of itself or about what is being spoken of."""
        return asking(own) or cast(Status, first_outcome(_ASKING_ON, own.signs | self._topic_signs(own)))

    def _unanswering(self, message: MessageInThread) -> DialogueAct:
        """What answers nothing calls for help or tells something, if anything."""
        if message.passed > 0 and first_outcome(_FAINT_CALL, message.own.signs):
            return self._on_topic(DialogueAct(message.own, "asked", faint=True))
        return self._told(message.own)

    def _stopped(self, message: MessageInThread, explicit: int | None) -> DialogueAct:
        """What the tripwire stopped is read all the same where it most likely takes something on."""
        found = self._predicted(message, (), explicit)
        if not found.certain:
            return DialogueAct(message.own)
        return self._placed(self._taken_on(message.own, found, (), explicit), None, explicit)

    def _predicted(
        self, message: MessageInThread, shares: tuple[TaskShare, ...], explicit: int | None
    ) -> AssigneePrediction:
        return predict_assignees(message, shares, explicit)

    def _on_topic(self, act: DialogueAct) -> DialogueAct:
        return filled(act, self.thread.topic(act.utterance), self.thread)

    def _topic_signs(self, own: ChatUtterance) -> frozenset[str]:
        topic = self.thread.topic(own)
        if topic is None:
            return frozenset()
        recent = self.thread.age(own, topic) <= self.settings.window
        return signs_among({"topic_open": self.acts[topic].is_open, "recent_topic": recent})

    def _asked(self, own: ChatUtterance, asks: Status) -> DialogueAct:
        act = DialogueAct(own, asks, clear=True)
        if asks == "offered":
            act.assignees = (own.sender,)
        elif asks == "requested" and (whom := self.thread.addressee_of(own)):
            act.addressee, act.assignees = whom, (whom,)
        return self._on_topic(act)

    def _taken_on(
        self, own: ChatUtterance, found: AssigneePrediction, shares: tuple[TaskShare, ...], explicit: int | None, *,
        stated: bool = False,
    ) -> DialogueAct:  # fmt: skip
        """Taken on in answer to a line; what says all itself, long after it, rests on nothing. `stated`: in so many words."""
        sharers = tuple(dict.fromkeys(one.member for one in shares))
        alone = found.who != set(sharers)
        who = tuple(sorted(found.who, key=lambda one: one.name)) if alone else sharers
        act = DialogueAct(own, "committed", assignees=who, clear=found.sure or stated)
        act.shares = () if alone else shares
        act.guess = found.guessed and not stated
        far = explicit is None and self.thread.beyond(own, self.acts[found.at])
        act.source = None if far and says_all(own) else found.at
        return act

    def _placed(self, act: DialogueAct, follows: int | None, explicit: int | None) -> DialogueAct:
        """With what is known of the matter from the line that it goes back to."""
        if act.source is None:
            return self._on_topic(act)
        act.late = explicit is None and self.thread.beyond(act.utterance, self.acts[act.source])
        follows = act.source if follows is None else follows
        for at in (act.source, follows):
            self.acts[at].answered |= act.status == "committed" and not act.guess
        return filled(act, self._known_best(act.source, follows), self.thread)

    def _known_best(self, source: int, follows: int) -> int:
        """The line that knows most: a detail that was heard last, where it belongs to the same matter."""
        coordinates = self.acts[source].coordinates
        if follows <= source and coordinates:
            return source
        same = self.thread.root(follows) == self.thread.root(source)
        return follows if same or not coordinates else source

    def _told(self, own: ChatUtterance) -> DialogueAct:
        kind = first_outcome(_TELLING, own.signs | self._topic_signs(own))
        if not kind:
            return DialogueAct(own)
        act = self._on_topic(DialogueAct(own, "inform", clear=kind == "news_of_its_own" and bool(own.times)))
        act.source = act.about if kind == "detail" else None
        return act
