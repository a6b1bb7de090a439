"""Samples that two reviewers judge blind: drawn, judged, and counted once both are through. Nothing of it decides anything."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from ledger.actor import Actor
from ledger.errors import BadTransition, Invalid, NotFound
from ledger.models import Claim, Scope
from ledger.reads.scopes import below, scope_at, visible
from ledger.reads.teamwork import reviewers_of
from ledger.rules.agreement import Agreement, agreement
from ledger.rules.permissions import Access, Right
from ledger.rules.states import Status
from review.models import AgreementSample, BlindAnswer, BlindVerdict

MIN_SIZE: Final = 5
MAX_SIZE: Final = 200
# Of so many of the newest that wait a sample is drawn.
MAX_DRAWN_FROM: Final = 10_000
MAX_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class SampleState:
    """A sample with how far both are: `answers` by claim id, what the first and the second said, None where one has said nothing
    yet. `result` stands where it may be shown."""

    sample: AgreementSample
    answers: dict[int, tuple[str | None, str | None]]
    result: Agreement | None

    @property
    def size(self) -> int:
        return len(self.sample.claims)

    @property
    def done(self) -> tuple[int, int]:
        said = list(self.answers.values())
        return sum(one is not None for one, _ in said), sum(other is not None for _, other in said)

    @property
    def table(self) -> list[tuple[str, list[int]]]:
        """What the first said, and of each how often the second said what, in the order of the verdicts."""
        said = list(self.answers.values())
        return [(one.label, [said.count((one.value, other.value)) for other in BlindVerdict]) for one in BlindVerdict]

    @property
    def apart(self) -> list[int]:
        """The claims about which both said something, and not the same."""
        return [pk for pk, (one, other) in self.answers.items() if one and other and one != other]


def draw_sample(scope: Scope, *, first: str, second: str, size: int, actor: Actor) -> AgreementSample:
    """Of what waits in the scope and below. Raises `Invalid` naming the field, `Forbidden` or `NotFound`."""
    actor.require(Right.ADMINISTER, scope)
    known = reviewers_of(scope)
    for field, name in (("first", first), ("second", second)):
        if name not in known:
            raise Invalid(f"{name[:60]!r} may not decide in {scope.path}; who may: {', '.join(known)}", field=field)
    if first == second:
        raise Invalid("two different people read it", field="second")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise Invalid(f"size is {MIN_SIZE} to {MAX_SIZE}", field="size")
    places = Scope.objects.filter(below(scope.path)).order_by().values("pk")
    waiting = Claim.objects.filter(scope__in=places, status=Status.PENDING).order_by("-pk")
    ids = list(waiting.values_list("pk", flat=True)[:MAX_DRAWN_FROM])
    if len(ids) < size:
        raise Invalid(f"only {len(ids)} wait in {scope.path}", field="size")
    drawn = random.SystemRandom().sample(ids, size)
    return AgreementSample.objects.create(
        scope=scope, first_id=known[first], second_id=known[second], claims=drawn, made_by=actor.name
    )


def judge(sample: AgreementSample, user_id: int | None, claim: int, verdict: str) -> None:
    """One reader's word, said once. Raises `Invalid`, and `BadTransition` for what was judged already or an ended sample."""
    if verdict not in BlindVerdict.values:
        raise Invalid(f"verdict is one of {', '.join(BlindVerdict.values)}", field="verdict")
    if claim not in sample.claims or user_id not in (sample.first_id, sample.second_id):
        raise NotFound("this is not among what you judge")
    if sample.ended_at is not None:
        raise BadTransition("this sample has ended", state="ended")
    try:
        with transaction.atomic():
            BlindAnswer.objects.create(sample=sample, user_id=user_id, claim=claim, verdict=verdict)
    except IntegrityError:
        raise BadTransition("you have judged this one already", state="judged") from None


def end_sample(sample: AgreementSample, *, actor: Actor) -> None:
    """What was judged by both is counted; the rest is left."""
    actor.require(Right.ADMINISTER, sample.scope)
    AgreementSample.objects.filter(pk=sample.pk, ended_at=None).update(ended_at=timezone.now())


def samples(access: Access, *, root: str | None = None) -> list[SampleState]:
    """The newest of the scopes in which the caller may decide. Two queries."""
    places = visible(access, right=Right.REVIEW, root=root).order_by().values("pk")
    rows = AgreementSample.objects.filter(scope__in=places).select_related("scope", "first", "second")[:MAX_SHOWN]
    return states_of(list(rows))


def sample_at(pk: int, access: Access) -> SampleState:
    """Raises `NotFound` for a sample of a scope out of sight, `Forbidden` for who may not decide there."""
    row = AgreementSample.objects.select_related("scope", "first", "second").filter(pk=pk).first()
    if row is None:
        raise NotFound(f"no sample {pk}")
    scope_at(row.scope.path, access, Right.REVIEW)
    return states_of([row])[0]


def states_of(rows: Sequence[AgreementSample]) -> list[SampleState]:
    """One query."""
    said: dict[int, dict[tuple[int, int], str]] = defaultdict(dict)
    for one in BlindAnswer.objects.filter(sample__in=rows):
        said[one.sample_id][one.user_id, one.claim] = one.verdict
    return [_state(row, said[row.pk]) for row in rows]


def _state(row: AgreementSample, said: dict[tuple[int, int], str]) -> SampleState:
    answers = {pk: (said.get((row.first_id, pk)), said.get((row.second_id, pk))) for pk in row.claims}
    both = [(one, other) for one, other in answers.values() if one and other]
    over = row.ended_at is not None or len(both) == len(row.claims)
    return SampleState(row, answers, agreement(both) if over else None)
