"""What a household's chat coordinates: who fetches whom, when and where, and whose "I'll do it" answers which question.

Pure: messages and people in, readings and claims out; no database.

    reader = ThreadReader(roster, zone, SHIPPED_ATTRIBUTION, routines, tripwire)
    act = reader.read(message)              # oldest first; nothing later is looked at
    shape_of(act, ids, settings)            # the observer's shape (O6), plain values
    claims_of(act, CitedThread(...))        # hits of kind assignment and event
"""

from extraction.chat.commitments.claims import CitedThread, claims_of
from extraction.chat.commitments.dialogue_acts import DialogueAct, WeeklyRoutine
from extraction.chat.commitments.mentions import Roster, roster
from extraction.chat.commitments.observer_shape import shape_of
from extraction.chat.commitments.reader import ThreadReader
from extraction.chat.commitments.thread import SHIPPED_ATTRIBUTION, AttributionSettings

# Part of what makes a run the same run (P11): another number where another reading is to be expected.
COORDINATION_VERSION = "8"

__all__ = [
    "COORDINATION_VERSION", "SHIPPED_ATTRIBUTION", "AttributionSettings", "CitedThread", "DialogueAct", "Roster",
    "ThreadReader", "WeeklyRoutine", "claims_of", "roster", "shape_of",
]  # fmt: skip
