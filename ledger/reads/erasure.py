"""What an erasure would take, to be looked over first: what somebody said, where they are spoken of, and what would stay."""

import datetime as dt
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Lower

from ledger.models import Person, Scope, Source
from ledger.reads.scopes import ancestor_paths, below
from ledger.reads.sql import fetch_rows
from ledger.rules.names import NamePatterns, patterns_of
from ledger.rules.secrets import masked

SHOWN: Final = 120
# What no erasure reaches, told with every one.
ALWAYS_LEFT: Final = (
    "the hash, the time and the number of each text, as its tombstone",
    "idempotency keys, for a day",
    "backups, until they are removed",
    "names of accounts that acted, on what they decided; names of scopes, waves, saved views and catalogue items",
    "free pages and logs on disk, until `manage.py erase --compact`; the write-ahead log, until it is recycled",
)
_MENTIONS = """
    SELECT id FROM ledger_source
    WHERE scope_id = ANY (%(scopes)s) AND purged_at IS NULL AND id <> ALL (%(said)s)
      AND ledger_names_in(text || ' ' || title || ' ' || sender, %(any_case)s, %(exact)s) ORDER BY id
"""
_CLAIMS = """
    SELECT c.id, c.ref, left(c.statement, %(shown)s) FROM ledger_claim c
    WHERE c.scope_id = ANY (%(scopes)s) AND c.proposed <> '{"redacted": true}'
      AND (ledger_names_in(ledger_claim_words(c), %(any_case)s, %(exact)s)
           OR c.id IN (SELECT claim_id FROM ledger_evidence WHERE source_id = ANY (%(sources)s) AND stance <> 'opposes'))
    ORDER BY c.id
"""
_TRUSTED = """
    SELECT id, ref, key, left(statement, %(shown)s), status FROM ledger_trustedstate t
    WHERE scope_id = ANY (%(scopes)s) AND statement <> ''
      AND (ledger_names_in(key || ' ' || statement || ' ' || coalesce(value::text, ''), %(any_case)s, %(exact)s)
           OR cites && ARRAY(SELECT c.ref FROM ledger_claim c JOIN ledger_evidence e ON e.claim_id = c.id
                             WHERE e.source_id = ANY (%(sources)s)))
    ORDER BY id
"""
_CONVERSATIONS = """
    SELECT id, external_id FROM ledger_conversation
    WHERE scope_id = ANY (%(scopes)s) AND ledger_names_in(external_id || ' ' || title, %(any_case)s, %(exact)s) ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class FoundSource:
    id: int
    sender: str
    sent_at: dt.datetime | None
    excerpt: str
    purged: bool


@dataclass(frozen=True, slots=True)
class FoundTrusted:
    """A value that a person typed; while it is `current` they alone take it back."""

    id: int
    ref: str
    key: str
    statement: str
    status: str


@dataclass(frozen=True, slots=True)
class ErasureList:
    """`said` are somebody's own texts, `mentions` others' texts that name them, `doubtful` those that hold a short alias of theirs,
    which may be anybody's. `claims` rest on these texts or name them. `elsewhere` are their entries in scopes above."""

    names: tuple[str, ...]
    patterns: NamePatterns
    said: list[FoundSource] = field(default_factory=list)
    mentions: list[FoundSource] = field(default_factory=list)
    doubtful: list[FoundSource] = field(default_factory=list)
    claims: list[tuple[int, str, str]] = field(default_factory=list)
    people: list[tuple[int, str]] = field(default_factory=list)
    conversations: list[tuple[int, str]] = field(default_factory=list)
    trusted: list[FoundTrusted] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        found = (self.said, self.mentions, self.doubtful, self.claims, self.people, self.conversations, self.trusted)
        return not any(found)

    @property
    def still_trusted(self) -> list[FoundTrusted]:
        return [one for one in self.trusted if one.status == "current"]

    def left(self) -> list[str]:
        """In words, what stays."""
        told = [
            f"{one.ref}, a trusted value with these words: retract or reword it, then erase again"
            for one in self.still_trusted
        ]
        return [*told, *(f"the entry in {path}, which another owner keeps" for path in self.elsewhere), *ALWAYS_LEFT]


def scopes_below(scope: Scope) -> list[int]:
    return list(Scope.objects.filter(below(scope.path)).order_by("pk").values_list("pk", flat=True))


