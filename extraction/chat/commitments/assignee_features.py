"""What a message, a line that it may answer and a person are weighed by, each as a row of numbers; missing ones are `MISSING`.

A row is made of the signs of the words, of what the tripwire's learned heads say of both lines, and of what lies between them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nlargest

from extraction.chat.commitments.dialogue_acts import DialogueAct, agreement, may_take, same_activity
from extraction.chat.commitments.task_split import TaskShare
from extraction.chat.commitments.thread import Thread
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.people import CHILD, GUARDIAN, HELPER, HouseholdMember
from extraction.chat.tripwire.message_features import MessageFeatures
from extraction.chat.tripwire.model import HEADS
from extraction.chat.tripwire.thread_features import FREQUENT, MISSING, AnalysedMessage

Assignees = frozenset[HouseholdMember]
Row = list[float]

_REACH = 12
_LOOKED_BACK = 6
_MAX_MINUTES = 90.0
_STEM = 4
_ASKED, _COORDINATES = HEADS.index("asked"), HEADS.index("coordinates")
_KINDS = ("", "ack", "declined", "committed", "inform", "offered", "query", "requested", "asked")
_SIGNS = (
    "first bare_me yes no busy question asks_back asks_you asks_first asks_leave offers who who_on needs trouble you_do you_must "
    "thanks laughs sets_out takes_by_sign nods_by_sign conditional on_condition duty activity children times change subject "
    "adults addressed same_time passes_on did_you pronoun speaks_of_self somebody_must calls_home can"
).split()
_LINE_SIGNS = (
    "first yes no question asks_back asks_you asks_leave offers who who_on needs trouble you_must thanks laughs duty activity "
    "children times change subject adults addressed somebody_must empty"
).split()
_BOTH_SIGNS = "first yes no question you_do times children activity duty pronoun takes_by_sign".split()
_WHO_SIGNS = "first bare_me yes no question you_do subject adults addressed duty thanks asks_you".split()
_ROLES = (CHILD, GUARDIAN, HELPER)
_BEFORE_WIDTH = len(HEADS) + 12


@dataclass(frozen=True, slots=True)
class MessageInThread:
    """A message with what stands before it: `lines` is what the tripwire sees in each line of the thread, `passed` 1 where it
    let this one pass, -1 where it stopped it, 0 where it was not asked. `chances` is what words and turns alone make of each
    link, the last that of none."""

    own: ChatUtterance
    analysed: AnalysedMessage
    thread: Thread
    lines: Sequence[AnalysedMessage]
    chances: Sequence[float]
    passed: int

    @property
    def size(self) -> int:
        return len(self.thread.acts)

    @property
    def reach(self) -> range:
        """The places of the lines that are near enough to be answered."""
        return range(max(0, self.size - _REACH), self.size)

    def heads(self, at: int) -> Sequence[float]:
        return self.lines[at].features.heads

    def minutes(self, at: int) -> float:
        return min(self.thread.age(self.own, at) / 60, _MAX_MINUTES)

    def silence_before(self, at: int) -> float:
        """In minutes; the most before the first line."""
        if not at:
            return _MAX_MINUTES
        return min((self.thread.age(self.own, at - 1) - self.thread.age(self.own, at)) / 60, _MAX_MINUTES)

    def shared_words(self, at: int) -> int:
        """How many words, by their beginnings, both have."""
        return len(_stems(self.analysed.features) & _stems(self.lines[at].features))

    def distance(self, at: int | None) -> float:
        return MISSING if at is None else self.size - at


def candidates(message: MessageInThread) -> list[int]:
    """The lines that may be answered: the last dozen, but for mere laughter and single words of talk."""
    acts = message.thread.acts
    return [at for at in message.reach if acts[at].status or acts[at].utterance.length > 1]


def message_row(message: MessageInThread) -> Row:
    """What tells whether a message takes something on: by itself, after the lines before it, and in what they came to."""
    own, acts, size = message.own, message.thread.acts, message.size
    row = [message.passed, own.length, min(size, 20), *_signs(own, _SIGNS), *message.analysed.features.heads]
    row += ["!" in own.text, len(own.text), *_roles(own.sender)]
    looked_at = range(size - 1, max(0, size - _LOOKED_BACK) - 1, -1)
    row += [number for at in looked_at for number in _row_before(message, at)]
    row += [MISSING] * _BEFORE_WIDTH * (_LOOKED_BACK - len(looked_at))
    others = [at for at in message.reach if acts[at].sender != own.sender]
    asked = [at for at in message.reach if acts[at].is_open]
    taken = [at for at in message.reach if acts[at].status == "committed"]
    row += _last_by_other(message, asked) + _last_by_other(message, taken) + [len(asked), len(taken)]
    best = nlargest(1, others, key=lambda at: message.heads(at)[_ASKED])
    return row + _one_row(
        [message.heads(at)[_ASKED], size - at, message.minutes(at), message.shared_words(at)] for at in best
    )


def _row_before(message: MessageInThread, at: int) -> Row:
    own, act = message.own, message.thread.acts[at]
    said = act.utterance
    return [
        *message.heads(at), _kind(act), act.sender == own.sender, act.answered, said.shows("question"), said.length,
        own.sender == act.addressee or said.turns_to(own.sender), own.sender in act.assignees, own.turns_to(act.sender),
        agreement(own.children, said.children) > 0, act.sender.is_child, message.minutes(at), message.shared_words(at),
    ]  # fmt: skip


def _last_by_other(message: MessageInThread, places: Sequence[int]) -> Row:
    """The last of these lines that somebody else said."""
    own, acts = message.own, message.thread.acts
    last = [at for at in places if acts[at].sender != own.sender][-1:]
    return _one_row(
        [message.size - at, message.minutes(at), acts[at].answered, own.sender in acts[at].assignees] for at in last
    )


def line_rows(message: MessageInThread, lines: Sequence[int]) -> list[Row]:
    """What tells which of these lines a message answers that takes something on; one row a line."""
    asked = sorted((message.heads(at)[_ASKED] for at in lines), reverse=True)
    coordinates = sorted((message.heads(at)[_COORDINATES] for at in lines), reverse=True)
    rows = []
    for at in lines:
        heads = message.heads(at)
        row = [*heads, *message.analysed.features.heads]
        row += [asked.index(heads[_ASKED]), heads[_ASKED] - asked[0], coordinates.index(heads[_COORDINATES])]
        rows.append(row + _line_row(message, at))
    return rows


def _line_row(message: MessageInThread, at: int) -> Row:
    own, act = message.own, message.thread.acts[at]
    said = act.utterance
    return [
        *_signs(own, _BOTH_SIGNS), own.length, *_signs(said, _LINE_SIGNS), said.length, _kind(act), act.faint, act.guess,
        act.answered, message.size - at, min(at, 12), message.minutes(at), act.sender == own.sender,
        *_surroundings(message, at), act.about is None and act.source is None,
        message.distance(act.about), message.distance(act.source), *_roles(act.sender), *_roles(own.sender),
        own.sender == act.addressee or said.turns_to(own.sender), act.addressee not in (None, own.sender),
        own.addressed == act.sender, own.sender in act.assignees, same_activity(own, act) > 0, same_activity(own, act) < 0,
        agreement(own.times.days, said.times.days) > 0, agreement(own.children, said.children or act.children) > 0,
        agreement(own.children, said.children) < 0, message.shared_words(at),
        message.thread.link_chance(at, message.chances),
    ]  # fmt: skip


def _surroundings(message: MessageInThread, at: int) -> Row:
    """What was said between a line and the message, and just before the line."""
    acts, speaker = message.thread.acts, message.thread.acts[at].sender
    between, before = acts[at + 1 :], acts[max(0, at - 8) : at]
    statuses, senders = [act.status for act in between], [act.sender for act in between]
    return [
        len(statuses) - statuses.count(""), statuses.count("asked") + statuses.count("requested"),
        sum(act.utterance.shows("question") for act in between), senders.count(speaker), message.own.sender in senders,
        "committed" in statuses, senders[:1] == [speaker], [act.sender for act in before[-1:]] == [speaker],
        message.silence_before(at), sum(act.coordinates for act in before),
    ]  # fmt: skip


def possible_assignees(message: MessageInThread, shares: Sequence[TaskShare], at: int) -> list[Assignees]:
    """Who may take it on: the speaker, who asked or was asked, who is spoken of or to, and all who get a share."""
    own, asked = message.own, message.thread.acts[at]
    single = (own.sender, asked.sender, own.subject, own.addressed, *own.adults, *asked.assignees)
    single += (asked.addressee, asked.utterance.subject)
    able = [one for one in single if one is not None and (one == own.sender or may_take(one, own, asked))]
    together = [frozenset(asked.assignees), frozenset(one.member for one in shares)]
    return list(dict.fromkeys([*(frozenset({one}) for one in able), *filter(None, together)]))


def assignee_row(message: MessageInThread, who: Assignees, shares: Sequence[TaskShare], at: int) -> Row:
    """What tells whether it is these people who take something on with a message that answers the line at `at`."""
    own, act = message.own, message.thread.acts[at]
    said = act.utterance
    roles = {one.role.casefold() for one in who}
    spoke_since = any(later.sender == own.sender for later in message.thread.acts[at + 1 :])
    return [
        *message.analysed.features.heads, *message.heads(at), *_signs(own, _WHO_SIGNS), *_signs(said, _WHO_SIGNS), own.length,
        len(who), own.sender in who, act.sender == own.sender, act.sender in who, _kind(act), act.answered,
        who == set(act.assignees), bool(act.assignees), own.subject in who, own.addressed in who,
        len(who) == 1 and not who.isdisjoint(own.adults), act.addressee in who,
        act.addressee is not None and act.addressee not in who, who == {share.member for share in shares},
        *(role in roles for role in _ROLES), *_roles(own.sender), *_roles(act.sender), said.shows("offers"),
        said.shows("can"), said.shows("conditional"), own.shows("can"), said.length, message.size - at, spoke_since,
    ]  # fmt: skip


def _one_row(rows: Iterable[Row]) -> Row:
    """The first of these rows of four; missing numbers where there is none."""
    return next(iter(rows), [MISSING] * 4)


def _signs(own: ChatUtterance, names: Sequence[str]) -> list[bool]:
    return [name in own.signs for name in names]


def _roles(member: HouseholdMember) -> list[bool]:
    return [member.has_role(role) for role in _ROLES]


def _kind(act: DialogueAct) -> int:
    return _KINDS.index(act.status)


def _stems(features: MessageFeatures) -> set[str]:
    return {word[:_STEM] for word in features.vocabulary - FREQUENT if len(word) > 2}
