"""The working state of people and agents; what is true lives in the ledger."""

from review.models.digest import Digest
from review.models.reservation import Reservation
from review.models.seen import Seen
from review.models.timing import DecisionTime
from review.models.token import AgentToken, TokenKind
from review.models.view import SavedView

__all__ = ["AgentToken", "DecisionTime", "Digest", "Reservation", "SavedView", "Seen", "TokenKind"]
