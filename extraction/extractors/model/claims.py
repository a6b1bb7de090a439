"""From FactOps to hits and notes: every guardrail of the prompt is enforced here once more, in code (§4.3, §5)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from extraction.extractors.documents import Hit, Span
from extraction.extractors.findings import Note, Reading
from extraction.extractors.model.ops import Answer, FactOp
from extraction.extractors.model.prompt import Question, most_quote
from extraction.extractors.model.quotes import KINDS, QuoteMatch, find
from extraction.extractors.model.snapshot import Known, Snapshot
from extraction.extractors.model.values import said_by, words_of
from ledger.language.normalise import slug_key, strip_markup
from ledger.models import Kind, Scope
from ledger.rules.slots import same_content

UNTRUSTED: Final = ("agent", "tool", "system")
FACT: Final = "fact"


@dataclass(slots=True)
class Made:
    """What the ops came to. `stats` in the seed's terms, and how each quote was found."""

    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    stats: Counter[str] = field(default_factory=Counter)


STATS: Final = (
    "ops_in", "facts_added", "facts_updated", "conflicts", "needs_review", "rejected", "repeated",
    *(f"quotes_{kind}" for kind in KINDS),
)  # fmt: skip


def made_of(answer: Answer, reading: Reading, snapshot: Snapshot, question: Question, kinds: Sequence[Kind]) -> Made:
    """One hit or one note an op; what is no op is a note as well, so that nothing vanishes."""
    made = Made(stats=Counter(dict.fromkeys(STATS, 0)))
    made.stats["ops_in"] = len(answer.ops) + len(answer.rejected) + answer.repeated
    made.stats["repeated"] = answer.repeated
    known = {kind.name: kind for kind in kinds}
    for why, told in answer.rejected:
        made.stats["rejected"] += 1
        made.notes.append(Note(f"no op: {why}", {"statement": told}))
    # What a shorter quote finds in several places is one op still; each op is looked at once.
    for op in answer.ops:
        found = find(op, reading.source.text, reading.sections, question.sent)
        made.stats[f"quotes_{found.kind}"] += 1
        one = _one(op, found, reading, snapshot, known)
        if isinstance(one, str):
            made.notes.append(Note(one, _noted(op, found)))
            continue
        made.hits.append(one)
        made.stats["needs_review"] += one.needs_review
        made.stats[
            {"ADD": "facts_added", "UPDATE": "facts_updated"}.get(one.rule.rpartition(".")[2].upper(), "conflicts")
        ] += 1
    return made


def _one(op: FactOp, found: QuoteMatch, reading: Reading, snapshot: Snapshot, kinds: Mapping[str, Kind]) -> Hit | str:
    """The hit, or why it is a note."""
    if found.why:
        return found.why
    if len(op.quote) > most_quote(reading.packs):
        return f"its quote has more than {most_quote(reading.packs)} characters"
    if op.op == "NOTE":
        return f"noted by the model{': ' + op.reason if op.reason else ''}"
    kind = kinds.get(op.kind)
    if kind is None:
        return f"kind {op.kind[:40]!r} was not asked for here"
    target = _scope(op, reading, snapshot)
    if isinstance(target, str):
        return target
    text = reading.source.text
    spans = (found.span,) if found.span else found.places
    if not any(any(c.isalnum() for c in text[s.start : s.end]) for s in spans):
        return "its quote holds no word"
    spans, anchored = _anchoring(spans, kind, reading)
    quote = text[spans[0].start : spans[0].end]
    hit = Hit(
        rule="model.add",
        rule_class="model",
        explicit=False,
        kind=kind.name,
        # The source's own words: what the model makes of them is no evidence.
        statement=strip_markup(quote) or quote.strip(),
        spans=spans if found.span or len(spans) == 1 else (),
        places=() if found.span or len(spans) == 1 else spans,
        confidence=op.confidence,
        anchored=anchored,
        needs_review=op.needs_review or _untrusted(spans, reading) or (op.on_item and not op.item),
        summary=op.reason,
        scope_id=target.pk if target.pk != reading.scope.pk else 0,
    )
    if hit.places and not anchored:
        # None of them can anchor it; the report needs one to show.
        hit = replace(hit, spans=hit.places[:1], places=())
    if "question" not in kind.name and _only_asked(hit, text):
        return "it is only asked"
    worded = _worded(hit, op, quote, kind, reading)
    return worded if isinstance(worded, str) else _against_known(worded, op, target, snapshot)


