"""What rules and learned readers find of the marked sentences of strangers' files, by group.

    uv run python -m extraction.training.groups CLONES [--kind decision] [--wrong] [--missed] [--confusion]

Of each group (a repository of `gold/files.csv`): how many of its sure marks are found, those that a label or heading makes plain
apart from the others; how many hits are right, where what the reader was not sure of counts for nothing; how many owners are
as written; and how many statements show no markup and hold no word from beyond the marked lines. The rules were written beside
some of these groups; the learned weights have seen all of them (`unlabelled.py` measures them on groups left out).
"""

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from extraction.extractors.agent_files import orders_in
from extraction.extractors.documents import Hit, RuleSet, find_hits
from extraction.extractors.unlabelled.model import shipped_model
from extraction.extractors.unlabelled.proposals import proposals_in
from extraction.training.gold import GoldFile, Mark, gold_files
from ledger.packs import SHIPPED
from ledger.rules.sections import sections_of

KIND_OF: Final = {
    "decision": "decision",
    "action_item": "action",
    "constraint": "constraint",
    "preference": "constraint",
}
# A whole record's section is one hit: it finds what is marked in it, and is not judged by it.
_RECORD: Final = "heading.record"


def shipped_rules() -> RuleSet:
    """The rules of the packs that documents are read with."""
    packs = ((SHIPPED / f"{name}.toml").read_text(encoding="utf-8") for name in ("core", "engineering"))
    return RuleSet.from_packs([tomllib.loads(pack) for pack in packs])


def ruled_hits(file: GoldFile, text: str, rules: RuleSet) -> list[Hit]:
    """What rules alone find in the whole text."""
    sections = sections_of(text, kind="document", sender_kind="document")
    found = find_hits(text, sections, rules, kind="document", sent_at=None, now=datetime(2026, 1, 1, tzinfo=UTC))
    return [*found, *orders_in(file.path, text, sections, rules, found)]


def hits_of(file: GoldFile, text: str, rules: RuleSet) -> list[Hit]:
    """What is found in the part that was read, of the kinds that were marked."""
    return [hit for hit in all_hits_of(file, text, rules) if hit.kind in KIND_OF]


def all_hits_of(file: GoldFile, text: str, rules: RuleSet) -> list[Hit]:
    """What rules and learned reader find in the part that was read."""
    found, sections = ruled_hits(file, text, rules), sections_of(text, kind="document", sender_kind="document")
    found += proposals_in(text, sections, rules, shipped_model(), found)
    return [hit for hit in found if file.start <= hit.spans[0].start < file.end]


def names_in(owner: str) -> list[str]:
    return sorted(re.findall(r"\w+", owner.casefold().replace(" and ", " ")))


def is_found(mark: Mark, hits: list[Hit]) -> Hit | None:
    kind = "constraint" if mark.kind == "preference" else mark.kind
    of_kind = (hit for hit in hits if KIND_OF[hit.kind] == kind)
    return next((hit for hit in of_kind if mark.meets(hit.spans[0].start, hit.spans[0].end)), None)


_MARKUP: Final = re.compile(
    r"(?:\*\*|__)(?=\S)|(?<=\S)\*\*|^\W*(?:#{1,6}|[>|+*-]) |\]\(|</?(?:a|br?|div|em|li|p|span|strong|t[dr])\b|"
    r"\\[-\[\]\\]|&[a-z]{2,6};"
)


def is_clean(statement: str, mark: Mark, text: str) -> bool:
    """Whether a statement shows no markup, and each of its words stands on the lines that are marked."""
    start, end = text.rfind("\n", 0, mark.start) + 1, text.find("\n", mark.end)
    own = {word.casefold() for word in re.findall(r"\w+", text[start : end if end >= 0 else len(text)])}
    return not _MARKUP.search(statement) and own.issuperset(re.findall(r"\w+", statement.casefold()))


