"""What is known already, compact and bounded, so that the model can tell new from replaced and from contradicted (T3)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from extraction.extractors.findings import Reading
from ledger.models import CatalogItem, Claim, Scope, Tier
from ledger.reads.scopes import ancestor_paths
from ledger.reads.state import trusted_state

MAX_ITEMS: Final = 40
MAX_KNOWN: Final = 60
MAX_TERMS: Final = 60
LONGEST_VALUE: Final = 160
LONGEST: Final = 6_000


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

    def as_text(self) -> str:
        """JSON lines, at most about `LONGEST` characters; what does not fit is left out from the end."""
        lines: list[dict[str, Any]] = [{"item": id_, "name": scope.name} for id_, scope in self.items.items()]
        names = {scope.pk: id_ for id_, scope in self.items.items()}
        for one in self.known:
            said = one.value if one.value is not None else _short(one.statement)
            lines.append(
                {"ref": one.ref, "kind": one.kind, "key": one.key, "value": said}
                | ({"item": names[one.scope_id]} if one.scope_id in names else {})
            )
        if self.terms:
            lines.append({"catalogue": list(self.terms)})
        if self.high_risk:
            lines.append({"highRiskKeys": list(self.high_risk)})
        out: list[str] = []
        for line in lines:
            told = _short(json.dumps(line, ensure_ascii=False), 1_000)
            if sum(map(len, out)) + len(told) > LONGEST:
                break
            out.append(told)
        return "\n".join(out) or "(nothing)"


def snapshot_of(reading: Reading) -> Snapshot:
    """Five small queries: items, live claims of the stage's keys, trusted values, catalogue."""
    scope, packs, stage = reading.scope, reading.packs, reading.stage
    items = list(Scope.objects.filter(parent=scope, tier=Tier.ITEM).order_by("path")[:MAX_ITEMS])
    rows = Claim.objects.filter(scope__in=[scope, *items], status="active").order_by("-promoted_at", "-pk")
    keys = {key for key, spec in packs.keys.items() if not spec.stages or not stage or stage in spec.stages}
    live = [
        Known(row.ref, row.scope_id, row.kind_id, row.key, row.value, row.statement)
        for row in rows.defer("search")[: 3 * MAX_KNOWN]
        if not row.key or not packs.keys_closed or row.key in keys
    ]
    trusted = [
        Known(one.row.ref, one.row.scope_id, "fact", one.row.key, one.row.value, one.row.statement, trusted=True)
        for one in trusted_state(scope)
    ]
    terms = CatalogItem.objects.filter(scope__path__in=ancestor_paths(scope.path)).order_by("name")
    return Snapshot(
        {item.path.rpartition("/")[2]: item for item in items},
        [*trusted[:MAX_KNOWN], *live][:MAX_KNOWN],
        sorted(key for key in keys if packs.keys[key].high_risk)[:MAX_KNOWN],
        list(terms.values_list("name", flat=True)[:MAX_TERMS]),
    )


def _short(text: str, most: int = LONGEST_VALUE) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
