"""Whom a message names: the people of the household by their names, who is to do it, who is addressed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from extraction.chat.commitments import replies
from extraction.chat.commitments.lexicon import over_folded
from extraction.chat.decision_tables import first_outcome, sign_rules, signs_among
from extraction.chat.people import BOT, CHILD, GUARDIAN, RESOURCE, HouseholdMember
from ledger.language.fold import fold, fold_in_place

# All the children at once.
_ALL_CHILDREN = re.compile(
    r"\b(?:both(?! of (?:us|you))"
    r"(?: (?:of )?(?:the )?(?:kids|boys|girls|children))?|(?:the |all )?(?:kids|kiddos?|"
    r"children)|the (?:boys|girls|twins|littles)"
    r"|(?:los |las )?(?:ninos|ninas|peques|chicos|nenes|gemelos)|l[oa]s dos|amb[oa]s"
    r"|(?<!wir )(?<!uns )(?<!ihr )beiden?"
    r"|(?:les |tous les |nos |mes )(?:enfants|petits|gamins|gosses|filles|garcons|jumeaux|jumelles|deux)"
    r"|(?:die|den|unsere|meine|alle|beide) (?:kinder|kindern|zwillinge|jungs|maedels|madels|kleinen))\b"
)
_INITIAL = re.compile(r"(?<![\w'’])[B-Z](?![\w'’.&-])")
# Capitals that are a word or a vowel of it stand for nobody.
_NO_INITIALS = "AIOUYE"
_POSSESSIVE = re.compile(r"'?s$")
_SENTENCE = re.compile(r"[.!?\n]+(?:\s|$)")
_GREETING = re.compile(r"(?:(?:hey|hi|hola|hallo|ok|ok,|ay|oye|du|thanks|gracias|danke),?)?")

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NameMention:
    """Where a text names people: `start:end` of the text."""

    members: tuple[HouseholdMember, ...]
    start: int
    end: int

    @property
    def of_child(self) -> bool:
        return self.members[0].is_child


@dataclass(frozen=True)
class Roster:
    """The people of a household, found by name, alias, possessive (`Leos`, `Leo's`) or a capital initial that is only theirs."""

    members: tuple[HouseholdMember, ...]

    def of(self, sender: str) -> HouseholdMember:
        """The member who sends under this name; a stranger becomes a member without a role."""
        return self._by_name.get(fold(sender)) or HouseholdMember(sender)

    @cached_property
    def children(self) -> tuple[HouseholdMember, ...]:
        return tuple(one for one in self.members if one.is_child)

    @cached_property
    def _by_name(self) -> dict[str, HouseholdMember]:
        # Of two with one name the first has it.
        names = {fold(name.strip()): one for one in reversed(self.members) for name in reversed(one.names)}
        return {name: one for name, one in names.items() if name}

    @cached_property
    def _initials(self) -> dict[str, HouseholdMember]:
        letters = {one: one.name[:1].upper() for one in self.members}
        times = Counter(letters.values())
        return {letter: one for one, letter in letters.items() if times[letter] == 1 and letter not in _NO_INITIALS}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted((name for name in self._by_name if len(name) > 1), key=len, reverse=True)
        any_name = "|".join(map(re.escape, names)) or "(?!)"
        return over_folded(rf"\b(?:{any_name})(?='?s?\b)(?:'?s)?\b")

    def mentions(self, text: str) -> list[NameMention]:
        """Every naming of members in the order of the text; all children at once is one mention of them all."""
        folded = fold_in_place(text)
        found = [*self._named(folded), *self._by_initial(text)]
        # `both` says nothing more where a child is named beside it.
        if self.children and not any(one.of_child for one in found):
            found += [NameMention(self.children, *every.span()) for every in _ALL_CHILDREN.finditer(folded)]
        return sorted(found, key=lambda one: one.start)

    def _named(self, folded: str) -> Iterator[NameMention]:
        for named in self._pattern.finditer(folded):
            name = fold(named.group())
            member = self._by_name.get(name) or self._by_name.get(_POSSESSIVE.sub("", name))
            if member:
                yield NameMention((member,), *named.span())

    def _by_initial(self, text: str) -> list[NameMention]:
        letters = [one for one in _INITIAL.finditer(text) if one.group() in self._initials]
        return [NameMention((self._initials[one.group()],), *one.span()) for one in letters]


def roster(people: Sequence[tuple[str, Sequence[str], str]]) -> Roster:
    """A roster from (name, aliases, role)."""
    return Roster(tuple(HouseholdMember(name, tuple(aliases), role) for name, aliases, role in people))


def without_interjection(folded: str) -> str:
    """Without what is said before the matter itself."""
    return replies.INTERJECTION.sub("", folded, count=1)


def mentions_in_sentence(named: tuple[NameMention, ...], folded: str, duty_at: Place | None) -> tuple[NameMention, ...]:
    """Where a duty is spoken of, the children are those of its sentence, if any is named there."""
    if duty_at is None:
        return named
    start = max((one.end() for one in _SENTENCE.finditer(folded, 0, duty_at[0])), default=0)
    stop = _SENTENCE.search(folded, duty_at[1])
    inside = [one for one in named if start <= one.start < (stop.start() if stop else len(folded))]
    if not any(one.of_child for one in inside):
        return named
    return tuple(one for one in named if one in inside or not one.of_child)


def children_and_adults(
    named: Sequence[NameMention], sender: HouseholdMember
) -> tuple[tuple[HouseholdMember, ...], tuple[HouseholdMember, ...]]:
    members = dict.fromkeys(member for mention in named for member in mention.members)
    adults = tuple(one for one in members if not one.has_role(CHILD, RESOURCE) and one != sender)
    return tuple(one for one in members if one.is_child), adults


def subject_of(folded: str, named: Sequence[NameMention], sender: HouseholdMember) -> HouseholdMember | None:
    """Who is said to do it: `Deniz brings her`, `then papi drops you off`, `que la recoja Javi`."""
    others = [one for one in _single(named, sender) if one.members[0].is_grown]
    return next((one.members[0] for one in others if _does_it(folded, one.start, one.end)), None)


def _single(named: Sequence[NameMention], sender: HouseholdMember) -> list[NameMention]:
    """The mentions of one person each, who is not the sender."""
    return [one for one in named if len(one.members) == 1 and one.members[0] != sender]


def _does_it(folded: str, start: int, end: int) -> bool:
    if without_interjection(folded).strip(" .!") == folded[start:end]:
        return True
    before, after = folded[:start].rstrip(" "), folded[end:].lstrip(" ")
    return not replies.IF.search(before) and bool(replies.IS_DOING.match(after) or replies.LET_DO.search(before))


def other_parent(folded: str, sender: HouseholdMember, people: Roster) -> HouseholdMember | None:
    """`then dad drops you off`, said by one of two parents to the children: the other one."""
    guardians = [one for one in people.members if one.has_role(GUARDIAN)]
    others = [one for one in guardians if one != sender]
    if len(guardians) != 2 or len(others) != 1:
        return None
    spoken_of = any(_parent_does_it(folded, parent) for parent in replies.PARENT.finditer(folded))
    return others[0] if spoken_of else None


def _parent_does_it(folded: str, parent: re.Match[str]) -> bool:
    before, after = folded[: parent.start()].rstrip(), folded[parent.end() :].lstrip()
    alone = folded.strip(" .!") == parent.group()
    return alone or bool(replies.LET_DO.search(before) or replies.WILL_BE.match(after))


# What people call the mother or the father of whoever speaks, and what her or his name in the family is.
_ELDERS = (
    (
        re.compile(
            r"\b(?:mom|mum|mam|mama|mami|maman|mutti|mutter|mamma|amma|ammi|ima|umma|ma|suegra|schwiegermama|belle-maman)\b"
        ),
        frozenset(
            "abuela abue abu abuelita yaya lita nonna oma omi grandma gran granny gram nan nana mamie meme mamy paati "
            "patti nani dadi halmoni busia babcia bubbe savta teta lola vovo avo".split()
        ),
    ),
    (
        re.compile(r"\b(?:dad|pop|pops|papa|papi|vati|vater|appa|abba|baba|pa|suegro|schwiegerpapa|beau-papa)\b"),
        frozenset(
            "abuelo yayo nonno opa opi grandpa gramps grandad granddad pop papi papy pepe tata thatha dada saba zayde "
            "dziadek jiddo lolo".split()
        ),
    ),
)
# Said by one of two parents it is the other.
_ENDEARMENT = re.compile(
    r"\b(?:honey|hon|babe|darling|sweetie|viej[oa]|amor|carino|mi vida|schatz|schatzi|liebling|cheri|cherie|mon coeur)\b"
)


def kin_addressed(
    folded: str, named: Sequence[NameMention], sender: HouseholdMember, people: Roster
) -> HouseholdMember | None:
    """Whom a parent calls by kin: `Maman, tu peux …` said by the mother is her own mother, `honey` the other parent."""
    if not sender.has_role(GUARDIAN):
        return None
    others = {place for one in named if one.members != (sender,) for place in range(one.start, one.end)}
    for called, names in _ELDERS:
        found = called.search(folded)
        elders = [one for one in people.members if not one.is_child and not names.isdisjoint(_words_of_names(one))]
        if found and found.start() not in others and len(elders) == 1 and elders[0] != sender:
            return elders[0]
    guardians = [one for one in people.members if one.has_role(GUARDIAN) and one != sender]
    return guardians[0] if len(guardians) == 1 and _ENDEARMENT.search(folded) else None


def _words_of_names(member: HouseholdMember) -> set[str]:
    return {word for name in member.names for word in fold(name).split()}


# A name is a form of address: at the beginning before a comma or a word like `you're on`, at the end behind one.
_VOCATIVE = sign_rules("""
    first comma         -> vocative
    grown asking|last   -> vocative
    grown first to_you  -> vocative
""")


def addressed_of(
    folded: str, named: Sequence[NameMention], sender: HouseholdMember, asking: bool, subject: HouseholdMember | None
) -> HouseholdMember | None:
    """To whom it is said: a name at the beginning or the end, or in a request the first grown-up who is named."""
    for mention in _single(named, sender):
        member = mention.members[0]
        before, after = folded[: mention.start].strip(" ¿¡@"), folded[mention.end :].strip()
        signs = signs_among(
            {
                "grown": member.is_grown,
                "asking": asking,
                "first": _GREETING.fullmatch(before),
                "comma": after.startswith((",", ":")),
                "last": after in ("", "?", "??", "!") and before.endswith((",", "?", ".")),
                "to_you": replies.TO_YOU.match(after),
            }
        )
        if not member.has_role(BOT, RESOURCE) and first_outcome(_VOCATIVE, signs):
            return member if asking or member != subject else None
    return None
