"""The queue read as a list: orders, filters, cursors, and a fixed number of queries whatever the length of the page."""

import pytest
from django.db import connection

from ledger.actions.anchoring import find_quotes
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.actions.propose import Draft, propose_all
from ledger.actions.scope import create_scope
from ledger.actor import operator
from ledger.errors import Invalid, NotFound
from ledger.models import Claim, Scope
from ledger.reads.queue.listing import ClaimFilter, claims_page
from ledger.rules.permissions import Access
from review.api.shapes import candidate_shapes

pytestmark = pytest.mark.django_db
OPERATOR = operator("Alice")
EVERYTHING = OPERATOR.access


def lines(scope: Scope, words: list[str], **columns) -> list[Claim]:
    """One source whose lines are proposed as facts, with falling confidence."""
    (received,) = ingest([Incoming("\n".join(words) + "\n", title="Notes")], scope=scope, actor=OPERATOR)
    drafts = []
    for at, line in enumerate(words):
        quote, _ = find_quotes(received.source, line, start=None, end=None)
        assert quote is not None
        drafts.append(Draft(kind="fact", statement=line, quotes=(quote,), confidence=0.9 - at * 0.001, **columns))
    answers = propose_all(drafts, scope=scope, actor=OPERATOR)
    return [answer.claim for answer in answers if answer.claim]


def walk(access: Access, wanted: ClaimFilter, **how) -> list[int]:
    """Every id, page by page."""
    found, cursor = [], None
    while True:
        page = claims_page(access, wanted, cursor=cursor, **how)
        found += [claim.pk for claim in page.items]
        cursor = page.next
        if cursor is None:
            return found


@pytest.fixture
def studio() -> Scope:
    create_scope("studio", tier="domain", actor=OPERATOR)
    return create_scope("studio/backdrop", tier="project", actor=OPERATOR)


@pytest.mark.parametrize("order", ["rank", "age", "risk", "newest"])
def test_every_order_lists_each_row_once_over_many_scopes(studio, order):
    other = create_scope("kitchen", tier="domain", actor=OPERATOR)
    rows = lines(studio, [f"Panel {n} is {n} mm thick" for n in range(12)])
    rows += lines(other, [f"Jar {n} holds {n} grams" for n in range(9)])
    Claim.objects.filter(pk__in=[row.pk for row in rows[::5]]).update(high_risk=True)
    ids = walk(EVERYTHING, ClaimFilter(), order=order, limit=4)
    key = {
        "rank": lambda c: (-c.rank, -c.pk), "age": lambda c: c.pk, "newest": lambda c: -c.pk,
        "risk": lambda c: (not c.high_risk, -c.rank, -c.pk),
    }[order]  # fmt: skip
    assert ids == [claim.pk for claim in sorted(Claim.objects.all(), key=key)]


def test_a_scope_lists_itself_and_on_request_what_lies_below(studio):
    above = lines(Scope.objects.get(path="studio"), ["Rent is due on Monday"])
    below = lines(studio, ["The frame is steel"])
    assert walk(EVERYTHING, ClaimFilter(), scope="studio") == [above[0].pk]
    assert set(walk(EVERYTHING, ClaimFilter(), scope="studio", descend=True)) == {above[0].pk, below[0].pk}


def test_out_of_sight_is_not_there(studio):
    lines(studio, ["The frame is steel"])
    outsider = Access(roles={"kitchen": "owner"})
    assert walk(outsider, ClaimFilter()) == []
    with pytest.raises(NotFound):
        claims_page(outsider, ClaimFilter(), scope="studio/backdrop")


