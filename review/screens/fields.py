"""The edit form of a candidate: what it shows, and what of it was changed."""

import datetime as dt
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.errors import Invalid
from ledger.models import Claim
from review.screens.difference import difference
from review.screens.values import value_from, value_words

TEXTS = ("statement", "kind", "key", "topic", "assignee", "scope", "confidence_word")
TIMES = ("valid_from", "valid_to")
FIELDS = (*TEXTS, "value", "tags", *TIMES)


def shown(claim: Claim) -> dict[str, str]:
    """Each field as the form holds it. Line ends are LF, as a browser shows them."""
    return {
        "statement": lines(claim.statement),
        "kind": claim.kind_id,
        "key": claim.key,
        "topic": claim.topic,
        "assignee": claim.assignee,
        "scope": claim.scope.path,
        "confidence_word": claim.confidence_word,
        "value": lines(value_words(claim.value)),
        "tags": ", ".join(claim.tags),
        "valid_from": claim.valid_from.isoformat() if claim.valid_from else "",
        "valid_to": claim.valid_to.isoformat() if claim.valid_to else "",
    }


def lines(text: str) -> str:
    """A browser sends line ends as CR LF; what was not touched must compare as equal."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def typed(posted: Mapping[str, str]) -> dict[str, str]:
    """What the form sent, field by field, to be shown again where it was refused."""
    return {name: lines(posted[name]) for name in FIELDS if name in posted}


@dataclass(frozen=True, slots=True)
class Clash:
    """A field that two people changed at once: what was typed here, and what somebody else has saved meanwhile."""

    name: str
    mine: str
    theirs: str
    pieces: list[tuple[str, str]]
    # Which of the two is picked.
    pick: str


def merged(was: Claim, now: Claim, posted: Mapping[str, str]) -> tuple[dict[str, str], tuple[Clash, ...]]:
    """What the form shows after somebody was faster: what was typed wherever it was changed here, else what stands now; and the
    fields that both changed, to choose from. `was` is the claim as the form had shown it."""
    before, after = shown(was), shown(now)
    mine = {name: text for name, text in typed(posted).items() if text.strip() != before[name].strip()}
    clashes = tuple(
        Clash(name, text, after[name], difference(after[name], text), posted.get(f"pick-{name}", "mine"))
        for name, text in mine.items()
        if after[name].strip() not in (before[name].strip(), text.strip())
    )
    return mine, clashes


def changes(claim: Claim, posted: Mapping[str, str]) -> dict[str, Any]:
    """The edits that `ledger.actions.edit` takes: only what differs from the claim, and nothing where the other's words were
    picked. Raises `Invalid` by field."""
    before = shown(claim)
    new = {
        name: text
        for name, text in typed(posted).items()
        if text.strip() != before[name].strip() and posted.get(f"pick-{name}") != "theirs"
    }
    found: dict[str, Any] = {name: new[name].strip() for name in TEXTS if name in new}
    if "value" in new:
        found["value"] = value_from(new["value"], claim.value_type)
    if "tags" in new:
        found["tags"] = tags_of(new["tags"])
    for name in TIMES:
        if name in new:
            found[name] = time_of(new[name], claim.scope.timezone, name)
    return found


def tags_of(text: str) -> list[str]:
    tags = [tag.strip() for tag in text.split(",") if tag.strip()]
    if any(len(tag) > 60 for tag in tags):
        raise Invalid("a tag has at most 60 characters", field="tags")
    return tags


def time_of(text: str, zone: str, field: str) -> dt.datetime | None:
    """ISO 8601; without an offset it is the scope's own time."""
    if not text.strip():
        return None
    try:
        time = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        raise Invalid("write a time as 2026-03-09 or 2026-03-09T15:30", field=field) from None
    return time if time.tzinfo else time.replace(tzinfo=zoneinfo.ZoneInfo(zone))
