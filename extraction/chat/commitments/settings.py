"""How far back an answer may reach, and how sure an attribution is (O4); a pack's `[attribution]` changes each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attribution:
    """Seconds, and the two confidences: of an attribution that was found, and of a guess beyond the windows."""

    window: int = 600
    question_window: int = 900
    found: float = 0.85
    unknown: float = 0.3
    # How many messages before it are read for what it answers.
    messages: int = 24
