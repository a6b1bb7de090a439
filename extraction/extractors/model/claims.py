"""From FactOps to hits and notes: every guardrail of the prompt is enforced here once more, in code (§4.3, §5)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import Note, Reading
from extraction.extractors.model.ops import Answer, FactOp
from extraction.extractors.model.prompt import ModelQuestion, most_quote
from extraction.extractors.model.quotes import KINDS, QuoteMatch, find
from extraction.extractors.model.snapshot import Known, Snapshot
from extraction.extractors.model.values import Unsupported, quoted_value, words_of
from ledger.language.fold import slug_key, strip_markup
from ledger.models import Kind, Scope
from ledger.rules.slots import same_content

UNTRUSTED: Final = ("agent", "tool", "system")
FACT: Final = "fact"


@dataclass(slots=True)
class OpsOutcome:
    """What the ops came to. `stats` in the seed's terms, and how each quote was found."""

    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    stats: Counter[str] = field(default_factory=Counter)


STATS: Final = (
    "ops_in", "facts_added", "facts_updated", "conflicts", "needs_review", "rejected", "repeated",
    *(f"quotes_{kind}" for kind in KINDS),
)  # fmt: skip


def outcome_of(
    answer: Answer, reading: Reading, snapshot: Snapshot, question: ModelQuestion, kinds: Sequence[Kind]
) -> OpsOutcome:
    """One hit or one note an op; what is no op is a note as well, so that nothing vanishes."""
    made = OpsOutcome(stats=Counter(dict.fromkeys(STATS, 0)))
    made.stats["ops_in"] = len(answer.ops) + len(answer.rejected) + answer.repeated
    made.stats["repeated"] = answer.repeated
    known = {kind.name: kind for kind in kinds}
    for why, told in answer.rejected:
        made.stats["rejected"] += 1
        made.notes.append(Note(f"no op: {why}", {"statement": told}))
    # What a shorter quote finds in several places is one op still; each op is looked at once.
    for op in answer.ops:
        found = find(op, reading.source.text, reading.sections, question.window)
        made.stats[f"quotes_{found.kind}"] += 1
        try:
            hit = _hit(op, found, reading, snapshot, known)
        except Unsupported as error:
            made.notes.append(Note(str(error), noted(op, found)))
            continue
        made.hits.append(hit)
        made.stats["needs_review"] += hit.needs_review
        made.stats[_COUNTED_AS[hit.rule]] += 1
    return made


_COUNTED_AS: Final = {"model.add": "facts_added", "model.update": "facts_updated", "model.conflict": "conflicts"}


def _hit(op: FactOp, found: QuoteMatch, reading: Reading, snapshot: Snapshot, kinds: Mapping[str, Kind]) -> Hit:
    """Raises `Unsupported` where it is a note."""
    check_op(op, found, most_quote(reading.packs), kinds)
    text = reading.source.text
    kind, target = kinds[op.kind], scope_meant(op, reading, snapshot)
    spans, anchored = _anchoring(places_of(found, text), kind, reading)
    first = spans[0]
    if "question" not in kind.name and _only_asked(first, text):
        raise Unsupported("it is only asked")
    quote = text[first.start : first.end]
    # Where none of several places can anchor it, the report still needs one to show.
    choice = not found.span and len(spans) > 1 and anchored
    hit = Hit(
        rule="model.add",
        rule_class="model",
        explicit=False,
        kind=kind.name,
        # The source's own words: what the model makes of them is no evidence.
        statement=strip_markup(quote) or quote.strip(),
        spans=() if choice else (first,),
        places=spans if choice else (),
        confidence=op.confidence,
        anchored=anchored,
        needs_review=op.needs_review or _untrusted(spans, reading) or (op.on_item and not op.item),
        summary=op.reason,
        scope_id=target.pk if target.pk != reading.scope.pk else 0,
    )
    return _against_known(_worded(hit, op, quote, kind, reading), op, target, snapshot)


def check_op(op: FactOp, found: QuoteMatch, longest: int, kinds: Mapping[str, Kind]) -> None:
    """Raises `Unsupported` for what is a note whatever the quote says."""
    if found.why:
        raise Unsupported(found.why)
    if len(op.quote) > longest:
        raise Unsupported(f"its quote has more than {longest} characters")
    if op.op == "NOTE":
        raise Unsupported(f"noted by the model{': ' + op.reason if op.reason else ''}")
    if op.kind not in kinds:
        raise Unsupported(f"kind {op.kind[:40]!r} was not asked for here")


def places_of(found: QuoteMatch, text: str) -> tuple[Span, ...]:
    """Where the quote stands, or may stand. Raises `Unsupported` where it holds no word."""
    spans = (found.span,) if found.span else found.places
    if not any(any(map(str.isalnum, text[span.start : span.end])) for span in spans):
        raise Unsupported("its quote holds no word")
    return spans


def scope_meant(op: FactOp, reading: Reading, snapshot: Snapshot) -> Scope:
    own = reading.scope
    if not op.item:
        # Where there are no items there is nothing else that it could speak of.
        if op.on_item and own.tier != "item" and snapshot.items:
            raise Unsupported("it speaks of an item and does not say which")
        return own
    if own.tier == "item" and op.item.casefold() in (own.name.casefold(), own.path, own.path.rpartition("/")[2]):
        return own
    named = snapshot.item(op.item)
    if named is None:
        raise Unsupported(f"there is no one item {op.item[:60]!r} here")
    return named


