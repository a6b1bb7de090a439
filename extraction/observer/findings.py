"""What a rule found: enough to say it in one line, and to show what was compared."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Finding:
    """`people` and `day` are the matter; `refs` the claims and `messages` the places in the thread that were compared. What a
    notice says: `what` is known (at `known_at`), `said` by the message (at `said_at`), `who` claims it."""

    rule: str
    place: int
    day: date
    people: frozenset[str]
    refs: tuple[str, ...] = ()
    messages: tuple[int, ...] = ()
    what: str = ""
    known_at: datetime | None = None
    said: str = ""
    said_at: datetime | None = None
    who: tuple[str, ...] = ()
    # Taken on by two, or a shared thing that two want.
    thing: str = ""

    def same_matter(self, other: "Finding") -> bool:
        """One notice is enough for one message, for the same people on the same day, or the same thing."""
        if self.place == other.place:
            return True
        if self.day != other.day or self.thing != other.thing:
            return False
        return not self.people or not other.people or not self.people.isdisjoint(other.people)
