"""How well names are matched: a gold file of price lists and of what people write, and precision and recall over it (T12)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from ledger.errors import Invalid
from ledger.rules.catalogue.index import NameIndex
from ledger.rules.catalogue.matching import CONFIDENT


@dataclass(frozen=True, slots=True)
class GoldName:
    """What somebody wrote, the list that it is looked for in, and what of it is meant: empty where none is."""

    written: str
    meant: str
    items: Sequence[str]

    @property
    def half(self) -> str:
        """Which half it belongs to, by its words alone: rules are tuned on `tuned`, judged on `judged`."""
        return ("tuned", "judged")[blake2b(self.written.encode(), digest_size=2).digest()[0] % 2]


@dataclass(slots=True)
class MatchFigures:
    """`right` of the `suggested` ones; `owed` names have an item that is meant. `wrong` and `missed` tell which."""

    right: int = 0
    suggested: int = 0
    owed: int = 0
    names: int = 0
    wrong: list[tuple[GoldName, str]] = field(default_factory=list)
    missed: list[GoldName] = field(default_factory=list)

    def add(self, name: GoldName, said: str) -> None:
        """One more name; `said` is the item that was suggested for it, empty where none was."""
        self.names += 1
        self.owed += bool(name.meant)
        self.suggested += bool(said)
        if said and said != name.meant:
            self.wrong.append((name, said))
        elif said:
            self.right += 1
        elif name.meant:
            self.missed.append(name)

    @property
    def precision(self) -> float:
        return self.right / self.suggested if self.suggested else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.owed if self.owed else 1.0


def read_gold(text: str) -> list[GoldName]:
    """`[list]`, its items a line each, `--`, then `what is written => the item that is meant`. Raises `Invalid` by line."""
    found: list[GoldName] = []
    items: list[str] = []
    listing = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("# "):
            continue
        if line.startswith("[") and line.endswith("]"):
            items, listing = [], True
        elif line == "--":
            listing = False
        elif listing:
            items.append(line)
        else:
            found.append(_gold_name(line, items, number))
    return found


def _gold_name(line: str, items: Sequence[str], number: int) -> GoldName:
    written, arrow, meant = (part.strip() for part in line.partition("=>"))
    if not arrow or (meant and meant not in items):
        raise Invalid(f"line {number}: {line[:80]!r} names none of its list", field=str(number))
    return GoldName(written, meant, items)


def measure(names: Iterable[GoldName], *, threshold: float = CONFIDENT) -> MatchFigures:
    """A suggestion is what stands first with at least the threshold's confidence."""
    figures = MatchFigures()
    indexes: dict[int, NameIndex] = {}
    for one in names:
        index = indexes.setdefault(id(one.items), NameIndex(enumerate(one.items)))
        sure = [ranked.number for ranked in index.rank(one.written)[:1] if ranked.confidence >= threshold]
        figures.add(one, one.items[sure[0]] if sure else "")
    return figures
