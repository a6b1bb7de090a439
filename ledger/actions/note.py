"""What somebody types without a source becomes one, and is cited: nothing is without evidence (design §3)."""

from dataclasses import replace

from ledger.actions.anchoring import find_quotes
from ledger.actions.ingest import Incoming, ingest
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Scope, SourceKind, Speaker
from ledger.rules.drafts import Quote
from ledger.rules.permissions import Access, Right
from ledger.rules.sections import SectionSpan


def note(statement: str, scope: Scope, actor: Actor) -> Quote:
    """What is typed without a source becomes one, of kind note, and is cited (design §3).

    The note is part of the proposal: whoever may propose may have it kept, as their own words and nobody else's.
    """
    text = statement.strip()
    if not text:
        raise Invalid("a statement cannot be empty", field="statement")
    speaker = Speaker.AGENT if actor.access.agent else Speaker.USER
    keeper = replace(actor, access=Access(everywhere=frozenset({Right.INGEST})))
    incoming = Incoming(
        text,
        kind=SourceKind.NOTE,
        sender=actor.name[:200],
        sender_kind=speaker,
        sections=(SectionSpan("", speaker, (), 0, len(text)),),
    )
    (received,) = ingest([incoming], scope=scope, actor=keeper)
    quote, _ = find_quotes(received.source, text, start=0, end=len(text))
    if quote is None:
        raise Invalid("the note cannot be cited", field="statement")
    return quote
