"""Note what was shown and what came of it (C4, C10). Logs of their own, outside the journal."""

from collections.abc import Sequence

from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Channel, Exposure, Outcome, OutcomeType, Scope, Source
from ledger.rules.columns import check_text
from ledger.rules.permissions import Right


def expose(scope: Scope, refs: Sequence[str], *, channel: str, actor: Actor, conversation: str = "") -> Exposure:
    """One answer that showed `refs`."""
    if channel not in Channel.values:
        raise Invalid(f"channel is one of {', '.join(Channel.values)}", field="channel")
    check_text("conversation", conversation, most=300)
    return Exposure.objects.create(
        scope=scope, refs=list(refs), channel=channel, shown_to=actor.name, conversation=conversation
    )


def report_outcome(
    scope: Scope, *, conversation: str, type: str, actor: Actor, evidence: tuple[Source, int, int] | None = None
) -> Outcome:
    """What happened in a conversation. Evidence is (source, start, end); only anchored outcomes earn credit later."""
    actor.require(Right.OBSERVE, scope)
    if type not in OutcomeType.values:
        raise Invalid(f"type is one of {', '.join(OutcomeType.values)}", field="type")
    check_text("conversation", conversation, most=300)
    source, start, end = evidence or (None, None, None)
    if source is not None and start is not None and end is not None and not 0 <= start < end <= len(source.text):
        raise Invalid(f"source {source.pk} has no range {start} to {end}", field="evidence.start")
    return Outcome.objects.create(
        scope=scope, conversation=conversation, type=type, source=source, start=start, end=end, reported_by=actor.name
    )
