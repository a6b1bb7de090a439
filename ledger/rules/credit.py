"""How much speaks for a claim, and whether a tactic has worked: figures that order and explain, and decide nothing (C8, C10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

# Tool output weighs more than a document, a document more than a user (C9). An agent's words support nothing (law 8).
OBJECTION_WEIGHTS: Final = {"tool": 1.0, "document": 0.6, "user": 0.4, "agent": 0.2, "system": 0.6}
SUPPORT_WEIGHTS: Final = {"tool": 1.0, "document": 0.6, "user": 0.4}
# Stands against every claim, so that one text alone is never the whole truth.
DOUBT: Final = 0.5
# Of the tactics shown in a conversation so many can be credited with what came of it.
MAX_CREDITED: Final = 3
CREDITED_KIND: Final = "tactic"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a claim rests on and what came of it. `support` and `objections` count texts by whose words they are, each text once;
    `opposed` is what the objections weigh together; `wins` and `losses` are conversations."""

    kind: str
    support: Mapping[str, int] = field(default_factory=dict)
    objections: Mapping[str, int] = field(default_factory=dict)
    opposed: float = 0.0
    wins: int = 0
    losses: int = 0

    @property
    def truth(self) -> float | None:
        """0 to 1: what speaks for it, as a share of all that is said about it and of a doubt. None for a tactic, which is measured
        by its use. It rises with every further text and falls with every objection."""
        if self.kind == CREDITED_KIND:
            return None
        support = sum(SUPPORT_WEIGHTS.get(speaker, 0.0) * texts for speaker, texts in self.support.items())
        return round(support / (support + self.opposed + DOUBT), 4)

    @property
    def utility(self) -> float | None:
        """0 to 1: the share of conversations that went well (Laplace: one of each is added). None for all but tactics, and where
        nothing came of it yet."""
        if self.kind != CREDITED_KIND or not self.wins + self.losses:
            return None
        return round((self.wins + 1) / (self.wins + self.losses + 2), 4)

    @property
    def factor(self) -> float:
        """By which a claim that fits is ranked up or down in a pack (C11)."""
        if self.kind == CREDITED_KIND:
            return 0.5 + (0.5 if self.utility is None else self.utility)
        return 0.8 + 0.4 * (self.truth or 0.0)

    @property
    def words(self) -> list[str]:
        """The same for people."""
        return [self._truth_words, *([self._utility_words] if self.kind == CREDITED_KIND else [])]

    @property
    def _truth_words(self) -> str:
        rests = f"It rests on {_texts(self.support)}" if self.support else "No text that can still be read supports it"
        against = f"; {_texts(self.objections)} object" if self.objections else ""
        if self.truth is None:
            return f"{rests}{against}. A tactic is measured by its use, not by what says so."
        return (
            f"{rests}{against}. Truth {self.truth:.2f}: what speaks for it, of that and what speaks against it, "
            f"and a doubt of {DOUBT}."
        )

    @property
    def _utility_words(self) -> str:
        if self.utility is None:
            return (
                f"No conversation that had it among the first {MAX_CREDITED} tactics of its pack has ended with words that show "
                "how it went."
            )
        return (
            f"Of the conversations that had it among the first {MAX_CREDITED} tactics of their packs before anything came of them, "
            f"{self.wins} went well and {self.losses} badly. Utility {self.utility:.2f}."
        )


def _texts(by_speaker: Mapping[str, int]) -> str:
    """`3 texts (2 user, 1 tool)`."""
    total = sum(by_speaker.values())
    parts = ", ".join(f"{texts} {speaker}" for speaker, texts in by_speaker.items())
    return f"{total} text{'s' if total > 1 else ''} ({parts})"
