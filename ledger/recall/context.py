"""What an agent should know before it acts: a page of cited lines within a token budget (C11 to C13, P17, design §7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.actions.logs import expose
from ledger.actor import Actor
from ledger.errors import Invalid
from ledger.language.words import stems
from ledger.models import Claim, Scope
from ledger.reads.packs import kinds as all_kinds
from ledger.reads.packs import packs_of
from ledger.recall import gather
from ledger.recall.find import SEVERAL_WORDS, Question, find_claims
from ledger.recall.gather import ScopeChain, scope_chain
from ledger.recall.lines import ContextItem, claim_items, source_items, trusted_items
from ledger.recall.matches import ContextMatches, ContextOptions, match
from ledger.rules.intent import intent_of
from ledger.rules.packing import CHOSEN, ENTITY_SHARE, PER_TOPIC, Card, Packed, pack, shelves_for

DEFAULT_BUDGET = 2_000
MAX_BUDGET = 200_000
MAX_PENDING = 30
MAX_FAILED = 5
EVERYTHING = ContextOptions()


@dataclass(frozen=True, slots=True)
class ContextPack:
    scope: str
    intent: str
    items: list[ContextItem]
    markdown: str
    tokens: int
    omitted: tuple[tuple[str, str], ...]
    exposure: int | None


def build_context(
    scope: str,
    *,
    actor: Actor,
    query: str = "",
    intent: str = "",
    budget_tokens: int = DEFAULT_BUDGET,
    conversation: str = "",
    last_tool_failed: bool | str = False,
    options: ContextOptions = EVERYTHING,
) -> ContextPack:
    """Slots, not top-k: trusted values, constraints and commitments always; negative results that match the trouble at
    hand; tactics, facts, memories, entities and raw text by relevance to `query`, or the newest where nothing is asked.

    `last_tool_failed` is true, or the failed tool's output; true alone reads the last tool output of `conversation`. An
    intent that is none of `trouble`, `how_to`, `last_time`, `general` is read like the query. A question that nothing
    fits gets the empty pack. What is shown is noted as one exposure. A number of queries that does not grow with
    what is found. Raises
    `NotFound`, `Forbidden`, `Invalid` (field `budget_tokens`, `kinds`).
    """
    if not 0 <= budget_tokens <= MAX_BUDGET:
        raise Invalid(f"budget_tokens is 0 to {MAX_BUDGET}", field="budget_tokens")
    where = scope_chain(scope, actor.access)
    failed = bool(last_tool_failed)
    trouble = _trouble(where, last_tool_failed, conversation)
    intent = intent_of(intent=intent, query=query, last_tool_failed=failed)
    matches = match(where, query, trouble, options, failed=failed)
    if matches.anything and not (matches.found or failed or _names(where.scope, matches.question)):
        return ContextPack(where.scope.path, intent, [], "", 0, (), None)
    items = {item.card.ref: item for item in _items(where, matches, options)}
    wanted = [item.card for item in items.values() if options.has_shelf(item.card.shelf)]
    packed = _packed(wanted, where.scope, intent, budget_tokens)
    refs = [card.ref for card in packed.chosen]
    seen = expose(where.scope, refs, channel="auto_pack", actor=actor, conversation=conversation).pk if refs else None
    chosen = [items[ref] for ref in refs]
    return ContextPack(where.scope.path, intent, chosen, packed.markdown, packed.tokens, packed.omitted, seen)


def _trouble(where: ScopeChain, last_tool_failed: bool | str, conversation: str) -> str:
    """What the failed tool printed: as it was sent, else the last tool output of the conversation."""
    if isinstance(last_tool_failed, str):
        return last_tool_failed
    return gather.last_tool_output(where, conversation) if last_tool_failed and conversation else ""


def _packed(cards: Sequence[Card], scope: Scope, intent: str, budget_tokens: int) -> Packed:
    """By the slots of the scope's packs (C12)."""
    packs = packs_of(scope)
    most = {name: int(n) for name in CHOSEN if (n := packs.setting("slots", name, None)) is not None}
    share = float(packs.setting("slots", "entities_share", ENTITY_SHARE))
    per_topic = int(packs.setting("slots", "a_topic", PER_TOPIC))
    shelves = shelves_for(intent, most=most, entities_share=share)
    return pack(cards, budget_tokens=budget_tokens, shelves=shelves, per_topic=per_topic)


def _names(scope: Scope, question: Question) -> bool:
    """Whether the question is about the scope itself: it names it, and little else."""
    named = stems(f"{scope.path} {scope.name}".replace("/", " ").replace("-", " ").split())
    asked = stems(question.content)
    return bool(named & asked) and len(asked - named) < SEVERAL_WORDS


def _items(where: ScopeChain, matches: ContextMatches, options: ContextOptions) -> list[ContextItem]:
    rows = _claims(where, matches, options) if options.wants_claims else []
    if options.wants_pending:
        rows += gather.claims_now(_pending_ids(where, matches, options))
    claims = claim_items(rows, where, matches)
    trusted, said = [], [citation for item in claims for citation in item.citations]
    if options.wants_trusted:
        found = matches.trusted.order[: gather.MAX_FOUND]
        trusted = gather.trusted_of(where, found, options.clocks, options.words)
    return [*trusted_items(trusted, where, matches), *claims, *source_items(where, matches, said)]


def _claims(where: ScopeChain, matches: ContextMatches, options: ContextOptions) -> list[Claim]:
    """What was found, with the norms; without a question what is newest of each kind."""
    ids = {*matches.claims.order[: gather.MAX_FOUND], *matches.trouble.order[: gather.MAX_FOUND]}
    norms = options.only(gather.NORMS)
    if options.clocks.turned_back:
        browsed = norms if matches.claims.asked else options.only(list(all_kinds()))
        held = gather.claims_then(options.clocks, where.chain)
        others = gather.of_words([row.pk for row in held if row.kind_id in browsed], options.words)
        return [row for row in held if row.pk in ids | others]
    words = options.words
    ids |= {*gather.newest_ids(where, norms, most=gather.MAX_NORMS, words=words)}
    if not matches.claims.asked:
        # Trouble without a question: what failed before is matched, of the rest only facts come along.
        browsed = ["fact"] if matches.trouble.asked else [name for name in all_kinds() if name not in gather.NORMS]
        ids |= {*gather.newest_ids(where, options.only(browsed), most=gather.MAX_OF_A_KIND, words=words)}
    elif matches.failed and not matches.trouble.order:
        ids |= {*gather.newest_ids(where, options.only(["negative_result"]), most=MAX_FAILED, words=words)}
    return gather.claims_now(ids)


def _pending_ids(where: ScopeChain, matches: ContextMatches, options: ContextOptions) -> list[int]:
    """Candidates of the scope itself that the question finds; without one, those of the highest rank."""
    kinds, words = options.claim_kinds, options.words
    if not matches.claims.asked:
        return gather.pending_ids(where, most=MAX_PENDING, kinds=kinds, words=words)
    found = find_claims(matches.question, [where.scope.pk], statuses=("pending",), kinds=kinds, words=words)
    return found.order[:MAX_PENDING]
