"""An export comes in as proposals: sources, people and claims with their words; what stood is told in the reason of each.

Only by verbs: `ingest`, `add_person`, `propose`, `create_scope`. What is here already is recognised, so that a file may come
again, whole or after it broke off.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from django.utils import timezone

from extraction.intake.exported import (
    ClaimRow,
    EvidenceRow,
    ExportedRow,
    HeadRow,
    PersonRow,
    PlacedRow,
    ScopeRow,
    SourceRow,
    TrustedRow,
    checked,
    rows_of,
)
from ledger.actions.anchoring import quote_at
from ledger.actions.drafts import kind_named, prepare
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.locking import retry_lost_races
from ledger.actions.note import note
from ledger.actions.propose import Draft, Proposal, propose_all
from ledger.actions.scope import add_person, create_scope
from ledger.actor import Actor
from ledger.errors import DomainError, Invalid
from ledger.models import GLOBAL, Evidence, Person, Scope, Section, Source
from ledger.reads.packs import kinds, packs_of
from ledger.reads.scopes import scope_at
from ledger.rules.drafts import Quote
from ledger.rules.permissions import Right

SOURCES_AT_ONCE: Final = 50
CHARACTERS_AT_ONCE: Final = 4_000_000
MAX_LEFT: Final = 10_000


@dataclass(slots=True)
class ImportReport:
    """What became of the rows. `left` has the place of each that could not enter, and why."""

    rows: int = 0
    scopes: int = 0
    people: int = 0
    sources: int = 0
    proposed: int = 0
    duplicates: int = 0
    purged: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        names = ("rows", "scopes", "people", "sources", "proposed", "duplicates", "purged")
        left = [{"place": place, "why": why} for place, why in self.left[:MAX_LEFT]]
        return {name: getattr(self, name) for name in names} | {"left": left}


def import_export(path: Path, target: str, *, actor: Actor, report: ImportReport) -> Iterator[int]:
    """Each row in turn, with its number after it was dealt with. The whole file is checked first, so that a broken one leaves
    nothing behind: raises `Invalid` with the place. Raises `NotFound` where there is no scope `target`."""
    scope_at(target, actor.access, Right.ADMINISTER)
    head, report.rows = checked(path)
    yield from _Import(head, target, actor, report).carry_out(rows_of(path))


class _Import:
    """One file on its way in: which of its ids are which rows here."""

    def __init__(self, head: HeadRow, target: str, actor: Actor, report: ImportReport) -> None:
        self.root, self.target, self.actor, self.report = head.scope, target, actor, report
        self.scopes: dict[str, Scope] = {}
        self.sources: dict[int, int] = {}
        self.claims: dict[str, ClaimRow] = {}
        self.waiting: list[tuple[PlacedRow, SourceRow]] = []
        self.steps: dict[type[ExportedRow], Callable[[Any], object]] = {
            ScopeRow: self.take_scope, PersonRow: self.take_person, ClaimRow: self.take_claim,
            TrustedRow: self.take_trusted,
        }  # fmt: skip

    def carry_out(self, rows: Iterable[PlacedRow]) -> Iterator[int]:
        for number, placed in enumerate(rows, 1):
            if isinstance(placed.row, SourceRow):
                self.collect(placed, placed.row)
            else:
                self.take_waiting()
                self.take(placed)
            yield number
        self.take_waiting()

    def take(self, placed: PlacedRow) -> None:
        """What is refused is told and passed over."""
        step = self.steps.get(type(placed.row))
        try:
            if step is not None:
                retry_lost_races(step)(placed.row)
        except DomainError as error:
            self.report.left.append((placed.place, error.message))

    def path_of(self, path: str) -> str:
        """Below the target as it was below the root of the export."""
        if path == self.root:
            return self.target
        below = path if self.root == GLOBAL else path.removeprefix(f"{self.root}/")
        return below if self.target == GLOBAL else f"{self.target}/{below}"

    def scope_of(self, path: str) -> Scope:
        here = self.path_of(path)
        if here not in self.scopes:
            self.scopes[here] = scope_at(here, self.actor.access, Right.ADMINISTER)
        return self.scopes[here]

    def take_scope(self, row: ScopeRow) -> None:
        """The scopes below the exported one are made where they are not there; itself is where the caller says."""
        path = self.path_of(row.scope)
        if row.scope != self.root and not Scope.objects.filter(path=path).exists():
            create_scope(
                path, tier=row.tier, actor=self.actor, name=row.name, packs=row.packs, timezone=row.timezone,
                stage=row.stage,
            )  # fmt: skip
            self.report.scopes += 1

    def take_person(self, row: PersonRow) -> None:
        scope = self.scope_of(row.scope)
        if Person.objects.filter(scope=scope, name=row.name.strip()).exists():
            self.report.duplicates += 1
            return
        add_person(
            scope, row.name, actor=self.actor, aliases=row.aliases, role=row.role, telegram_id=row.telegram_id
        )  # fmt: skip
        self.report.people += 1

    def collect(self, placed: PlacedRow, row: SourceRow) -> None:
        if row.purged_at is not None:
            self.report.purged += 1
            return
        self.waiting.append((placed, row))
        characters = sum(len(one.text) for _, one in self.waiting)
        if len(self.waiting) >= SOURCES_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            self.take_waiting()

    def take_waiting(self) -> None:
        """The sources that were read since; where one of them is refused, the others enter one by one."""
        waiting, self.waiting = self.waiting, []
        by_scope: dict[str, list[tuple[PlacedRow, SourceRow]]] = defaultdict(list)
        for placed, row in waiting:
            by_scope[row.scope].append((placed, row))
        for group in by_scope.values():
            try:
                self.take_sources([row for _, row in group])
            except DomainError:
                self.take_one_by_one(group)

    def take_one_by_one(self, group: Sequence[tuple[PlacedRow, SourceRow]]) -> None:
        for placed, row in group:
            try:
                self.take_sources([row])
            except DomainError as error:
                self.report.left.append((placed.place, error.message))

    def take_sources(self, rows: Sequence[SourceRow]) -> None:
        scope = self.scope_of(rows[0].scope)
        texts = [incoming_of(row) for row in rows]
        results = retry_lost_races(ingest)(texts, scope=scope, actor=self.actor)
        for row, result in zip(rows, results, strict=True):
            self.sources[row.id] = result.source.pk
            self.report.duplicates += result.duplicate
            self.report.sources += not result.duplicate

    def take_claim(self, row: ClaimRow) -> None:
        self.claims[row.ref] = row
        quotes = self.quotes_of(row.evidence)
        places = tuple(
            {**place, "source": self.sources[place["source"]]}
            for place in row.anchors_to_choose
            if place.get("source") in self.sources
        )
        if not (quotes or places):
            raise Invalid(f"{row.ref}: none of its words are in the file")
        self.propose(draft_of(row, quotes, places), self.scope_of(row.scope), history_of(row))

    def take_trusted(self, row: TrustedRow) -> None:
        """By the words of the first claim it cites, else as a note: somebody typed it."""
        scope = self.scope_of(row.scope)
        statement = row.statement.strip() or f"{row.key}: {row.value}"
        draft = Draft(
            kind="fact", statement=statement, quotes=(), key=row.key, value=row.value,
            hand_authored=True, needs_review=True, confidence=1.0,
        )  # fmt: skip
        cited = next((self.claims[ref] for ref in row.cites if ref in self.claims), None)
        if cited and cited.value == row.value:
            draft = replace(draft, value_type=cited.value_type)
        if cited and (quotes := self.quotes_of(cited.evidence)):
            draft = replace(draft, kind=cited.kind, quotes=quotes, topic=cited.topic, subject=cited.subject)
        else:
            draft = replace(draft, quotes=(note(statement, scope, self.actor),))
        self.propose(draft, scope, trusted_history_of(row))

    def quotes_of(self, rows: Sequence[EvidenceRow]) -> tuple[Quote, ...]:
        """Those whose source came along, at their places, where the source still says so."""
        ids = {
            row.source: self.sources[row.source] for row in rows if row.source in self.sources and row.quote is not None
        }
        sources = Source.objects.filter(purged_at=None).in_bulk(ids.values())
        sections: dict[int, list[Section]] = defaultdict(list)
        for section in Section.objects.filter(source__in=sources).order_by("start"):
            sections[section.source_id].append(section)
        here = [(row, ids[row.source]) for row in rows if row.quote is not None and ids.get(row.source) in sources]
        return tuple(self.quote(row, sources[pk], sections[pk]) for row, pk in here)

    def quote(self, row: EvidenceRow, source: Source, sections: Sequence[Section]) -> Quote:
        found = quote_at(source, sections, row.start, row.end, stance=str(row.stance), anchor=row.anchor)
        if found.text != row.quote:
            raise Invalid(f"source {row.source} does not say {str(row.quote)[:60]!r} at {row.start}")
        return found

    def propose(self, draft: Draft, scope: Scope, reason: str) -> None:
        """As an act of whoever imports: near words are kept apart, and no stage is asked for."""
        if self.is_known(draft, scope):
            self.report.duplicates += 1
            return
        [answer] = propose_all([draft], scope=scope, actor=self.actor, reason=reason, right=Right.ADMINISTER)
        if answer.fate == "written":
            self.report.proposed += 1
        elif answer.fate in ("duplicate", "rejected"):
            self.report.duplicates += 1
        else:
            raise Invalid(told(answer))

    def is_known(self, draft: Draft, scope: Scope) -> bool:
        """Whether a claim here says this already, or said it before it was edited, by the same words of the same source."""
        kind_named(draft.kind, kinds())
        _, groups = prepare([draft], kinds(), packs_of(scope), "")
        first = draft.quotes[0] if draft.quotes else None
        if first is None:
            return scope.claims.filter(dedup__in=groups).exists()
        rows = Evidence.objects.filter(
            claim__scope=scope, claim__kind=draft.kind, source=first.source_id, start=first.start, end=first.end
        )
        known = rows.values_list("claim__dedup", "claim__proposed__statement", "claim__proposed__value")
        return any(dedup in groups or (said, value) == (draft.statement, draft.value) for dedup, said, value in known)


def told(answer: Proposal) -> str:
    return answer.why or answer.fate


def incoming_of(row: SourceRow) -> Incoming:
    return Incoming(
        text=row.text, kind=str(row.kind), sender=row.sender, sender_kind=str(row.sender_kind), sent_at=row.sent_at,
        edited_at=row.edited_at, conversation=row.conversation or "", external_id=row.external_id,
        reply_to=row.reply_to, title=row.title, sections=tuple(one.span() for one in row.sections),
    )  # fmt: skip


def draft_of(row: ClaimRow, quotes: tuple[Quote, ...], places: tuple[dict[str, int], ...]) -> Draft:
    """A person looks at whatever was imported: no policy promotes it."""
    ends = row.expires_at if row.expires_at and row.expires_at > timezone.now() else None
    return Draft(
        kind=row.kind, statement=row.statement, quotes=quotes, key=row.key, topic=row.topic, subject=row.subject,
        tags=tuple(row.tags), value_type=row.value_type, value=row.value, assignee=row.assignee,
        confidence=row.confidence, confidence_word=row.confidence_word, rule=row.rule, extractor=row.extractor,
        extractor_version=row.extractor_version, hand_authored=row.hand_authored, needs_review=True,
        summary=row.summary, valid_from=row.valid_from, valid_to=row.valid_to, expires_at=ends,
        downstream=tuple(row.downstream), anchors_to_choose=places, layer=str(row.layer),
    )  # fmt: skip


def history_of(row: ClaimRow) -> str:
    parts = [
        f"imported: {row.ref} of {row.scope} was {row.status}",
        f"promoted on {row.promoted_at:%Y-%m-%d}" if row.promoted_at else "",
        f"gave way to {row.successor}" if row.successor else "",
        f"grew out of {row.graduates}" if row.graduates else "",
        "disputed" if row.disputed else "",
    ]
    return "; ".join(filter(None, parts))


def trusted_history_of(row: TrustedRow) -> str:
    cites = f", citing {', '.join(row.cites[:10])}" if row.cites else ""
    return f"imported: trusted {row.ref} of {row.scope}, {row.status}, typed by {row.by} on {row.at:%Y-%m-%d}{cites}"
