"""The decisions a claim's page offers, each with its form and the verb it calls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils import timezone

from ledger.actions.decide import archive, defer, reject, reopen, withdraw
from ledger.actions.dispute import dispute, recheck
from ledger.actions.graduate import graduate
from ledger.actions.merge import merge
from ledger.actions.promote import promote
from ledger.actions.restore import restore
from ledger.actions.supersede import supersede
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.models import Claim, JournalEvent, Kind, Source
from ledger.reads.claims import claim_at
from ledger.rules.permissions import Right
from ledger.rules.states import CLAIM_STEPS, next_state


class DecisionForm(forms.Form):
    """What every decision takes: the version that was looked at, and why."""

    version = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(max_length=2000, required=False, widget=forms.TextInput(attrs={"size": 60}))


class PromoteForm(DecisionForm):
    on_conflict = forms.ChoiceField(
        choices=[("", "—"), ("supersede", "replace what holds"), ("coexist", "let both stand")],
        required=False,
        label="Where it differs from what holds",
    )
    into = forms.CharField(max_length=40, required=False, label="Ref to join, where several say the same")


class DeferForm(DecisionForm):
    until = forms.DateTimeField(required=False, help_text="UTC, such as 2026-03-01 09:00; empty: for good")


class MergeForm(DecisionForm):
    into = forms.CharField(max_length=40, label="Ref of the claim that says it better")


class SupersedeForm(DecisionForm):
    by = forms.CharField(max_length=40, label="Ref of the active claim that replaces it")


class GraduateForm(DecisionForm):
    kind = forms.CharField(max_length=40, required=False, label="Kind", help_text="empty: its own kind")


class DisputeForm(DecisionForm):
    source = forms.IntegerField(min_value=1, label="Number of the source that speaks against it")
    quote = forms.CharField(max_length=4000, label="Its exact words")


Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Verb:
    """`call(claim, actor, data)` is the ledger's verb. A verb without fields of its own is a plain button."""

    name: str
    label: str
    done: str
    call: Callable[[Claim, Actor, Data], JournalEvent]
    form: type[DecisionForm] = DecisionForm
    right: Right = Right.REVIEW

    @property
    def plain(self) -> bool:
        return self.form is DecisionForm


def _told(data: Data) -> Data:
    return {"reason": data.get("reason") or "", "expected_version": data.get("version")}


def _simple(verb: Callable[..., JournalEvent]) -> Callable[[Claim, Actor, Data], JournalEvent]:
    return lambda claim, actor, data: verb(claim, actor=actor, **_told(data))


def _promote(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    return promote(
        claim, actor=actor, on_conflict=data.get("on_conflict") or None, into=data.get("into") or None, **_told(data)
    )


def _defer(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    return defer(claim, actor=actor, until=data.get("until"), **_told(data))


def _merge(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    return merge(claim, into=claim_at(data["into"], actor.access), actor=actor, **_told(data))


def _supersede(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    return supersede(claim, by=claim_at(data["by"], actor.access), actor=actor, **_told(data))


def _graduate(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    return graduate(claim, actor=actor, kind=data.get("kind") or None, **_told(data))


def _dispute(claim: Claim, actor: Actor, data: Data) -> JournalEvent:
    source = Source.objects.select_related("scope").filter(pk=data["source"]).first()
    if source is None or not actor.access.may(Right.READ, source.scope.path):
        raise Invalid(f"no source {data['source']}", field="source")
    return dispute(claim, source=source, quote=data["quote"], actor=actor, **_told(data))


VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb("promote", "Promote", "Promoted", _promote, PromoteForm),
        Verb("reject", "Reject", "Rejected", _simple(reject)),
        Verb("defer", "Defer", "Deferred", _defer, DeferForm),
        Verb("reopen", "Reopen", "Back in the queue", _simple(reopen)),
        Verb("merge", "Merge", "Merged", _merge, MergeForm),
        Verb("withdraw", "Withdraw", "Withdrawn", _simple(withdraw)),
        Verb("archive", "Archive", "Archived", _simple(archive)),
        Verb("restore", "Restore", "It holds again", _simple(restore)),
        Verb("supersede", "Supersede", "Superseded", _supersede, SupersedeForm),
        Verb("graduate", "Graduate", "An entity is proposed from it", _graduate, GraduateForm),
        Verb("recheck", "Recheck", "Looked at again, and it holds", _simple(recheck)),
        Verb("dispute", "Dispute", "Disputed", _dispute, DisputeForm, Right.OBSERVE),
    )
}


def possible(claim: Claim) -> list[Verb]:
    """The verbs that lead somewhere from the claim's state."""
    return [verb for verb in VERBS.values() if _leads_somewhere(verb.name, claim)]


def _leads_somewhere(name: str, claim: Claim) -> bool:
    active = claim.status == "active"
    if name == "recheck":
        return active and (claim.disputed or claim.needs_recheck)
    if name == "dispute":
        return active
    if name == "graduate":
        return active and claim.layer == "memory"
    if name == "restore" and claim.promoted_at is None:
        return False
    return next_state(CLAIM_STEPS, name, claim.status) is not None


class EditForm(forms.Form):
    """The columns of a candidate that a reviewer may put right (ledger.actions.edit)."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    statement = forms.CharField(max_length=20_000, widget=forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"}))
    kind = forms.ModelChoiceField(queryset=Kind.objects.all(), empty_label=None)
    scope = forms.CharField(max_length=400, help_text="the scope's path")
    key = forms.CharField(max_length=200, required=False)
    topic = forms.CharField(max_length=200, required=False)
    tags = forms.CharField(max_length=1000, required=False, help_text="joined by commas")
    value = forms.JSONField(required=False, help_text="JSON; empty: none")
    assignee = forms.CharField(max_length=200, required=False)
    valid_from = forms.DateTimeField(required=False, help_text="UTC")
    valid_to = forms.DateTimeField(required=False, help_text="UTC")
    anchor = forms.IntegerField(
        min_value=0, required=False, help_text="which of the places to choose from it rests on; counted from 0"
    )
    reason = forms.CharField(max_length=2000, required=False)


def edit_initial(claim: Claim) -> Data:
    return {
        "version": claim.version,
        "statement": claim.statement,
        "kind": claim.kind_id,
        "scope": claim.scope.path,
        "key": claim.key,
        "topic": claim.topic,
        "tags": ", ".join(claim.tags),
        "value": claim.value,
        "assignee": claim.assignee,
        "valid_from": claim.valid_from,
        "valid_to": claim.valid_to,
    }


def edited(claim: Claim, data: Data) -> Data:
    """The columns that differ from what the claim says now, as `edit` wants them."""
    wanted = {
        "statement": data["statement"],
        "kind": data["kind"].name,
        "scope": data["scope"],
        "key": data["key"],
        "topic": data["topic"],
        "tags": split(data["tags"]),
        "value": data["value"],
        "assignee": data["assignee"],
        "valid_from": _aware(data["valid_from"]),
        "valid_to": _aware(data["valid_to"]),
    }
    now = {
        **{name: getattr(claim, name) for name in wanted if name not in ("kind", "scope")},
        "kind": claim.kind_id,
        "scope": claim.scope.path,
    }
    changes = {name: value for name, value in wanted.items() if value != now[name]}
    if data.get("anchor") is not None:
        changes["anchor"] = data["anchor"]
    return changes


def split(words: str) -> list[str]:
    """Comma-joined words as a list, without empty ones."""
    return [word.strip() for word in words.split(",") if word.strip()]


def _aware(moment: Any) -> Any:
    return timezone.make_aware(moment) if moment is not None and timezone.is_naive(moment) else moment
