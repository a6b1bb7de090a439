"""What one message says by itself, before anything around it is looked at."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from extraction.chat.commitments import lexicon as words
from extraction.chat.commitments import replies
from extraction.chat.commitments.moments import Moments, moments
from extraction.chat.commitments.naming import (
    Place,
    addressed_of,
    bare,
    children_and_adults,
    other_parent,
    people_of_duty,
    subject_of,
)
from extraction.chat.commitments.people import CHILD, Member, Mention, Roster
from extraction.chat.reply_links.traits import LAUGH
from ledger.language.fold import fold_in_place


@dataclass(frozen=True, slots=True)
class Own:
    """The signs in one message. Places are `start:end` of its text; `duty` is transport, care_coverage or empty."""

    text: str
    sender: Member
    sent_at: datetime
    day: date
    mentions: tuple[Mention, ...]
    children: tuple[Member, ...]
    adults: tuple[Member, ...]
    subject: Member | None
    addressed: Member | None
    duty: str
    duty_at: Place | None
    change: bool
    called_off: bool
    activity: str
    activity_words: str
    activity_at: Place | None
    place: str
    times: Moments
    length: int
    question: bool
    who: bool
    who_on: bool
    asks_you: bool
    needs: bool
    trouble: bool
    asks_first: bool
    asks_leave: bool
    offers: bool
    somebody_must: bool
    you_must: bool
    calls_home: bool
    passes_on: bool
    did_you: bool
    you_and_me: bool
    yes: bool
    no: bool
    busy: bool
    asks_back: bool
    on_condition: bool
    first: bool
    bare_me: bool
    you_do: bool
    conditional: bool
    can: bool
    thanks: bool
    laughs: bool
    sets_out: bool
    takes_by_sign: bool
    nods_by_sign: bool
    same_time: bool
    next_one: bool
    repeats: bool
    pronoun: bool
    speaks_of_self: bool

    @property
    def empty(self) -> bool:
        """Nothing of days, children, activities or duties: it can only be understood by what it answers."""
        return not (self.children or self.activity or self.duty or self.times or self.change)


@lru_cache(maxsize=4096)
def own_of(text: str, sender: str, sent_at: datetime, zone: str, people: Roster) -> Own:
    """Read one message; equal ones are read once a process."""
    folded = fold_in_place(text)
    who_sends = people.of(sender)
    named = tuple(people.mentions(text))
    when = moments(text, at=sent_at, zone=zone)
    activity, activity_words, activity_at = _activity(folded, named)
    duty, duty_at = _duty(folded, named)
    asking = "?" in text or "¿" in text
    children, adults = children_and_adults(people_of_duty(named, folded, duty_at), who_sends)
    who = bool(words.WHO.search(folded))
    parts = [part for part in replies.CLAUSE.split(folded) if part]
    yes = _says_yes(parts)
    asks_you = bool(words.YOU_ASK.search(folded)) or (bool(words.PLEASE.search(folded)) and not yes)
    subject = subject_of(folded, named, who_sends) or other_parent(folded, who_sends, people)
    signs = frozenset(text)
    length = len(re.findall(r"\w+", folded))
    place = words.PLACE.search(text)
    return Own(
        text=text,
        sender=who_sends,
        sent_at=sent_at,
        day=moments_day(sent_at, zone),
        mentions=named,
        children=children,
        adults=adults,
        subject=subject,
        addressed=addressed_of(folded, named, who_sends, asking or asks_you, subject),
        duty=duty,
        duty_at=duty_at,
        change=bool(words.CHANGE.search(folded)),
        called_off=bool(words.CALLED_OFF.search(folded)),
        activity=activity,
        activity_words=activity_words,
        activity_at=activity_at,
        place=_place(place, activity_at, people),
        times=when,
        length=length,
        question=asking,
        who=who,
        who_on=bool(words.WHO_ON.search(folded)),
        asks_you=asks_you,
        needs=bool(words.NEED.search(folded)),
        trouble=bool(words.TROUBLE.search(folded)),
        asks_first=_before(words.YOU_ASK, replies.FIRST, folded)
        and not _before(replies.OFFERS, words.YOU_ASK, folded)
        or _before(words.PLEASE, replies.FIRST, folded),
        asks_leave=bool(words.MODAL_ME.search(folded)) and (asking or bool(words.MODAL_ME.match(bare(folded)))),
        offers=bool(replies.OFFERS.search(folded)) and (asking or length <= 8),
        somebody_must=bool(words.SOMEBODY_MUST.search(folded)),
        you_must=bool(words.YOU_MUST.search(folded)),
        calls_home=bool(words.CALLS_HOME.search(folded)) and length <= 12,
        passes_on=bool(words.WHAT_ABOUT.match(folded) or asking) and length <= 5,
        did_you=bool(words.DID_YOU.search(folded)),
        you_and_me=asking and bool(words.YOU.search(folded)) and bool(words.ME.search(folded)),
        yes=yes,
        no=any(_refuses(part) for part in parts),
        busy=bool(replies.BUSY.match(folded)) and not replies.NEAR.search(folded),
        asks_back=bool(replies.ASKS_BACK.match(replies.INTERJECTION.sub("", folded, count=1))),
        on_condition=bool(replies.ON_CONDITION.match(folded)),
        first=any(_takes(part) for part in parts)
        or bool(replies.SUBJECTLESS.search(folded))
        or _names_own_child(folded, named)
        or _names_self(folded, named, who_sends),
        bare_me=bool(replies.BARE_ME.match(bare(folded)))
        or (not asking and bool(parts) and len(parts[0].split()) <= 6 and bool(replies.ENDS_WITH_ME.search(parts[0])))
        or (length <= 6 and not asking and bool(replies.ENDS_WITH_ME.search(folded))),
        you_do=bool(replies.YOU_DO.search(folded))
        or (
            (length <= 4 and not asking and not yes and bool(replies.ENDS_WITH_YOU.search(folded)))
            or bool(replies.BEGINS_WITH_YOU.match(bare(folded)))
        )
        and not replies.ASKS_BACK.match(bare(folded)),
        conditional=bool(replies.CONDITION.search(folded)),
        can=bool(replies.CAN.search(folded)) and not asking,
        laughs=bool(LAUGH.match(folded)),
        sets_out=bool(replies.SETS_OUT.search(folded) or when.clocks or when.days),
        thanks=bool(replies.THANKS.match(folded)),
        takes_by_sign=bool(signs & replies.EMOJI_TAKES) and length <= 2,
        nods_by_sign=bool(signs & replies.EMOJI_ACK) and length == 0,
        same_time=bool(replies.SAME.search(folded)),
        next_one=bool(replies.NEXT_ONE.search(folded)) and length <= 4 and not when.days,
        repeats=bool(replies.SAID_BEFORE.search(folded)),
        pronoun=bool(words.HER_HIM.search(folded)),
        speaks_of_self=bool(words.ME.search(folded)),
    )


def moments_day(sent_at: datetime, zone: str) -> date:
    """The day of a message where its people live."""
    return sent_at.astimezone(ZoneInfo(zone)).date()


def _place(found: re.Match[str] | None, activity_at: Place | None, people: Roster) -> str:
    """A place by its name; not somebody's (`from Leo`), nor what names a feast (`to Mia's party`)."""
    if found is None or people.mentions(found["place"]) or (activity_at and activity_at[0] == found.end("place") + 1):
        return ""
    return found["place"]


def _says_yes(parts: list[str]) -> bool:
    """A yes begins the message or a later part of it, or ends it (`after 4 yea`). A bare no after it takes it back (`ok but
    no`), and one that is denied is none (`not sure`)."""
    if len(parts) > 1 and replies.BARE_NO.fullmatch(parts[-1].strip()):
        return False
    for said in parts:
        part = replies.SIGNS.sub("", said)
        if replies.YES.match(part.strip()) or replies.YES.match(replies.INTERJECTION.sub("", part.strip(), count=1)):
            return True
    last = parts[-1].split() if parts else []
    if any(len(part.split()) <= 4 and re.search(r"(?<!not )(?<!n't )\byes$", part.strip()) for part in parts):
        return True
    denied = len(last) > 1 and replies.DENIES.fullmatch(last[-2])
    return bool(last and not denied and re.fullmatch(r"yes|yeah|yea|yep|sure|ok|si|vale|ja|klar|gerne", last[-1]))


def _before(one: re.Pattern[str], other: re.Pattern[str], folded: str) -> bool:
    first, second = one.search(folded), other.search(folded)
    return first is not None and (second is None or first.start() <= second.start())


def _refuses(part: str) -> bool:
    return bool(replies.NO.search(replies.NO_BUT_YES.sub("", part)))


def _names_own_child(folded: str, named: tuple[Mention, ...]) -> bool:
    """`I got Leo`, `yo a Leo`, `ich zu Leo`."""
    children = [one for one in named if one.members[0].role.casefold() == CHILD]
    return any(replies.I_BEFORE_A_CHILD.search(folded[: one.start]) for one in children)


def _names_self(folded: str, named: tuple[Mention, ...], sender: Member) -> bool:
    """`Koro will do the driving`, said by Koro."""
    mine = [one for one in named if one.members == (sender,)]
    return any(not bare(folded[: one.start]) and replies.WILL_BE.match(folded[one.end :].lstrip()) for one in mine)


def _takes(part: str) -> bool:
    """A part in which somebody takes something on without refusing it in the same breath."""
    return bool(replies.FIRST.search(part)) and not _refuses(part)


def _activity(folded: str, named: tuple[Mention, ...]) -> tuple[str, str, Place | None]:
    """The most particular activity that is named, its words and where; what is part of somebody's name is none."""
    best: tuple[str, str, Place | None] = ("", "", None)
    for found in words.ACTIVITY.finditer(folded):
        if any(one.start < found.end() and found.start() < one.end for one in named):
            continue
        kind = found.lastgroup or ""
        if not best[0] or (best[0] in words.VAGUE and kind not in words.VAGUE):
            best = (kind, found.group(), found.span())
    return best


def _duty(folded: str, named: tuple[Mention, ...]) -> tuple[str, Place | None]:
    """The first duty that is spoken of: a verb for it, or a verb of everyday before a child's name (`I got Leo`)."""
    found: list[tuple[int, int, str]] = []
    for kind, pattern in (("care_coverage", words.CARE), ("transport", words.TRANSPORT)):
        if one := pattern.search(folded):
            found.append((*one.span(), kind))
    for mention in named:
        if all(member.role.casefold() == CHILD for member in mention.members):
            for kind, verb in (("transport", replies.BEFORE_A_CHILD), ("care_coverage", replies.CARE_OF_A_CHILD)):
                if one := verb.search(folded[: mention.start]):
                    found.append((one.start(1), one.end(1), kind))
    if not found:
        return "", None
    start, end, kind = min(found)
    # `cover the pick-up`: what is covered says what it is.
    if kind == "care_coverage" and folded[start:end].startswith(("cover", "cubr")):
        start, end, kind = next((one for one in sorted(found) if one[2] == "transport"), (start, end, kind))
    return kind, (start, end)
