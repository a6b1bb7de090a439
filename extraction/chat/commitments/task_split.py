"""Several people in one message: `you do the market, I do the kicks`, `Lupe the cat, Emilie the girls`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.chat.commitments import replies
from extraction.chat.commitments.activities import ACTIVITY
from extraction.chat.commitments.lexicon import CARE, HER_HIM, TRANSPORT, phrase
from extraction.chat.commitments.utterances import ChatUtterance
from extraction.chat.people import HouseholdMember
from ledger.language.fold import fold_in_place

PART = re.compile(r"[,.;!\n:]+\s*|\s+(?:and|but|while|then|so|y|e|pero|und|aber)\s+|\s[-–—]\s")
LEAD = re.compile(r"^(?:(?:ok|okay|so|then|and|also|right|vale|entonces|pues|dann|also|und|y|sorry)[, ]+)+")
I_DO = phrase(
    r"i(?:'?ll| will| can| do| take| get|'?ve got| got| have| drop| fetch| bring| go|'?m(?! (?:at|in|on|off|"
    r"stuck|working|away|busy|not|late|so|just)\b))|"
    r"ill|me|we(?:'?ll| do| take)|yo|ich|voy yo"
)
YOU_DO = phrase(
    r"(?:you|u)(?: do| take| get| have| got| drop| fetch| bring| go|'?ve got|'?re(?: on)?|'?ll)?|ur on|tu|vos|"
    r"du|komm du|"
    r"(?:hol|bring|nimm|mach|fahr) du"
)
# Words before it that make no share of it.
NOT_YET = phrase(
    r"if|when|once|unless|because|si|cuando|porque|wenn|falls|weil|did|was|were|had|fue|fui|fuiste|hizo|hiciste|"
    r"war|warst|hatte|hattest|hab|habe|hast"
)
MAX_WORDS = 12


@dataclass(frozen=True, slots=True)
class TaskShare:
    """The part of one person, `start:end` of the text, with the children and the activity that are named in it."""

    member: HouseholdMember
    start: int
    end: int
    children: tuple[HouseholdMember, ...]
    activity: str
    activity_words: str


def shares_of(own: ChatUtterance, you: HouseholdMember | None) -> tuple[TaskShare, ...]:
    """Each person's part, where a statement gives at least two people theirs; nothing otherwise. `you` is who is spoken to."""
    if own.shows("question", "who", "by_child", "by_bot"):
        return ()
    folded = fold_in_place(own.text)
    parts = [(_whose(own, folded, start, end, you), start, end) for start, end in _parts(folded)]
    found = tuple(_share(own, member, folded, start, end) for member, start, end in parts if member is not None)
    return found if len({one.member for one in found}) > 1 else ()


def _parts(folded: str) -> Iterator[tuple[int, int]]:
    cuts = [0, *(at for one in PART.finditer(folded) for at in one.span()), len(folded)]
    return ((start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=True) if folded[start:end].strip())


def _whose(
    own: ChatUtterance, folded: str, start: int, end: int, you: HouseholdMember | None
) -> HouseholdMember | None:
    """Whose share a part tells: it begins with them, says what, and neither refuses nor tells of what is over."""
    part = LEAD.sub("", folded[start:end])
    if len(part.split()) > MAX_WORDS or replies.NO.search(part) or NOT_YET.search(part):
        return None
    begins = next(_beginning_with(own, part, end - len(part), you), None)
    if begins is None or not _says_what(own, folded, end - len(part) + begins[1], end):
        return None
    return begins[0]


def _beginning_with(
    own: ChatUtterance, part: str, start: int, you: HouseholdMember | None
) -> Iterator[tuple[HouseholdMember, int]]:
    """Whom a part begins with, and how long it says so: a name, `I` or `you`."""
    for named in own.mentions:
        if named.start == start and len(named.members) == 1 and named.members[0].is_grown:
            length = named.end - start
            yield named.members[0], length + len("'s") * part.startswith("'", length)
    if found := I_DO.match(part):
        yield own.sender, found.end()
    if you is not None and (found := YOU_DO.match(part)):
        yield you, found.end()


def _says_what(own: ChatUtterance, folded: str, start: int, end: int) -> bool:
    """Whether a part says of what: a duty, an activity, a child, a day or a clock. `I'll start dinner` is none."""
    places = [*(one.start for one in own.mentions), *(at for at, _ in own.times.spans)]
    if any(start <= at < end for at in places):
        return True
    return any(pattern.search(folded[start:end]) for pattern in (TRANSPORT, CARE, ACTIVITY, HER_HIM))


def _share(own: ChatUtterance, member: HouseholdMember, folded: str, start: int, end: int) -> TaskShare:
    named = [who for one in own.mentions if start <= one.start < end for who in one.members]
    children = tuple(dict.fromkeys(who for who in named if who.is_child))
    activity = ACTIVITY.search(folded, start, end)
    if activity is None:
        return TaskShare(member, start, end, children, "", "")
    return TaskShare(member, start, end, children, activity.lastgroup or "", activity.group())
