"""What an agent should know before it acts: a page of cited lines within a token budget (C11 to C13, P17, design §7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.actions.logs import expose
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.language.contradiction import value_words
from ledger.language.subjects import with_subject
from ledger.language.words import stems
from ledger.models import Claim, Scope, TrustedState
from ledger.reads.claims import MAX_CITED, Citation, claims_in_open_conflict, evidence_of, evidence_of_trusted, flags_of
from ledger.reads.conflicts import trusted_in_open_conflict
from ledger.reads.packs import kinds as all_kinds
from ledger.reads.packs import packs_of
from ledger.recall import gather
from ledger.recall.find import Question, WordMatches, find_claims, find_trusted, read_question
from ledger.recall.gather import NOW, Clocks, ScopeChain, scope_chain
from ledger.recall.snippets import fresh_passages, passages, raw_flags, raw_line, refused_in
from ledger.recall.turns import find_sources
from ledger.rules.intent import intent_of
from ledger.rules.packing import CHOSEN, ENTITY_SHARE, PER_TOPIC, Card, Packed, pack, shelves_for
from ledger.rules.ranking import relevance

DEFAULT_BUDGET = 2_000
MAX_BUDGET = 200_000
MAX_SOURCES = 5
# Of these come the few that are shown, since claims say some already and senders repeat themselves.
MAX_SOURCES_READ = 30
MAX_PENDING = 30
MAX_FAILED = 5
SHELF_OF_KIND = {
    "constraint": "constraints",
    "commitment": "constraints",
    "negative_result": "negative_results",
    "tactic": "tactics",
    "fact": "facts",
}
TRUST = {"trusted": 0, "entity": 1, "memory": 2, "pending": 3, "source": 4}


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One line of the pack: its card has the shelf, the ref and the flags (disputed, needs_recheck, pending). `statement` is the
    row's own; `scores` order and say nothing of truth."""

    card: Card
    layer: str
    kind: str
    statement: str
    value: Any
    citations: tuple[Citation, ...]
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class ContextPack:
    scope: str
    intent: str
    items: list[ContextItem]
    markdown: str
    tokens: int
    omitted: tuple[tuple[str, str], ...]
    exposure: int | None


@dataclass(frozen=True, slots=True)
class ContextMatches:
    """What was found by the question (`claims`, `trusted`, `sources`) and by the trouble at hand (`trouble`); `failed` tells
    that there is trouble, whatever its words."""

    question: Question
    claims: WordMatches
    trusted: WordMatches
    sources: WordMatches
    trouble: WordMatches
    failed: bool

    @property
    def anything(self) -> bool:
        """Whether the question or the trouble says something."""
        return self.claims.asked or self.trouble.asked

    @property
    def found(self) -> bool:
        return bool(self.claims.order or self.trusted.order or self.sources.order or self.trouble.order)

    def lexical(self, claim: Claim) -> float:
        """How much of the words a claim holds; what failed before is a little near to whatever failed."""
        known = max(self.claims.weight.get(claim.pk, 0.0), self.trouble.weight.get(claim.pk, 0.0))
        if claim.kind_id == "negative_result" and self.failed and not self.trouble.asked:
            return max(known, 0.1)
        return known


def build_context(
    scope: str,
    *,
    actor: Actor,
    query: str = "",
    intent: str = "",
    budget_tokens: int = DEFAULT_BUDGET,
    conversation: str = "",
    last_tool_failed: bool | str = False,
    clocks: Clocks = NOW,
    include_pending: bool = False,
) -> ContextPack:
    """Slots, not top-k: trusted values, constraints and commitments always; negative results that match the trouble at
    hand; tactics, facts, memories, entities and raw text by relevance to `query`, or the newest where nothing is asked.

    `last_tool_failed` is true, or the failed tool's output; true alone reads the last tool output of `conversation`. An
    intent that is none of `trouble`, `how_to`, `last_time`, `general` is read like the query. A question that nothing
    fits gets the empty pack. What is shown is noted as one exposure. A number of queries that does not grow with
    what is found. Raises
    `NotFound`, `Forbidden`, `Invalid` (field `budget_tokens`).
    """
    if not 0 <= budget_tokens <= MAX_BUDGET:
        raise Invalid(f"budget_tokens is 0 to {MAX_BUDGET}", field="budget_tokens")
    where = scope_chain(scope, actor.access)
    failed = bool(last_tool_failed)
    trouble = last_tool_failed if isinstance(last_tool_failed, str) else ""
    if failed and not trouble and conversation:
        trouble = gather.last_tool_output(where, conversation)
    intent = intent_of(intent=intent, query=query, last_tool_failed=failed)
    matches = _match(where, query, trouble, clocks, failed=failed)
    if matches.anything and not (matches.found or failed or _names(where.scope, matches.question)):
        return ContextPack(where.scope.path, intent, [], "", 0, (), None)
    items = {item.card.ref: item for item in _items(where, matches, clocks, include_pending)}
    packed = _packed([item.card for item in items.values()], where.scope, intent, budget_tokens)
    refs = [card.ref for card in packed.chosen]
    exposure = None
    if refs:
        exposure = expose(where.scope, refs, channel="auto_pack", actor=actor, conversation=conversation).pk
    chosen = [items[ref] for ref in refs]
    return ContextPack(where.scope.path, intent, chosen, packed.markdown, packed.tokens, packed.omitted, exposure)


