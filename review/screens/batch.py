"""Similar ones decided together: one batch id, so that all of it can be taken back as one."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_POST

from ledger.actor import Actor
from ledger.errors import DomainError, Forbidden, Invalid
from ledger.models import Claim, JournalEvent
from ledger.reads.claims import claim_at
from ledger.verbs import Verb, done_word
from review.screens.frame import ScreenRequest, back_to, screen
from review.screens.verbs import TOGETHER, reason_of, until_of, whole_number

MAX_TOGETHER = 200
# Each line of a report says why one was left; the rest of a long one is a number.
MAX_TOLD = 20


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One of several as the page showed it: what is decided is this version and no other."""

    ref: str
    version: int


@dataclass(slots=True)
class Report:
    """What became of several. `left` says why for each that was not decided, `refused` how many of those the actor may not
    decide about."""

    batch: uuid.UUID
    verbs: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.verbs.total()

    @property
    def said(self) -> str:
        """`3 promoted`; each verb by its own number where there are several."""
        return ", ".join(f"{count} {done_word(verb)}" for verb, count in self.verbs.items())

    def leave(self, ref: str, why: str) -> None:
        self.left.append((ref, why))


@require_POST
@screen
def decide_many(request: ScreenRequest) -> HttpResponse:
    """Each of the selected that the page showed and that can be decided is; what was left is named with its reason."""
    action, refs = request.POST.get("action", ""), request.POST.getlist("refs")
    if action not in TOGETHER:
        raise Invalid(f"no action {action[:40]!r}", field="action")
    seen = {one.ref: one for one in named_in(request.POST.getlist("shown"))}
    report = Report(uuid.uuid4())
    for ref in dict.fromkeys(refs[MAX_TOGETHER:]):
        report.leave(ref[:40], f"at most {MAX_TOGETHER} are decided at once")
    for ref in dict.fromkeys(refs[:MAX_TOGETHER]):
        if ref not in seen:
            report.leave(ref[:40], "it was not on the page that you saw")
    chosen = [seen[ref] for ref in dict.fromkeys(refs[:MAX_TOGETHER]) if ref in seen]
    decide_each(chosen, Verb(action), report, actor=request.actor, **common_of(action, request.POST))
    if report.refused and report.refused == len(report.left) and not report.done:
        raise Forbidden("you may not decide about any of these")
    if report.done:
        messages.success(request, report.said, extra_tags=f"batch:{report.batch}")
    if not refs:
        messages.warning(request, "Select some first: the boxes in the list, or the key x.")
    tell_left(request, report)
    return back_to(request, "/")


def common_of(action: str, posted: QueryDict, zone: str = "UTC") -> dict[str, Any]:
    """What a form says for all of them: the reason, and for how long they are deferred."""
    common: dict[str, Any] = {"reason": reason_of(posted)}
    return common | {"until": until_of(posted, zone)} if action == Verb.DEFER else common


def named_in(words: Iterable[str]) -> list[ShownClaim]:
    """`REF:VERSION` each; what is no such thing names nothing."""
    parts = [word.rpartition(":") for word in words]
    numbered = [(ref, whole_number(version)) for ref, _, version in parts]
    return [ShownClaim(ref, version) for ref, version in numbered if ref and version is not None]


def decide_each(
    chosen: Sequence[ShownClaim],
    verb: Verb,
    report: Report,
    *,
    actor: Actor,
    before: Callable[[Claim], JournalEvent | None] | None = None,
    **common: Any,
) -> None:
    """Decide each in a transaction of its own, and write into `report` what became of it. `before` names the event by which
    the same request has decided one already."""
    for one in chosen:
        try:
            claim = claim_at(one.ref, actor.access)
            event = before(claim) if before is not None else None
            if event is None:
                event = verb.function()(claim, actor=actor, batch=report.batch, expected_version=one.version, **common)
            report.verbs[event.verb] += 1
        except DomainError as error:
            report.refused += isinstance(error, Forbidden)
            report.leave(one.ref, error.message)


def tell_left(request: ScreenRequest, report: Report) -> None:
    """A line for each that was left, with a link to it."""
    for ref, why in report.left[:MAX_TOLD]:
        messages.warning(request, f"{ref} left as it is: {why}", extra_tags=f"left:{ref}")
    if len(report.left) > MAX_TOLD:
        messages.warning(request, f"and {len(report.left) - MAX_TOLD} more left as they are")