def counts_of(file: GoldFile, text: str, hits: list[Hit], kind: str, told: frozenset[str]) -> Counter[str]:
    """The figures of one file; prints what `told` names: `missed`, `wrong`."""
    count: Counter[str] = Counter()
    for mark in file.marks:
        if not mark.sure or (kind and mark.kind != kind):
            continue
        sort, hit = "labelled" if mark.labelled else "unlabelled", is_found(mark, hits)
        count.update([sort, *([f"{sort} found"] if hit else [])])
        if hit and mark.owner:
            count.update(["owners", *(["owners right"] if names_in(hit.assignee) == names_in(mark.owner) else [])])
        if hit and hit.rule != _RECORD:
            count.update(["statements", *(["statements clean"] if is_clean(hit.statement, mark, text) else [])])
        if hit is None and "missed" in told:
            print(f"  missed {sort} {mark.kind}: {' '.join(text[mark.start : mark.end].split())[:120]}")
    for hit in (hit for hit in hits if hit.rule != _RECORD):
        met = [mark for mark in file.marks if mark.meets(hit.spans[0].start, hit.spans[0].end)]
        right = any(("constraint" if mark.kind == "preference" else mark.kind) == KIND_OF[hit.kind] for mark in met)
        if (kind and KIND_OF[hit.kind] != kind) or (not right and any(not mark.sure for mark in met)):
            continue
        count.update(["hits", *(["right"] if right else [])])
        if not right and "wrong" in told:
            print(f"  wrong {hit.rule}: {hit.statement[:120]}")
    return count


def counted(clones: Path, kind: str, told: frozenset[str]) -> Iterator[tuple[str, Counter[str]]]:
    rules = shipped_rules()
    for file in gold_files():
        if text := file.text(clones):
            yield file.repository, counts_of(file, text, hits_of(file, text, rules), kind, told)


NOTHING: Final = "nothing"


def confused(clones: Path) -> Counter[tuple[str, str]]:
    """How often a sure mark of a kind (or none at all) is proposed as which kind (or not at all)."""
    count: Counter[tuple[str, str]] = Counter()
    rules = shipped_rules()
    for file in gold_files():
        if text := file.text(clones):
            hits = [hit for hit in all_hits_of(file, text, rules) if hit.rule != _RECORD]
            count.update((mark.kind, _proposed_as(mark, hits)) for mark in file.marks if mark.sure)
            unmarked = (hit for hit in hits if not file.mark_at(hit.spans[0].start, hit.spans[0].end))
            count.update((NOTHING, hit.kind) for hit in unmarked)
    return count


def _proposed_as(mark: Mark, hits: list[Hit]) -> str:
    """The right kind where one of those that meet it has it."""
    kinds = [hit.kind for hit in hits if mark.meets(hit.spans[0].start, hit.spans[0].end)]
    right = (kind for kind in kinds if mark.kind in (kind, KIND_OF.get(kind)))
    return next(right, kinds[0] if kinds else NOTHING)


def confusion(count: Counter[tuple[str, str]]) -> str:
    marked = [*sorted({mark for mark, _ in count} - {NOTHING}), NOTHING]
    proposed = [*sorted({kind for _, kind in count} - {NOTHING}), NOTHING]
    lines = [f"| marked | {' | '.join(proposed)} |", "|---" * (len(proposed) + 1) + "|"]
    lines += (f"| {mark} | {' | '.join(str(count[mark, kind] or '') for kind in proposed)} |" for mark in marked)
    return "\n".join(lines)


def line_of(name: str, count: Counter[str]) -> str:
    pairs = (
        ("labelled found", "labelled"),
        ("unlabelled found", "unlabelled"),
        ("right", "hits"),
        ("owners right", "owners"),
        ("statements clean", "statements"),
    )
    return f"| {name} | " + " | ".join(f"{count[part]} / {count[whole]}" for part, whole in pairs) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("--kind", choices=["decision", "action", "constraint"], default="", help="of one kind only")
    parser.add_argument("--missed", action="append_const", const="missed", dest="told", help="print what is missed")
    parser.add_argument("--wrong", action="append_const", const="wrong", dest="told", help="print what is wrong")
    parser.add_argument("--confusion", action="store_true", help="which kind is proposed as which")
    given = parser.parse_args()
    if given.confusion:
        print(confusion(confused(given.clones)))
        return
    groups: dict[str, Counter[str]] = {}
    for group, count in counted(given.clones, given.kind, frozenset(given.told or ())):
        groups.setdefault(group, Counter()).update(count)
    print("| group | labelled | unlabelled | right | owners | statements |\n|---|---|---|---|---|---|")
    for group, count in sorted(groups.items()):
        print(line_of(group, count))
    print(line_of("all", sum(groups.values(), Counter())))


if __name__ == "__main__":
    main()