def _packed(cards: Sequence[Card], scope: Scope, intent: str, budget_tokens: int) -> Packed:
    """By the slots of the scope's packs (C12)."""
    packs = packs_of(scope)
    most = {name: int(n) for name in CHOSEN if (n := packs.setting("slots", name, None)) is not None}
    share = float(packs.setting("slots", "entities_share", ENTITY_SHARE))
    per_topic = int(packs.setting("slots", "a_topic", PER_TOPIC))
    shelves = shelves_for(intent, most=most, entities_share=share)
    return pack(cards, budget_tokens=budget_tokens, shelves=shelves, per_topic=per_topic)


def _match(where: ScopeChain, query: str, trouble: str, clocks: Clocks, *, failed: bool) -> ContextMatches:
    statuses = clocks.statuses
    question = read_question(query)
    return ContextMatches(
        question,
        find_claims(question, where.chain, statuses=statuses),
        find_trusted(question, where.chain, ever=clocks.turned_back),
        _sources_known(question, where, clocks),
        find_claims(read_question(trouble), where.chain, statuses=statuses, kinds=["negative_result"])
        if trouble
        else WordMatches(asked=False),
        failed,
    )


def _sources_known(question: Question, where: ScopeChain, clocks: Clocks) -> WordMatches:
    found = find_sources(question, [pk for pk in where.own if pk in where.chain], answers=True)
    return replace(found, order=gather.known_then(found.order, clocks))


def _names(scope: Scope, question: Question) -> bool:
    """Whether the question names the scope itself."""
    named = f"{scope.path} {scope.name}".replace("/", " ").replace("-", " ").split()
    return bool(stems(named) & stems(question.words))


def _items(where: ScopeChain, matches: ContextMatches, clocks: Clocks, include_pending: bool) -> list[ContextItem]:
    rows = _claims(where, matches, clocks)
    if include_pending:
        rows += gather.claims_now(_pending_ids(where, matches))
    trusted = gather.trusted_of(where, matches.trusted.order[: gather.MAX_FOUND], clocks)
    claims = _claim_items(rows, where, matches)
    said = [citation for item in claims for citation in item.citations]
    return [*_trusted_items(trusted, where, matches), *claims, *_source_items(where, matches, said)]


def _claims(where: ScopeChain, matches: ContextMatches, clocks: Clocks) -> list[Claim]:
    """What was found, with the norms; without a question what is newest of each kind."""
    ids = {*matches.claims.order[: gather.MAX_FOUND], *matches.trouble.order[: gather.MAX_FOUND]}
    if clocks.turned_back:
        held = gather.claims_then(clocks, where.chain)
        return [row for row in held if row.pk in ids or row.kind_id in gather.NORMS or not matches.claims.asked]
    ids |= {*gather.newest_ids(where, gather.NORMS, most=gather.MAX_NORMS)}
    if not matches.claims.asked:
        # Trouble without a question: what failed before is matched, of the rest only facts come along.
        browsed = ["fact"] if matches.trouble.asked else [name for name in all_kinds() if name not in gather.NORMS]
        ids |= {*gather.newest_ids(where, browsed, most=gather.MAX_OF_A_KIND)}
    elif matches.failed and not matches.trouble.order:
        ids |= {*gather.newest_ids(where, ["negative_result"], most=MAX_FAILED)}
    return gather.claims_now(ids)


def _pending_ids(where: ScopeChain, matches: ContextMatches) -> list[int]:
    """Candidates of the scope itself that the question finds; without one, those of the highest rank."""
    if not matches.claims.asked:
        return gather.pending_ids(where, most=MAX_PENDING)
    return find_claims(matches.question, [where.scope.pk], statuses=("pending",)).order[:MAX_PENDING]


