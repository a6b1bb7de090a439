"""Which chat is which conversation, and what was posted there."""

from django.db.models import OuterRef, QuerySet, Subquery

from ledger.models import ChatLink, ChatLinkStatus, ChatPost, Claim, JournalEvent, Scope, Source
from ledger.reads.history import event_rows
from ledger.verbs import Verb

# What changes which chat is heard here, and whose account is whose.
CHANGES = (Verb.LINK_CHAT, Verb.END_CHAT_LINK, Verb.MOVE_CHAT_LINK, Verb.CONFIRM_ACCOUNT, Verb.END_ACCOUNT)


def links_of(scope: Scope) -> QuerySet[ChatLink]:
    """A scope's chats, ended ones too, the newest first."""
    return ChatLink.objects.filter(scope=scope).select_related("scope", "conversation").order_by("-id")


def links_with_last_message(scope: Scope) -> QuerySet[ChatLink]:
    """The same, each with `last_message_at`: when something last came in from there."""
    said = Source.objects.filter(conversation=OuterRef("conversation")).order_by("-id").values("created_at")
    return links_of(scope).annotate(last_message_at=Subquery(said[:1]))


def chat_changes(scope: Scope) -> QuerySet[JournalEvent]:
    """The events that changed any of it, the newest first, as histories show them."""
    return event_rows().filter(scope=scope, verb__in=CHANGES).order_by("-id")


def link_of(door: str, bot: str, chat: str) -> ChatLink | None:
    """The link of a chat as this bot hears it, while it is on."""
    rows = ChatLink.objects.filter(door=door, bot=bot, chat=chat, status=ChatLinkStatus.ON)
    return rows.select_related("scope", "conversation").first()


def post_of(link: ChatLink, message: str) -> ChatPost | None:
    """The post that the service knows by this id."""
    rows = ChatPost.objects.filter(link=link, message=message).exclude(message="").order_by("-id")
    return rows.select_related("notice__scope", "claim").first()


def last_notice_post(link: ChatLink) -> ChatPost | None:
    rows = ChatPost.objects.filter(link=link, kind="notice").order_by("-id")
    return rows.select_related("notice__scope").first()


def compared_claims(refs: list[str]) -> list[Claim]:
    """Those of a notice, in its order."""
    rows = {row.ref: row for row in Claim.objects.filter(ref__in=refs).select_related("scope", "kind")}
    return [rows[ref] for ref in refs if ref in rows]
