"""What is known already, compact and bounded, so that the model can tell new from replaced and from contradicted (T3). Of much
that is known, what the text is about comes first."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from extraction.extractors.findings import Reading
from extraction.extractors.model.tokens import most_tokens
from ledger.language.words import terms
from ledger.models import CatalogItem, Claim, Scope, Tier
from ledger.packs import KeySpec
from ledger.reads.scopes import ancestor_paths
from ledger.reads.state import trusted_state

MAX_ITEMS: Final = 40
MAX_KNOWN: Final = 60
MAX_TERMS: Final = 60
LONGEST_VALUE: Final = 160
# By the count that no text exceeds (`most_tokens`), about a third of it in words.
MAX_TOKENS: Final = 4_000
MAX_LINE: Final = 1_000
MAX_READ: Final = 20_000
# Items and articles of which those that the text is about are chosen.
MAX_NAMED: Final = 2_000
_SELECTED: Final = re.compile(r"^selectedItemIds=(\[[^\n]*\])$", re.M)


@dataclass(frozen=True, slots=True)
class Known:
    """One value that holds. A trusted one is never replaced by what a model found."""

    ref: str
    scope_id: int
    kind: str
    key: str
    value: Any
    statement: str
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`items` maps the id that the model is told to its scope."""

    items: Mapping[str, Scope] = field(default_factory=dict)
    known: Sequence[Known] = ()
    high_risk: Sequence[str] = ()
    terms: Sequence[str] = ()

    def item(self, word: str) -> Scope | None:
        """The item that the model means by an id or a name; None where it fits none, or two."""
        if word in self.items:
            return self.items[word]
        said = word.strip().casefold()
        fits = [
            scope for id_, scope in self.items.items() if said in (id_.casefold(), scope.name.casefold(), scope.path)
        ]
        return fits[0] if len(fits) == 1 else None

    def by_ref(self, ref: str) -> Known | None:
        return next((one for one in self.known if one.ref == ref.strip()), None)

    def on(self, scope_id: int, kind: str, key: str) -> Known | None:
        """What holds for a key: a trusted value first, else the newest claim of that kind in the scope itself."""
        held = [one for one in self.known if key and one.key == key]
        trusted = [one for one in held if one.trusted]
        return next(iter(trusted or [one for one in held if (one.scope_id, one.kind) == (scope_id, kind)]), None)

    def as_text(self, budget_tokens: int = MAX_TOKENS) -> str:
        """JSON lines: items, high-risk keys and terms, then what holds, the most relevant first, as much as the budget has room
        for."""
        lines: list[dict[str, Any]] = [{"item": id_, "name": scope.name} for id_, scope in self.items.items()]
        if self.high_risk:
            lines.append({"highRiskKeys": list(self.high_risk)})
        if self.terms:
            lines.append({"catalogue": list(self.terms)})
        names = {scope.pk: id_ for id_, scope in self.items.items()}
        for one in self.known:
            said = one.value if one.value is not None else _short(one.statement)
            lines.append(
                {"ref": one.ref, "kind": one.kind, "key": one.key, "value": said}
                | ({"item": names[one.scope_id]} if one.scope_id in names else {})
            )
        out, left = [], budget_tokens
        for line in lines:
            told = _short(json.dumps(line, ensure_ascii=False), MAX_LINE)
            left -= most_tokens(told) + 1
            if left < 0:
                break
            out.append(told)
        return "\n".join(out) or "(nothing)"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text is about: its words, the items that were selected for it or that it names, and the keys that it mentions."""

    words: frozenset[str]
    items: frozenset[int]
    keys: frozenset[str]

    def relevance(self, one: Known, spec: KeySpec | None) -> tuple[bool, bool, int, bool]:
        """What is trusted, of its items, and shares most words with it; of equal ones what is risky."""
        about = frozenset(terms(f"{_named(spec)} {one.statement}"))
        shared = len(about & self.words) + 2 * (one.key in self.keys)
        return one.trusted, one.scope_id in self.items, shared, bool(spec and spec.high_risk)


def subject_of(reading: Reading, items: Mapping[str, Scope]) -> Subject:
    """Without the head of a turn, which names every item there is."""
    text = reading.source.text
    said = " ".join(text[one.start : one.end] for one in reading.sections if one.name != "TURN_META")[:MAX_READ]
    selected = _SELECTED.search(text[:MAX_READ])
    ids = {id_ for id_ in items if selected and json.dumps(id_, ensure_ascii=False) in selected[1]}
    ids |= {id_ for id_, scope in items.items() if scope.name.casefold() in said.casefold()}
    words = frozenset(terms(said))
    keys = {key for key, spec in reading.packs.keys.items() if words & frozenset(terms(_named(spec)))}
    return Subject(words, frozenset(items[id_].pk for id_ in ids), frozenset(keys))


def _named(spec: KeySpec | None) -> str:
    return f"{spec.title} {' '.join(spec.also)}" if spec else ""


def snapshot_of(reading: Reading) -> Snapshot:
    """Six small queries: items, live claims of the stage's keys (the newest, and those of the keys that the text mentions), trusted
    values, catalogue."""
    scope, packs, stage = reading.scope, reading.packs, reading.stage
    everything = Scope.objects.filter(parent=scope, tier=Tier.ITEM).order_by("path")[:MAX_NAMED]
    named = {item.path.rpartition("/")[2]: item for item in everything}
    subject = subject_of(reading, named)
    # Of many, those that the text is about come first.
    items = dict(sorted(named.items(), key=lambda item: item[1].pk not in subject.items)[:MAX_ITEMS])
    keys = {key for key, spec in packs.keys.items() if not spec.stages or not stage or stage in spec.stages}
    live = [
        Known(row.ref, row.scope_id, row.kind_id, row.key, row.value, row.statement)
        for row in _holding([scope, *items.values()], subject.keys)
        if not row.key or not packs.keys_closed or row.key in keys
    ]
    trusted = [
        Known(one.row.ref, one.row.scope_id, "fact", one.row.key, one.row.value, one.row.statement, trusted=True)
        for one in trusted_state(scope)
    ]
    known = sorted([*trusted, *live], key=lambda one: subject.relevance(one, packs.keys.get(one.key)), reverse=True)
    return Snapshot(
        items,
        known[:MAX_KNOWN],
        sorted((key for key in keys if packs.keys[key].high_risk), key=lambda key: (key not in subject.keys, key))[
            :MAX_KNOWN
        ],
        _terms(scope, subject),
    )


def _holding(scopes: Sequence[Scope], keys: Collection[str]) -> list[Claim]:
    """The newest claims that hold, and the newest on these keys, each once."""
    rows = Claim.objects.filter(scope__in=scopes, status="active").order_by("-promoted_at", "-pk").defer("search")
    found = [*rows[: 3 * MAX_KNOWN], *(rows.filter(key__in=keys)[: 3 * MAX_KNOWN] if keys else ())]
    return sorted({row.pk: row for row in found}.values(), key=lambda row: (row.promoted_at, row.pk), reverse=True)


def _terms(scope: Scope, subject: Subject) -> list[str]:
    rows = CatalogItem.objects.filter(scope__path__in=ancestor_paths(scope.path)).order_by("name")
    names = list(rows.values_list("name", flat=True)[:MAX_NAMED])
    return sorted(names, key=lambda name: -len(subject.words & frozenset(terms(name))))[:MAX_TERMS]


def _short(text: str, most: int = LONGEST_VALUE) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
