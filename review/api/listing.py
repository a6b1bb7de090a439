"""The parameters that every list of claims takes."""

from typing import Any, Final

from ninja import Schema
from pydantic import ConfigDict

from ledger.reads.queue.listing import ClaimFilter

# Where, in which order and how many; all else says what is wanted.
_HOW: Final = {"scope", "descend", "order", "limit", "cursor", "count"}


class ClaimsQuery(Schema):
    """`scope` alone lists that scope, `descend=true` those below it too; without `scope` all that the caller sees."""

    model_config = ConfigDict(extra="ignore")

    scope: str | None = None
    descend: bool = False
    status: str = ""
    layer: str = ""
    kind: str = ""
    rule: str = ""
    key: str = ""
    run: int | None = None
    wave: int | None = None
    source: int | None = None
    q: str = ""
    min_confidence: float | None = None
    high_risk: bool | None = None
    needs_review: bool | None = None
    disputed: bool | None = None
    needs_recheck: bool | None = None
    order: str | None = None
    limit: int = 50
    cursor: str | None = None
    count: bool = False

    def wanted(self, status: str, *, promoted: bool | None = None) -> ClaimFilter:
        asked = self.model_dump(exclude=_HOW)
        return ClaimFilter(**{**asked, "status": self.status or status}, promoted=promoted)

    def how(self) -> dict[str, Any]:
        return self.model_dump(include=_HOW)
