"""Learn the weights of the links from annotated logs, and say what they are worth on logs they have not seen.

    uv run --with numpy --with scipy python -m extraction.training.reply_links FOLDER [--write]

A softmax over the candidates of each message, the likelihood of all its marked answers together, a quadratic penalty.
The figure is leave one log out. `--write` fits all logs and writes extraction/chat/reply_links/weights.json.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack

from extraction.chat.reply_links import linking
from extraction.chat.reply_links.features import candidate_features
from extraction.chat.reply_links.linking import WINDOW
from extraction.chat.reply_links.traits import ChatWindow, traits_of
from extraction.evaluation.annotated_logs import AnnotatedLog, LinkScore, read_logs, score_links

PENALTY = 2.0
WEIGHTS = Path(linking.__file__).with_name("weights.json")


class Part:
    """One log as a sparse matrix: a row for each candidate, `sizes` rows for each message."""

    def __init__(self, log: AnnotatedLog, names: dict[str, int]) -> None:
        self.log = log
        self.at: list[int] = []
        columns, amounts, starts = [], [], [0]
        sizes, right = [], []
        window = ChatWindow(WINDOW)
        for at, message in enumerate(map(traits_of, log.messages)):
            if at in log.links:
                rows = candidate_features(message, window)
                first = at - len(window)
                for row, found in enumerate(rows):
                    for name, amount in found:
                        columns.append(names.setdefault(name, len(names)))
                        amounts.append(amount)
                    starts.append(len(columns))
                    right.append(float(first + row in log.links[at]))
                self.at.append(at)
                sizes.append(len(rows))
            window.add(message)
        self.raw = (amounts, columns, starts)
        self.sizes, self.right = np.array(sizes), np.array(right)

    def close(self, width: int) -> None:
        self.rows = csr_matrix(self.raw, shape=(len(self.raw[2]) - 1, width))

    def found(self, weights: np.ndarray) -> list[list[int]]:
        scores = self.rows @ weights
        found: list[list[int]] = [[at] for at in range(len(self.log.messages))]
        start = 0
        for at, size in zip(self.at, self.sizes, strict=True):
            found[at] = [at - (size - 1) + int(np.argmax(scores[start : start + size]))]
            start += size
        return found


def fit(parts: list[Part]) -> np.ndarray:
    rows = vstack([part.rows for part in parts]).tocsr()
    sizes, right = (np.concatenate([getattr(part, name) for part in parts]) for name in ("sizes", "right"))
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(sizes)), sizes)
    known = np.add.reduceat(right, starts) > 0

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ weights
        parts_of = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        whole = np.add.reduceat(parts_of, starts)
        good = np.add.reduceat(parts_of * right, starts)
        slope = parts_of / whole[group] - parts_of * right / np.maximum(good, 1e-300)[group]
        value = -np.log(good[known] / whole[known]).sum() + PENALTY * weights @ weights / 2
        return value, rows.T @ (slope * known[group]) + PENALTY * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return np.asarray(found.x)


def main(folder: Path, write: bool) -> None:
    names: dict[str, int] = {}
    parts = [Part(log, names) for log in read_logs(folder)]
    for part in parts:
        part.close(len(names))
    total = LinkScore()
    for part in parts:
        one = score_links(part.log, part.found(fit([other for other in parts if other is not part])))
        print(f"{part.log.name:24} {one.f1:.3f}")
        total += one
    print(f"each log unseen: precision {total.precision:.3f} recall {total.recall:.3f} F1 {total.f1:.3f}")
    if write:
        learnt = {name: round(float(weight), 2) for name, weight in zip(names, fit(parts), strict=True)}
        kept = {name: learnt[name] for name in sorted(learnt) if learnt[name]}
        told = {"learnt_from": f"{len(parts)} annotated logs", "unseen_f1": round(total.f1, 3), "weights": kept}
        WEIGHTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--write" in sys.argv)
