"""Every table and field that a pack file may have. `docs/packs.md` says what each means.

A file is checked as these models say; what counts afterwards is its content as it was read. So a default here is only what a
field that is not there stands for while the file is checked.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from ledger.packs.fields import (
    BlockName,
    KindName,
    KindNames,
    ListName,
    Name,
    PackTable,
    Pattern,
    RowId,
    Share,
    Signal,
    Whole,
    Words,
    blank_or_text,
    like,
    number,
    several,
    text,
)
from ledger.packs.talk_tables import (
    AttributionTable,
    DiscussionTable,
    ObserverTable,
    RedlineRow,
    TripwireTable,
)

Speaker = Literal["user", "agent", "tool", "document", "system"]
Tier = Literal["global", "domain", "project", "item"]
RuleClass = Literal["heading", "list", "label", "commitment", "sentence", "value"]
ValueType = Literal[
    "",
    "boolean",
    "enum",
    "number",
    "dimension",
    "currency",
    "date",
    "string",
    "note",
    "event",
    "assignment",
    "action_item",
]
# Trusted state and patterns have refs of their own.
TAKEN_PREFIXES = ("TRU", "PAT")


def _free_prefix(value: str) -> str:
    if value in TAKEN_PREFIXES:
        raise ValueError(f"{value!r} is taken by the refs of trusted state and patterns")
    return value


Speakers = Annotated[list[Speaker], several("words")]
Prefix = Annotated[str, like(r"[A-Z]{2,5}", "two to five capital letters"), AfterValidator(_free_prefix)]
Title = Annotated[str, blank_or_text(100)]
Help = Annotated[str, blank_or_text(1000)]


class HeadTable(PackTable):
    name: Name
    version: Annotated[str, text(30)]
    title: Annotated[str, blank_or_text(200)] = ""
    summary: Annotated[str, blank_or_text(2000)] = ""
    extractors: Annotated[
        list[
            Literal[
                "rules",
                "answers",
                "episodes",
                "discussion",
                "coordination",
                "coordination_model",
                "model",
                "enricher",
                "enricher_model",
            ]
        ],
        several("words"),
    ] = []


class KindRow(PackTable):
    name: KindName
    layer: Literal["memory", "entity"]
    prefix: Prefix
    anchors: Speakers = []
    many: bool = False
    value_type: ValueType = ""
    title: Title = ""
    help: Help = ""


class KeyRow(PackTable):
    key: Annotated[str, text(200)]
    title: Title = ""
    help: Help = ""
    also: Words = []
    value_type: ValueType = ""
    unit: Annotated[str, blank_or_text(30)] = ""
    values: Words = []
    # Checked against the key's type, which only the whole row tells.
    default: Any = None
    high_risk: bool = False
    stages: Words = []
    block: BlockName = ""
    question: Annotated[str, blank_or_text(300)] = ""
    required: bool = False


class KeysTable(PackTable):
    closed: bool = False
    rows: Annotated[list[KeyRow], Field(alias="list")] = []


class BlockRow(PackTable):
    key: BlockName
    title: Annotated[str, text(100)] = ""
    scope: Literal["project", "item"]
    prefixes: Words = []
    kinds: KindNames = []
    entries: ListName = "entries"
    closes: KindNames = []
    marks: dict[KindName, dict[ListName, Annotated[str, text(60)]]] = {}


class ItemsTable(PackTable):
    columns: Words = []


class BudgetsTable(PackTable):
    inferred_per_pass: Whole = 0
    per_episode: Whole = 0
    # A number for each kind, by the tier of a scope.
    global_: Annotated[dict[KindName, Whole], Field(alias="global")] = {}
    domain: dict[KindName, Whole] = {}
    project: dict[KindName, Whole] = {}
    item: dict[KindName, Whole] = {}

    @property
    def by_tier(self) -> dict[str, dict[str, int]]:
        return {"global": self.global_, "domain": self.domain, "project": self.project, "item": self.item}


class NoveltyTable(PackTable):
    threshold: Share = 0
    likeness: Share = 0
    kinds: dict[KindName, Share] = {}


class CompactionTable(PackTable):
    unseen_days: Whole = 0
    sources: Whole = 0
    keeps: KindNames = []


class OpenLabelsTable(PackTable):
    words: Words = []
    qualifiers: Words = []
    voted: Words = []
    least_votes: Whole = 0


class SentenceRow(PackTable):
    id: RowId = ""
    kind: KindName
    pattern: Pattern
    unless: Pattern = ""


class SuggestionRow(PackTable):
    id: RowId
    kind: KindName
    pattern: Pattern
    unless: Pattern = ""
    says: Annotated[str, text(250)]


class RulesTable(PackTable):
    priors: dict[RuleClass, Share] = {}
    high_signal: Signal = 0
    low_signal: Signal = 0
    fresh_days: Whole = 0
    fresh_bonus: Signal = 0
    high_hints: Words = []
    low_hints: Words = []
    labels: dict[KindName, Words] = {}
    open_labels: OpenLabelsTable = OpenLabelsTable()
    headings: dict[
        KindName,
        dict[Literal["lists", "sections", "items_only", "mixed", "tasks", "open_boxes", "accepted", "beside"], Words],
    ] = {}
    intents: dict[Literal["request", "commitment", "instruction", "preference"], KindName] = {}
    unlabelled: list[Literal["decision", "action_item", "constraint"]] = []
    sentences: list[SentenceRow] = []


class ModelTable(PackTable):
    kinds: Annotated[
        list[Literal["message", "document", "interaction", "turn", "episode", "note"]], several("words")
    ] = []
    asks: KindNames = []
    guidance: Annotated[str, blank_or_text(4000)] = ""
    most_calls: Whole = 0
    most_tokens: Whole = 0
    most_tokens_a_day: Whole = 0
    most_quote: Whole = 0
    endpoints: Literal["loopback", "any"] = "loopback"


class SlotsTable(PackTable):
    a_topic: Whole = 0
    entities_share: Share = 0
    # How much a context takes of each shelf that is filled by relevance.
    negative_results: Whole = 0
    tactics: Whole = 0
    facts: Whole = 0
    memory: Whole = 0
    entities: Whole = 0
    pending: Whole = 0
    sources: Whole = 0


class DisputesTable(PackTable):
    weights: dict[Speaker, Annotated[float, number(0, 100)]] = {}
    thresholds: dict[Tier, Annotated[float, number(0, 1000)]] = {}


class PolicyTable(PackTable):
    threshold: Share = 0
    times: Whole = 0
    days: Whole = 0
    kinds: KindNames = []
    never: KindNames = []
    classes: Annotated[list[RuleClass], several("words")] = []
    speakers: Speakers = []

    @property
    def named_kinds(self) -> dict[str, list[str]]:
        return {"kinds": self.kinds, "never": self.never}


class PackFile(PackTable):
    pack: HeadTable
    kinds: list[KindRow] = []
    keys: KeysTable = KeysTable()
    blocks: list[BlockRow] = []
    items: ItemsTable = ItemsTable()
    stages: dict[Literal["names"], Words] = {}
    gates: dict[
        Literal["tripwire", "rules", "discussion", "extraction", "relevance", "unlabelled", "enricher"], Share
    ] = {}
    budgets: BudgetsTable = BudgetsTable()
    novelty: NoveltyTable = NoveltyTable()
    compaction: CompactionTable = CompactionTable()
    rules: RulesTable = RulesTable()
    enricher: list[SuggestionRow] = []
    discussion: DiscussionTable = DiscussionTable()
    tripwire: TripwireTable = TripwireTable()
    attribution: AttributionTable = AttributionTable()
    # Pydantic keeps names that begin with `model_` for itself; this one does not.
    model: ModelTable = ModelTable()
    slots: SlotsTable = SlotsTable()
    disputes: DisputesTable = DisputesTable()
    observer: ObserverTable = ObserverTable()
    redline: list[RedlineRow] = []
    policies: dict[KindName, PolicyTable] = {}
