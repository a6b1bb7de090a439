"""What an agent should know before it acts: a page of cited lines within a token budget (C11 to C13, P17, design §7)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from ledger.actions.logs import expose
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.language.contradiction import value_words
from ledger.language.words import stem
from ledger.models import Claim, Scope, TrustedState
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.packs import kinds as all_kinds
from ledger.reads.packs import packs_of
from ledger.reads.state import disputed_trusted
from ledger.recall import gather
from ledger.recall.citations import MAX_CITED, in_open_conflict, words_behind
from ledger.recall.find import WordMatches, find_claims, find_sources, find_trusted, plain_query
from ledger.recall.gather import ScopeChain, scope_chain
from ledger.recall.search import flags_of
from ledger.recall.snippets import Passage, passages
from ledger.rules.intent import intent_of, telling_words
from ledger.rules.packing import CHOSEN, ENTITY_SHARE, PER_TOPIC, Card, Packed, pack, shelves_for
from ledger.rules.ranking import relevance

DEFAULT_BUDGET = 2_000
MAX_BUDGET = 200_000
MAX_SOURCES = 5
SHELF_OF_KIND = {
    "constraint": "constraints",
    "commitment": "constraints",
    "negative_result": "negative_results",
    "tactic": "tactics",
    "fact": "facts",
}


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One line of the pack. `flags` are disputed, needs_recheck, pending; `scores` order and say nothing of truth."""

    shelf: str
    ref: str
    layer: str
    kind: str
    statement: str
    value: Any
    flags: tuple[str, ...]
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
    """What was found by the question (`claims`, `trusted`, `sources`) and by the trouble at hand (`trouble`).
    `anything` is False without a question that says something."""

    claims: WordMatches
    trusted: WordMatches
    sources: WordMatches
    trouble: WordMatches
    anything: bool
    about_scope: bool

    @property
    def fits(self) -> bool:
        found = (self.claims.order, self.trusted.order, self.sources.order, self.trouble.order)
        return not self.anything or self.about_scope or any(found)