def test_filters(studio):
    first, second, third = lines(studio, ["The frame is steel", "The curtain is velvet", "The lamp is bright"])
    Claim.objects.filter(pk=first.pk).update(needs_review=True, high_risk=True)
    promote(third, actor=OPERATOR)
    source = first.evidence.get().source_id
    assert walk(EVERYTHING, ClaimFilter(needs_review=True)) == [first.pk]
    assert walk(EVERYTHING, ClaimFilter(high_risk=False)) == [second.pk]
    assert walk(EVERYTHING, ClaimFilter(status="active")) == [third.pk]
    assert walk(EVERYTHING, ClaimFilter(min_confidence=0.8995)) == [first.pk]
    assert walk(EVERYTHING, ClaimFilter(source=source)) == [first.pk, second.pk]
    assert walk(EVERYTHING, ClaimFilter(source=source + 1)) == []
    assert walk(EVERYTHING, ClaimFilter(kind="decision")) == []
    assert walk(EVERYTHING, ClaimFilter(wave=4)) == []


def test_search_by_words_by_part_of_a_word_and_by_ref(studio):
    frame, curtain, _ = lines(studio, ["The frames are steel", "The curtain is velvet", "100% wool_blend"])
    assert walk(EVERYTHING, ClaimFilter(q="frame")) == [frame.pk]
    assert walk(EVERYTHING, ClaimFilter(q="velv")) == [curtain.pk]
    assert walk(EVERYTHING, ClaimFilter(q=curtain.ref.lower())) == [curtain.pk]
    assert walk(EVERYTHING, ClaimFilter(q="curtan is velvet")) == [curtain.pk]
    assert walk(EVERYTHING, ClaimFilter(q="0% wool_")) != []
    assert walk(EVERYTHING, ClaimFilter(q="%")) != [frame.pk, curtain.pk]
    assert walk(EVERYTHING, ClaimFilter(q="zebra")) == []
    assert claims_page(EVERYTHING, ClaimFilter(q="velv"), count=True).total == 1


def test_bad_questions_are_refused_by_name(studio):
    for wanted, how, field in [
        (ClaimFilter(status="nope"), {}, "status"),
        (ClaimFilter(q="\0"), {}, "q"),
        (ClaimFilter(kind="\ud800"), {}, "kind"),
        (ClaimFilter(run=2**70), {}, "run"),
        (ClaimFilter(), {"limit": 201}, "limit"),
        (ClaimFilter(), {"order": "random"}, "order"),
        (ClaimFilter(), {"cursor": "!!"}, "cursor"),
        (ClaimFilter(), {"cursor": "WzFd"}, "cursor"),
    ]:
        with pytest.raises(Invalid) as refused:
            claims_page(EVERYTHING, wanted, **how)
        assert refused.value.field == field


def test_a_cursor_of_another_order_is_refused(studio):
    lines(studio, ["The frame is steel", "The curtain is velvet"])
    page = claims_page(EVERYTHING, ClaimFilter(), limit=1, order="age")
    with pytest.raises(Invalid):
        claims_page(EVERYTHING, ClaimFilter(), limit=1, order="newest", cursor=page.next)


@pytest.mark.parametrize("length", [10, 100])
def test_a_page_costs_the_same_queries_whatever_its_length(studio, django_assert_num_queries, length):
    lines(studio, [f"Panel {n} is {n} mm thick" for n in range(100)], key="panel")
    promote(Claim.objects.order_by("pk").first(), actor=OPERATOR)
    # The page and its scopes, the evidence, and three for all the previews.
    with django_assert_num_queries(7):
        page = claims_page(EVERYTHING, ClaimFilter(), limit=length)
        shapes = candidate_shapes(page.items, EVERYTHING)
    assert len(shapes) == min(length, 99)
    assert all(shape["preview"]["outcome"] == "conflict" and shape["evidence"] for shape in shapes)


def test_a_page_is_found_through_the_order_s_own_index(studio):
    lines(studio, ["The frame is steel"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        cursor.execute(
            "EXPLAIN SELECT id FROM ledger_claim c WHERE c.scope_id = %s AND c.status = 'pending'"
            " AND (c.rank, c.id) < (0.5::float8, 7::bigint) ORDER BY c.rank DESC, c.id DESC LIMIT 50",
            [studio.pk],
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "queue_by_rank" in plan and "Sort" not in plan
