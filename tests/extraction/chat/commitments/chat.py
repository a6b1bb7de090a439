"""Short chats for tests, and chats that nothing was learnt from."""

from pathlib import Path
from typing import Any

from extraction.chat.commitments import (
    AttributionSettings,
    CitedThread,
    DialogueAct,
    Roster,
    claims_of,
    roster,
    shape_of,
)
from extraction.chat.tripwire import Tripwire
from extraction.extractors.documents import Hit
from extraction.training.readings import Talk, household_tripwire

KEPT = Path(__file__).parents[2] / "chats"
TRIPWIRE = household_tripwire()
MILLERS = roster([("John", [], "guardian"), ("Sarah", [], "guardian"), ("Leo", [], "child"), ("Mia", [], "child")])


class Chat(Talk):
    """Messages said one after the other on one day; each answers its act."""

    def __init__(
        self,
        day: str = "2026-05-04",
        people: Roster = MILLERS,
        tripwire: Tripwire = TRIPWIRE,
        watched: bool = False,
        **settings: float,
    ) -> None:
        super().__init__(people, tripwire, watched=watched, day=day, settings=AttributionSettings(**settings))

    def shape(self, act: DialogueAct) -> dict[str, Any]:
        return shape_of(act, self.ids, self.settings)

    def hits(self, act: DialogueAct) -> list[Hit]:
        ids = [*range(101, 100 + len(self.ids)), 0]
        return claims_of(act, CitedThread(ids, self.reader.acts, self.zone))
