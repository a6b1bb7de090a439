"""Fit the tripwire's weights: a logistic regression over what is seen, with the thread's boosts as given offsets.

`uv run --with numpy --with scipy python -m tests.extraction.tripwire.fit` leaves out whole authors in turn, and prints what
each one's chats come to with weights that saw nothing of that author; `--write` fits on all of them and puts the weights into
the pack. The phrases are not fitted: they are the language's. The files `blind_*` are in no fit.
"""

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

from extraction.tripwire import Tripwire
from extraction.tripwire.compiled import by_first
from extraction.tripwire.said import Said, people_of
from extraction.tripwire.scoring import WINDOW, bar_of, read
from extraction.tripwire.seeing import ALONE, ENDS, LENGTHS, LONG, SENDER, STARTS, STATES
from extraction.tripwire.threads import Told, age
from extraction.tripwire.words import fold
from tests.extraction.tripwire.families import Line, lines

PACK = Path(__file__).parents[3] / "ledger" / "packs" / "household.toml"
PARTS = ("tune", "held", "fresh", "more")
# Who wrote them: a voice that the weights know is no test of them.
AUTHORS = {"tune": "first", "held": "first", "fresh": "second", "fresh_b": "third", "more": "fourth"}
FOLDS = 5
FROM, TO = "# Weights of what is seen, as fitted (tests/extraction/tripwire/fit.py).\n", "# End of the weights.\n"
# Penalties: of what is seen by itself, before a message, of a word, in a state of the thread, of two groups.
PENALTY = {"": 2.0, "after": 8.0, "word": 2.0, "state": 8.0, "pair": 12.5}
SEEN_OFTEN = 3
LEAST = 0.04
# Which weekday, and whose aunt, tells nothing: words of these groups weigh with their group alone.
ALIKE = {"day", "date", "clock", "hour", "kin", "thumbs"}
FORMS = {name for _, name in LENGTHS} | {LONG, "number"} | SENDER
Thread = list[Line]
Row = tuple[Line, Said, dict[str, str]]


def threads_of(rows: Iterable[Line]) -> list[Thread]:
    return [list(thread) for _, thread in groupby(rows, key=lambda row: row.thread)]


def author(row: Line) -> str:
    return next(who for part, who in sorted(AUTHORS.items(), reverse=True) if row.thread.startswith(part))


def family(row: Line) -> str:
    return row.thread.partition("/")[0]


def rows_of(
    tripwire: Tripwire, threads: Iterable[Thread], chances: Mapping[int, float] | None
) -> list[tuple[Row, Told]]:
    """What is seen in each line; `chances` by the line's identity is what was thought of those before it, else they are
    judged as they come."""
    out: list[tuple[Row, Told]] = []
    for thread in threads:
        told: list[Told] = []
        for row in thread:
            reach = tripwire.context.topic_seconds
            window = [one for one in told if age(one.message, row.message) <= reach][-WINDOW:]
            this, seen = read(tripwire, row.message, window, people_of(row.people))
            out.append(((row, this.said, seen), this))
            told.append(this if chances is None else replace(this, chance=chances[id(row)]))
    return out


def names_in(tripwire: Tripwire, said: Said, seen: Mapping[str, str]) -> list[str]:
    """The features of a line: names, pairs `a+b`, words `=word`."""
    heard = seen.keys() - tripwire.noise if "thread" in seen else seen.keys()
    names = list(heard)
    own = {name for name in heard if name in said.met or name in SENDER}
    names += [f"{state}+{name}" for state in heard & STATES for name in own]
    plain = sorted(
        name
        for name in own
        if not name.startswith((STARTS, ENDS))
        and (name not in ALONE or name in FORMS | {"question", "child", "person"})
    )
    names += [f"{one}+{other}" for one, other in combinations(plain, 2)]
    names += [f"={word}" for word in said.vocabulary - tripwire.noisy - alike()]
    return names


@cache
def alike() -> frozenset[str]:
    groups = tomllib.loads(PACK.read_text(encoding="utf-8"))["tripwire"]["groups"]
    return frozenset(fold(words) for group in groups if group["name"] in ALIKE for words in group.get("words", ()))


def penalty(name: str) -> float:
    if name.startswith("="):
        return PENALTY["word"]
    if "+" in name:
        return PENALTY["state" if name.partition("+")[0] in STATES else "pair"]
    return PENALTY["after" if name.startswith("after_") else ""]


def fit(tripwire: Tripwire, threads: Sequence[Thread], *, caution: float) -> Tripwire:
    """The same phrases with weights from these threads. `caution` is taken off the odds of every message afterwards: our
    chats coordinate in every second line, a family's in every third or fewer."""
    chances = {id(row): 0.9 if row.coordinates else 0.1 for thread in threads for row in thread}
    families = sorted({family(thread[0]) for thread in threads})
    thought: dict[int, float] = {}
    for turn in range(FOLDS):
        away = set(families[turn::FOLDS])
        fitted = _fitted(tripwire, [one for one in threads if family(one[0]) not in away], chances)
        unseen = [one for one in threads if family(one[0]) in away]
        thought |= {id(row): told.chance for (row, _, _), told in rows_of(fitted, unseen, None)}
    fitted = _fitted(tripwire, threads, thought)
    return replace(fitted, base=round(fitted.base - caution, 2))


