"""Which chat is which conversation, and what was posted there."""

from django.db.models import QuerySet

from ledger.models import ChatLink, ChatLinkStatus, ChatPost, Claim, Scope


def links_of(scope: Scope) -> QuerySet[ChatLink]:
    """A scope's chats, ended ones too, the newest first."""
    return ChatLink.objects.filter(scope=scope).select_related("scope", "conversation").order_by("-id")


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
