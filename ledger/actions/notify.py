"""Keep what the observer says, once for each matter of a thread (O8, O9)."""

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from ledger.actions.chat_post import queue_notice
from ledger.actions.locking import lock_names
from ledger.actor import Actor
from ledger.journal import Step
from ledger.models import Conversation, Notice, Source
from ledger.rules.columns import check_text
from ledger.verbs import Verb


def notify(
    conversation: Conversation,
    *,
    actor: Actor,
    rule: str,
    text: str,
    matter: str,
    after: Source,
    refs: Sequence[str],
    sources: Sequence[int],
    due_at: dt.datetime,
) -> tuple[Notice, bool]:
    """The notice, and whether it is new. `matter` names what it is about: said again, it is the notice that there is. `sources`
    are the messages that it rests on, `refs` the claims that were compared. Where the thread is a chat elsewhere, it is posted
    there."""
    check_text("rule", rule, most=60)
    check_text("text", text, most=280)
    check_text("matter", matter, most=400)
    with transaction.atomic():
        actor.require(Verb.NOTIFY.row.right, conversation.scope)
        lock_names([f"notice|{conversation.pk}"])
        known = Notice.objects.filter(conversation=conversation, matter=matter).first()
        if known is not None:
            return known, False
        with Step(Verb.NOTIFY, actor=actor, scope=conversation.scope) as step:
            row = Notice.objects.create(
                scope=conversation.scope, conversation=conversation, after=after, rule=rule, text=text, matter=matter,
                refs=list(refs), sources=list(sources), due_at=due_at,
            )  # fmt: skip
            step.created(row)
            queue_notice(row)
            return row, True
