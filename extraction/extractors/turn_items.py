"""The items that a turn is about, and which of them something said in it belongs to (T13)."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from extraction.extractors.documents.hits import Hit
from extraction.extractors.findings import Reading
from ledger.language.fold import normalise_label
from ledger.models import Scope, Tier
from ledger.packs import PackSet
from ledger.rules.bundles.mentions import find_mentions
from ledger.rules.bundles.turn import TurnItem

_QUOTED: Final = r'"(?:[^"\\\n]|\\.)*+"'
_ITEM: Final = re.compile(rf"\{{id:({_QUOTED}),name:({_QUOTED})\}}")
_SELECTED: Final = re.compile(r"^selectedItemIds=(\[[^\n]*\])$", re.M)


@dataclass(frozen=True, slots=True)
class TurnItems:
    """`named` is what the turn calls its items, `by_id` those of them that it is about and that are there, `missing` the ids that
    lead to no item of the project."""

    named: Sequence[TurnItem]
    by_id: dict[str, Scope]
    missing: Sequence[str] = ()

    @property
    def selected(self) -> list[Scope]:
        """In the order of their paths."""
        return sorted({row.pk: row for row in self.by_id.values()}.values(), key=lambda row: row.path)

    def mentioned(self, words: str) -> list[Scope]:
        found = (self.by_id.get(one.item or "") for one in find_mentions(words, self.named))
        return list({row.pk: row for row in found if row}.values())

    def places(self, scope: Scope, packs: PackSet, kind: str, key: str, said: Sequence[str] = ()) -> Sequence[Scope]:
        """Where a claim belongs: with the items that its words mention, where items show such claims; else with those that the turn
        is about, where only items show them; else with the project. Of several pieces of words the first that mentions any
        counts."""
        if not self.by_id or not _shown(packs, kind, key, of_items=True):
            return [scope]
        mentioned = next(filter(None, map(self.mentioned, said)), [])
        only_items = not _shown(packs, kind, key, of_items=False)
        return mentioned or (self.selected if only_items else [scope])


def _shown(packs: PackSet, kind: str, key: str, *, of_items: bool) -> bool:
    block = packs.block_showing(kind, key, "item" if of_items else "project")
    return block is not None and (block.scope == "item") == of_items


def items_in(scope: Scope, text: str) -> TurnItems:
    """An id is the last part of an item's path, or all of it, or the number that `GET /items` tells; what is called by an id of the
    sender's own is found by its name, where one item has it. One query, and none where no item is selected."""
    head = text.partition("\n\n")[0]
    named = [TurnItem(json.loads(id_), json.loads(name)) for id_, name in _ITEM.findall(head)]
    line = _SELECTED.search(head)
    ids: list[str] = json.loads(line[1]) if line else []
    rows = list(Scope.objects.filter(parent=scope, tier=Tier.ITEM).order_by("path")) if ids else []
    by_id = _addresses(rows, named)
    return TurnItems(named, {id_: by_id[id_] for id_ in ids if id_ in by_id}, [id_ for id_ in ids if id_ not in by_id])


def _addresses(rows: Sequence[Scope], named: Sequence[TurnItem]) -> dict[str, Scope]:
    names = Counter(normalise_label(row.name) for row in rows)
    unlike = {normalise_label(row.name): row for row in rows if names[normalise_label(row.name)] == 1}
    called = ((one.id, unlike.get(normalise_label(one.name))) for one in named)
    return {
        **{id_: row for id_, row in called if row},
        **{str(row.pk): row for row in rows},
        **{row.path: row for row in rows},
        **{row.path.rpartition("/")[2]: row for row in rows},
    }


def placed(hits: Sequence[Hit], reading: Reading) -> list[Hit]:
    """What was found in a turn, each with the item that it belongs to; in several places it has to be looked at."""
    items = items_in(reading.scope, reading.source.text)
    if not items.by_id:
        return list(hits)
    return [
        _at(hit, place, reading, alone=len(places) == 1)
        for hit in hits
        if (
            places := items.places(
                reading.scope, reading.packs, hit.kind, reading.packs.own_name(hit.key), _words(hit, reading)
            )
        )
        for place in places
    ]


def _at(hit: Hit, place: Scope, reading: Reading, *, alone: bool) -> Hit:
    scope_id = place.pk if place.pk != reading.scope.pk else 0
    return replace(hit, scope_id=scope_id, needs_review=hit.needs_review or not alone)


def _words(hit: Hit, reading: Reading) -> list[str]:
    """The quote, and the line that it stands in; none of what an agent wrote."""
    text, span = reading.source.text, next(iter(hit.spans), None)
    if span is None or reading.sections[span.section_index].speaker != "user":
        return []
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    return [text[span.start : span.end], text[start : end if end >= 0 else None]]