def _trusted_items(rows: Sequence[TrustedState], where: ScopeChain, matches: ContextMatches) -> Iterable[ContextItem]:
    cited, disputed = evidence_of_trusted(rows), trusted_in_open_conflict([row.pk for row in rows])
    for row in rows:
        citations = tuple(cited[row.pk])
        scores = _scores(matches.trusted.weight.get(row.pk, 0.0), where.distance[row.scope_id])
        card = Card(
            row.ref, "trusted", _trusted_statement(row), _cites(row.ref, citations, where), scores["score"],
            not matches.claims.asked or scores["relevance"] > 0, key=row.key,
            flags=("disputed",) if row.pk in disputed else (), distance=where.distance[row.scope_id], trust=TRUST["trusted"],
        )  # fmt: skip
        yield ContextItem(card, "trusted", "trusted", row.statement, row.value, citations, scores)


def _claim_items(rows: Sequence[Claim], where: ScopeChain, matches: ContextMatches) -> list[ContextItem]:
    ids = sorted(row.pk for row in rows)
    cited, disputed = evidence_of(ids), claims_in_open_conflict(ids)
    oldest_first = {pk: at / max(1, len(ids) - 1) for at, pk in enumerate(ids)}
    items = []
    for row in rows:
        citations, flags = tuple(cited[row.pk][:MAX_CITED]), flags_of(row, row.pk in disputed)
        scores = _scores(
            matches.lexical(row), where.distance[row.scope_id], newest=oldest_first[row.pk],
            disputed="disputed" in flags, needs_recheck=row.needs_recheck,
        )  # fmt: skip
        shelf = "pending" if "pending" in flags else _shelf(row)
        card = Card(
            row.ref, shelf, _claim_statement(row), _cites(row.ref, citations, where), scores["score"],
            scores["relevance"] > 0 or not matches.anything, row.topic, row.slot, row.key, flags,
            where.distance[row.scope_id], TRUST["pending" if shelf == "pending" else row.layer],
        )  # fmt: skip
        items.append(ContextItem(card, row.layer, row.kind_id, row.statement, row.value, citations, scores))
    return items


def _source_items(where: ScopeChain, matches: ContextMatches, said: Sequence[Citation]) -> Iterable[ContextItem]:
    """Raw text is for what nobody has made a claim of: not for a passage that a claim, by what is `said`, mostly says, and not for
    what a sender repeats."""
    found = passages(matches.sources.order[:MAX_SOURCES_READ], matches.question.sought)
    fresh = fresh_passages(found, said)[:MAX_SOURCES]
    refused = refused_in(fresh)
    for passage in fresh:
        source, words = passage.source, passage.cited
        scores = _scores(matches.sources.weight.get(source.pk, 0.0), where.distance[source.scope_id])
        cites = f"source {words.source_id}:{words.start}-{words.end}"
        card = Card(
            f"source:{source.pk}", "sources", raw_line(passage), cites, scores["score"],
            flags=raw_flags(passage, refused.get(source.pk, ())), distance=where.distance[source.scope_id],
            trust=TRUST["source"],
        )  # fmt: skip
        yield ContextItem(card, "source", source.kind, passage.quote, None, (words,), scores)


def _shelf(row: Claim) -> str:
    return SHELF_OF_KIND.get(row.kind_id) or ("memory" if row.layer == "memory" else "entities")


def _claim_statement(row: Claim) -> str:
    """The statement below what it is about, with the assignee: as far as it does not name them itself."""
    statement = with_subject(row.statement, row.subject, row.topic)
    return statement if row.assignee.casefold() in row.statement.casefold() else f"{statement} ({row.assignee})"


def _trusted_statement(row: TrustedState) -> str:
    """With its key, and its value in words where it was written as data."""
    if isinstance(row.value, dict) and row.statement == f"{row.key}: {row.value}":
        return f"{row.key}: {value_words(row.value)}"
    return row.statement if row.key.casefold() in row.statement.casefold() else f"{row.key}: {row.statement}"


def _cites(ref: str, words: Sequence[Citation], where: ScopeChain) -> str:
    """`DEC-… source 3:10-42`, or `DEC-… withheld` where the source is out of this reader's sight."""
    if not words:
        return ref
    if not words[0].readable(where.access):
        return f"{ref} withheld"
    return f"{ref} source {words[0].source_id}:{words[0].start}-{words[0].end}"


def _scores(lexical: float, distance: int, *, newest: float = 0.0, **marks: bool) -> dict[str, float]:
    score = relevance(lexical, distance=distance, newest=newest, **marks)
    return {"relevance": round(lexical, 4), "distance": float(distance), "score": score}
