"""What a household's chat coordinates: who fetches whom, when and where, and whose "I'll do it" answers which question.

Pure: messages and people in, readings and claims out; no database.

    reader = ThreadReader(roster, zone, Attribution(), usual, tripwire)
    frame = reader.read(message)            # oldest first; nothing later is looked at
    shape_of(frame, ids, settings)          # the observer's shape (O6), plain values
    claims_of(frame, Told(...), settings)   # hits of kind assignment and event
"""

from extraction.chat.commitments.claims import Told, claims_of
from extraction.chat.commitments.frames import Frame, Usual
from extraction.chat.commitments.people import Member, Roster, roster
from extraction.chat.commitments.reading import ThreadReader
from extraction.chat.commitments.scores import extraction_confidence
from extraction.chat.commitments.settings import Attribution
from extraction.chat.commitments.shape import attribution_confidence, shape_of

# Part of what makes a run the same run (P11): another number where another reading is to be expected.
COORDINATION_VERSION = "4"

__all__ = [
    "COORDINATION_VERSION", "Attribution", "Frame", "Member", "Roster", "ThreadReader", "Told", "Usual",
    "attribution_confidence", "claims_of", "extraction_confidence", "roster", "shape_of",
]  # fmt: skip
