"""Where recall looks, and the rows it could show: the newest of each kind, what the question finds, what held at another time."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from ledger.errors import Invalid
from ledger.models import Claim, Scope, Section, TrustedState
from ledger.reads.as_of import claims_as_of, trusted_as_of
from ledger.reads.claims import claim_rows
from ledger.reads.scopes import ancestor_paths, below, scope_at
from ledger.reads.sql import fetch_column
from ledger.recall.filters import ANY_WORDS, Clocks, WordsFilter
from ledger.rules.permissions import Access

NORMS = ("constraint", "commitment")
MAX_NORMS = 200
MAX_OF_A_KIND = 30
MAX_FOUND = 300
MAX_TRUSTED = 300
MAX_TROUBLE = 2_000
SOURCE_REF = re.compile(r"source:[1-9][0-9]{0,17}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScopeChain:
    """Live rows of a scope and of all above it are readable from the scope; on request what lies below is looked at too.

    `distance` maps scope ids to steps: 0 here, 1 the parent, …; what lies below counts as here. `chain` is the scope
    and those above; `own` those of all whose sources and candidates the reader may see.
    """

    scope: Scope
    access: Access
    distance: dict[int, int]
    chain: tuple[int, ...]
    own: tuple[int, ...]

    @property
    def ids(self) -> list[int]:
        return list(self.distance)


def scope_chain(path: str, access: Access, *, descend: bool = False) -> ScopeChain:
    """Two queries. Raises `NotFound` out of sight, `Forbidden` in sight without the right to read."""
    scope = scope_at(path, access)
    steps = {above: at for at, above in enumerate(reversed(ancestor_paths(scope.path)))}
    wanted = Q(path__in=steps) | below(scope.path) if descend else Q(path__in=steps)
    paths = dict(Scope.objects.filter(wanted).order_by("path").values_list("pk", "path"))
    readable = access.readable(paths.values())
    return ScopeChain(
        scope,
        access,
        {pk: steps.get(row, 0) for pk, row in paths.items()},
        tuple(pk for pk, row in paths.items() if row in steps),
        tuple(pk for pk, row in paths.items() if row in readable),
    )


def newest_ids(where: ScopeChain, kinds: Sequence[str], *, most: int, words: WordsFilter = ANY_WORDS) -> list[int]:
    """The newest live rows of each scope of the chain and each kind: one index probe each, nothing sorted."""
    return fetch_column(
        "SELECT m.id FROM unnest(%(scopes)s::bigint[]) AS s(id) CROSS JOIN unnest(%(kinds)s::text[]) AS k(name) CROSS JOIN LATERAL"  # noqa: S608
        f" (SELECT c.id FROM ledger_claim c WHERE c.scope_id = s.id AND c.kind = k.name AND c.status = 'active'{words.on_claim}"
        " ORDER BY c.id DESC LIMIT %(most)s) AS m",
        {"scopes": list(where.chain), "kinds": list(kinds), "most": most, **words.params},
    )


def pending_ids(where: ScopeChain, *, most: int, kinds: Sequence[str], words: WordsFilter) -> list[int]:
    """The highest-ranked candidates of the scope itself; those of other scopes are not this reader's to see."""
    of_kinds = " AND c.kind = ANY(%(kinds)s)" if kinds else ""
    return fetch_column(
        f"SELECT c.id FROM ledger_claim c WHERE c.scope_id = %(scope)s AND c.status = 'pending'{of_kinds}{words.on_claim}"  # noqa: S608
        " ORDER BY c.rank DESC, c.id DESC LIMIT %(most)s",
        {"scope": where.scope.pk, "kinds": list(kinds), "most": most, **words.params},
    )


def of_words(ids: Iterable[int], words: WordsFilter) -> set[int]:
    """Those of the claims that rest on such words."""
    return set(
        fetch_column(
            f"SELECT c.id FROM ledger_claim c WHERE c.id = ANY(%(ids)s){words.on_claim}",  # noqa: S608
            {"ids": list(ids), **words.params},
        )
    )


def claims_now(ids: Iterable[int]) -> list[Claim]:
    """Without what has ended, and what has not begun."""
    now = timezone.now()
    rows = claim_rows().filter(pk__in=set(ids)).defer("proposed", "anchors_to_choose", "summary")
    begun = Q(valid_from=None) | Q(valid_from__lte=now)
    return list(rows.filter(begun, Q(valid_to=None) | Q(valid_to__gt=now)))


def claims_then(clocks: Clocks, scope_ids: Sequence[int]) -> list[Claim]:
    """All of these scopes that held at a time."""
    scopes = list(Scope.objects.filter(pk__in=scope_ids))
    return claims_as_of(scopes, as_of=clocks.as_of, believed_at=clocks.believed_at)


def trusted_then(clocks: Clocks, scope_ids: Sequence[int]) -> list[TrustedState]:
    return trusted_as_of(list(Scope.objects.filter(pk__in=scope_ids)), at=clocks.earliest)


def trusted_of(
    where: ScopeChain, found: Sequence[int], clocks: Clocks, words: WordsFilter = ANY_WORDS
) -> list[TrustedState]:
    """Trusted values of the chain: those the question finds and the newest others; at a time, those that held then."""
    if clocks.turned_back:
        return [row for row in trusted_then(clocks, where.chain) if words.includes(row.at)][-MAX_TRUSTED:]
    rows = TrustedState.objects.filter(scope__in=where.chain, status="current").select_related("scope").order_by("-pk")
    said = [("at__gte", words.since), ("at__lt", words.until)]
    newest = list(rows.filter(**{name: moment for name, moment in said if moment})[:MAX_TRUSTED])
    return newest + list(rows.filter(pk__in=set(found) - {row.pk for row in newest}))


def last_tool_output(where: ScopeChain, conversation: str) -> str:
    """The last words of a tool in a conversation of this scope; empty where there are none."""
    said = Section.objects.filter(
        source__scope=where.scope,
        source__conversation__external_id=conversation,
        speaker="tool",
        source__purged_at=None,
    )
    section = said.select_related("source").order_by("-source__position", "-source_id", "-start").first()
    if section is None:
        return ""
    return section.source.text[section.start : min(section.end, section.start + MAX_TROUBLE)]


def check_refs(refs: Sequence[str], scope: Scope, access: Access) -> None:
    """Whether what a caller says it was shown can have been: rows in its sight. Two queries. Raises `Invalid` naming the first
    ref (`refs.2`) that does not exist or is out of sight."""
    wanted = {at: ref for at, ref in enumerate(refs) if not SOURCE_REF.fullmatch(ref)}
    paths = dict(Claim.objects.filter(ref__in=wanted.values()).values_list("ref", "scope__path"))
    paths |= dict(TrustedState.objects.filter(ref__in=wanted.values()).values_list("ref", "scope__path"))
    shown = {*ancestor_paths(scope.path), *access.readable(paths.values())}
    for at, ref in wanted.items():
        if paths.get(ref) not in shown:
            raise Invalid(f"no row {ref[:40]!r} in sight", field=f"refs.{at}")
