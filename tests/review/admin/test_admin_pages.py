"""Every noun has a list and a page; none can be written or deleted from a plain form; pages keep their query counts."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger.actions.propose import Draft, propose_all
from ledger.models import Claim, JournalChange, JournalEvent, Kind, Member, Pack, Scope
from review.admin.base import LedgerAdmin
from tests.people import make_scope, quote_of, tell
from tests.review.admin.conftest import fill, signed_in, staff_of

MODELS = sorted(
    (model for model, it in admin.site._registry.items() if isinstance(it, LedgerAdmin)),
    key=lambda m: m._meta.model_name,
)
NAMES = [model._meta.model_name for model in MODELS]
# Shown on the page of the row they belong to.
ON_ANOTHER_PAGE = {"journalchange", "conflictmember", "approval", "blockline", "blockrevision", "erasure"}
ON_ANOTHER_PAGE |= {"handover", "keptapart", "mention", "agreementsample", "blindanswer"}
# Figures that are counted anew at will, one person's own working state, and who reads a scope from elsewhere (its own screens).
IN_NO_PAGE = {"tally", "tallymark", "utility", "digest", "decisiontime", "savedview", "seen", "browsersession"}
IN_NO_PAGE |= {"appcode", "passkey", "chatcode"}
IN_NO_PAGE |= {"presence", "mentionmark", "chatlink", "chatpost", "chatupdate"}
IN_NO_PAGE |= {"calendarfeed", "webhook", "webhookdelivery"}
# What belongs to no scope.
FOR_SUPERUSERS = {"idempotencyrecord", "evaluation"}
ADDABLE = {"scope", "trustedstate", "person"}


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_every_noun_is_in_the_admin():
    nouns = {m._meta.model_name for label in ("ledger", "review") for m in apps.get_app_config(label).get_models()}
    assert set(NAMES) | ON_ANOTHER_PAGE | IN_NO_PAGE >= nouns


def test_every_list_and_every_page_answers(people):
    fill(people, 2)
    for name in ("root", "alice"):
        client = signed_in(name)
        for model in MODELS:
            if name != "root" and model._meta.model_name in FOR_SUPERUSERS:
                assert client.get(address(model, "changelist")).status_code == 403
                continue
            answer = client.get(address(model, "changelist"))
            assert answer.status_code == 200, (name, model)
            assert answer.context["cl"].result_list, (name, model)
            row = answer.context["cl"].result_list[0]
            page = client.get(address(model, "change", row.pk))
            assert page.status_code == 200, (name, model)
            assert b'name="_save"' not in page.content, (name, model)
            searched = client.get(address(model, "changelist"), {"q": "beam"})
            assert searched.status_code == 200, (name, model)


def test_nothing_is_written_from_a_plain_form(people):
    fill(people, 1)
    client = signed_in("root")
    events = JournalEvent.objects.count()
    for model in MODELS:
        row = model._default_manager.order_by("pk").last()
        before = model._default_manager.count()
        for page in [
            ("change", row.pk),
            ("delete", row.pk),
            *([("add",)] if model._meta.model_name not in ADDABLE else []),
        ]:
            sent = {"statement": "x", "_save": "Save", "post": "yes"}
            assert client.post(address(model, *page), sent).status_code == 403, (model, page)
        picked = {"action": "delete_selected", "index": 0, "_selected_action": [row.pk], "post": "yes"}
        client.post(address(model, "changelist"), picked)
        assert model._default_manager.count() == before, model
        assert JournalEvent.objects.count() == events, model


def test_lists_ask_as_many_queries_for_ten_rows_as_for_sixty(people):
    clients = {name: signed_in(name) for name in ("root", "bob")}
    pages = [
        (client, address(model, "changelist"))
        for name, client in clients.items()
        for model in MODELS
        if name == "root" or model._meta.model_name not in FOR_SUPERUSERS
    ]
    fill(people, 10)
    few = [count_queries(*page) for page in pages]
    fill(people, 42, "b")
    for n in range(52):
        make_scope(f"lab/part{n}", tier="item", parent=people.scope)
    for page, asked in zip(pages, few, strict=True):
        # One more where the list no longer fits on a page: the planner's estimate of its size.
        assert count_queries(*page) <= asked + 1, page[1]


def test_a_claim_s_page_asks_as_many_queries_with_much_history_as_with_little(people):
    from ledger.actions.decide import defer, reopen

    fill(people, 2)
    claim = Claim.objects.filter(status="pending").first()
    client = signed_in("bob")
    few = count_queries(client, address(Claim, "change", claim.pk))
    for _ in range(6):
        defer(claim, actor=people.bob)
        reopen(claim, actor=people.bob)
    assert count_queries(client, address(Claim, "change", claim.pk)) == few


def count_queries(client, url):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(url).status_code == 200
    assert not [q["sql"] for q in queries if "count(*)" in q["sql"].lower()], url
    return len(queries)


def test_pages_turn_both_ways_and_list_each_row_once(people):
    told = tell(people.scope, people.bob, "All the beams were weighed")
    drafts = [
        Draft(kind="fact", statement=f"beam {n} weighs {n} kg", key=f"beam-{n}", quotes=(quote_of(told),))
        for n in range(112)
    ]
    propose_all(drafts, scope=people.scope, actor=people.bob)
    assert Claim.objects.count() == 112
    client = signed_in("root")
    url = address(Claim, "changelist")
    pages, link = [], ""
    while True:
        cl = client.get(url + link).context["cl"]
        pages.append([row.pk for row in cl.result_list])
        link = cl.next_url
        if not link:
            break
    ids = [pk for page in pages for pk in page]
    assert ids == sorted(Claim.objects.values_list("pk", flat=True), reverse=True)
    back = client.get(url + cl.previous_url).context["cl"]
    assert [row.pk for row in back.result_list] == pages[-2]
    last = client.get(url + "?p=before:").context["cl"]
    assert [row.pk for row in last.result_list] == ids[-50:]
    assert not last.next_url
    assert cl.first_url == "?"


def test_small_lists_are_ordered_by_name(people):
    make_scope("attic")
    cl = signed_in("root").get(address(Scope, "changelist")).context["cl"]
    assert [row.path for row in cl.result_list] == ["attic", "global", "lab"]
    assert Kind.objects.count() == len(signed_in("root").get(address(Kind, "changelist")).context["cl"].result_list)


STRANGE = [
    ("?p=after:x", 302), ("?p=after:", 200), ("?p=sideways:7", 200), ("?q=%00", 302), ("?status__exact=%00", 302),
    ("?statement__iregex=(a", 400), ("?statement__icontains=a", 400), ("?scope=x", 200), ("?scope=99999999999999999999", 200),
    ("?o=3", 200), ("?all=", 200), ("?nonsense=1", 302), ("?q=" + "x" * 600, 200), ("?kind__name__exact=none", 200),
    ("?p=after:99999999999999999999999", 200), ("?q=%F0%9F%98%80", 200), ('?q="unclosed', 200), ("?q=%25%5C", 200),
]  # fmt: skip


def test_strange_addresses_are_answered(people):
    fill(people, 1)
    client = signed_in("root")
    for query, status in STRANGE:
        assert client.get(address(Claim, "changelist") + query).status_code == status, query


def test_what_is_not_there_is_404(people):
    client = signed_in("root")
    for object_id in ("0", "x", "99999999999999999999999", "%00", "1%2F2"):
        for model in (Claim, Scope, Pack, Member, JournalEvent):
            page = address(model, "change", 1).replace("/1/", f"/{object_id}/")
            assert client.get(page).status_code in ((404,) if model is Claim else (404, 302)), page


def test_search_by_ref_by_words_and_by_a_word_mistyped(people):
    fill(people, 3)
    claim = Claim.objects.get(statement="the a1 beam weighs 1 kg")
    client = signed_in("bob")

    def found(term):
        return {row.pk for row in client.get(address(Claim, "changelist"), {"q": term}).context["cl"].result_list}

    assert found(claim.ref.lower()) == {claim.pk}
    assert claim.pk in found("beam weighs")
    assert found("beam -weighs") == set()
    assert claim.pk in found("beam weihgs") | found("weigh")


def test_filters_narrow_and_keep_each_other(people):
    fill(people, 2)
    other = make_scope("elsewhere")
    staff_of(other)
    client = signed_in("root")
    cl = client.get(address(Claim, "changelist"), {"status__exact": "active", "scope": people.scope.pk}).context["cl"]
    assert {row.status for row in cl.result_list} == {"active"}
    assert not client.get(address(Claim, "changelist"), {"scope": other.pk}).context["cl"].result_list
    page = client.get(address(Claim, "changelist"), {"status__exact": "active", "kind__name__exact": "fact"})
    assert b'<input type="hidden" name="status__exact" value="active">' in page.content


def test_a_filter_that_can_match_nothing_is_answered(people):
    fill(people, 1)
    url = address(Claim, "changelist")
    for query in ("?run__id__exact=99999999999999999999&status__exact=active", f"?scope={make_scope('attic').pk}"):
        assert signed_in("vera").get(url + query).context["cl"].result_list == []


def test_history_comes_from_the_journal(people):
    fill(people, 1)
    claim = Claim.objects.filter(status="active").first()
    page = signed_in("vera").get(address(Claim, "history", claim.pk))
    assert [one.event.verb for one in page.context["history"]] == ["dispute", "promote", "propose"]
    assert signed_in("vera").get(address(Pack, "history", Pack.objects.first().pk)).status_code == 404
    assert JournalChange.objects.filter(noun="claim", row=claim.pk).exists()


def test_no_page_carries_inline_script_or_style(people):
    fill(people, 1)
    client = signed_in("root")
    pages = [reverse("admin:index")]
    for model in MODELS:
        row = model._default_manager.order_by("pk").last()
        pages += [address(model, "changelist"), address(model, "change", row.pk)]
    mine = [address(Scope, "add"), reverse("admin:ledger_scope_settings", args=[people.scope.pk])]
    owner = signed_in("alice")
    for url in [*pages, *mine]:
        content = (owner if url in mine else client).get(url).content.decode()
        assert " style=" not in content, url
        assert "<style" not in content, url
        assert "<script>" not in content, url
        assert " onclick=" not in content, url


def test_the_front_page_tells_how_the_queue_fares_and_what_was_decided(people):
    fill(people, 3)
    page = signed_in("vera").get(reverse("admin:index")).content.decode()
    for name, figure in [
        ("pending", 3), ("failed", 3), ("queued", 0), ("conflicts", 0), ("came", 6), ("decided", 3),
    ]:  # fmt: skip
        assert f'data-health="{name}">{figure}<' in page, name
    assert "<strong>curate</strong>" in page and "What was proposed and waits for a person" in page
    nothing = signed_in("charlie").get(reverse("admin:index")).content.decode()
    assert 'data-health="pending">0<' in nothing
    assert "nothing waits" in nothing and "<strong>curate</strong>" not in nothing


def test_every_noun_has_its_place_on_the_front_page(people):
    listed = {m["object_name"] for app in admin.site.get_app_list(asked_by("root")) for m in app["models"] if m["help"]}
    assert listed == {model.__name__ for model in admin.site._registry}


def asked_by(name):
    request = RequestFactory().get("/admin/")
    request.user = User.objects.get(username=name)
    return request


def test_a_token_s_hash_is_shown_nowhere(people):
    fill(people, 1)
    client = signed_in("root")
    from review.models import AgentToken

    token = AgentToken.objects.get()
    for url in (address(AgentToken, "changelist"), address(AgentToken, "change", token.pk)):
        assert token.sha256 not in client.get(url).content.decode()
