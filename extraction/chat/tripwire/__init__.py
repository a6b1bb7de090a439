"""The tripwire: does a chat message coordinate anything? Microseconds, from words and the thread alone (O1, O3).

Pure: no database and no settings. `Tripwire.from_packs` compiles the packs once; `score` answers for one message.
"""

from extraction.chat.tripwire.compiled import Member, Tripwire, TripwireError, tripwire_of
from extraction.chat.tripwire.scoring import Verdict, score
from extraction.chat.tripwire.threads import Message

__all__ = ["Member", "Message", "Tripwire", "TripwireError", "Verdict", "score", "tripwire_of"]
