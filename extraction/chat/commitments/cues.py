"""The signs in one message, from its words alone: a table of what to look for, and one of what that amounts to."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from extraction.chat.commitments import lexicon as words
from extraction.chat.commitments import replies
from extraction.chat.commitments.mentions import NameMention, without_interjection
from extraction.chat.commitments.named_times import NamedTimes
from extraction.chat.decision_tables import sign_rules, signs_among, with_meanings
from extraction.chat.people import HouseholdMember
from extraction.chat.reply_links.traits import LAUGH

Finder = Callable[[str], re.Match[str] | None]

# What is looked for in a folded message, anywhere in it or at its beginning.
_IN_MESSAGE: Final[Mapping[str, Finder]] = {
    "change": words.CHANGE.search,
    "called_off": words.CALLED_OFF.search,
    "who": words.WHO.search,
    "who_on": words.WHO_ON.search,
    "says_you_ask": words.YOU_ASK.search,
    "please": words.PLEASE.search,
    "needs": words.NEED.search,
    "trouble": words.TROUBLE.search,
    "may_i": words.MODAL_ME.search,
    "somebody_must": words.SOMEBODY_MUST.search,
    "you_must": words.YOU_MUST.search,
    "calls": words.CALLS_HOME.search,
    "did_you": words.DID_YOU.search,
    "you": words.YOU.search,
    "speaks_of_self": words.ME.search,
    "pronoun": words.HER_HIM.search,
    "what_about": words.WHAT_ABOUT.match,
    "shall_i": replies.OFFERS.search,
    "i_could": replies.I_COULD.search,
    "says_busy": replies.BUSY.match,
    "near": replies.NEAR.search,
    "on_condition": replies.ON_CONDITION.match,
    "says_you_do": replies.YOU_DO.search,
    "ends_with_you": replies.ENDS_WITH_YOU.search,
    "ends_with_me": replies.ENDS_WITH_ME.search,
    "subjectless": replies.SUBJECTLESS.search,
    "conditional": replies.CONDITION.search,
    "says_can": replies.CAN.search,
    "laughs": LAUGH.match,
    "ready": replies.SETS_OUT.search,
    "thanks": replies.THANKS.match,
    "same_time": replies.SAME.search,
    "following": replies.NEXT_ONE.search,
    "repeats": replies.SAID_BEFORE.search,
}
# The same behind what is said before the matter itself: `ok, …`, `oh …`.
_AT_MATTER: Final[Mapping[str, Finder]] = {
    "asks_back": replies.ASKS_BACK.match,
    "me_alone": replies.BARE_ME.match,
    "begins_with_you": replies.BEGINS_WITH_YOU.match,
    "begins_with_may_i": words.MODAL_ME.match,
}
_LENGTHS = (0, 2, 3, 4, 5, 6, 8, 12)
_MEANT = sign_rules("""
    says_you_ask                                         -> asks_you
    please !yes                                          -> asks_you
    you_ask_first !offers_first                          -> asks_first
    please_first                                         -> asks_first
    may_i question|begins_with_may_i                     -> asks_leave
    shall_i question|upto_8                              -> offers
    i_could question !says_you_do                        -> offers
    calls upto_12                                        -> calls_home
    what_about|question upto_5                           -> passes_on
    question you speaks_of_self                          -> you_and_me
    says_busy !near                                      -> busy
    takes_on|subjectless|own_child|own_name              -> first
    me_alone                                             -> bare_me
    ends_with_me upto_6 !question                        -> bare_me
    first_part_ends_with_me !question                    -> bare_me
    says_you_do                                          -> you_do
    ends_with_you upto_4 !question !yes !asks_back       -> you_do
    begins_with_you !asks_back                           -> you_do
    says_can !question                                   -> can
    ready|clocks|days                                    -> sets_out
    taking_emoji upto_2                                  -> takes_by_sign
    nodding_emoji upto_0                                 -> nods_by_sign
    following upto_4 !days                               -> next_one
