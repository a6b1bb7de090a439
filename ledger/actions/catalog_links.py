"""Links to canonical items: rules suggest, a person confirms or says no, and a no is remembered (T12)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from ledger.actions.catalogue import checked_name, lock_catalogue
from ledger.actor import Actor
from ledger.errors import Duplicate, Invalid, StaleVersion
from ledger.journal import Step
from ledger.models import CatalogItem, CatalogLink, Claim, JournalEvent, LinkStatus, Scope
from ledger.reads.catalogue import link_rows, named_items, names_of
from ledger.rules.catalogue import CONFIDENT, NameIndex, normal_form
from ledger.rules.catalogue.wording import states_price
from ledger.verbs import Verb, next_status

MAX_NAMES = 200
MAX_STATEMENT = 400


@dataclass(frozen=True, slots=True)
class NameSuggestions:
    """What one name can mean, the likeliest first; `why` says by link what both names share and what only one says."""

    name: str
    links: Sequence[CatalogLink]
    why: dict[int, str]

    @property
    def confident(self) -> list[CatalogLink]:
        """The one that is decided, else those that one key is enough for."""
        decided = [link for link in self.links if link.status == LinkStatus.CONFIRMED]
        return decided or [link for link in self.links if link.confidence >= CONFIDENT]


def suggest_links(scope: Scope, names: Sequence[str], *, actor: Actor) -> list[NameSuggestions]:
    """For each name the items that it can mean, as links that wait for a person. What was suggested before is not written
    again, and what was rejected is not suggested."""
    if not names or len(names) > MAX_NAMES:
        raise Invalid(f"names are 1 to {MAX_NAMES}", field="names")
    checked = [checked_name(name, f"names.{at}") for at, name in enumerate(names)]
    with transaction.atomic(savepoint=False):
        actor.require(Verb.SUGGEST_LINKS.row.right, scope)
        lock_catalogue(scope.pk)
        step = Step(Verb.SUGGEST_LINKS, actor=actor, scope=scope)
        found = suggest_in(step, scope, checked)
        if step.changes:
            step.write()
        return found


def suggest_in(step: Step, scope: Scope, names: Sequence[str]) -> list[NameSuggestions]:
    """As part of another verb's step, under the catalogue's lock."""
    items = named_items(scope)
    by_id = {item.pk: item for item in items}
    index = NameIndex(names_of(items))
    known = _links_by_form(scope, {normal_form(name) for name in names})
    return [_suggested(step, scope, name, by_id, index, known) for name in names]


def _links_by_form(scope: Scope, forms: Iterable[str]) -> dict[tuple[str, int], CatalogLink]:
    rows = link_rows().filter(scope=scope, form__in=forms, claim=None)
    return {(link.form, link.item_id): link for link in rows}


def _suggested(
    step: Step,
    scope: Scope,
    name: str,
    by_id: dict[int, CatalogItem],
    index: NameIndex,
    known: dict[tuple[str, int], CatalogLink],
) -> NameSuggestions:
    form = normal_form(name)
    decided = [link for (at, _), link in known.items() if at == form and link.status == LinkStatus.CONFIRMED]
    if decided:
        return NameSuggestions(name, decided, {decided[0].pk: "a person linked it"})
    links: list[CatalogLink] = []
    why: dict[int, str] = {}
    refused = {pk for (at, pk), link in known.items() if at == form and link.status == LinkStatus.REJECTED}
    for pk, confidence, compared in index.rank(name, without=refused):
        link = known.get((form, pk)) or CatalogLink(scope=scope, name=name, form=form, item=by_id[pk])
        known[form, pk] = link = _renewed(step, link, confidence)
        links.append(link)
        why[link.pk] = compared.in_words()
    return NameSuggestions(name, links, why)


def _renewed(step: Step, link: CatalogLink, confidence: float) -> CatalogLink:
    """The link as suggested now. How sure the rules are is no decision: it changes without an event."""
    confidence = round(confidence, 3)
    if link.pk is None:
        link.confidence = confidence
        link.save(force_insert=True)
        step.created(link)
    elif link.confidence != confidence:
        CatalogLink.objects.filter(pk=link.pk).update(confidence=confidence)
        link.confidence = confidence
    if link.status == LinkStatus.WITHDRAWN:
        step.change(link, status=LinkStatus.SUGGESTED)
    return link


def suggest_facts(scope: Scope, *, actor: Actor) -> list[CatalogLink]:
    """For what holds in the scope and states a price in money, the newest first."""
    priced = Claim.objects.filter(scope=scope, status="active", value_type="currency", catalogue_links=None)
    newest = priced.select_related("scope").defer("search").order_by("-pk")[:MAX_NAMES]
    return suggest_for_claims(scope, [claim for claim in newest if states_price(claim.value)], actor=actor)


def suggest_for_claims(scope: Scope, claims: Sequence[Claim], *, actor: Actor) -> list[CatalogLink]:
    """For claims that say what something costs, the item that each speaks of: the best that its words name in full."""
    with transaction.atomic(savepoint=False):
        actor.require(Verb.SUGGEST_LINKS.row.right, scope)
        lock_catalogue(scope.pk)
        index = NameIndex(names_of(named_items(scope)))
        linked = set(CatalogLink.objects.filter(claim__in=claims).values_list("claim_id", flat=True))
        made: list[CatalogLink] = []
        step = Step(Verb.SUGGEST_LINKS, actor=actor, scope=scope)
        for claim in (one for one in claims if one.pk not in linked):
            for pk, confidence, _ in index.rank(claim.statement[:MAX_STATEMENT], inside=True)[:1]:
                link = CatalogLink.objects.create(
                    scope=claim.scope, claim=claim, item_id=pk, confidence=round(confidence, 3)
                )
                step.created(link)
                made.append(link)
        if step.changes:
            step.write()
        return made


def link_name(scope: Scope, name: str, item: CatalogItem, *, actor: Actor, reason: str = "") -> CatalogLink:
    """A person's own mapping of a name, suggested or not. Raises `Duplicate` where the name is linked already."""
    name, form = checked_name(name), normal_form(name)
    with transaction.atomic(savepoint=False):
        actor.require(Verb.CONFIRM_LINK.row.right, scope)
        lock_catalogue(scope.pk)
        link = link_rows().filter(scope=scope, form=form, item=item, claim=None).first()
        if link is None:
            _refuse_second(CatalogLink(scope=scope, form=form, item=item))
            with Step(Verb.CONFIRM_LINK, actor=actor, scope=scope, reason=reason) as step:
                link = CatalogLink.objects.create(
                    scope=scope, name=name, form=form, item=item, status=LinkStatus.CONFIRMED, confirmed_by=actor.name
                )
                step.created(link)
            return link
    confirm_link(link, actor=actor, reason=reason)
    return link