def erasure_of_person(scope: Scope, name: str) -> ErasureList:
    """All in this scope and below it that is of somebody, or names them, by their name or any other that is noted of them."""
    scopes = scopes_below(scope)
    known = _people_called(Person.objects.all(), name)
    people = list(known.filter(scope__in=scopes))
    full = {name, *(one.name for one in people)}
    aliases = {alias for one in people for alias in one.aliases}
    aliases |= {str(one.telegram_id) for one in people if one.telegram_id is not None}
    aliases |= {account.partition(":")[2] for one in people for account in one.accounts}
    patterns = patterns_of(full, aliases)
    lowered = [one.strip().lower() for one in full | aliases]
    by_sender = Source.objects.filter(scope__in=scopes).annotate(lowered=Lower("sender")).filter(lowered__in=lowered)
    said = list(by_sender.order_by("pk").values_list("pk", flat=True))
    params = {"scopes": scopes, "said": said, "shown": SHOWN, **_params(patterns)}
    mentions = [row for (row,) in fetch_rows(_MENTIONS, params)]
    doubt = params | {"said": [*said, *mentions], "any_case": [], "exact": list(patterns.doubtful)}
    doubtful = [row for (row,) in fetch_rows(_MENTIONS, doubt)] if patterns.doubtful else []
    above = (
        known.exclude(scope__in=scopes)
        .filter(scope__path__in=ancestor_paths(scope.path)[:-1])
        .values_list("scope__path", flat=True)
    )
    return ErasureList(
        tuple(sorted(full | aliases)),
        patterns,
        said=_sources(said),
        mentions=_sources(mentions),
        doubtful=_sources(doubtful),
        claims=_claims(scopes, [*said, *mentions], patterns),
        people=[(one.pk, one.name) for one in people],
        conversations=[(pk, words) for pk, words in fetch_rows(_CONVERSATIONS, params)],
        trusted=_trusted(scopes, [*said, *mentions], patterns),
        elsewhere=sorted(above),
    )


def erasure_of_source(source: Source) -> ErasureList:
    """One text, what rests on it, and the trusted values that cite what does."""
    nobody = patterns_of([])
    scopes = [source.scope_id]
    return ErasureList(
        (), nobody,
        said=_sources([source.pk]),
        claims=_claims(scopes, [source.pk], nobody),
        trusted=_trusted(scopes, [source.pk], nobody),
    )  # fmt: skip


def claims_naming(scopes: Sequence[int], patterns: NamePatterns) -> list[int]:
    """The claims that still name somebody, once the texts are gone."""
    return [pk for pk, _, _ in _claims(scopes, [], patterns)]


def _people_called(rows: QuerySet[Person], name: str) -> QuerySet[Person]:
    called = name.strip().lower()
    matching = fetch_rows(
        "SELECT id FROM ledger_person WHERE lower(name) = %s OR EXISTS"
        " (SELECT FROM unnest(aliases) alias WHERE lower(alias) = %s)",
        [called, called],
    )
    return rows.filter(pk__in=[pk for (pk,) in matching]).select_related("scope").order_by("pk")


def _params(patterns: NamePatterns) -> dict[str, list[str]]:
    return {"any_case": list(patterns.any_case), "exact": list(patterns.exact)}


def _claims(scopes: Sequence[int], sources: Sequence[int], patterns: NamePatterns) -> list[tuple[int, str, str]]:
    params = {"scopes": list(scopes), "sources": list(sources), "shown": SHOWN, **_params(patterns)}
    return [(pk, ref, words) for pk, ref, words in fetch_rows(_CLAIMS, params)]


def _trusted(scopes: Sequence[int], sources: Sequence[int], patterns: NamePatterns) -> list[FoundTrusted]:
    params = {"scopes": list(scopes), "sources": list(sources), "shown": SHOWN, **_params(patterns)}
    return [FoundTrusted(*row) for row in fetch_rows(_TRUSTED, params)]


def _sources(ids: Collection[int]) -> list[FoundSource]:
    rows = fetch_rows(
        "SELECT id, sender, sent_at, left(text, %s), purged_at IS NOT NULL, secrets FROM ledger_source"
        " WHERE id = ANY (%s) ORDER BY id",
        [SHOWN, list(ids)],
    )
    return [
        FoundSource(pk, sender, sent_at, masked(words, json.loads(secrets)), purged)
        for pk, sender, sent_at, words, purged, secrets in rows
    ]
