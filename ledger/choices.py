"""Words of a closed list, as the API's description tells them: a generated client has an enumeration of each."""

from typing import TYPE_CHECKING, Literal

from ledger.models import Channel, Layer, OutcomeType, Role, RunStatus, SourceKind, Speaker, Status, Tier

if TYPE_CHECKING:
    type AnyChannel = str
    type AnyOutcome = str
    type AnySpeaker = str
    type ChannelWord = str
    type LayerWord = str
    type OutcomeWord = str
    type RoleWord = str
    type RunStatusWord = str
    type SourceKindWord = str
    type SpeakerWord = str
    type StatusWord = str
    type TierWord = str
else:
    # Or none of them.
    AnyChannel = Literal["", *Channel.values]
    AnyOutcome = Literal["", *OutcomeType.values]
    AnySpeaker = Literal["", *Speaker.values]
    ChannelWord = Literal[*Channel.values]
    LayerWord = Literal[*Layer.values]
    OutcomeWord = Literal[*OutcomeType.values]
    RoleWord = Literal[*Role.values]
    RunStatusWord = Literal[*RunStatus.values]
    SourceKindWord = Literal[*SourceKind.values]
    SpeakerWord = Literal[*Speaker.values]
    StatusWord = Literal[*Status.values]
    TierWord = Literal[*Tier.values]
