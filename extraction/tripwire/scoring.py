"""Score one message in its thread: what it says, what was said before it, who says it (O1, O3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from math import exp

from extraction.tripwire.compiled import Member, Tripwire
from extraction.tripwire.words import LONGEST, Token, fold, tokens_of

CHILD = frozenset({"child", "kid", "son", "daughter", "teen"})
GUARDIAN = frozenset({"guardian", "parent", "mother", "father"})
FEW = 3
MANY = 16


@dataclass(frozen=True, slots=True)
class Message:
    """`sent_at` orders and dates it; `reply` marks the message that the one to be scored answers by its link."""

    text: str
    sender: str = ""
    sent_at: datetime | None = None
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` 0 to 1; `patterns` is why, in words. `passed` although the score is below: the answer to an open question."""

    score: float
    threshold: float
    passed: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A message by itself: the groups that it meets, and its number of words."""

    met: Mapping[str, str]
    words: int
    named: frozenset[str]
    # Words that tell what it is about.
    telling: frozenset[str]


class People:
    """Who belongs to a scope, looked up by any of their names."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.roles: dict[str, tuple[str, str]] = {}
        self.initials: set[str] = set()
        for member in members:
            role, known = fold(member.role), fold(member.names[0])
            for name in member.names:
                for part in {fold(name).strip(), *fold(name).split()}:
                    if len(part) > 1:
                        self.roles.setdefault(part, (known, role))
            if role in CHILD:
                self.initials.add(member.names[0][:1].upper())
        self.initials -= {"I", "A", "Y", "O", "E", "U"}
        self.children = any(role in CHILD for _, role in self.roles.values())

    def named_by(self, token: Token) -> tuple[str, str] | None:
        """First name and role of whom a word names: by a name, one with an s behind it, or a child's initial."""
        for form in (*token.forms, token.forms[0].removesuffix("s")):
            if form in self.roles:
                return self.roles[form]
        return ("", "child") if token.raw in self.initials else None

    def who(self, name: str) -> tuple[str, str]:
        """First name and role; of a stranger the name itself."""
        folded = fold(name).strip()
        return self.roles.get(folded) or self.roles.get(folded.split(" ")[0], (folded, ""))


@lru_cache(maxsize=512)
def people_of(members: tuple[Member, ...]) -> People:
    return People(members)


def score(
    tripwire: Tripwire, message: Message, before: Sequence[Message] = (), people: Sequence[Member] = ()
) -> Verdict:
    """`before` is what was said before in the same conversation, oldest first; more than the window needs does no harm."""
    known = people_of(tuple(people))
    window = [one for one in before if one.reply or 0 <= _age(one, message) <= tripwire.context.question_seconds]
    window = [one for one in window if one.reply][:1] + [one for one in window if not one.reply][-8:]
    told: list[tuple[Message, Said, bool]] = []
    for at, one in enumerate(window):
        said = _said(tripwire, one.text, known)
        seen = features(tripwire, one, said, told[:at], known)
        told.append((one, said, _passes(tripwire, seen, said)))
    said = _said(tripwire, message.text, known)
    return judge(tripwire, features(tripwire, message, said, told, known), said)


def _passes(tripwire: Tripwire, seen: Mapping[str, str], said: Said) -> bool:
    return judge(tripwire, seen, said).passed


def judge(tripwire: Tripwire, seen: Mapping[str, str], said: Said) -> Verdict:
    """Sum the weights of what is seen, then add the thread's boosts."""
    in_thread = "thread" in seen
    odds = tripwire.base
    why: list[tuple[float, str]] = []
    for name, words in seen.items():
        weight = tripwire.weights.get(name, 0.0)
        # Thanks and laughter lower the score only where nothing is being arranged (O1).
        if weight and not (in_thread and weight < 0 and name in tripwire.noise):
            odds += weight
            why.append((weight, f"{name}: {words}" if words else name))
    for one, other, weight in tripwire.pairs:
        if one in seen and other in seen:
            odds += weight
            why.append((weight, f"{one} with {other}"))
    points = 1 / (1 + exp(-max(-30.0, min(30.0, odds))))
    boosts = []
    context = tripwire.context
    if in_thread:
        points += context.boost
        boosts.append(f"coordination thread +{context.boost:.2f}")
        if said.words <= context.short_words:
            points += context.short_boost
            boosts.append(f"short in the thread +{context.short_boost:.2f}")
    points = round(min(1.0, points), 4)
    passed = points >= tripwire.threshold
    if not passed and "asked" in seen and tripwire.takes & seen.keys():
        passed = True
        boosts.append("answers an open question")
    why.sort(key=lambda pair: -abs(pair[0]))
    patterns = [f"{words[:60]} {weight:+.2f}" for weight, words in why if abs(weight) >= 0.005]
    return Verdict(points, tripwire.threshold, passed, tuple(boosts + patterns[:20]))