""")
_QUESTION_MARKS = frozenset("?¿")
_MAX_WORDS_BEFORE_ME = 6


def cues_of(
    text: str, folded: str, length: int, times: NamedTimes, named: Sequence[NameMention], sender: HouseholdMember
) -> set[str]:
    """The names of all signs that are there. `length` counts the words."""
    matter = without_interjection(folded)
    parts = list(filter(None, replies.CLAUSE.split(folded)))
    letters = frozenset(text)
    facts = {
        "question": letters & _QUESTION_MARKS,
        "taking_emoji": letters & replies.EMOJI_TAKES,
        "nodding_emoji": letters & replies.EMOJI_ACK,
        "clocks": times.clocks,
        "days": times.days,
        "yes": _says_yes(parts),
        "no": any(map(refuses, parts)),
        "takes_on": any(map(_takes_on, parts)),
        "own_child": any(_before_child(folded, one) for one in named),
        "own_name": any(_says_own_name(folded, one) for one in named if one.members == (sender,)),
        "first_part_ends_with_me": any(map(_ends_shortly_with_me, parts[:1])),
        "you_ask_first": _precedes(words.YOU_ASK, replies.FIRST, folded),
        "offers_first": _precedes(replies.OFFERS, words.YOU_ASK, folded),
        "please_first": _precedes(words.PLEASE, replies.FIRST, folded),
    }
    signs = {name for name, find in _IN_MESSAGE.items() if find(folded)}
    signs |= {name for name, find in _AT_MATTER.items() if find(matter)}
    signs |= {f"upto_{most}" for most in _LENGTHS if length <= most}
    return with_meanings(_MEANT, signs | signs_among(facts))


def refuses(part: str) -> bool:
    return bool(replies.NO.search(replies.NO_BUT_YES.sub("", part)))


def _says_yes(parts: Sequence[str]) -> bool:
    """A yes begins the message or a later part of it, or ends it (`after 4 yea`). A bare no after it takes it back (`ok but
    no`), and one that is denied is none (`not sure`)."""
    *_, before_last, last = ["", "", *" ".join(parts[-1:]).split()]
    if len(parts) > 1 and replies.BARE_NO.fullmatch(parts[-1].strip()):
        return False
    if any(map(_begins_with_yes, parts)) or any(map(_ends_shortly_with_yes, parts)):
        return True
    return bool(replies.LAST_YES.fullmatch(last)) and not replies.DENIES.fullmatch(before_last)


def _begins_with_yes(part: str) -> bool:
    words = replies.SIGNS.sub("", part).strip()
    return bool(replies.YES.match(words) or replies.YES.match(without_interjection(words)))


def _ends_shortly_with_yes(part: str) -> bool:
    return len(part.split()) <= 4 and bool(replies.ENDS_WITH_YES.search(part.strip()))


def _takes_on(part: str) -> bool:
    """A part in which somebody takes something on without refusing it in the same breath."""
    return bool(replies.FIRST.search(part)) and not refuses(part)


def _ends_shortly_with_me(part: str) -> bool:
    return len(part.split()) <= _MAX_WORDS_BEFORE_ME and bool(replies.ENDS_WITH_ME.search(part))


def _before_child(folded: str, mention: NameMention) -> bool:
    """`I got Leo`, `yo a Leo`, `ich zu Leo`."""
    return mention.of_child and bool(replies.I_BEFORE_A_CHILD.search(folded[: mention.start]))


def _says_own_name(folded: str, mention: NameMention) -> bool:
    """`Koro will do the driving`, said by Koro."""
    if without_interjection(folded[: mention.start]):
        return False
    return bool(replies.WILL_BE.match(folded[mention.end :].lstrip()))


def _precedes(one: re.Pattern[str], other: re.Pattern[str], folded: str) -> bool:
    """Whether one is said, and not behind the other."""
    first, second = one.search(folded), other.search(folded)
    return first is not None and (second is None or first.start() <= second.start())