def _fitted(tripwire: Tripwire, threads: Sequence[Thread], chances: Mapping[int, float]) -> Tripwire:
    import numpy as np
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    rows = [row for row, _ in rows_of(tripwire, threads, chances)]
    named = [names_in(tripwire, said, seen) for _, said, seen in rows]
    times = Counter(name for names in named for name in names)
    homes = Counter(
        name
        for name, _ in {(name, family(row)) for (row, _, _), names in zip(rows, named, strict=True) for name in names}
    )
    kept = sorted(
        name for name, count in times.items() if count >= SEEN_OFTEN and (name[0] != "=" or homes[name] >= SEEN_OFTEN)
    )
    number = {name: at for at, name in enumerate(kept)}
    at = [(line, number[name]) for line, names in enumerate(named) for name in names if name in number]
    matrix: Any = csr_matrix((np.ones(len(at)), tuple(zip(*at, strict=True))), shape=(len(rows), len(number)))
    offsets = -np.array([bar_of(tripwire, said, seen) for _, said, seen in rows])
    gold = np.array([float(row.coordinates) for row, _, _ in rows])
    held = np.array([*(penalty(name) for name in kept), 0.0])

    def loss(weights: Any) -> tuple[float, Any]:
        odds = matrix @ weights[:-1] + weights[-1] + offsets
        wrong = 1 / (1 + np.exp(-odds)) - gold
        value = (np.logaddexp(0, odds) - gold * odds).sum() + 0.5 * (held * weights**2).sum()
        return float(value), np.append(matrix.T @ wrong, wrong.sum()) + held * weights

    found = minimize(loss, np.zeros(len(kept) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    fitted = {name: round(float(found[place]), 2) for name, place in number.items()}
    single = {name: weight for name, weight in fitted.items() if name[0] != "=" and "+" not in name}
    # Laughter and thanks are noise: they never raise a score.
    single |= {
        name: min(single.get(name, 0.0), -0.05) for name in tripwire.noise if name in tripwire.weights or name in single
    }
    pairs = {
        (one, other): weight
        for name, weight in fitted.items()
        if abs(weight) >= LEAST
        for one, plus, other in [name.partition("+")]
        if plus and name[0] != "="
    }
    return replace(
        tripwire,
        base=round(float(found[-1]), 2),
        weights=dict.fromkeys(tripwire.weights, 0.0) | single,
        pairs=by_first(pairs),
        vocabulary={name[1:]: weight for name, weight in fitted.items() if name[0] == "=" and abs(weight) >= LEAST},
    )


Judged = list[tuple[Line, bool]]


def judged_by(tripwire: Tripwire, rows: Iterable[Line]) -> Judged:
    from extraction.tripwire import score

    return [(row, score(tripwire, row.message, row.before, row.people).passed) for row in rows]


def figures(judged: Judged) -> tuple[float, float]:
    """Precision and recall."""
    right = sum(row.coordinates and said for row, said in judged)
    return right / max(1, sum(said for _, said in judged)), right / max(1, sum(row.coordinates for row, _ in judged))


def compiled() -> Tripwire:
    tripwire = Tripwire.from_packs([tomllib.loads(PACK.read_text(encoding="utf-8"))])
    assert tripwire is not None
    return tripwire


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--caution", type=float, default=0.5)
    parser.add_argument("--parts", nargs="*", default=PARTS)
    parser.add_argument("--write", action="store_true", help="fit on all and put the weights into the pack")
    parser.add_argument("--wrong", action="store_true", help="show what was judged wrongly")
    given = parser.parse_args()
    tripwire, threads = compiled(), [one for part in given.parts for one in threads_of(lines(part))]
    if given.write:
        tripwire = fit(tripwire, threads, caution=given.caution)
        PACK.write_text(written(PACK.read_text(encoding="utf-8"), tripwire), encoding="utf-8")
        tell("fitted on", judged_by(tripwire, [row for one in threads for row in one]), False)
        return
    unseen: Judged = []
    for who in sorted({author(one[0]) for one in threads}):
        fitted = fit(tripwire, [one for one in threads if author(one[0]) != who], caution=given.caution)
        judged = judged_by(fitted, [row for one in threads if author(one[0]) == who for row in one])
        tell(f"{who} author unseen", judged, given.wrong)
        unseen += judged
    tell("all", unseen, False)


def tell(name: str, judged: Judged, wrong: bool) -> None:
    precision, recall = figures(judged)
    print(f"{name}: {len(judged)} messages, precision {precision:.3f}, recall {recall:.3f}", flush=True)
    for row, said in judged if wrong else ():
        if said != row.coordinates:
            print(f"   {'said' if said else 'left'} {row.gold} {row.thread} {row.message.sender}: {row.message.text}")


def written(text: str, tripwire: Tripwire) -> str:
    """The pack's text with these weights, all else as it was: groups with words keep their place, the rest stands between
    two marks."""
    before, _, rest = text.partition(FROM)
    _, _, after = rest.partition(TO)
    kept: list[str] = []
    named: set[str] = set()
    of = ""
    for line in before.splitlines():
        if line.startswith("["):
            of = "?" if line == "[[tripwire.groups]]" else ""
        elif of == "?" and line.startswith("name = "):
            of = tomllib.loads(line)["name"]
            named.add(of)
        elif of and line.startswith("weight = "):
            line = f"weight = {tripwire.weights.get(of, 0.0)}"
        elif line.startswith("base = "):
            line = f"base = {tripwire.base}"
        kept.append(line)
    seen = {name: weight for name, weight in tripwire.weights.items() if name not in named and weight}
    together = {f"{one}+{other}": weight for one, others in tripwire.pairs.items() for other, weight in others.items()}
    tables = (("seen", seen), ("together", together), ("vocabulary", dict(tripwire.vocabulary)))
    fitted = [FROM]
    for table, weights in tables:
        fitted.append(f"[tripwire.{table}]\n")
        fitted += [f"{_key(name)} = {weight}\n" for name, weight in sorted(weights.items())]
        fitted.append("\n")
    return "\n".join(kept) + "\n" + "".join(fitted) + TO + after


def _key(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    main()