def _anchoring(spans: Sequence[Span], kind: Kind, reading: Reading) -> tuple[tuple[Span, ...], bool]:
    """The places whose speaker may anchor the kind, where there are any; law 8 decides on the words' real speaker, whatever
    section the model named."""
    able = tuple(s for s in spans if not kind.anchors or reading.sections[s.section_index].speaker in kind.anchors)
    return (able, True) if able else (tuple(spans), False)


def _untrusted(spans: Sequence[Span], reading: Reading) -> bool:
    return any(reading.sections[span.section_index].speaker in UNTRUSTED for span in spans)


def _worded(hit: Hit, op: FactOp, quote: str, kind: Kind, reading: Reading) -> Hit:
    """Key and value of a fact; the statement of anything else, where it is made of the quote's words."""
    if op.assignee:
        known = _is_known(op.assignee, quote, reading)
        hit = replace(hit, assignee=op.assignee) if known else replace(hit, needs_review=True)
    if kind.name == FACT or (op.key and op.value is not None):
        return _keyed(hit, op, quote, reading)
    if op.statement and words_of(op.statement, quote):
        hit = replace(hit, statement=op.statement)
    if kind.value_type == "action_item":
        value = {"task": hit.statement} | ({"assignee": hit.assignee} if hit.assignee else {})
        return replace(hit, value_type="action_item", value=value)
    # Times and people of an event are read by rules; a model's are no value.
    return replace(hit, needs_review=True) if kind.value_type else hit


def _is_known(person: str, quote: str, reading: Reading) -> bool:
    """Whether the quote names them, or the project knows them."""
    told = person.casefold()
    people = {name.casefold() for one in reading.people for name in (one.name, *one.aliases)}
    return told in people or told in quote.casefold() or told == reading.source.sender.casefold()


def _keyed(hit: Hit, op: FactOp, quote: str, reading: Reading) -> Hit:
    packs = reading.packs
    # Where keys are open the normalised name is the key (design §6.5).
    key = op.key if op.key in packs.keys or packs.keys_closed else slug_key(op.key)
    if not key:
        raise Unsupported("a fact has a key")
    read = quoted_value(quote, op.value, op.value_type, packs.keys.get(key), _around(hit, reading.source.text))
    return replace(
        hit,
        key=key,
        value=read.value,
        value_type=read.value_type,
        needs_review=hit.needs_review or bool(read.doubt),
        summary="; ".join(filter(None, (read.doubt, hit.summary))),
    )


_TO_THE_END: Final = re.compile(r"[^.!?\n]{0,200}\?")


def _only_asked(span: Span, text: str) -> bool:
    """Whether the sentence in which the quote ends is a question."""
    end = span.end
    return text[:end].rstrip().endswith("?") or (
        text[end - 1] not in ".!\n" and _TO_THE_END.match(text, end) is not None
    )


def _around(hit: Hit, text: str) -> tuple[str, str]:
    """A few characters on both sides of the quote, within its line."""
    span = (hit.spans or hit.places)[0]
    before, after = text[max(0, span.start - 24) : span.start], text[span.end : span.end + 24]
    return before.rpartition("\n")[2], after.partition("\n")[0]


def _against_known(hit: Hit, op: FactOp, target: Scope, snapshot: Snapshot) -> Hit:
    """ADD, UPDATE or CONFLICT as the snapshot has it: the model's word is checked, and only ever made more careful."""
    if op.op == "CONFLICT":
        return replace(hit, rule="model.conflict", needs_review=True)
    held = snapshot.on(target.pk, hit.kind, hit.key) or _named(hit, op, target, snapshot)
    if held is None or same_content(held.value, held.statement, hit.value, hit.statement):
        return hit
    if op.op == "UPDATE" and not held.trusted:
        return replace(hit, rule="model.update", supersedes=(held.ref,))
    # Another value than the one that holds, and nothing says that it replaces it; or what holds was typed by a person.
    return replace(hit, rule="model.conflict", needs_review=True)


def _named(hit: Hit, op: FactOp, target: Scope, snapshot: Snapshot) -> Known | None:
    """What the op says that it replaces, where that is of the same kind and scope."""
    known = None if hit.key else snapshot.by_ref(op.replaces)
    return known if known and (known.kind, known.scope_id) == (hit.kind, target.pk) else None


def noted(op: FactOp, found: QuoteMatch) -> dict[str, Any]:
    """For the report. With a certain place a person can admit it; without one it is only told."""
    told: dict[str, Any] = {
        "rule": f"model.{op.op.lower()}",
        "kind": op.kind,
        "key": op.key,
        "statement": (op.statement or op.quote)[:500],
        "value": op.value,
        "confidence": op.confidence,
        "quote": op.quote[:500],
        "section": op.section,
        "found": found.kind,
        "reason": op.reason,
    }
    if found.span is not None:
        told |= {"start": found.span.start, "end": found.span.end}
    return told