def _scope(op: FactOp, reading: Reading, snapshot: Snapshot) -> Scope | str:
    if not op.on_item and not op.item:
        return reading.scope
    if not op.item:
        # Where there are no items there is nothing else that it could speak of.
        alone = reading.scope.tier == "item" or not snapshot.items
        return reading.scope if alone else "it speaks of an item and does not say which"
    own = reading.scope
    if own.tier == "item" and op.item.casefold() in (own.name.casefold(), own.path, own.path.rpartition("/")[2]):
        return own
    return snapshot.item(op.item) or f"there is no one item {op.item[:60]!r} here"


def _anchoring(spans: Sequence[Span], kind: Kind, reading: Reading) -> tuple[tuple[Span, ...], bool]:
    """The places whose speaker may anchor the kind, where there are any; law 8 decides on the words' real speaker, whatever
    section the model named."""
    able = tuple(s for s in spans if not kind.anchors or reading.sections[s.section_index].speaker in kind.anchors)
    return (able, True) if able else (tuple(spans), False)


def _untrusted(spans: Sequence[Span], reading: Reading) -> bool:
    return any(reading.sections[span.section_index].speaker in UNTRUSTED for span in spans)


def _worded(hit: Hit, op: FactOp, quote: str, kind: Kind, reading: Reading) -> Hit | str:
    """Key and value of a fact; the statement of anything else, where it is made of the quote's words."""
    if op.assignee:
        people = {name.casefold() for one in reading.people for name in (one.name, *one.aliases)}
        told = op.assignee.casefold()
        if told in people or told in quote.casefold() or told == reading.source.sender.casefold():
            hit = replace(hit, assignee=op.assignee)
        else:
            hit = replace(hit, needs_review=True)
    if kind.name == FACT or (op.key and op.value is not None):
        # Where keys are open the normalised name is the key (design §6.5).
        open_ = op.key not in reading.packs.keys and not reading.packs.keys_closed
        key = slug_key(op.key) if open_ else op.key
        spec = reading.packs.keys.get(key)
        if not key:
            return "a fact has a key"
        said = said_by(quote, op.value, op.value_type, spec, _around(hit, reading.source.text))
        if said.why:
            return said.why
        doubtful = hit.needs_review or bool(said.doubt)
        summary = "; ".join(filter(None, (said.doubt, hit.summary)))
        return replace(
            hit, key=key, value=said.value, value_type=said.value_type, needs_review=doubtful, summary=summary
        )
    if op.statement and words_of(op.statement, quote):
        hit = replace(hit, statement=op.statement)
    if kind.value_type == "action_item":
        value = {"task": hit.statement} | ({"assignee": hit.assignee} if hit.assignee else {})
        return replace(hit, value_type="action_item", value=value)
    if kind.value_type:
        # Times and people of an event are read by rules; a model's are no value.
        return replace(hit, needs_review=True)
    return hit


_TO_THE_END: Final = re.compile(r"[^.!?\n]{0,200}\?")


def _only_asked(hit: Hit, text: str) -> bool:
    """Whether the sentence in which the quote ends is a question."""
    end = (hit.spans or hit.places)[0].end
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
    named = snapshot.by_ref(op.replaces) if op.replaces else None
    held = snapshot.on(target.pk, hit.kind, hit.key) or (
        named if named and not hit.key and _fits(named, hit, target) else None
    )
    if op.op == "CONFLICT":
        return replace(hit, rule="model.conflict", needs_review=True)
    if held is None or same_content(held.value, held.statement, hit.value, hit.statement):
        return hit
    if op.op == "UPDATE" and not held.trusted:
        return replace(hit, rule="model.update", supersedes=(held.ref,))
    # Another value than the one that holds, and nothing says that it replaces it; or what holds was typed by a person.
    return replace(hit, rule="model.conflict", needs_review=True)


def _fits(held: Known, hit: Hit, target: Scope) -> bool:
    return held.kind == hit.kind and held.scope_id == target.pk


def _noted(op: FactOp, found: QuoteMatch) -> dict[str, Any]:
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
