"""Every table and field that a pack file may have. `docs/packs.md` says what each means."""

import re
from typing import Any

from ledger.packs.fits import (
    flag,
    like,
    list_of,
    number,
    one_of,
    pattern,
    patterns,
    several_of,
    share,
    text,
    whole,
    words,
)
from ledger.packs.shape import Check, Rows, Shape, Table
from ledger.rules.packing import CHOSEN

SPEAKERS = ("user", "agent", "tool", "document", "system")
LAYERS = ("memory", "entity")
TIERS = ("global", "domain", "project", "item")
VALUE_TYPES = (
    "", "boolean", "enum", "number", "dimension", "currency", "date", "string", "note", "event", "assignment", "action_item",
)  # fmt: skip
SOURCES = ("message", "document", "interaction", "turn", "episode", "note")
EXTRACTORS = ("rules", "episodes", "discussion", "coordination", "model")
STAGES_OF_READING = ("tripwire", "rules", "discussion", "extraction", "relevance")
RULE_CLASSES = ("heading", "list", "label", "sentence", "value")
PATTERNS = ("correction", "contradiction", "repeated_question", "confirmation")
REDLINES = ("temporal_conflict", "resource_conflict", "missing_variable", "clarification")
# Trusted state and patterns have refs of their own.
TAKEN_PREFIXES = ("TRU", "PAT")

NAME = like(re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}"), "lower-case letters, digits, . _ - (at most 60)")
BLOCK = like(re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}"), "letters, digits, . _ - (at most 60)")
KIND = like(re.compile(r"[a-z][a-z0-9_]{0,39}"), "lower-case letters, digits and _ (at most 40)")
LANGUAGE = like(re.compile(r"[a-z]{2,3}"), "a language's code such as en")
PREFIX = like(re.compile(r"[A-Z]{2,5}"), "two to five capital letters")


def _prefix(value: Any) -> str:
    return f"{value!r} is taken by the refs of trusted state and patterns" if value in TAKEN_PREFIXES else PREFIX(value)


def _anything(_: Any) -> str:
    """A key's default: checked against the key's type, which only the whole row tells."""
    return ""


def _two(value: Any) -> str:
    return words(value) or ("" if len(value) == 2 else "must be a list of two names")


def by_name(check: Check, names: Check = KIND) -> Table:
    """A table whose names are the pack's own: kinds, mostly."""
    return Table(names=names, other=check)


LANGUAGES = list_of(LANGUAGE, "languages")

