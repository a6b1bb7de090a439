"""The tripwire: does a chat message coordinate anything? Microseconds, from words and the thread alone (O1, O3).

Pure: no database and no settings. `Tripwire.from_packs` compiles the packs once; `score` answers for one message.
"""

from extraction.chat.tripwire.compiled import Tripwire, TripwireError, tripwire_of
from extraction.chat.tripwire.message_features import people_known
from extraction.chat.tripwire.scoring import Verdict, score
from extraction.chat.tripwire.thread_features import AnalysedMessage, analysed

__all__ = [
    "AnalysedMessage", "Tripwire", "TripwireError", "Verdict", "analysed", "people_known", "score", "tripwire_of",
]  # fmt: skip
