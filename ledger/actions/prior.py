"""The prior of one rule in a scope, set by its owner's hand from what was decided; nothing sets it by itself (law 5, C4)."""

from django.db import transaction

from ledger.actions.locking import lock_scope
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.journal import Step
from ledger.models import JournalEvent, Scope
from ledger.rules.calibration import HIGHEST, LOWEST
from ledger.rules.columns import check_text
from ledger.verbs import Verb

MAX_PRIORS = 500
LONGEST_RULE = 60


def set_prior(
    scope: Scope,
    rule: str,
    prior: float | None,
    *,
    actor: Actor,
    expected_version: int | None = None,
    reason: str = "",
) -> JournalEvent:
    """What a hit of `rule` is worth here and below before its text is looked at, 0.01 to 0.99, over what the packs say; None
    gives the word back to the packs. Runs queued from now on read with it, under a version of their own; what waits or holds
    keeps its score. Undo puts the one before back. Raises `Invalid` naming the field."""
    check_text("rule", rule, most=LONGEST_RULE)
    if not rule.strip():
        raise Invalid("name the rule", field="rule")
    if prior is not None and not LOWEST <= prior <= HIGHEST:
        raise Invalid(f"a prior lies between {LOWEST} and {HIGHEST}", field="prior")
    with transaction.atomic(savepoint=False):
        scope = lock_scope(Verb.SET_PRIOR, scope, actor=actor, expected_version=expected_version)
        priors = {name: value for name, value in scope.priors.items() if name != rule}
        if prior is not None:
            priors[rule] = float(prior)
        if len(priors) > MAX_PRIORS:
            raise Invalid(f"a scope sets at most {MAX_PRIORS} priors", field="rule")
        if priors == scope.priors:
            raise Invalid(f"the prior of {rule} is that already", field="prior")
        with Step(Verb.SET_PRIOR, actor=actor, scope=scope, reason=reason) as step:
            step.change(scope, priors=priors)
        return step.event