PACK = Table(
    {
        "name": NAME,
        "version": text(30),
        "title": text(200, empty=True),
        "summary": text(2000, empty=True),
        "extractors": several_of(*EXTRACTORS),
    },
    needed=("name", "version"),
)
KINDS = Rows(
    Table(
        {
            "name": KIND,
            "layer": one_of(*LAYERS),
            "prefix": _prefix,
            "anchors": several_of(*SPEAKERS),
            "many": flag,
            "value_type": one_of(*VALUE_TYPES),
            "title": text(100, empty=True),
            "help": text(1000, empty=True),
        },
        needed=("name", "layer", "prefix"),
    ),
    "name",
    unlike=True,
)
KEY = Table(
    {
        "key": text(200),
        "title": text(100, empty=True),
        "help": text(1000, empty=True),
        "also": words,
        "value_type": one_of(*VALUE_TYPES),
        "unit": text(30, empty=True),
        "values": words,
        "default": _anything,
        "high_risk": flag,
        "stages": words,
        "block": BLOCK,
        "question": text(300, empty=True),
    },
    needed=("key",),
)
KEYS = Table({"closed": flag, "list": Rows(KEY, "key", unlike=True)})
BLOCKS = Rows(
    Table(
        {
            "key": BLOCK,
            "title": text(100),
            "scope": one_of("project", "item"),
            "prefixes": words,
            "kinds": list_of(KIND, "kinds"),
        },
        needed=("key", "scope"),
    ),
    "key",
    unlike=True,
)
RULES = Table(
    {
        "priors": Table(dict.fromkeys(RULE_CLASSES, share)),
        "high_signal": number(0, 10),
        "low_signal": number(0, 10),
        "fresh_days": whole,
        "fresh_bonus": number(0, 10),
        "high_hints": words,
        "low_hints": words,
        "labels": by_name(words),
        "open_labels": Table({"words": words, "qualifiers": words, "voted": words, "least_votes": whole}),
        "headings": Table(
            names=KIND, other=Table({"lists": words, "sections": words, "items_only": words, "beside": words})
        ),
        "intents": Table({"request": KIND, "commitment": KIND}),
        "sentences": Rows(
            Table({"id": text(60), "kind": KIND, "pattern": pattern, "unless": pattern}, needed=("kind", "pattern")),
            "id",
        ),
    }
)
TRIGGERS = (
    "correction",
    "guard",
    "confirm",
    "deny",
    "caveat",
    "proposal",
    "conclusion",
    "hedge",
    "shift",
    "retraction",
    "jest",
)
DISCUSSION = Table(
    {
        "extract_above": number(0, 10_000),
        "flag_above": number(0, 10_000),
        "question_likeness": share,
        "spelling": Table(names=text(30), other=text(60)),
        "parts": Table(names=KIND, other=text(2000)),
        "triggers": Rows(
            Table(
                {
                    "id": text(60),
                    "sense": one_of(*TRIGGERS),
                    "pattern": pattern,
                    "unless": pattern,
                    "confidence": share,
                    "says": text(100),
                    "asks": flag,
                    "agent": flag,
                    "strength": one_of("approval", "answer", "courtesy"),
                },
                needed=("id", "sense", "pattern"),
            ),
            "id",
        ),
    }
)
TRIPWIRE = Table(
    {
        "languages": LANGUAGES,
        "base": number(-20, 20),
        "learned": KIND,
        "vocabulary": Table(names=text(60), other=number(-20, 20)),
        "plain": words,
        "pairs": Rows(Table({"of": _two, "weight": number(-20, 20)}, needed=("of", "weight")), "of"),
        "context": Table(
            {
                "messages": whole,
                "seconds": whole,
                "boost": share,
                "short_boost": share,
                "short_words": whole,
                "topic_seconds": whole,
            }
        ),
        "groups": Rows(
            Table(
                {
                    "name": KIND,
                    "weight": number(-20, 20),
                    "patterns": patterns,
                    "words": words,
                    "fuzzy": flag,
                    "noise": flag,
                    "opens": flag,
                    "takes": flag,
                    "people": flag,
                    "languages": LANGUAGES,
                },
                needed=("name",),
            ),
            "name",
        ),
    }
)
ATTRIBUTION = Table({"window_s": whole, "question_window_s": whole, "found": share, "unknown": share})
MODEL = Table(
    {
        "kinds": several_of(*SOURCES),
        "asks": list_of(KIND, "kinds"),
        "guidance": text(4000, empty=True),
        "most_calls": whole,
        "most_tokens": whole,
        "most_tokens_a_day": whole,
        "most_quote": whole,
        "endpoints": one_of("loopback", "any"),
    }
)
BUDGETS = Table(
    {"inferred_per_pass": whole, "per_episode": whole, **{tier: by_name(whole) for tier in TIERS}},
)
NOVELTY = Table({"threshold": share, "likeness": share, "kinds": by_name(share)})
SLOTS = Table({"a_topic": whole, "entities_share": share, **dict.fromkeys(CHOSEN, whole)})
DISPUTES = Table(
    {
        "weights": Table(dict.fromkeys(SPEAKERS, number(0, 100))),
        "thresholds": Table(dict.fromkeys(TIERS, number(0, 1000))),
    }
)
OBSERVER = Table(
    {
        "expire_hours": whole,
        "repeat_minutes": whole,
        "retention_days": whole,
        "messages_a_minute": whole,
        "conflict_chars": whole,
        "clarification_chars": whole,
        "summary_chars": whole,
        "extraction_alone": share,
        "brain": Table({"queries": whole, "timeout_s": whole, "cache_s": whole}),
    }
)
REDLINE = Rows(
    Table(
        {
            "name": one_of(*REDLINES),
            "enabled": flag,
            "minutes_assumed": whole,
            "within_hours": whole,
            "apart_minutes": whole,
        },
        needed=("name",),
    ),
    "name",
    unlike=True,
)
POLICY = Table(
    {
        "threshold": share,
        "times": whole,
        "days": whole,
        "kinds": list_of(KIND, "kinds"),
        "never": list_of(KIND, "kinds"),
        "classes": several_of(*RULE_CLASSES),
        "speakers": several_of(*SPEAKERS),
    }
)
GATES = Table(dict.fromkeys(STAGES_OF_READING, share))
STAGES = Table({"names": words})
EVERYTHING: dict[str, Shape] = {
    "pack": PACK,
    "kinds": KINDS,
    "keys": KEYS,
    "blocks": BLOCKS,
    "stages": STAGES,
    "gates": GATES,
    "budgets": BUDGETS,
    "novelty": NOVELTY,
    "rules": RULES,
    "discussion": DISCUSSION,
    "tripwire": TRIPWIRE,
    "attribution": ATTRIBUTION,
    "model": MODEL,
    "slots": SLOTS,
    "disputes": DISPUTES,
    "observer": OBSERVER,
    "redline": REDLINE,
    "policies": Table(names=KIND, other=POLICY),
}
FILE = Table(EVERYTHING)
