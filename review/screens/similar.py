"""What waits beside a card and speaks of the same: chosen with a box each, and decided with the card as one batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ledger.actor import Actor
from ledger.models import Claim
from ledger.reads.claims import Citation
from ledger.reads.queue.related import SimilarClaims
from review.reserving import Reader
from review.screens.difference import difference


@dataclass(frozen=True, slots=True)
class Similar:
    """One of them: how it differs from the card, the words it rests on, and who else reads it just now."""

    claim: Claim
    nearly: bool
    pieces: list[tuple[str, str]]
    quote: Citation | None
    reader: Reader | None

    @property
    def named(self) -> str:
        """The ref with the version that is shown, as the form sends it."""
        return f"{self.claim.ref}:{self.claim.version}"


@dataclass(frozen=True, slots=True)
class Beside:
    rows: tuple[Similar, ...] = ()
    more: bool = False


def similar(
    claim: Claim,
    group: SimilarClaims,
    words: Mapping[int, Sequence[Citation]],
    others: Mapping[int, Reader],
    actor: Actor,
) -> Beside:
    """`words` holds the evidence of every claim of the group."""
    rows = []
    for one in group.rows:
        quotes = [c for c in words.get(one.claim.pk, ()) if c.stance == "supports" and c.readable(actor.access)]
        rows.append(
            Similar(
                claim=one.claim,
                nearly=one.nearly,
                pieces=difference(claim.statement, one.claim.statement),
                quote=quotes[-1] if quotes and not quotes[-1].redacted else None,
                reader=others.get(one.claim.pk),
            )
        )
    return Beside(tuple(rows), group.more)
