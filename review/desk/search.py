"""One search over everything: what was said, proposed, held and contradicted; places, people, pages and actions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from django.db.models import Q
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from ledger.language.scripts import holds_runs
from ledger.language.words import stem
from ledger.models import Claim, Conflict, Person, TrustedState
from ledger.reads.claims import REF, claim_rows
from ledger.reads.scopes import visible
from ledger.recall.find import Question, find_claims, find_trusted, read_question
from ledger.recall.snippets import best_window, passages
from ledger.recall.turns import find_sources
from ledger.rules.columns import UNSTORABLE
from ledger.rules.permissions import Access
from review.desk.fields import value_text
from review.desk.highlight import SOUGHT, LitSpan, highlight
from review.desk.pages import pages_named

MAX_OF_A_GROUP: Final = 6
MAX_SIDE: Final = 90
# Each group of claims, its statuses, and the list that shows all of them.
CLAIMS: Final = (
    ("What holds", ("active",), "/entities?"),
    ("What waits", ("pending", "deferred"), "/?"),
    ("What was turned down, or held once",
     ("rejected", "expired", "merged", "superseded", "archived", "graduated", "withdrawn"), ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """One answer: where it leads, what it says with the words that were looked for lit, and what tells it from others."""

    url: str
    words: SafeString | str
    kind: str = ""
    ref: str = ""
    status: str = ""
    value: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """Answers of one sort, the likeliest first; `more` is the list that has all of them, where there are more."""

    name: str
    results: tuple[Result, ...]
    more: str = ""


def find_everything(q: str, access: Access, *, staff: bool = False) -> list[ResultGroup]:
    """What answers `q` of all that its reader sees, the groups in the order of their weight. A fixed number of queries."""
    q = q.strip()
    if UNSTORABLE.search(q):
        return []
    if not q:
        return [ResultGroup("Go to", _pages("", staff))]
    scopes = list(visible(access).order_by().values_list("pk", flat=True))
    question = read_question(q)
    trusted = find_trusted(question, scopes).order[:MAX_OF_A_GROUP]
    claims = [find_claims(question, scopes, statuses=statuses).order for _, statuses, _ in CLAIMS]
    said = find_sources(question, scopes).order
    named = [ResultGroup("Named so", tuple(_named(q, scopes))), ResultGroup("Go to", _pages(q, staff))]
    groups = [
        ResultGroup("Trusted values", tuple(_trusted(trusted, question))),
        *_claims(claims, question),
        ResultGroup("Conflicts", tuple(_conflicts(claims[0], trusted))),
        ResultGroup("What was said", tuple(_sources(said, question)), _more(said, f"/sources?{urlencode({'q': q})}")),
        ResultGroup("Scopes", tuple(_scopes(q, access))),
        ResultGroup("People", tuple(_people(q, scopes))),
    ]
    # What says all that was asked comes before what says a part of it, in a group and among the groups.
    in_part = partial(_says_a_part, words=question.sought)
    groups = [replace(group, results=tuple(sorted(group.results, key=in_part))) for group in groups if group.results]
    groups.sort(key=lambda group: in_part(group.results[0]))
    return [*(group for group in named if group.results), *groups]


def _says_a_part(result: Result, words: Sequence[str]) -> bool:
    return not all(re.search(_root(word), strip_tags(result.words), re.I) for word in words)


def _more(found: Sequence[int], url: str) -> str:
    return url if len(found) > MAX_OF_A_GROUP else ""


def _pages(q: str, staff: bool) -> tuple[Result, ...]:
    return tuple(
        Result(one.url, one.name, kind=one.sort if one.sort != "page" else "")
        for one in pages_named(q, staff=staff)[:MAX_OF_A_GROUP]
    )


def _named(q: str, scopes: Sequence[int]) -> Iterable[Result]:
    """The row whose ref was typed."""
    if not REF.fullmatch(q):
        return
    ref = q.upper()
    for claim in claim_rows().filter(ref=ref, scope__in=scopes):
        yield _claim_result(claim, [])
    for row in TrustedState.objects.filter(ref=ref, scope__in=scopes).select_related("scope"):
        yield _trusted_result(row, [])


def _trusted(ids: Sequence[int], question: Question) -> Iterable[Result]:
    rows = TrustedState.objects.select_related("scope").in_bulk(ids)
    return [_trusted_result(rows[pk], question.sought) for pk in ids if pk in rows]


def _trusted_result(row: TrustedState, words: Sequence[str]) -> Result:
    return Result(
        reverse("trusted", args=[row.ref]), lit_words(row.statement, words), kind=row.key, ref=row.ref,
        status="trusted" if row.status == "current" else row.status, value=value_text(row.value), scope=row.scope.path,
    )  # fmt: skip


def _claims(found: Sequence[Sequence[int]], question: Question) -> Iterable[ResultGroup]:
    """One query for the rows of all groups."""
    wanted = [pk for order in found for pk in order[:MAX_OF_A_GROUP]]
    rows = {row.pk: row for row in claim_rows().filter(pk__in=wanted)}
    asked = urlencode({"q": question.text})
    for (name, _, url), order in zip(CLAIMS, found, strict=True):
        shown = [_claim_result(rows[pk], question.sought) for pk in order[:MAX_OF_A_GROUP] if pk in rows]
        yield ResultGroup(name, tuple(shown), _more(order, url + asked) if url else "")


def _claim_result(claim: Claim, words: Sequence[str]) -> Result:
    return Result(
        reverse("candidate", args=[claim.ref]), lit_words(claim.told, words), kind=claim.kind_id, ref=claim.ref,
        status=claim.status, value=value_text(claim.value), scope=claim.scope.path,
    )  # fmt: skip


def _conflicts(claims: Sequence[int], trusted: Sequence[int]) -> Iterable[Result]:
    """Where what was found takes part in one, the open ones first."""
    either = Q(members__claim__in=claims[:MAX_OF_A_GROUP]) | Q(members__trusted__in=trusted)
    found = Conflict.objects.filter(either).select_related("scope").distinct().order_by("-id")
    rows = found.prefetch_related("members__claim", "members__trusted")[: 2 * MAX_OF_A_GROUP]
    for row in sorted(rows, key=lambda one: one.status != "open")[:MAX_OF_A_GROUP]:
        sides = [member.claim or member.trusted for member in row.members.all()]
        words = " ⇄ ".join(Truncator(side.told).chars(MAX_SIDE) for side in sides if side)
        address = reverse("conflict", args=[row.pk])
        yield Result(address, words, kind=f"conflict {row.pk}", status=row.status, scope=row.scope.path)


def _sources(ids: Sequence[int], question: Question) -> Iterable[Result]:
    for found in passages(ids[:MAX_OF_A_GROUP], question.sought):
        cited, source = found.cited, found.source
        address = f"{reverse('source', args=[source.pk])}?from={cited.start}&lit={cited.start}-{cited.end}#sought"
        title = source.sender or source.title or source.kind
        yield Result(address, lit_words(found.quote, question.sought), kind=title, scope=source.scope.path)


def _scopes(q: str, access: Access) -> Iterable[Result]:
    for path in (
        visible(access).filter(path__icontains=q).order_by("path").values_list("path", flat=True)[:MAX_OF_A_GROUP]
    ):
        yield Result(reverse("scope", args=[path]), path, kind="scope")


def _people(q: str, scopes: Sequence[int]) -> Iterable[Result]:
    """Each leads to what they said."""
    named = Person.objects.filter(Q(name__icontains=q) | Q(aliases__contains=[q]), scope__in=scopes)
    for person in named.select_related("scope").order_by("name", "pk")[:MAX_OF_A_GROUP]:
        asked = urlencode({"sender": person.name, "scope": person.scope.path})
        yield Result(f"/sources?{asked}", person.name, kind=person.role or "person", scope=person.scope.path)


def lit_words(text: str, words: Sequence[str]) -> SafeString:
    """The part of a text that holds most of the words, those of it lit."""
    start, end = best_window(text, words)
    roots = "|".join(map(_root, words))
    spans = [LitSpan(*found.span(), 0, SOUGHT) for found in re.finditer(roots, text, re.I)] if roots else []
    return highlight(text, spans, start=start, end=end, attribute="data-sought")


def _root(word: str) -> str:
    """A pattern for the forms of a word."""
    return re.escape(word) if holds_runs(word) else rf"(?<!\w){re.escape(stem(word))}\w*+"
