"""What comes in. A field that is not known is refused by name, so that a misspelt `version` is not a missing one."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field, StrictBool

from ledger.choices import RoleWord
from ledger.verbs import Verb

MAX_ID = 2**63 - 1


def _in_reach(moment: datetime) -> datetime:
    if not 1000 <= moment.year <= 9000:
        raise ValueError("a year lies between 1000 and 9000")
    return moment


type Moment = Annotated[AwareDatetime, AfterValidator(_in_reach)]
type Named = int | str
type Word = Literal["high", "medium", "low", ""]
Reason = Annotated[str, Field(max_length=4000)]
ScopePath = Annotated[str, Field(max_length=400)]
Tag = Annotated[str, Field(min_length=1, max_length=60)]
Ref = Annotated[str, Field(min_length=1, max_length=40)]


if TYPE_CHECKING:
    type BatchVerb = str
else:
    # One of the verbs that can be carried out on many claims at once.
    BatchVerb = Literal[tuple(str(verb) for verb in Verb if verb.row.many)]


class Strict(Schema):
    model_config = ConfigDict(extra="forbid")


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class Given(Strict):
    """A body of which only what is given is written. It tells no defaults: a generated client would send them, and write them."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)


class EraseIn(Strict):
    """`person` by name or alias, or `source` by id. `keep` are ids of others' texts that name them and stay, `also` of doubtful
    ones that go. With `dry_run` nothing is done."""

    scope: str = Field(max_length=400)
    person: str = Field("", max_length=200)
    source: int | None = None
    dry_run: StrictBool = False
    keep: list[int] = Field([], max_length=2000)
    also: list[int] = Field([], max_length=2000)
    reason: Reason = ""


class DecisionIn(Strict):
    """`version` is the one the caller decided on; without it the row is taken as it stands."""

    version: int | None = None
    reason: Reason = ""


class Changes(Given):
    """Edits of a candidate; only the fields that are given are written. `anchor` is an index into `anchors_to_choose`."""

    statement: str = Field("", max_length=10_000)
    value: Any = None
    value_type: str = Field("", max_length=20)
    key: str = Field("", max_length=200)
    topic: str = Field("", max_length=200)
    tags: list[Tag] = Field([], max_length=50)
    kind: str = Field("", max_length=40)
    scope: str = Field("", max_length=400)
    assignee: str = Field("", max_length=200)
    downstream: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=50)
    confidence_word: Word = ""
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    anchor: int = 0

    def given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Changes.model_fields if name in self.model_fields_set}


class EditIn(Changes):
    version: int | None = None
    reason: Reason = ""


class FieldIn(Strict):
    """A value of the key's type, or words that can be read as one (`6 m`). `seen` is the ref that stood in the field, empty for
    none: where another one stands there by now, the answer is 409."""

    value: Any
    seen: str | None = Field(None, max_length=40)
    reason: Reason = ""


class PromoteIn(DecisionIn):
    on_conflict: Literal["supersede", "coexist"] | None = None
    into: Named | None = None
    changes: Changes | None = None


class DeferIn(DecisionIn):
    until: Moment | None = None


class MergeIn(DecisionIn):
    into: Named


class HandOverIn(DecisionIn):
    """`to` is a user name; empty: with nobody in particular again. `reason` is the note for them."""

    to: str = Field(max_length=150)


class KeepApartIn(DecisionIn):
    other: Named


class EvidenceIn(Strict):
    """Words of a source; the server finds them. `start` and `end` (code points) tell equal places apart."""

    source: int
    quote: str = Field(min_length=1, max_length=100_000)
    start: int | None = Field(None, ge=0, le=2**31 - 1)
    end: int | None = Field(None, ge=0, le=2**31 - 1)
    stance: Literal["supports", "context"] = "supports"


class SupersedeIn(DecisionIn):
    """Either `by`, an active claim, or a new `statement` with its evidence."""

    by: Named | None = None
    statement: str = Field("", max_length=10_000)
    value: Any = None
    evidence: list[EvidenceIn] = Field([], max_length=50)


class GraduateIn(DecisionIn):
    kind: str | None = Field(default=None, max_length=40)


class DisputeIn(DecisionIn):
    source: int
    quote: str = Field(min_length=1, max_length=100_000)
    start: int | None = Field(None, ge=0, le=2**31 - 1)
    end: int | None = Field(None, ge=0, le=2**31 - 1)


