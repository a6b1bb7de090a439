"""A long source with very many quotes: all true, none false, and not read from its start for each."""

import pytest
from django.db import DatabaseError, transaction

from ledger.actions.anchoring import evidence_row
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.propose import MAX_PLACES, Draft, propose_all
from ledger.models import Claim, Evidence, JournalEvent, Scope, Source
from ledger.rules.drafts import Quote
from tests.people import People

pytestmark = pytest.mark.usefixtures("as_web")
LINE = "Beschluß {} 🚀 steht\r\n"


def long_source(lab: Scope, people: People, lines: int) -> tuple[Source, list[Quote]]:
    parts = [LINE.format(n) for n in range(lines)]
    source = ingest([Incoming(text="".join(parts))], scope=lab, actor=people.bob)[0].source
    section = source.sections.get()
    quotes, at = [], 0
    for part in parts:
        quotes.append(Quote(source.pk, section.pk, "document", at, at + len(part) - 2, part[:-2]))
        at += len(part)
    return source, quotes


def drafts(quotes: list[Quote], statement: str = "") -> list[Draft]:
    return [Draft(kind="fact", statement=statement or quote.text, quotes=(quote,), confidence=0.7) for quote in quotes]


def test_a_thousand_quotes_of_one_source_are_kept_as_they_stand(lab: Scope, people: People) -> None:
    source, quotes = long_source(lab, people, 1000)
    answers = propose_all(drafts(quotes), scope=lab, actor=people.bob)
    assert {answer.fate for answer in answers} == {"written"}
    kept = Evidence.objects.filter(source=source).values_list("start", "end", "quote")
    assert len(kept) == 1000
    assert all(source.text[start:end] == quote for start, end, quote in kept)


@pytest.mark.parametrize("wrong", [0, 1, 500, 998, 999])
@pytest.mark.parametrize("shift", [-1, 1])
def test_one_false_quote_among_a_thousand_is_found(lab: Scope, people: People, wrong: int, shift: int) -> None:
    _, quotes = long_source(lab, people, 1000)
    claim = propose_all(drafts(quotes[:1]), scope=lab, actor=people.bob)[0].claim
    assert claim is not None
    rows = [evidence_row(claim, quote) for quote in quotes[1:]]
    one = rows[min(wrong, 998)]
    one.start, one.end = one.start + shift, one.end + shift
    with pytest.raises(DatabaseError, match="false evidence"), transaction.atomic():
        Evidence.objects.bulk_create(rows)


def test_a_long_quote_beside_short_ones(lab: Scope, people: People) -> None:
    source, quotes = long_source(lab, people, 600)
    first, last = quotes[100], quotes[-100]
    long = Quote(source.pk, first.section_id, "document", first.start, last.end, source.text[first.start : last.end])
    answers = propose_all(drafts([*quotes, long]), scope=lab, actor=people.bob)
    assert {answer.fate for answer in answers} == {"written"}


def test_what_is_said_a_thousand_times_is_cited_a_few_times(lab: Scope, people: People) -> None:
    _, quotes = long_source(lab, people, 1000)
    answers = propose_all(drafts(quotes, "It stands"), scope=lab, actor=people.bob)
    assert [answer.fate for answer in answers] == ["written"] + ["duplicate"] * 999
    claim = Claim.objects.get(statement="It stands")
    assert claim.evidence.count() == 1 + MAX_PLACES
    assert JournalEvent.objects.filter(verb="see_again", ref=claim.ref).count() == 1
