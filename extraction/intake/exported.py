"""What `export` wrote, read again: every row checked before anything of the file counts, each fault told with its place."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from ledger.errors import Invalid
from ledger.models import Layer, SourceKind, Speaker, Stance
from ledger.projections.export import VERSION
from ledger.rules.sections import SectionSpan

MAX_FAULTS: Final = 20


class ExportedRow(BaseModel):
    """Fields that an import has no use for are passed by."""

    model_config = ConfigDict(strict=False, extra="ignore", frozen=True)


class HeadRow(ExportedRow):
    version: Literal[1]
    scope: str


class ScopeRow(ExportedRow):
    scope: str
    name: str = ""
    tier: str
    packs: list[str] = []
    timezone: str = "UTC"
    stage: str = ""


class PersonRow(ExportedRow):
    scope: str
    name: str
    aliases: list[str] = []
    role: str = ""
    telegram_id: int | None = None


class SectionRow(ExportedRow):
    name: str
    speaker: Speaker
    heading_path: list[str]
    start: int
    end: int

    def span(self) -> SectionSpan:
        return SectionSpan(self.name, str(self.speaker), tuple(self.heading_path), self.start, self.end)


class SourceRow(ExportedRow):
    id: int
    scope: str
    kind: SourceKind
    text: str
    sha256: str
    sender: str = ""
    sender_kind: Speaker
    sent_at: AwareDatetime | None = None
    edited_at: AwareDatetime | None = None
    conversation: str | None = None
    external_id: str = ""
    reply_to: str = ""
    title: str = ""
    purged_at: datetime | None = None
    sections: list[SectionRow]

    @model_validator(mode="after")
    def is_whole(self) -> Self:
        """The text is the one that was exported, and its sections lie end to end."""
        if self.purged_at is not None:
            return self
        if hashlib.sha256(self.text.encode(errors="surrogatepass")).hexdigest() != self.sha256:
            raise ValueError("its text does not have its hash")
        edges = [0, *(edge for one in self.sections for edge in (one.start, one.end)), len(self.text)]
        if any(end != start for end, start in list(pairwise(edges))[::2]) or any(
            s.start >= s.end for s in self.sections
        ):
            raise ValueError("its sections do not lie end to end over its text")
        return self


class EvidenceRow(ExportedRow):
    source: int
    start: int
    end: int
    quote: str | None = None
    stance: Stance
    anchor: str


class ClaimRow(ExportedRow):
    ref: str
    scope: str
    layer: Layer
    kind: str
    statement: str
    status: str
    key: str = ""
    topic: str = ""
    subject: str = ""
    tags: list[str] = []
    value_type: str = ""
    value: Any = None
    assignee: str = ""
    downstream: list[str] = []
    confidence: float = Field(default=0.0, ge=0, le=1)
    confidence_word: str = ""
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    expires_at: AwareDatetime | None = None
    promoted_at: AwareDatetime | None = None
    disputed: bool = False
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    hand_authored: bool = False
    summary: str = ""
    successor: str | None = None
    graduates: str | None = None
    anchors_to_choose: list[dict[str, int]] = []
    evidence: list[EvidenceRow]


class TrustedRow(ExportedRow):
    ref: str
    scope: str
    key: str
    value: Any = None
    statement: str = ""
    cites: list[str] = []
    status: str
    by: str
    at: AwareDatetime


class HistoryRow(ExportedRow):
    """Conflicts and events: they tell what was, and are not made again."""


ROWS: Final[dict[str, tuple[str, type[ExportedRow]]]] = {
    "export": ("export", HeadRow),
    "scope": ("scopes", ScopeRow),
    "person": ("people", PersonRow),
    "source": ("sources", SourceRow),
    "claim": ("claims", ClaimRow),
    "trusted": ("trusted", TrustedRow),
    "conflict": ("conflicts", HistoryRow),
    "event": ("events", HistoryRow),
}


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row and where it stands: `line 3` of a JSONL file, `claims.2` of a JSON one."""

    place: str
    row: ExportedRow


def rows_of(path: Path) -> Iterator[PlacedRow]:
    """All rows in the order of the file. Raises `Invalid` with the place of the first that is none."""
    for place, kind, value in _values(path):
        if kind not in ROWS:
            raise Invalid(f"{path.name}, {place}: no row of an export has the type {str(kind)[:40]!r}", field="file")
        try:
            yield PlacedRow(place, ROWS[kind][1].model_validate(value))
        except ValidationError as error:
            one = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, one["loc"]))
            raise Invalid(f"{path.name}, {place}: {where + ': ' if where else ''}{one['msg']}", field="file") from None


def checked(path: Path) -> tuple[HeadRow, int]:
    """The head and the number of rows of a file that is whole. Raises `Invalid` for any other."""
    rows = rows_of(path)
    head = next(rows, None)
    if head is None or not isinstance(head.row, HeadRow):
        raise Invalid(f"{path.name}, line 1: this is no export of version {VERSION}", field="file")
    return head.row, 1 + sum(1 for _ in rows)


def _values(path: Path) -> Iterator[tuple[str, Any, Any]]:
    """Place, type and content of each row; lines of a JSONL file one by one, a JSON file as a whole."""
    try:
        with path.open(encoding="utf-8") as file:
            first = file.readline()
            file.seek(0)
            yield from _of_lines(path, file) if _is_line(first) else _of_object(path, file.read())
    except UnicodeDecodeError as error:
        raise Invalid(f"{path.name}: not UTF-8 ({error.reason})", field="file") from None
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}", field="file") from None


def _is_line(line: str) -> bool:
    """Whether a row stands in a line of its own."""
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and "type" in found


def _of_lines(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, Any, Any]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _parsed(path, line.strip(), number)
            yield f"line {number}", row.get("type") if isinstance(row, dict) else None, row


def _of_object(path: Path, text: str) -> Iterator[tuple[str, Any, Any]]:
    whole = _parsed(path, text, 1)
    if not isinstance(whole, dict) or not isinstance(whole.get("export"), dict):
        raise Invalid(f"{path.name}, line 1: this is no export of version {VERSION}", field="file")
    yield "export", "export", whole["export"]
    for kind, (name, _) in list(ROWS.items())[1:]:
        rows = whole.get(name, [])
        for at, row in enumerate(rows if isinstance(rows, list) else [rows]):
            yield f"{name}.{at}", kind, row


def _parsed(path: Path, text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Invalid(f"{path.name}, line {line + error.lineno - 1}: {error.msg}", field="file") from None
    except RecursionError:
        raise Invalid(f"{path.name}, line {line}: nested too deeply", field="file") from None
