"""Which chat elsewhere is which conversation of a scope: linked and ended by its owners, and moved with a group that was given
another id by its service (O13)."""

from typing import Final

from django.db import IntegrityError, transaction

from ledger.actor import Actor
from ledger.errors import BadTransition, Duplicate
from ledger.journal import Step
from ledger.models import ChatLink, ChatLinkStatus, ChatPost, ChatPostStatus, Conversation, Scope
from ledger.rules.columns import check_columns, check_text
from ledger.verbs import Verb

MAX_CHARACTERS: Final = {"door": 20, "bot": 60, "chat": 100, "conversation": 300}


def link_chat(scope: Scope, *, actor: Actor, door: str, bot: str, chat: str, conversation: str) -> ChatLink:
    """From now on what is said there is kept in this scope, and notices are posted there. Raises `Invalid` by field, `Duplicate`
    where the chat, or the conversation, is linked already."""
    given = {"door": door, "bot": bot, "chat": chat, "conversation": conversation}
    for name, most in MAX_CHARACTERS.items():
        check_text(name, given[name], most=most)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.LINK_CHAT.row.right, scope)
        with Step(Verb.LINK_CHAT, actor=actor, scope=scope) as step:
            row = _create(scope, actor, door, bot, chat, conversation)
            step.created(row)
        return row


def end_chat_link(link: ChatLink, *, actor: Actor, reason: str = "") -> ChatLink:
    """Nothing is taken in from there any more, and what waits to be posted stays unsaid; what was said stays."""
    check_columns({"reason": reason})
    with transaction.atomic(savepoint=False):
        row = _locked(link)
        actor.require(Verb.END_CHAT_LINK.row.right, row.scope)
        if row.status == ChatLinkStatus.ENDED:
            raise BadTransition(f"the link to {row} is ended already", state=row.status)
        with Step(Verb.END_CHAT_LINK, actor=actor, scope=row.scope, reason=reason) as step:
            step.change(row, status=ChatLinkStatus.ENDED)
        return row


def move_chat_link(link: ChatLink, *, actor: Actor, chat: str, conversation: str) -> ChatLink:
    """The group has another id now, and its messages are numbered anew, so that it goes on as another conversation. What waits
    is posted there. Where the other id is linked already, this link ends, and what waits for it stays unsaid."""
    check_text("chat", chat, most=MAX_CHARACTERS["chat"])
    with transaction.atomic(savepoint=False):
        old = _locked(link)
        actor.require(Verb.MOVE_CHAT_LINK.row.right, old.scope)
        if old.status == ChatLinkStatus.ENDED:
            return old
        linked = ChatLink.objects.filter(door=old.door, bot=old.bot, chat=chat, status=ChatLinkStatus.ON).first()
        with Step(Verb.MOVE_CHAT_LINK, actor=actor, scope=old.scope) as step:
            step.change(old, status=ChatLinkStatus.ENDED)
            if linked is not None:
                return linked
            row = _create(old.scope, actor, old.door, old.bot, chat, conversation)
            step.created(row)
        waiting = ChatPost.objects.filter(link=old, status=ChatPostStatus.WAITING)
        waiting.update(link=row, answers="")
        return row


def _create(scope: Scope, actor: Actor, door: str, bot: str, chat: str, conversation: str) -> ChatLink:
    thread, _ = Conversation.objects.get_or_create(scope=scope, external_id=conversation)
    try:
        with transaction.atomic():
            return ChatLink.objects.create(
                scope=scope, conversation=thread, door=door, bot=bot, chat=chat, made_by=actor.name
            )
    except IntegrityError:
        raise Duplicate(f"{door} {chat} is linked already", ref=chat) from None


def _locked(link: ChatLink) -> ChatLink:
    return ChatLink.objects.select_for_update(of=("self",)).select_related("scope").get(pk=link.pk)
