"""Who a message speaks of and to: its children, who is to do it, who is addressed."""

import re

from extraction.chat.commitments import replies
from extraction.chat.commitments.people import BOT, CHILD, Member, Mention, Roster

Place = tuple[int, int]
_SENTENCE = re.compile(r"[.!?\n]+(?:\s|$)")


def bare(folded: str) -> str:
    """Without what is said before the matter itself."""
    return replies.INTERJECTION.sub("", folded, count=1)


def people_of_duty(named: tuple[Mention, ...], folded: str, duty_at: Place | None) -> tuple[Mention, ...]:
    """Where a duty is spoken of, the children are those of its sentence, if any is named there."""
    if duty_at is None:
        return named
    start = max((one.end() for one in _SENTENCE.finditer(folded, 0, duty_at[0])), default=0)
    stop = _SENTENCE.search(folded, duty_at[1])
    end = stop.start() if stop else len(folded)
    inside = [one for one in named if start <= one.start < end]
    if any(member.role.casefold() == CHILD for one in inside for member in one.members):
        return tuple(one for one in named if one in inside or one.members[0].role.casefold() != CHILD)
    return named


def children_and_adults(named: tuple[Mention, ...], sender: Member) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
    children: dict[Member, None] = {}
    adults: dict[Member, None] = {}
    for mention in named:
        for member in mention.members:
            if member.role.casefold() == CHILD:
                children[member] = None
            elif member != sender:
                adults[member] = None
    return tuple(children), tuple(adults)


def subject_of(folded: str, named: tuple[Mention, ...], sender: Member) -> Member | None:
    """Who is said to do it: `Deniz brings her`, `then papi drops you off`, `que la recoja Javi`."""
    for mention in named:
        member = mention.members[0]
        if len(mention.members) > 1 or member == sender or member.role.casefold() in (CHILD, BOT):
            continue
        if bare(folded).strip(" .!") == folded[mention.start : mention.end]:
            return member
        after = folded[mention.end :].lstrip(" ")
        before = folded[: mention.start].rstrip(" ")
        if replies.IF.search(before):
            continue
        if after.startswith(("'s ", "is ")) or replies.WILL_BE.match(after):
            return member
        if replies.LET_DO.search(before):
            return member
    return None


def other_parent(folded: str, sender: Member, people: Roster) -> Member | None:
    """`then dad drops you off`, said by one of two parents to the children: the other one."""
    guardians = [one for one in people.members if one.role.casefold() == "guardian"]
    if len(guardians) != 2 or sender not in guardians:
        return None
    for parent in replies.PARENT.finditer(folded):
        asked_for = replies.LET_DO.search(folded[: parent.start()].rstrip())
        if folded.strip(" .!") == parent.group() or asked_for or replies.WILL_BE.match(folded[parent.end() :].lstrip()):
            return guardians[0] if guardians[1] == sender else guardians[1]
    return None


def addressed_of(
    folded: str, named: tuple[Mention, ...], sender: Member, asking: bool, subject: Member | None
) -> Member | None:  # fmt: skip
    """To whom it is said: a name at the beginning or the end, or in a request the first grown-up who is named."""
    for mention in named:
        member = mention.members[0]
        if len(mention.members) > 1 or member == sender or member.role.casefold() == BOT:
            continue
        before, after = folded[: mention.start].strip(" ¿¡@"), folded[mention.end :].strip()
        first = not before or re.fullmatch(r"(?:hey|hi|hola|hallo|ok|ok,|ay|oye|du|thanks|gracias|danke),?", before)
        vocative = (
            first
            and (after.startswith((",", ":")) or asking)
            or (after in ("", "?", "??", "!") and before.endswith((",", "?", ".")))
        )
        grown = member.role.casefold() != CHILD
        vocative = bool(vocative or (first and replies.TO_YOU.match(after)))
        if grown and (vocative or asking) or not grown and first and after.startswith((",", ":")):
            return member if member != subject or asking else None
    return None
