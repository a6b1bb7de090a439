"""What people say of a notice: they ask why it was said, or that it was right, or should not have been (O17)."""

from typing import Final

from django.db import transaction

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import JournalEvent, Notice
from ledger.verbs import Verb

ANSWERS: Final = {"why": Verb.ASK_WHY, "right": Verb.FIND_RIGHT, "wrong": Verb.FIND_WRONG}


def answer_notice(notice: Notice, answer: str, *, actor: Actor) -> JournalEvent:
    """One event, which is all that is kept of it. Raises `Invalid` for an answer that there is not."""
    verb = ANSWERS.get(answer)
    if verb is None:
        raise Invalid(f"an answer is one of {', '.join(ANSWERS)}", field="answer")
    with transaction.atomic(savepoint=False):
        actor.require(verb.row.right, notice.scope)
        with Step(verb, actor=actor, scope=notice.scope, ref=f"notice-{notice.pk}") as step:
            pass
    return step.event
