"""Turns and episodes: one text, built here, of the words of several speakers (T1, C1)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from ledger.actions.ingest import Incoming
from ledger.actor import Actor
from ledger.errors import Forbidden, Invalid
from ledger.models import Scope, Source, SourceKind
from ledger.reads.packs import packs_of
from ledger.rules.bundles import episode, turn
from ledger.rules.columns import check_members, check_unique
from ledger.rules.sections import SectionSpan


def incoming_turn(one: turn.Turn, *, scope: Scope, actor: Actor, sender: str = "", conversation: str = "") -> Incoming:
    """The turn as a text to ingest, under its own id; sent again with the same words it is the same text.

    Raises `Invalid` naming the field for an id that is none of the turn's, or a stage that the packs don't have; `Forbidden`
    for a speaker whose words the caller may not send.
    """
    _check_ids(one)
    stages = packs_of(scope).stages
    if stages and one.stage not in stages:
        told = f"stage {one.stage[:60]!r} is not one" if one.stage else "name the turn's stage or give its scope one"
        raise Invalid(f"{told} of {', '.join(stages)}", field="stage")
    if not one.at:
        # When a turn of this id was first kept.
        before = _kept(one.id, SourceKind.TURN, scope, conversation).order_by("id").values_list("sent_at", flat=True)
        one = replace(one, at=before.first() or timezone.now())
    text, sections = turn.build(one)
    _require_speakers(actor, sections)
    return Incoming(
        text=text, kind=SourceKind.TURN, sender=sender or actor.name, sender_kind=_first_of(sections, ("user", "agent")),
        sent_at=one.at, conversation=conversation, external_id=one.id, title=f"Turn, {one.stage}" if one.stage else "Turn",
        sections=sections,
    )  # fmt: skip


def incoming_episode(
    events: Sequence[episode.EpisodeEvent],
    *,
    scope: Scope,
    actor: Actor,
    sender: str = "",
    sent_at: datetime | None = None,
    conversation: str = "",
    external_id: str = "",
    title: str = "",
) -> Incoming:
    """The episode as a text to ingest; append-only (C1): sent again under its id it may only have grown, and then the longer
    text takes the place of the shorter. Raises as `incoming_turn`, and `Invalid` where what was sent before is told otherwise."""
    text, sections = episode.build(events)
    if external_id:
        rows = _kept(external_id, SourceKind.EPISODE, scope, conversation).filter(purged_at=None).order_by("-id")
        before = rows.values_list("text", flat=True).first() or ""
        if not (text.startswith(before.removesuffix("\n")) or before.startswith(text[:-1])):
            raise Invalid(f"episode {external_id[:60]!r} began otherwise; an episode only grows", field="events")
    _require_speakers(actor, sections)
    return Incoming(
        text=text, kind=SourceKind.EPISODE, sender=sender or actor.name,
        sender_kind=_first_of(sections, ("agent", "user", "tool")), sent_at=sent_at, conversation=conversation,
        external_id=external_id, title=title, sections=sections,
    )  # fmt: skip


def _kept(external_id: str, kind: SourceKind, scope: Scope, conversation: str) -> QuerySet[Source]:
    thread = {"conversation__external_id": conversation} if conversation else {"conversation": None}
    return Source.objects.filter(scope=scope, external_id=external_id, kind=kind, **thread)


def _require_speakers(actor: Actor, sections: Iterable[SectionSpan]) -> None:
    """Whoever sends the words of several speakers may speak as each of them (law 8). Headers are nobody's."""
    for speaker in sorted({section.speaker for section in sections} - {"system"}):
        if not actor.access.may_speak_as(speaker):
            raise Forbidden(f"{actor.name} may not send words of a {speaker}")


def _first_of(sections: Sequence[SectionSpan], order: Sequence[str]) -> str:
    speakers = {section.speaker for section in sections}
    return next((speaker for speaker in order if speaker in speakers), order[-1])


def _check_ids(one: turn.Turn) -> None:
    items = check_unique("items", [item.id for item in one.items], part=".id")
    questions = check_unique("questions", [question.id for question in one.questions], part=".id")
    check_members("selected", one.selected, items, "{!r} is none of the items")
    answered = [answer.question for answer in one.answers]
    check_members("answers", answered, questions, "{!r} is none of the questions", part=".question")