def build_context(
    scope: str,
    *,
    actor: Actor,
    query: str = "",
    intent: str = "",
    budget_tokens: int = DEFAULT_BUDGET,
    conversation: str = "",
    last_tool_failed: bool | str = False,
    as_of: dt.datetime | None = None,
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
    trouble = last_tool_failed if isinstance(last_tool_failed, str) else ""
    if last_tool_failed and not trouble and conversation:
        trouble = gather.last_tool_output(where, conversation)
    meant = intent_of(intent=intent, query=query, last_tool_failed=bool(last_tool_failed))
    asked = _ask(where, query, trouble, as_of, failed=bool(last_tool_failed))
    if not asked.fits:
        return ContextPack(where.scope.path, meant, [], "", 0, (), None)
    cards, items = _cards(where, asked, as_of, query, include_pending, bool(last_tool_failed))
    packed = _packed(cards, where.scope, meant, budget_tokens)
    chosen = [items[card.ref] for card in packed.chosen]
    refs = [item.ref for item in chosen]
    exposure = (
        expose(where.scope, refs, channel="auto_pack", actor=actor, conversation=conversation).pk if refs else None
    )
    return ContextPack(where.scope.path, meant, chosen, packed.markdown, packed.tokens, packed.omitted, exposure)


def _packed(cards: Sequence[Card], scope: Scope, intent: str, budget_tokens: int) -> Packed:
    """By the slots of the scope's packs (C12)."""
    packs = packs_of(scope)
    most = {name: int(n) for name in CHOSEN if (n := packs.setting("slots", name, None)) is not None}
    share = float(packs.setting("slots", "entities_share", ENTITY_SHARE))
    return pack(
        cards,
        budget_tokens=budget_tokens,
        shelves=shelves_for(intent, most=most, entities_share=share),
        per_topic=int(packs.setting("slots", "a_topic", PER_TOPIC)),
    )


def _ask(where: ScopeChain, query: str, trouble: str, as_of: dt.datetime | None, *, failed: bool) -> ContextMatches:
    statuses = ("active", "superseded") if as_of is not None else ("active",)
    nothing = WordMatches(asked=False)
    query, trouble = plain_query(query), plain_query(trouble)
    if not query:
        claims = trusted = sources = nothing
    else:
        claims = find_claims(query, where.chain, statuses=statuses)
        trusted = find_trusted(query, where.chain)
        sources = find_sources(query, [pk for pk in where.own if pk in where.chain])
    hit = find_claims(trouble, where.chain, statuses=statuses, kinds=["negative_result"]) if trouble else nothing
    anything = claims.asked or hit.asked
    named = {stem(word) for word in where.scope.path.replace("/", " ").replace("-", " ").split()}
    named |= {stem(word) for word in where.scope.name.split()}
    about = failed or any(stem(word) in named for word in telling_words(query, most=16))
    return ContextMatches(claims, trusted, sources, hit, anything, about)


def _cards(
    where: ScopeChain, asked: ContextMatches, as_of: dt.datetime | None, query: str, include_pending: bool, failed: bool
) -> tuple[list[Card], dict[str, ContextItem]]:
    kinds = [name for name in all_kinds() if name not in gather.NORMS]
    ids = set(asked.claims.order[: gather.MAX_FOUND]) | set(asked.trouble.order[: gather.MAX_FOUND])
    if as_of is not None:
        ids |= set(gather.ids_at(where, as_of, None if not asked.claims.asked else gather.NORMS))
    else:
        ids |= set(gather.newest_ids(where, gather.NORMS, most=gather.MAX_NORMS))
        if not asked.claims.asked:
            # Trouble without a question: what failed before is matched, of the rest only facts come along.
            browsed = ["fact"] if asked.trouble.asked else kinds
            ids |= set(gather.newest_ids(where, browsed, most=gather.MAX_OF_A_KIND))
        elif failed and not asked.trouble.order:
            ids |= set(gather.newest_ids(where, ["negative_result"], most=5))
    now = timezone.now()
    rows = gather.claims_of(ids, where, as_of=as_of, now=now)
    if include_pending:
        found = find_claims(query, [where.scope.pk], statuses=("pending",)) if asked.claims.asked else None
        waiting = found.order[:30] if found else gather.pending_ids(where, most=30)
        rows += gather.claims_of(waiting, where, as_of=None, now=now)
    trusted = gather.trusted_of(where, asked.trusted.order[: gather.MAX_FOUND], as_of=as_of)
    cards: list[Card] = []
    items: dict[str, ContextItem] = {}
    claim_cards = _claim_cards(rows, where, asked, failed)
    quoted = [words for _, item in claim_cards for words in item.citations]
    texts = passages(asked.sources.order[: 2 * MAX_SOURCES], telling_words(plain_query(query), most=16))
    texts = [text for text in texts if not any(_mostly(text.cited, words) for words in quoted)][:MAX_SOURCES]
    for card, item in [
        *_trusted_cards(trusted, where, asked),
        *claim_cards,
        *_source_cards(texts, where, asked),
    ]:
        cards.append(card)
        items[card.ref] = item
    return cards, items


def _trusted_cards(
    rows: list[TrustedState], where: ScopeChain, asked: ContextMatches
) -> list[tuple[Card, ContextItem]]:
    cited, disputed = words_behind(rows), disputed_trusted(rows)
    found = []
    for row in rows:
        lexical = asked.trusted.weight.get(row.pk, 0.0)
        flags = ("disputed",) if row.pk in disputed else ()
        distance = where.distance[row.scope_id]
        score = relevance(lexical, distance=distance, newest=0.0)
        words = tuple(cited[row.pk])
        statement = row.statement if row.key.casefold() in row.statement.casefold() else f"{row.key}: {row.statement}"
        if row.value is not None and isinstance(row.value, dict) and row.statement == f"{row.key}: {row.value}":
            statement = f"{row.key}: {value_words(row.value)}"
        card = Card(
            row.ref, "trusted", statement, _cites(row.ref, words, where), score, not asked.claims.asked or lexical > 0,
            key=row.key, flags=flags, distance=distance, trust=0,
        )  # fmt: skip
        scores = _scores(lexical, distance, score)
        item = ContextItem("trusted", row.ref, "trusted", "trusted", row.statement, row.value, flags, words, scores)
        found.append((card, item))
    return found


def _claim_cards(
    rows: list[Claim], where: ScopeChain, asked: ContextMatches, failed: bool
) -> list[tuple[Card, ContextItem]]:
    ids = [row.pk for row in rows]
    cited, disputed = evidence_of(ids), in_open_conflict(ids)
    place = {pk: at for at, pk in enumerate(sorted(ids))}
    found = []
    for row in rows:
        lexical = max(asked.claims.weight.get(row.pk, 0.0), asked.trouble.weight.get(row.pk, 0.0))
        if row.kind_id == "negative_result" and failed and not asked.trouble.asked:
            lexical = max(lexical, 0.1)
        touched = lexical > 0 or not (asked.claims.asked or asked.trouble.asked)
        flags = flags_of(row, row.pk in disputed)
        shelf = "pending" if "pending" in flags else _shelf(row)
        distance = where.distance[row.scope_id]
        newest = place[row.pk] / max(1, len(ids) - 1)
        score = relevance(
            lexical, distance=distance, newest=newest, disputed="disputed" in flags, needs_recheck=row.needs_recheck
        )
        words = tuple(cited[row.pk][:MAX_CITED])
        card = Card(
            row.ref, shelf, _statement(row), _cites(row.ref, words, where), score, touched, row.topic, row.slot, row.key, flags,
            distance, 3 if shelf == "pending" else 2 if row.layer == "memory" else 1,
        )  # fmt: skip
        scores = _scores(lexical, distance, score)
        found.append(
            (card, ContextItem(shelf, row.ref, row.layer, row.kind_id, row.statement, row.value, flags, words, scores))
        )
    return found


def _shelf(row: Claim) -> str:
    return SHELF_OF_KIND.get(row.kind_id) or ("memory" if row.layer == "memory" else "entities")


def _statement(row: Claim) -> str:
    """The statement, and the assignee where it does not name one already."""
    if row.assignee and row.assignee.casefold() not in row.statement.casefold():
        return f"{row.statement} ({row.assignee})"
    return row.statement


def _mostly(passage: Citation, words: Citation) -> bool:
    """Whether a claim that is there already says most of a passage: raw text is for what nobody has made a claim of."""
    inside = min(passage.end, words.end) - max(passage.start, words.start)
    return passage.source_id == words.source_id and inside * 2 > passage.end - passage.start


def _source_cards(texts: Sequence[Passage], where: ScopeChain, asked: ContextMatches) -> list[tuple[Card, ContextItem]]:
    found = []
    for text in texts:
        ref = f"source:{text.source.pk}"
        lexical = asked.sources.weight.get(text.source.pk, 0.0)
        distance = where.distance[text.source.scope_id]
        score = relevance(lexical, distance=distance, newest=0.0)
        words = text.cited
        cites = f"source {words.source_id}:{words.start}-{words.end}"
        card = Card(ref, "sources", text.quote, cites, score, distance=distance, trust=4)
        scores = _scores(lexical, distance, score)
        item = ContextItem("sources", ref, "source", text.source.kind, text.quote, None, (), (words,), scores)
        found.append((card, item))
    return found


def _cites(ref: str, words: Sequence[Citation], where: ScopeChain) -> str:
    """`DEC-… source 3:10-42`, or `DEC-… withheld` where the source is out of this reader's sight."""
    if not words:
        return ref
    if not words[0].readable(where.access):
        return f"{ref} withheld"
    return f"{ref} source {words[0].source_id}:{words[0].start}-{words[0].end}"


def _scores(lexical: float, distance: int, score: float) -> dict[str, float]:
    return {"relevance": lexical, "distance": float(distance), "score": score}
