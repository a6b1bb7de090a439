"""Whether a message takes something on: in so many words, as an answer, or by being there already."""

from typing import Final

from extraction.observer import lexicon
from extraction.observer.plans import Plan

_ACCEPTS_BY_SIGN: Final = ("yes", "takes_by_sign", "nods_by_sign", "bare_me")


def takers(plan: Plan) -> frozenset[str]:
    """Who takes something on with it, grown up and for sure; nobody with what only asks, or holds on a condition."""
    act, own = plan.act, plan.own
    if own.shows("conditional", "on_condition", "somebody_must") or lexicon.ASKS_ANYBODY.search(plan.folded):
        return frozenset()
    taken_on = act.status in ("committed", "offered") and (says_itself(plan) or accepts(plan))
    if taken_on and act.assignees and not (act.guess and not says_itself(plan)):
        return frozenset(one.name for one in act.assignees if one.is_grown)
    goes = on_the_spot(plan) or (_sets_out(plan) and says_itself(plan))
    return frozenset({plan.sender}) if goes and act.sender.is_grown else frozenset()


def _sets_out(plan: Plan) -> bool:
    """`Leaving at 4:30 to pick up Mina`."""
    return plan.own.subject is None and bool(lexicon.SETS_OUT_TO.search(plan.folded))


def on_the_spot(plan: Plan) -> bool:
    """Somebody is already there with them, or has them."""
    own = plan.own
    with_whom = plan.explicit or own.shows("pronoun") or plan.names_known
    return bool(with_whom and lexicon.ON_THE_SPOT.search(plan.folded)) and not own.shows("question", "asks_you", "who")


def says_itself(plan: Plan) -> bool:
    """In words of its own, not as an answer that takes over what was asked."""
    own = plan.own
    if own.shows("question", "yes", "no", "thanks", "you_do", "on_condition"):
        return False
    if on_the_spot(plan) or lexicon.DUTY_NOUN.search(plan.folded):
        return True
    return bool((own.duty or plan.towards or plan.away) and (plan.explicit or own.shows("pronoun")))


def accepts(plan: Plan) -> bool:
    """A yes, or a first person that does it; where the words say neither, what the reader is sure of. Somebody who is busy
    elsewhere takes nothing on."""
    act, own = plan.act, plan.own
    busy = lexicon.ASKS_ANYBODY.search(plan.folded) or lexicon.UNAVAILABLE.search(plan.folded)
    coming = bool(lexicon.COMING.search(plan.folded))
    if (
        on_the_spot(plan)
        or act.shares
        or (own.shows("first") and (plan.explicit or (not busy and own.shows("pronoun", "can"))))
    ):
        return True
    if own.shows(*_ACCEPTS_BY_SIGN) or lexicon.ME_FIRST.match(plan.folded):
        return act.status not in ("declined", "")
    if busy and not coming:
        return False
    if act.status == "declined":
        return coming and not own.shows("no")
    return act.status in ("committed", "offered") and (not act.guess or own.shows("first", "can", "ready"))