class ReExtractIn(DecisionIn):
    extractors: list[str] | None = Field(default=None, max_length=20)


class ProposeIn(Strict):
    """A proposal. Without `evidence` the statement itself becomes a note and is cited: a user's words, or an agent's."""

    scope: str = Field(max_length=400)
    kind: str = Field(max_length=40)
    statement: str = Field(min_length=1, max_length=10_000)
    value: Any = None
    value_type: str = Field("", max_length=20)
    key: str = Field("", max_length=200)
    topic: str = Field("", max_length=200)
    tags: list[Tag] = Field([], max_length=50)
    assignee: str = Field("", max_length=200)
    downstream: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=50)
    summary: str = Field("", max_length=4000)
    confidence: float | None = Field(None, ge=0, le=1)
    confidence_word: Word = ""
    needs_review: bool = False
    names_replaced: list[Ref] = Field([], max_length=50)
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    expires_at: Moment | None = None
    evidence: list[EvidenceIn] = Field([], max_length=50)
    reason: Reason = ""


class DecideIn(Strict):
    """One decision about many claims. `versions` maps an id to the version that was decided on."""

    action: BatchVerb
    ids: list[Named] = Field(min_length=1, max_length=500)
    versions: dict[str, int] = {}
    reason: Reason = ""
    on_conflict: Literal["supersede", "coexist"] | None = None
    until: Moment | None = None
    into: Named | None = None


class CurateIn(Strict):
    scope: str = Field(max_length=400)
    value: Any = None
    statement: str = Field("", max_length=4000)
    cites: list[Ref] = Field([], max_length=200)
    reason: Reason = ""
    version: int | None = None


class RetractIn(Strict):
    scope: ScopePath
    reason: Reason = ""
    version: int | None = None


class ResolveIn(DecisionIn):
    winner: str = Field(max_length=60)


class UndoIn(Strict):
    reason: Reason = ""


class ScopeIn(Strict):
    scope: str = Field(max_length=400)
    tier: Literal["domain", "project", "item"]
    name: str = Field("", max_length=200)
    packs: list[Annotated[str, Field(max_length=60)]] = Field([], max_length=50)
    timezone: str = Field("UTC", max_length=60)
    stage: str = Field("", max_length=60)


class ScopeChanges(Given):
    """Settings of a scope; only the fields that are given are written. A policy that `policies` does not name is off."""

    name: str = Field(default_factory=str, min_length=1, max_length=200)
    packs: list[Annotated[str, Field(max_length=60)]] = Field([], max_length=50)
    timezone: str = Field("UTC", max_length=60)
    stage: str = Field("", max_length=60)
    retention_days: int | None = Field(None, ge=1, le=36_500)
    policies: dict[str, Any] = Field({}, max_length=50)
    allowed_endpoints: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=50)
    secrets: Literal["", "keep", "mask", "refuse"] = ""
    second_factor: StrictBool = False
    version: int | None = None
    reason: str = Field("", max_length=10_000)

    def given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.model_fields_set - {"version", "reason"}}


class MemberIn(Strict):
    scope: str = Field(max_length=400)
    role: RoleWord


type WebhookVerb = Literal["promoted", "rejected", "superseded", "disputed", "undone"]


class WebhookIn(Strict):
    """`verbs` are what the address is told of, all where none are given; `words` whether the messages hold what was decided, or
    only name it."""

    scope: ScopePath
    url: str = Field(min_length=1, max_length=500)
    verbs: list[WebhookVerb] | None = Field(None, min_length=1, max_length=5)
    words: StrictBool = False
    reason: Reason = ""


class WebhookChanges(Given):
    """Only the fields that are given are written. `new_secret` signs with another secret from now on; `skip` tells nothing of what
    waits any more."""

    verbs: list[WebhookVerb] = Field([], min_length=1, max_length=5)
    words: StrictBool = False
    status: Literal["on", "off"] = "on"
    new_secret: StrictBool = False
    skip: StrictBool = False
    version: int | None = None
    reason: Reason = ""

    def given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.model_fields_set & {"verbs", "words", "status"}}


class PersonIn(Strict):
    scope: str = Field(max_length=400)
    name: str = Field(min_length=1, max_length=200)
    aliases: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field([], max_length=50)
    role: str = Field("", max_length=60)
    user: str = Field("", max_length=150)
    telegram_id: int | None = Field(None, ge=-(2**63), le=MAX_ID)