def features(
    tripwire: Tripwire, message: Message, said: Said, told: Sequence[tuple[Message, Said, bool]], people: People
) -> dict[str, str]:
    """All that is seen in a message, in its sender and in its thread; each with the words for it, if there are any."""
    seen = dict(said.met)
    me, role = people.who(message.sender)
    if role in CHILD:
        seen["from_child"] = ""
    elif role and role not in GUARDIAN:
        seen["from_helper"] = ""
    context = tripwire.context
    near = [one for one in told if one[0].reply or _age(one[0], message) <= context.seconds]
    near = [one for one in near if one[0].reply] + [one for one in near if not one[0].reply][-context.messages :]
    if any(passed for _, _, passed in near):
        seen["thread"] = ""
    elif any(passed for _, _, passed in told):
        seen["lately"] = ""
    if near and near[-1][2]:
        seen["before"] = ""
        who, role_before = people.who(near[-1][0].sender)
        if who == me:
            seen["own"] = ""
        elif role_before in CHILD:
            seen["to_child"] = ""
    if any(one[0].reply and one[2] for one in near):
        seen["reply"] = ""
    if shared := said.telling & frozenset().union(*(one.telling for _, one, passed in told if passed)):
        seen["echo"] = min(shared)
    asked = _open_question(tripwire, told, me, people)
    if asked is not None:
        seen["asked"] = ""
        if asked is told[-1][1]:
            seen["asked_now"] = ""
        if me in asked.named:
            seen["asked_me"] = ""
    return seen


def _open_question(
    tripwire: Tripwire, told: Sequence[tuple[Message, Said, bool]], me: str, people: People
) -> Said | None:
    """The last question of somebody else that nobody has taken on since."""
    for message, said, passed in reversed(told):
        if passed and (tripwire.opens & said.met.keys() or "question" in said.met):
            if people.who(message.sender)[0] != me:
                return said
        elif passed and tripwire.takes & said.met.keys():
            return None
    return None


def _age(one: Message, message: Message) -> float:
    if one.sent_at is None or message.sent_at is None:
        return 0.0
    return (message.sent_at - one.sent_at).total_seconds()


@lru_cache(maxsize=1024)
def _said(tripwire: Tripwire, text: str, people: People) -> Said:
    tokens = tokens_of(text)
    words = sum(token.is_word for token in tokens)
    names = {at: hit for at, token in enumerate(tokens) if token.is_word and (hit := people.named_by(token))}
    if not people.children:
        names |= {
            at: ("", "child") for at, token in enumerate(tokens) if at not in names and _may_be_name(token, tripwire)
        }
    met = tripwire.groups_in(tokens, fold(text[:LONGEST]), names)
    for at, (_, role) in names.items():
        met.setdefault("child" if role in CHILD else "person", tokens[at].raw)
    if any(token.raw == "?" for token in tokens):
        met["question"] = "?"
    telling = frozenset(
        token.forms[0] for token in tokens if token.is_word and (len(token.raw) > 4 or token.raw[0].isdigit())
    )
    if words <= FEW:
        met["short"] = ""
    if words >= MANY:
        met["long"] = ""
    if not words:
        met["empty"] = ""
    return Said(met, words, frozenset(name for name, _ in names.values()), telling)


def _may_be_name(token: Token, tripwire: Tripwire) -> bool:
    """A capitalised word that is no word of the packs: a child nobody has told us of."""
    raw = token.raw
    if not token.is_word or len(raw) < 3 or not raw[0].isupper() or not raw[1:].islower():
        return False
    return not any(form in tripwire.spelling.plain or tripwire.spelling.nearest(form) for form in token.forms)
