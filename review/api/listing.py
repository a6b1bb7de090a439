"""The parameters that every list of claims takes."""

from typing import Any

from ninja import Schema
from pydantic import ConfigDict

from ledger.reads.queue.listing import ClaimFilter


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
        return ClaimFilter(
            status=self.status or status,
            layer=self.layer,
            kind=self.kind,
            rule=self.rule,
            key=self.key,
            run=self.run,
            wave=self.wave,
            source=self.source,
            q=self.q,
            min_confidence=self.min_confidence,
            high_risk=self.high_risk,
            needs_review=self.needs_review,
            disputed=self.disputed,
            needs_recheck=self.needs_recheck,
            promoted=promoted,
        )

    def how(self) -> dict[str, Any]:
        return {
            "scope": self.scope,
            "descend": self.descend,
            "order": self.order,
            "limit": self.limit,
            "cursor": self.cursor,
            "count": self.count,
        }
