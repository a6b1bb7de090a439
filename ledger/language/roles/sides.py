"""One of two statements beside the other: what both say, what it says alone, and what its verbs and nouns tell of that."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ledger.language.roles.phrases import VERBS, Part, Phrases, does, groups, same_part

MAX_WORDS: Final = 4


@dataclass(frozen=True)
class Side:
    """`met` is what the other says too, `own` what it alone says, its verbs left out."""

    phrases: Phrases
    met: tuple[Part, ...]
    own: tuple[Part, ...]

    @classmethod
    def beside(cls, mine: Phrases, theirs: Phrases) -> "Side":
        met = tuple(part for part in mine.parts if any(same_part(part, other, mine.code) for other in theirs.parts))
        return cls(mine, met, tuple(part for part in mine.parts if part not in met and not part.verbs))

    @property
    def told(self) -> Mapping[str, frozenset[str]]:
        return groups(self.phrases.code)

    @property
    def said(self) -> str:
        return " ".join(part.said for part in self.own)

    @property
    def lead(self) -> str:
        return self.own[0].lead

    @property
    def names_a_thing(self) -> bool:
        """Whether what both say is more than a name in front. Every German noun looks like a name."""
        code = self.phrases.code
        return any(not part.verbs and (code == "de" or not part.named or not part.place) for part in self.met)

    @property
    def is_count(self) -> bool:
        return len(self.own) == 1 and self.own[0].is_number

    @property
    def is_one_phrase(self) -> bool:
        """Whether what it says alone is one phrase, and the whole of it."""
        if not self.own or len(self.own) > MAX_WORDS or self._is_interrupted:
            return False
        # `use Redis for the cache` has two phrases of its own beside `use Postgres for storage`, and so has what is told of it.
        if any(part.lead != self.lead and part.lead in ("for", "is") for part in self.own):
            return False
        return not self._leads_on and self.lead not in self.told["of"] - self.told["by"]

    @property
    def _is_interrupted(self) -> bool:
        first, last = self.own[0].place, self.own[-1].place
        return any(first < part.place < last and part not in self.own for part in self.phrases.parts)

    @property
    def _leads_on(self) -> bool:
        following = next((part for part in self.phrases.parts if part.place > self.own[-1].place), None)
        if following is None or following.begins or does(following, self.phrases.code):
            return False
        return self.phrases.code != "de" or following.said[0].isupper()

    @cached_property
    def tells(self) -> frozenset[str]:
        """That somebody does it, where it is, how it is done, what it is."""
        keys = {part.key for part in self.phrases.parts}
        by_verb = {name for name in VERBS if any(name in part.verbs for part in self.phrases.parts)}
        by_noun = {sort for sort, name in (("do", "nouns"), ("where", "seats"), ("is", "is")) if keys & self.told[name]}
        acts = {"do"} if self.phrases.words & self.told.get("acts", frozenset()) else set[str]()
        return frozenset(by_verb | by_noun | acts)

    def may_tell(self, sort: str) -> bool:
        """By what it tells, or for want of anything but `is`."""
        return sort in self.tells or self.phrases.links

    def has(self, name: str) -> bool:
        """Whether a word of a group is in it."""
        return any(part.key in self.told[name] for part in self.phrases.parts)

    @property
    def happens_once(self) -> bool:
        """Whether it is one thing that happens, and nothing that may be so on several days."""
        if self.has("state") or self.phrases.words & self.told["state"]:
            return False
        return any(self._is_one_of_its_kind(part) for part in self.met if not part.verbs)

    @property
    def does_the_same(self) -> bool:
        """Whether what both say is an act upon something of which there is one, that leaves no room for others."""
        code = self.phrases.code
        if code != "en" or not any(does(part, code) for part in self.met) or self.has("adds"):
            return False
        return any(self._is_one_of_its_kind(part) or part.key.endswith("s") for part in self.met)

    def _is_one_of_its_kind(self, part: Part) -> bool:
        return bool(part.article and part.article not in self.told["some"]) or not part.place

    @property
    def stands_behind_verb(self) -> bool:
        acts = (part for part in self.phrases.parts if does(part, self.phrases.code))
        return any(part.place < self.own[0].place for part in acts) or self.lead == "is"

    @property
    def is_used(self) -> bool:
        """`We use …`, `the choice is …`."""
        return self.has("pick") and self.stands_behind_verb

    @property
    def is_the_only(self) -> bool:
        """`The president is …`, `… is the president`, `Alarm company: …`."""
        if self.lead == "is":
            first = self.phrases.parts[0]
            return not first.named and not first.verbs and first.article not in self.told["some"] - {""}
        definite = self.told["article"] - self.told["some"]
        defined = any(part.lead == "is" and part.article in definite for part in self.phrases.parts)
        return self.own[0].begins and not self.lead and defined

    @property
    def is_of_any(self) -> bool:
        """`A sign hangs …`: there may be one in each place."""
        first = self.phrases.parts[0]
        return first.place == 1 and first.article in self.told["some"] - {""}

    @property
    def is_qualified(self) -> bool:
        """`is available in French`: what is so there may be so elsewhere."""
        return any(part.lead == "is" for part in self.phrases.parts if part.place < self.own[0].place)

    def beside_number(self, step: int) -> Part | None:
        """The word so many places behind the number that it says alone."""
        return next((part for part in self.phrases.parts if part.place == self.own[0].place + step), None)
