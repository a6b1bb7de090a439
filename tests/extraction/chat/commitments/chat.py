"""Short chats for tests, and chats that nothing was learnt from."""

from pathlib import Path
from typing import Any

from extraction.chat.commitments import Attribution, Frame, Roster, Told, claims_of, roster, shape_of
from extraction.chat.tripwire import Tripwire
from extraction.extractors.documents import Hit
from extraction.training.readings import Talk, household_tripwire

KEPT = Path(__file__).parents[2] / "chats"
TRIPWIRE = household_tripwire()
MILLERS = roster([("John", [], "guardian"), ("Sarah", [], "guardian"), ("Leo", [], "child"), ("Mia", [], "child")])


class Chat(Talk):
    """Messages said one after the other on one day; each answers its frame."""

    def __init__(
        self,
        day: str = "2026-05-04",
        people: Roster = MILLERS,
        tripwire: Tripwire = TRIPWIRE,
        watched: bool = False,
        **settings: float,
    ) -> None:
        super().__init__(people, tripwire, watched=watched, day=day, settings=Attribution(**settings))

    def shape(self, frame: Frame) -> dict[str, Any]:
        return shape_of(frame, self.ids, self.settings)

    def hits(self, frame: Frame) -> list[Hit]:
        ids = [*range(101, 100 + len(self.ids)), 0]
        return claims_of(frame, Told(ids, self.reader.frames, self.zone), self.settings)
