"""The confirmed calendar as a chat speaks of it: which entries a message names, and what keeps whom at a time."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import product
from zoneinfo import ZoneInfo

from extraction.chat.commitments.activities import ACTIVITY, VAGUE
from extraction.chat.commitments.dialogue_acts import agreement
from extraction.chat.people import BOT, GUARDIAN, RESOURCE, HouseholdMember
from extraction.observer.lexicon import THINGS
from ledger.language.fold import fold
from ledger.language.words import edit_distance
from ledger.rules.calendar import CalendarEntry, Occurrence, occurrences_of

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Words of titles that name no particular thing.
_COMMON = frozenset(
    "the a an of at with and for to in on my our club class lesson lessons team practice training course session group time day "
    "night school kids children meeting appointment "
    "el la los las de del con y en para clase clases curso grupo equipo taller cita "
    "der die das den dem von vom mit und bei beim im zum zur kurs gruppe stunde unterricht termin verein "
    "visit party game match "
    "cours club equipe groupe reunion rendez vous rdv le les du des chez pour".split()
)
# Small words that longer titles begin with (`nach` is no `Nachhilfe`).
_SMALL = frozenset(
    "all for her his was are has had not but you our out off can get may per por las los una sus der die das mit von uns "
    "ist les des par "
    "sur est who how now let old new one two car see say "
    "nach auch noch wenn dann kann kind kinder unter uber haus tisch feier over with when that this have from will kids child "
    "para pero como esta todo sobre entre nino ninos tarde cosa pour avec dans sans tout plus mais tres enfant enfants "
    "sortie".split()
)
_INITIALS = re.compile(r"(?<!\w)[A-Z]{2,5}(?!\w)")
_MIN_STEM = 4
# `a red car` and the `car park` are not the family's car.
_ANY_SUCH = frozenset("a an another every some un una otro ein eine einen une".split())
_NOT_NEEDED = re.compile(r"(?:\bnot|\bno longer|n['’]?t) (?:need|us|tak|hav)(?:e|ing)?\b", re.IGNORECASE)
_PART_OF_THING = frozenset(
    "park parks parking seat seats tax insurance wash sick pool alarm radio boot door window ride".split()
)
# Sorts of which one may be something else than another.
BROAD = frozenset({"doctor", "camp", "conference"})


class KnownCalendar:
    """The entries of a household, by what people call them and by whom they keep."""

    def __init__(
        self,
        entries: Iterable[CalendarEntry],
        people: Sequence[HouseholdMember],
        zone: str,
        told_at: Mapping[str, int] | None = None,
    ) -> None:
        """`told_at`: the places in the thread of the messages that entries were read from; before these nobody knew them."""
        self._all = self.entries = tuple(entries)
        self._told_at = told_at or {}
        self.zone = ZoneInfo(zone)
        self._names = {fold(name).strip(): one.name for one in reversed(people) for name in one.names}
        self.everybody = frozenset(one.name for one in people if not one.has_role(RESOURCE, BOT))
        self.guardians = frozenset(one.name for one in people if one.has_role(GUARDIAN))
        self.things = _things([one for one in people if one.has_role(RESOURCE)], {one.place for one in self._all})
        self._titles = {entry.ref: _title_words(entry.title) for entry in self._all}
        self._activities = {entry.ref: activities_in(entry.title) for entry in self._all}

    def turn_to(self, place: int) -> None:
        """What is known when the message at `place` is read."""
        self.entries = tuple(one for one in self._all if self._told_at.get(one.ref, -1) < place)

    def person(self, name: str) -> str:
        """By the name that the roster has for them."""
        return self._names.get(fold(name).strip(), name)

    def people_of(self, entry: CalendarEntry) -> frozenset[str]:
        return frozenset(map(self.person, entry.people))

    def named_in(self, text: str) -> tuple[CalendarEntry, ...]:
        """The entries that a text names: by a word of the title, however it is shortened or misspelt, else by the same sort of
        activity under another name. School and work are no particular thing."""
        words = [word for word in words_of(text) if word not in self._names and word not in _SMALL]
        entries = [one for one in self.entries if not one.background]
        initials = set(_INITIALS.findall(text))
        by_title = (
            one for one in entries
            if _initials_of(one.title) in initials or any(_same_word(*pair) for pair in product(words, self._titles[one.ref]))
        )  # fmt: skip
        if found := tuple(by_title):
            return found
        said = activities_in(text) - BROAD
        return tuple(one for one in entries if not said.isdisjoint(self._activities[one.ref]))

    def meant_by(self, text: str, day: date, people: frozenset[str]) -> tuple[CalendarEntry, ...]:
        """The only thing of that day, of these people, that a word like `training` or `class` may mean."""
        if "practice" not in _sorts_in(text):
            return ()
        weekly = {one.entry for one in self.on(day, filter(_is_particular, self.entries)) if one.entry.rule}
        theirs = tuple(one for one in weekly if agreement(people, self.people_of(one)) >= 0)
        return theirs if len(theirs) == 1 else ()

    def concerning(self, entries: Sequence[CalendarEntry], people: frozenset[str]) -> tuple[CalendarEntry, ...]:
        """Those of these people, if there are any."""
        theirs = tuple(one for one in entries if agreement(people, self.people_of(one)) >= 0)
        return theirs or tuple(entries)

    def at_place(self, text: str, day: date) -> tuple[CalendarEntry, ...]:
        """What takes place that day where a text says."""
        folded = f" {' '.join(words_of(text))} "
        entries = [one for one in self.entries if one.place and not one.background]
        named = [one for one in entries if f" {' '.join(words_of(one.place))} " in folded]
        return tuple(dict.fromkeys(one.entry for one in self.on(day, named)))

    def things_in(self, text: str) -> frozenset[str]:
        """The shared things that a text names."""
        words = [] if _NOT_NEEDED.search(text) else words_of(text)
        named = {
            word.removesuffix("'s") for at, word in enumerate(words)
            if _ANY_SUCH.isdisjoint(words[max(0, at - 2) : at]) and _PART_OF_THING.isdisjoint(words[at + 1 : at + 2])
        }  # fmt: skip
        return frozenset(name for name, called in self.things.items() if not called.isdisjoint(named))

    def on(self, day: date, entries: Iterable[CalendarEntry] | None = None) -> Iterator[Occurrence]:
        """The occurrences of a day."""
        start = datetime.combine(day, time(), tzinfo=self.zone)
        for entry in self.entries if entries is None else entries:
            yield from occurrences_of(entry, start, start + timedelta(days=1))

    def between(self, entry: CalendarEntry, start: datetime, end: datetime) -> Iterator[Occurrence]:
        return occurrences_of(entry, start, end)

    def is_person(self, word: str) -> bool:
        return word.removesuffix("'s").removesuffix("s'") in self._names or word in self._names

    def keeping(self, person: str, start: datetime, end: datetime) -> Iterator[Occurrence]:
        """What keeps somebody, or the shared thing that it takes place in, in that time. School and work clash with nothing, nor
        does what holds all day."""
        for entry in filter(_is_particular, self.entries):
            if person in self.people_of(entry) or self.person(entry.place) == person:
                yield from occurrences_of(entry, start, end)


def words_of(text: str) -> list[str]:
    return _WORD.findall(fold(text.replace("_", " ")))


def activities_in(text: str) -> frozenset[str]:
    """The sorts of activity that a text names, without those that name no particular one."""
    return _sorts_in(text) - VAGUE - {"daycare"}


def occasions_in(text: str) -> frozenset[str]:
    """As `activities_in`, with what is an occasion whatever it is about: a party, a meeting, a game."""
    return _sorts_in(text) - {"daycare", "school", "bus", "practice"}


@lru_cache(maxsize=2048)
def _sorts_in(text: str) -> frozenset[str]:
    return frozenset(one.lastgroup or "" for one in ACTIVITY.finditer(fold(text.replace("_", " "))))


def _is_particular(entry: CalendarEntry) -> bool:
    """It keeps people from other things; school, work and what holds all day do not."""
    return not (entry.background or entry.all_day)


def _title_words(title: str) -> frozenset[str]:
    return frozenset(word for word in words_of(title) if len(word) > 2 and word not in _COMMON)


def _initials_of(title: str) -> str:
    """`OT` for occupational therapy."""
    return "".join(word[0] for word in title.upper().split())


def _same_word(said: str, title: str) -> bool:
    """`polo` of `water polo`, `fut` of `futbol`, `drivers` of `driver's`, `pottry` of `pottery`, `Feuerwehr` of
    `Jugendfeuerwehr`."""
    said, title = said.replace("'", ""), title.replace("'", "")
    shorter, longer = sorted((said, title), key=len)
    if _is_formed_from(shorter, longer) or (longer == f"{shorter}s" and shorter not in _COMMON):
        return True
    if longer.startswith(shorter) and said not in _COMMON:
        return said == title or len(shorter) >= _MIN_STEM or (len(said) == 3 and len(title) >= 6)
    return len(shorter) > 5 and _ends_alike_or_slips(shorter, longer)


def _ends_alike_or_slips(shorter: str, longer: str) -> bool:
    if longer.endswith(shorter):
        return shorter not in _COMMON
    return shorter[0] == longer[0] and edit_distance(shorter, longer, most=1) <= 1


def _is_formed_from(shorter: str, longer: str) -> bool:
    """`allergy` and `allergist`, `pediatra` and `pediatrician`: one is the other, but for its ending."""
    stem = shorter.rstrip("aeiouy")
    return stem != shorter and len(stem) > 5 and longer.startswith(stem)


def _things(things: Iterable[HouseholdMember], places: Set[str]) -> dict[str, frozenset[str]]:
    """What each shared thing is called. The only one of a name of its own in which nothing takes place is the car."""
    own = {one.name: {word for name in one.names for word in words_of(name) if word not in _COMMON} for one in things}
    sorts = {name: [sort for sort in THINGS if not sort.isdisjoint(words)] for name, words in own.items()}
    cars = [name for name, found in sorts.items() if name not in places and (not found or found == [THINGS[0]])]
    if len(cars) == 1:
        sorts[cars[0]] = [THINGS[0]]
    return {name: frozenset(words.union(*sorts[name])) for name, words in own.items()}
