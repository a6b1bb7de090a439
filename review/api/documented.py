"""What the answers look like, for the OpenAPI page. Rows go out as plain dicts (`shapes.py`); a test compares the two."""

from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import AwareDatetime


class Evidence(Schema):
    """E. `source.text[start:end] == quote`, in code points; `quote` is null where `withheld` or `redacted`."""

    id: int
    source: int
    section: str | None
    speaker: str
    start: int
    end: int
    quote: str | None
    stance: str
    anchor: str
    brought_by: str | None
    withheld: bool = False
    redacted: bool = False


class Preview(Schema):
    outcome: str
    against: list[str]


class ClaimOut(Schema):
    id: int
    ref: str
    layer: str
    kind: str
    scope: str
    key: str
    topic: str
    tags: list[str]
    value_type: str
    value: Any
    statement: str
    status: str
    confidence: float
    confidence_word: str
    rule: str
    extractor: str
    extractor_version: str
    run: int | None
    hand_authored: bool
    high_risk: bool
    assignee: str
    seen_count: int
    evidence: list[Evidence]
    summary: str
    version: int
    created_at: AwareDatetime
    last_seen_at: AwareDatetime
    withheld: bool = False
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None


class ApprovalOut(Schema):
    """Somebody's word for a risky candidate, which another person's promotion completes."""

    id: int
    by: str
    at: AwareDatetime


class Candidate(ClaimOut):
    """C. `preview` is null for what no longer waits. `four_eyes`: two people decide; `approvals`: who has, of these words."""

    rank: float
    needs_review: bool
    anchors_to_choose: list[dict[str, int]]
    preview: Preview | None
    expires_at: AwareDatetime | None
    deferred_until: AwareDatetime | None
    four_eyes: bool
    approvals: list[ApprovalOut]


class Entity(ClaimOut):
    """N. The refs around it: what it replaced and took in, gave way to and grew into."""

    disputed: bool
    needs_recheck: bool
    supersedes: list[str]
    superseded_by: str | None
    merged: list[str]
    merged_into: str | None
    graduated_to: str | None
    downstream: list[str]
    promoted_at: AwareDatetime | None
    truth: float | None
    utility: float | None


class Actor(Schema):
    kind: str
    name: str


class Change(Schema):
    noun: str
    row: int
    before: Any
    after: Any
    implicit: bool


class Event(Schema):
    """V. `number` is the sealer's, in lists that follow it."""

    id: int
    at: AwareDatetime
    verb: str
    actor: Actor
    door: str
    scope: str
    ref: str
    reason: str
    batch: UUID | None
    undoes: int | None
    undone_by: int | None
    redacted: bool
    changes: list[Change]
    number: int | None = None


class Decision(Schema):
    candidate: Candidate
    entity: Entity | None
    event: Event | None


class Skipped(Schema):
    id: int | str
    why: str


class Decisions(Schema):
    done: list[int]
    skipped: list[Skipped]
    approved: list[int]
    batch: UUID


class Listed(Schema):
    next: str | None
    total: int | None = None


class Candidates(Listed):
    items: list[Candidate]


class Entities(Listed):
    items: list[Entity]


class Events(Listed):
    items: list[Event]


class Undone(Schema):
    event: Event


class UndoneBatch(Schema):
    events: list[Event]
    batch: UUID | None


class Link(Schema):
    layer: str
    id: int
    ref: str | None = None
    statement: str | None = None
    quote: str | None = None
    source: int | None = None
    start: int | None = None
    end: int | None = None
    stance: str | None = None
    withheld: bool = False
    redacted: bool = False
    event: Event | None
    verified: bool


class WhyOut(Schema):
    """The chain from the value down to the sources, each step checked while it was read."""

    ref: str
    statement: str
    value: Any
    verified: bool
    chain: list[Link]


class Reason(Schema):
    ref: str | None = None
    statement: str
    reason: str
    event: Event | None = None


class WhyNotOut(Schema):
    answers: list[Reason]


class Trusted(Schema):
    ref: str
    scope: str
    key: str
    value: Any
    statement: str
    cites: list[str]
    by: str
    at: AwareDatetime
    disputed: bool
    status: str
    version: int


class TrustedList(Listed):
    items: list[Trusted]


class Curated(Schema):
    item: Trusted
    event: Event


class Member(Schema):
    ref: str
    statement: str
    value: Any
    layer: str
    status: str
    evidence: list[Evidence]


class Conflict(Schema):
    id: int
    scope: str
    slot: str
    status: str
    members: list[Member]
    opened_at: AwareDatetime
    version: int


class Conflicts(Listed):
    items: list[Conflict]


class Settled(Schema):
    conflict: Conflict
    event: Event


class Verified(Schema):
    ok: bool
    events: int
    sealed: int
    root: str
    redacted: int
    broken: list[int]
