"""What a caller narrows recall to, as conditions that hold before anything is ranked: by two clocks, whose words, from
when until when."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from ledger.errors import Invalid
from ledger.models import SourceKind, Speaker
from ledger.reads.as_of import COUNTS
from ledger.reads.claims import Citation
from ledger.reads.packs import kinds as known_kinds
from ledger.rules.states import Status

TRUSTED: Final = "trusted"
# A claim's evidence is its own and that of what was merged into it.
_OF_CLAIM: Final = """ AND EXISTS (
    SELECT 1 FROM ledger_evidence e JOIN ledger_source o ON o.id = e.source_id
     WHERE e.claim_id = ANY (ARRAY(SELECT c.id UNION ALL
                                   SELECT m.id FROM ledger_claim m WHERE m.successor_id = c.id AND m.status = 'merged'))
       AND e.stance <> 'opposes' AND {})"""
_OF_SOURCE: Final = " AND EXISTS (SELECT 1 FROM ledger_source o WHERE o.id = {} AND {})"
_SAID: Final = "coalesce(o.sent_at, o.created_at)"
_DATES: Final[Mapping[str, str]] = MappingProxyType({"since": "{} >= %(since)s", "until": "{} < %(until)s"})
_SOURCE_PARTS: Final[Mapping[str, str]] = MappingProxyType(
    {name: sql.format(_SAID) for name, sql in _DATES.items()}
    | {
        "as_of": f"{_SAID} <= %(as_of)s",
        "believed_at": "o.created_at <= %(believed_at)s",
        "source_kinds": "o.kind = ANY(%(source_kinds)s)",
        "speaker": "EXISTS (SELECT 1 FROM ledger_section x WHERE x.source_id = o.id AND x.speaker = %(speaker)s)",
    }
)
_CLAIM_PARTS: Final[Mapping[str, str]] = MappingProxyType(
    {name: sql.format(_SAID) for name, sql in _DATES.items()} | {"speaker": "e.speaker = %(speaker)s"}
)
_TRUSTED_PARTS: Final[Mapping[str, str]] = MappingProxyType(
    # Trusted values are a person's words.
    {name: sql.format("c.at") for name, sql in _DATES.items()} | {"speaker": "%(speaker)s = 'user'"}
)


@dataclass(frozen=True, slots=True)
class Clocks:
    """What held at `as_of`, by what was believed at `believed_at`; None is now, and `as_of` is then the time of belief."""

    as_of: dt.datetime | None = None
    believed_at: dt.datetime | None = None

    @property
    def turned_back(self) -> bool:
        return self.as_of is not None or self.believed_at is not None

    @property
    def statuses(self) -> tuple[str, ...]:
        """In which a claim can stand today that held then: what was believed may have been taken back since."""
        if self.believed_at is not None:
            return tuple(Status)
        return COUNTS if self.as_of is not None else COUNTS[:1]

    @property
    def earliest(self) -> dt.datetime | None:
        """For what has one clock only."""
        return min((moment for moment in (self.as_of, self.believed_at) if moment is not None), default=None)


NOW: Final = Clocks()


@dataclass(frozen=True, slots=True)
class WordsFilter:
    """Which words count: of one `speaker`, said from `since` on and before `until`; of sources those of `source_kinds` that had
    been said and taken in by the clocks. What is empty narrows nothing. Each property is a condition in SQL, to be put behind
    others, with `params`."""

    speaker: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    as_of: dt.datetime | None = None
    believed_at: dt.datetime | None = None
    source_kinds: tuple[str, ...] = ()

    @property
    def params(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("speaker", "since", "until", "as_of", "believed_at")} | {
            "source_kinds": list(self.source_kinds)
        }

    @property
    def on_claim(self) -> str:
        """On the claim `c`."""
        wanted = self._wanted(_CLAIM_PARTS)
        return _OF_CLAIM.format(wanted) if wanted else ""

    @property
    def on_trusted(self) -> str:
        """On the trusted value `c`."""
        wanted = self._wanted(_TRUSTED_PARTS)
        return f" AND {wanted}" if wanted else ""

    def on_source(self, column: str) -> str:
        """On the source whose id is in `column`."""
        wanted = self._wanted(_SOURCE_PARTS)
        return _OF_SOURCE.format(column, wanted) if wanted else ""

    def _wanted(self, parts: Mapping[str, str]) -> str:
        return " AND ".join(sql for name, sql in parts.items() if getattr(self, name))

    def first_of(self, citations: Sequence[Citation]) -> Citation | None:
        """The first words of a row that are wanted; else its first."""
        return next((words for words in citations if self._wants(words)), citations[0] if citations else None)

    def _wants(self, words: Citation) -> bool:
        return words.stance != "opposes" and self.speaker in ("", words.speaker) and self.includes(words.said_at)

    def includes(self, moment: dt.datetime) -> bool:
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)


ANY_WORDS: Final = WordsFilter()


def check_speaker(speaker: str) -> str:
    if speaker and speaker not in Speaker.values:
        raise Invalid(f"speaker is one of {', '.join(Speaker.values)}", field="speaker")
    return speaker


def claim_kinds(kinds: Sequence[str], *, sources: bool = False) -> list[str]:
    """Those that claims have; trusted values are asked for by that word, and where there are `sources` these by theirs. No query
    where no kind is asked for. Raises `Invalid` for a kind nobody defined."""
    others = {TRUSTED, *(SourceKind.values if sources else ())}
    of_claims = [kind for kind in kinds if kind not in others]
    if of_claims and (unknown := set(of_claims) - known_kinds().keys()):
        raise Invalid(f"no kind {min(unknown)[:60]!r}", field="kinds")
    return of_claims
