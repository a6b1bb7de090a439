"""What the working screen shows of a project: its items, what is still to be asked, what was said, what is to be reviewed (T15)."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Case, When
from django.http import QueryDict

from ledger.actor import Actor
from ledger.models import Claim, Run, Scope, Source, Tier
from ledger.packs import KeySpec, PackSet
from ledger.projections.blocks import blocks_of
from ledger.reads.claims import claim_rows
from ledger.reads.rivals import previews
from ledger.reads.scopes import visible
from ledger.rules.bundles.turn import TurnItem
from ledger.rules.permissions import Access
from review.desk.blocks import MAX_ENTRIES, BlockSheet, SheetRow, block_sheets, rows_beside
from review.desk.cards import CandidateCard, cards_of

MAX_ITEMS: Final = 300
MAX_QUESTIONS: Final = 12
MAX_WAITING: Final = 30
MAX_TURNS: Final = 20
MAX_SHOWN: Final = 4_000
_ASKED: Final = re.compile(r"^Q\d+\(id=(?P<key>[^)\n]{1,200})\): (?P<words>[^\n]*)$", re.M)
_ANSWERED: Final = re.compile(
    r'^A\d+\(qId=(?P<key>[^)\n]{1,200})\): quick=(?P<quick>\S+) text=(?P<text>"(?:[^"\\\n]|\\.)*+")$', re.M
)
QUICK_WORDS: Final = {"YES": "Yes", "NO": "No", "IDK": "Don't know", "IRRELEVANT": "Irrelevant"}


@dataclass(frozen=True, slots=True)
class StageQuestion:
    """One question with what was typed as its answer so far."""

    spec: KeySpec
    quick: str = ""
    words: str = ""

    @property
    def takes_yes(self) -> bool:
        """A date, a measure or one of a list is never yes or no."""
        return self.spec.value_type not in ("enum", "number", "dimension", "currency", "date")


@dataclass(slots=True)
class ShownTurn:
    """One turn of the conversation: what the user said and answered, what the agent said, and how far it is read."""

    source: Source
    parts: list[tuple[str, str]] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    irrelevant: frozenset[str] = frozenset()

    @property
    def is_read(self) -> bool:
        return not any(run.status in ("queued", "running") for run in self.runs)


@dataclass(frozen=True, slots=True)
class CurrentState:
    """The right side: the blocks of the project, or of the item that was chosen, what holds beside them, and the candidates that
    wait."""

    sheets: list[BlockSheet]
    beside: list[SheetRow]
    card: CandidateCard | None
    waiting: list[Claim]
    count: int


def item_scopes(row: Scope, access: Access) -> list[Scope]:
    """The items of a project, as far as they are in sight."""
    return list(visible(access, root=row.path).filter(parent=row, tier=Tier.ITEM).order_by("path")[:MAX_ITEMS])


def items_of(scopes: Sequence[Scope]) -> list[TurnItem]:
    """The same as a turn names them."""
    return [TurnItem(item_id(one), one.name) for one in scopes]


def item_id(scope: Scope) -> str:
    return scope.path.rpartition("/")[2]


def chosen_item(scopes: Iterable[Scope], name: str) -> Scope | None:
    return next((one for one in scopes if item_id(one) == name), None)


def open_questions(
    packs: PackSet, stage: str, place: Scope, given: QueryDict, turns: Sequence[ShownTurn]
) -> list[StageQuestion]:
    """The packs' questions of the stage about the project, or about an item, to which nothing holds yet and that nobody called
    irrelevant: the risky ones first, in the packs' order. One query."""
    known = set(Claim.objects.filter(scope=place, status="active").exclude(key="").values_list("key", flat=True))
    known |= {key for turn in turns for key in turn.irrelevant}
    asked = [
        spec for spec in packs.keys.values() if spec.key not in known and _is_asked(spec, packs, stage, place.tier)
    ]
    asked.sort(key=lambda spec: not spec.high_risk)
    return [
        StageQuestion(spec, given.get(f"quick.{spec.key}", ""), given.get(f"text.{spec.key}", ""))
        for spec in asked[:MAX_QUESTIONS]
    ]


def _is_asked(spec: KeySpec, packs: PackSet, stage: str, tier: str) -> bool:
    block = packs.block_of(spec.key)
    of_items = block is not None and block.scope == "item"
    in_stage = not spec.stages or stage in ("", *spec.stages)
    return bool(spec.question) and in_stage and of_items == (tier == Tier.ITEM)


def turns_of(row: Scope) -> list[ShownTurn]:
    """The latest turns, the oldest first, with their words by speaker and their runs. Three queries."""
    sources = Source.objects.filter(scope=row, kind="turn").order_by("-id").prefetch_related("sections", "runs")
    return [_shown(source) for source in reversed(sources[:MAX_TURNS])]


def _shown(source: Source) -> ShownTurn:
    said = {one.name: one for one in source.sections.all() if one.speaker in ("user", "agent")}
    words = {name: source.text[one.start : one.end][:MAX_SHOWN] for name, one in said.items()}
    asked = {one["key"]: one["words"] for one in _ASKED.finditer(words.pop("STRUCTURED_QUESTIONS", ""))}
    answers = list(_ANSWERED.finditer(words.get("USER_ANSWERS", "")))
    if answers:
        words["USER_ANSWERS"] = "\n".join(_in_words(one, asked) for one in answers)
    return ShownTurn(
        source,
        [(said[name].speaker, part) for name, part in words.items() if part.strip()],
        list(source.runs.all()),
        frozenset(one["key"] for one in answers if one["quick"] == "IRRELEVANT"),
    )


def _in_words(answer: re.Match[str], asked: Mapping[str, str]) -> str:
    """As people say it: the question, and behind it what was pressed and typed."""
    given = [QUICK_WORDS.get(answer["quick"], ""), json.loads(answer["text"])]
    return f"{asked.get(answer['key'], answer['key'])} {', '.join(filter(None, given))}"


def current_state(row: Scope, place: Scope, scopes: Sequence[Scope], actor: Actor) -> CurrentState:
    """A fixed number of queries, whatever there is of claims and items. What waits of the item that was chosen comes first."""
    everywhere = Claim.objects.filter(scope__in=[row, *scopes], status="pending")
    best = everywhere.order_by("-rank", "-id")
    if place != row:
        best = everywhere.order_by(Case(When(scope=place, then=0), default=1), "-rank", "-id")
    waiting = list(claim_rows().filter(pk__in=best.values("pk")[:MAX_WAITING]))
    waiting.sort(key=lambda claim: (place not in (row, claim.scope), -claim.rank, -claim.pk))
    first = waiting[:1]
    cards = cards_of(first, actor, previews(first)) if first else []
    return CurrentState(
        sheets=block_sheets(blocks_of(place, newest=MAX_ENTRIES), actor.access),
        beside=rows_beside(place, actor.access),
        card=next(iter(cards), None),
        waiting=waiting[1:],
        count=everywhere.count(),
    )
