"""The nouns, one a file."""

from ledger.models.approval import Approval, ApprovalStatus
from ledger.models.block import Block, BlockLine, BlockRevision, Notice
from ledger.models.catalogue import CatalogItem, CatalogLink, LinkStatus, PriceObservation, Standing, Synonym
from ledger.models.chat import ChatCode, ChatLink, ChatLinkStatus, ChatPost, ChatPostKind, ChatPostStatus, ChatUpdate
from ledger.models.claim import Candidate, Claim, ConfidenceWord, Entity, Layer
from ledger.models.conflict import Conflict, ConflictMember, ConflictStatus, Dispute, DisputeStatus
from ledger.models.erasure import Erasure, ErasureStatus
from ledger.models.evaluation import Evaluation
from ledger.models.evidence import Anchor, Evidence, Stance
from ledger.models.feed import CalendarFeed, FeedStatus
from ledger.models.idempotency import IdempotencyRecord
from ledger.models.journal import ActorKind, JournalChange, JournalEvent, Seal
from ledger.models.pack import Kind, Pack
from ledger.models.person import Person
from ledger.models.run import Gate, Pattern, Run, RunHit, RunStatus, Wave
from ledger.models.scope import GLOBAL, Member, Role, Scope, SecretsSetting, Tier
from ledger.models.source import Conversation, Section, Source, SourceKind, Speaker
from ledger.models.tally import Tally, TallyMark
from ledger.models.teamwork import Handover, KeptApart
from ledger.models.trusted import TrustedState, TrustedStatus
from ledger.models.usage import Channel, Exposure, Outcome, OutcomeType, Utility
from ledger.models.webhook import Webhook, WebhookDelivery, WebhookStatus
from ledger.rules.states import Status

__all__ = [
    "GLOBAL",
    "ActorKind",
    "Anchor",
    "Approval",
    "ApprovalStatus",
    "Block",
    "BlockLine",
    "BlockRevision",
    "CalendarFeed",
    "Candidate",
    "CatalogItem",
    "CatalogLink",
    "Channel",
    "ChatCode",
    "ChatLink",
    "ChatLinkStatus",
    "ChatPost",
    "ChatPostKind",
    "ChatPostStatus",
    "ChatUpdate",
    "Claim",
    "ConfidenceWord",
    "Conflict",
    "ConflictMember",
    "ConflictStatus",
    "Conversation",
    "Dispute",
    "DisputeStatus",
    "Entity",
    "Erasure",
    "ErasureStatus",
    "Evaluation",
    "Evidence",
    "Exposure",
    "FeedStatus",
    "Gate",
    "Handover",
    "IdempotencyRecord",
    "JournalChange",
    "JournalEvent",
    "KeptApart",
    "Kind",
    "Layer",
    "LinkStatus",
    "Member",
    "Notice",
    "Outcome",
    "OutcomeType",
    "Pack",
    "Pattern",
    "Person",
    "PriceObservation",
    "Role",
    "Run",
    "RunHit",
    "RunStatus",
    "Scope",
    "Seal",
    "Section",
    "SecretsSetting",
    "Source",
    "SourceKind",
    "Speaker",
    "Stance",
    "Standing",
    "Status",
    "Synonym",
    "Tally",
    "TallyMark",
    "Tier",
    "TrustedState",
    "TrustedStatus",
    "Utility",
    "Wave",
    "Webhook",
    "WebhookDelivery",
    "WebhookStatus",
]
