"""Words of a closed list, as the API's description tells them: a generated client has an enumeration of each."""

from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import TextChoices
from pydantic_core import CoreSchema, core_schema

from ledger.models import Channel, Layer, OutcomeType, Role, RunStatus, SourceKind, Speaker, Status, Tier


@dataclass(frozen=True, slots=True)
class OneOf:
    """A text that is one of the words of `choices`; with `or_none` it may be empty."""

    choices: type[TextChoices]
    or_none: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.literal_schema([*([""] if self.or_none else []), *self.choices.values])


AnyChannel = Annotated[str, OneOf(Channel, or_none=True)]
AnyOutcome = Annotated[str, OneOf(OutcomeType, or_none=True)]
AnySpeaker = Annotated[str, OneOf(Speaker, or_none=True)]
ChannelWord = Annotated[str, OneOf(Channel)]
LayerWord = Annotated[str, OneOf(Layer)]
OutcomeWord = Annotated[str, OneOf(OutcomeType)]
RoleWord = Annotated[str, OneOf(Role)]
RunStatusWord = Annotated[str, OneOf(RunStatus)]
SourceKindWord = Annotated[str, OneOf(SourceKind)]
SpeakerWord = Annotated[str, OneOf(Speaker)]
StatusWord = Annotated[str, OneOf(Status)]
TierWord = Annotated[str, OneOf(Tier)]