def confirm_link(
    link: CatalogLink, *, actor: Actor, expected_version: int | None = None, reason: str = ""
) -> JournalEvent:
    """The name, or the claim, is about the item. Raises `Duplicate` where it is linked to another one."""
    return _decide(Verb.CONFIRM_LINK, link, actor, expected_version, reason)


def reject_link(
    link: CatalogLink, *, actor: Actor, expected_version: int | None = None, reason: str = ""
) -> JournalEvent:
    """It is another thing: this is not suggested again."""
    return _decide(Verb.REJECT_LINK, link, actor, expected_version, reason)


def _decide(verb: Verb, link: CatalogLink, actor: Actor, expected: int | None, reason: str) -> JournalEvent:
    with transaction.atomic(savepoint=False):
        lock_catalogue(link.scope_id)
        link = link_rows().select_for_update(of=("self",)).get(pk=link.pk)
        actor.require(verb.row.right, link.scope)
        if expected is not None and link.version != expected:
            raise StaleVersion(f"catalogue link {link.pk} is at version {link.version}, not {expected}")
        status = next_status(verb, link)
        if status == LinkStatus.CONFIRMED:
            _refuse_second(link)
        with Step(verb, actor=actor, scope=link.scope, reason=reason) as step:
            step.change(link, status=status, confirmed_by=actor.name if status == LinkStatus.CONFIRMED else "")
        return step.event


def _refuse_second(link: CatalogLink) -> None:
    others = CatalogLink.objects.filter(status=LinkStatus.CONFIRMED).exclude(pk=link.pk).select_related("item")
    about = {"claim": link.claim} if link.claim_id else {"scope": link.scope, "form": link.form, "claim": None}
    if other := others.filter(**about).first():
        raise Duplicate(f"it is linked to {other.item.name} already; undo that, or reject it, first", ref=str(other.pk))
