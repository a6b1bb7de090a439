"""Several people in one message: `you do the market, I do the kicks`, `Lupe the cat, Emilie the girls`."""

import re
from dataclasses import dataclass

from extraction.chat.commitments import replies
from extraction.chat.commitments.lexicon import ACTIVITY, CARE, HER_HIM, TRANSPORT, WHO, phrase
from extraction.chat.commitments.message_signs import Own
from extraction.chat.commitments.people import BOT, CHILD, Member
from ledger.language.fold import fold_in_place

PART = re.compile(r"[,.;!\n:]+\s*|\s+(?:and|but|while|then|so|y|e|pero|und|aber)\s+|\s[-–—]\s")
LEAD = re.compile(r"(?:(?:ok|okay|so|then|and|also|right|vale|entonces|pues|dann|also|und|y|sorry)[, ]+)+")
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
class Share:
    """The part of one person, `start:end` of the text, with the children and the activity that are named in it."""

    member: Member
    start: int
    end: int
    children: tuple[Member, ...]
    activity: str
    activity_words: str


def shares_of(own: Own, you: Member | None) -> tuple[Share, ...]:
    """Each person's part, where a statement gives at least two people theirs; nothing otherwise. `you` is who is spoken to."""
    folded = fold_in_place(own.text)
    if own.question or WHO.search(folded) or own.sender.role.casefold() in (CHILD, BOT):
        return ()
    found: list[Share] = []
    for start, end in _parts(folded):
        part = folded[start:end]
        lead = LEAD.match(part)
        at = start + (lead.end() if lead else 0)
        member = _whose(own, folded[at:end], at, you)
        if member is not None:
            found.append(_share(own, member, folded, start, end))
    if len({one.member for one in found}) < 2:
        return ()
    return tuple(found)


def _parts(folded: str) -> list[tuple[int, int]]:
    cuts = [0, *(at for one in PART.finditer(folded) for at in one.span()), len(folded)]
    return [(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=True) if folded[start:end].strip()]


def _whose(own: Own, part: str, at: int, you: Member | None) -> Member | None:
    """Whose share a part tells: it begins with them, says what, and neither refuses nor tells of what is over."""
    if len(part.split()) > MAX_WORDS or replies.NO.search(part) or NOT_YET.search(part):
        return None
    member, rest = None, ""
    named = next((one for one in own.mentions if one.start == at and len(one.members) == 1), None)
    if named is not None and named.members[0].role.casefold() not in (CHILD, BOT):
        member, rest = named.members[0], part[named.end - at :]
        if rest.startswith(("'s ", "'")):
            rest = rest[2:]
    elif found := I_DO.match(part):
        member, rest = own.sender, part[found.end() :]
    elif you is not None and (found := YOU_DO.match(part)):
        member, rest = you, part[found.end() :]
    return member if member is not None and _tells(own, rest, at + len(part) - len(rest), at + len(part)) else None


def _tells(own: Own, rest: str, start: int, end: int) -> bool:
    """Whether a part says of what: a duty, an activity, a child, a day or a clock. `I'll start dinner` is none."""
    if any(start <= one.start < end for one in own.mentions) or any(start <= one < end for one, _ in own.times.spans):
        return True
    return any(pattern.search(rest) for pattern in (TRANSPORT, CARE, ACTIVITY, HER_HIM))


def _share(own: Own, member: Member, folded: str, start: int, end: int) -> Share:
    children = tuple(
        dict.fromkeys(
            who
            for one in own.mentions
            if start <= one.start < end
            for who in one.members
            if who.role.casefold() == CHILD
        )
    )
    activity = next(iter(ACTIVITY.finditer(folded, start, end)), None)
    if activity is None:
        return Share(member, start, end, children, "", "")
    return Share(member, start, end, children, activity.lastgroup or "", activity.group())
