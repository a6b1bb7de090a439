"""Who is who in a household's chat, and where a text names them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from extraction.chat.commitments.lexicon import over_folded
from ledger.language.fold import fold, fold_in_place

CHILD, BOT = "child", "bot"

# All the children at once, in English, Spanish and German.
_ALL_CHILDREN = re.compile(
    r"\b(?:both(?: (?:of )?(?:the )?(?:kids|boys|girls|children))?|(?:the |all )?(?:kids|kiddos?|"
    r"children)|the (?:boys|girls|twins|littles)"
    r"|(?:los |las )?(?:ninos|ninas|peques|chicos|nenes|gemelos)|l[oa]s dos|amb[oa]s"
    r"|(?:die|den|unsere|meine|alle|beide) (?:kinder|kindern|zwillinge|jungs|maedels|madels|kleinen))\b"
)


@dataclass(frozen=True, slots=True)
class Member:
    """One person of the household. `role` is guardian, helper, child, bot or whatever the scope calls it."""

    name: str
    aliases: tuple[str, ...] = ()
    role: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names people: `start:end` of the text."""

    members: tuple[Member, ...]
    start: int
    end: int


@dataclass(frozen=True)
class Roster:
    """The people of a household, found by name, alias, possessive (`Leos`, `Leo's`) or a capital initial that is only theirs."""

    members: tuple[Member, ...]

    def of(self, sender: str) -> Member:
        """The member who sends under this name; a stranger becomes a member without a role."""
        return self._by_name.get(fold(sender)) or Member(sender)

    @cached_property
    def children(self) -> tuple[Member, ...]:
        return tuple(one for one in self.members if one.role.casefold() == CHILD)

    @cached_property
    def _by_name(self) -> dict[str, Member]:
        names: dict[str, Member] = {}
        for one in self.members:
            for name in (one.name, *one.aliases):
                names.setdefault(fold(name.strip()), one)
        return {name: one for name, one in names.items() if name}

    @cached_property
    def _initials(self) -> dict[str, Member]:
        initials: dict[str, list[Member]] = {}
        for one in self.members:
            initials.setdefault(one.name[:1].upper(), []).append(one)
        return {letter: some[0] for letter, some in initials.items() if len(some) == 1 and letter not in "AIOUYE"}

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        names = sorted((name for name in self._by_name if len(name) > 1), key=len, reverse=True)
        return over_folded(rf"\b(?:{'|'.join(map(re.escape, names))})(?='?s?\b)(?:'?s)?\b") if names else None

    def mentions(self, text: str) -> list[Mention]:
        """Every naming of members in the order of the text; all children at once is one mention of them all."""
        folded = fold_in_place(text)
        found: list[Mention] = []
        if self._pattern:
            for named in self._pattern.finditer(folded):
                name = fold(named.group())
                member = self._by_name.get(name) or self._by_name.get(re.sub(r"'?s$", "", name))
                if member:
                    found.append(Mention((member,), named.start(), named.end()))
        for letter in re.finditer(r"(?<![\w'’])[B-Z](?![\w'’.&-])", text):
            if member := self._initials.get(letter.group()):
                found.append(Mention((member,), letter.start(), letter.end()))
        # `both` says nothing more where a child is named beside it.
        if self.children and not any(one.members[0].role.casefold() == CHILD for one in found):
            for every in _ALL_CHILDREN.finditer(folded):
                found.append(Mention(self.children, every.start(), every.end()))
        return sorted(found, key=lambda one: one.start)


def roster(people: Sequence[tuple[str, Sequence[str], str]]) -> Roster:
    """A roster from (name, aliases, role)."""
    return Roster(tuple(Member(name, tuple(aliases), role) for name, aliases, role in people))
