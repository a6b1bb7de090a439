"""Decisions are told to addresses that owners named: signed, in order, at least once, and never to anybody else."""

import base64
import datetime as dt
import hashlib
import hmac
import json
from typing import Any

import pytest
from django.utils import timezone

from ledger.actions.decide import reject
from ledger.actions.dispute import dispute
from ledger.actions.promote import promote
from ledger.actions.undo import undo
from ledger.actions.webhook import MAX_FAILING, add_webhook, change_webhook
from ledger.models import JournalEvent, Scope, Webhook, WebhookDelivery
from review.webhooks import deliver
from review.webhooks.deliver import deliver_waiting
from review.webhooks.signing import secret_of
from tests.ledger.conftest import role
from tests.people import candidate, tell
from tests.review.door import OPERATOR, House
from tests.review.hooks import Hook
from tests.review.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)


def told(hook: Hook) -> list[tuple[str, str]]:
    bodies = [json.loads(body) for _, body in hook.got]
    return [(body["type"], body["data"]["ref"]) for body in bodies]


def held(scope: Scope, words: str, **more: Any) -> Any:
    claim = candidate(scope, OPERATOR, words, **more)
    promote(claim, actor=OPERATOR)
    return claim


def added(house: House, url: str, **more: Any) -> dict[str, Any]:
    status, body = house.alice("POST", "/scope/webhooks", {"scope": "studio", "url": url, **more})
    assert status == 201, body
    return body


def test_every_decision_of_the_scope_and_below_is_told_once_in_order(house: House, hook: Hook) -> None:
    held(house.scope, "Said before there was anybody to tell")
    made = added(house, hook.url)
    oak = held(house.child, "The frame is oak", key="frame", value="oak")
    ash = candidate(house.child, OPERATOR, "The frame is ash", key="frame", value="ash")
    promote(ash, actor=OPERATOR, on_conflict="supersede")
    event = reject(candidate(house.scope, OPERATOR, "The frame is gold"), actor=OPERATOR)
    dispute(ash, source=tell(house.child, OPERATOR, "It is not ash"), quote="It is not ash", actor=OPERATOR)
    undo(event, actor=OPERATOR)
    held(house.elsewhere, "Nobody's business")
    with role("countersign_worker"):
        assert deliver_waiting() == 6
        assert deliver_waiting() == 0
    assert told(hook) == [
        ("promoted", oak.ref), ("promoted", ash.ref), ("superseded", oak.ref), ("rejected", event.ref), ("disputed", ash.ref),
        ("undone", event.ref),
    ]  # fmt: skip
    superseded = json.loads(hook.got[2][1])
    assert superseded["data"]["by"] == ash.ref and superseded["data"]["scope"] == "studio/backdrop"
    assert "statement" not in superseded["data"] and "oak" not in str(hook.got)
    ids = [headers["webhook-id"] for headers, _ in hook.got]
    assert len(set(ids)) == 6
    status, page = house.alice("GET", f"/scope/webhooks/{made['id']}/deliveries?limit=4&count=true")
    assert (status, page["total"], len(page["items"])) == (200, 6, 4)
    rest = house.alice("GET", f"/scope/webhooks/{made['id']}/deliveries?cursor={page['next']}")[1]
    assert [one["message"] for one in page["items"] + rest["items"]] == ids[::-1]
    assert all(one["delivered"] and one["attempt"] == 1 and one["status"] == 204 for one in page["items"])


def test_the_signature_is_that_of_standard_webhooks(house: House, hook: Hook) -> None:
    made = added(house, hook.url, words=True, verbs=["promoted"])
    claim = held(house.scope, "The frame is oak")
    deliver_waiting()
    headers, body = hook.got[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(made["secret"].removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    data = json.loads(body)["data"]
    assert (data["statement"], data["kind"], data["status"]) == ("The frame is oak", claim.kind_id, "active")
    assert made["secret"] not in str(list(Webhook.objects.values())) + str(list(JournalEvent.objects.values()))


def test_what_a_receiver_refuses_is_sent_again_later_and_later(house: House, hook: Hook) -> None:
    made = added(house, hook.url)
    for n in range(3):
        held(house.scope, f"Frame {n} is oak")
    hook.status = 500
    now = timezone.now()
    assert deliver_waiting(now=now) == 0 and len(hook.got) == 1
    row = Webhook.objects.get()
    assert (row.tries, row.retry_at, row.failing_since) == (1, now + dt.timedelta(seconds=5), now)
    assert deliver_waiting(now=now + dt.timedelta(seconds=4)) == 0 and len(hook.got) == 1
    assert deliver_waiting(now=now + dt.timedelta(seconds=6)) == 0 and len(hook.got) == 2
    assert Webhook.objects.get().retry_at == now + dt.timedelta(seconds=26)
    hook.status = 200
    assert deliver_waiting(now=now + dt.timedelta(seconds=27)) == 3
    row = Webhook.objects.get()
    assert (row.tries, row.retry_at, row.failing_since) == (0, None, None)
    assert len({headers["webhook-id"] for headers, _ in hook.got}) == 3 and len(hook.got) == 5
    tries = house.alice("GET", f"/scope/webhooks/{made['id']}/deliveries")[1]["items"]
    assert [(one["attempt"], one["delivered"], one["status"]) for one in tries[::-1]] == [
        (1, False, 500), (2, False, 500), (3, True, 200), (1, True, 200), (1, True, 200),
    ]  # fmt: skip


def test_a_worker_that_is_killed_loses_nothing(house: House, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the receiver had it and before that was noted: it comes again, under the same id."""
    added(house, hook.url)
    for n in range(2):
        held(house.scope, f"Frame {n} is oak")

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(deliver, "note_attempts", killed)
        deliver_waiting()
    assert len(hook.got) == 2 and not WebhookDelivery.objects.exists()
    assert deliver_waiting() == 2
    ids = [headers["webhook-id"] for headers, _ in hook.got]
    assert ids[:2] == ids[2:]


def test_more_than_one_round_holds(house: House, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody waits for an address that does not answer."""
    monkeypatch.setattr(deliver, "MAX_AT_ONCE", 2)
    monkeypatch.setattr("ledger.reads.webhooks.MAX_AT_ONCE", 2)
    added(house, "http://127.0.0.1:1/")
    added(house, hook.url)
    refs = [held(house.scope, f"Frame {n} is oak").ref for n in range(5)]
    assert deliver_waiting() == len(refs)
    assert [ref for _, ref in told(hook)] == refs
    broken = Webhook.objects.order_by("pk")[0]
    assert broken.tries == 1 and "did not answer" in broken.deliveries.get().error


def test_what_fails_for_days_is_turned_off_and_goes_on_where_it_stood(house: House, hook: Hook) -> None:
    made = added(house, hook.url)
    claim = held(house.scope, "The frame is oak")
    hook.status = 503
    now = timezone.now()
    deliver_waiting(now=now)
    with role("countersign_worker"):
        deliver_waiting(now=now + MAX_FAILING)
    assert Webhook.objects.get().status == "off"
    event = JournalEvent.objects.get(verb="stop_webhook")
    assert (event.actor_kind, event.scope) == ("system", house.scope) and "status 503" in event.reason
    hook.status, hook.got[:] = 200, []
    assert deliver_waiting(now=now + 2 * MAX_FAILING) == 0
    status, body = house.alice("PATCH", f"/scope/webhooks/{made['id']}", {"status": "on", "version": 2})
    assert (status, body["status"], body["retry_at"]) == (200, "on", None)
    assert deliver_waiting() == 1 and told(hook) == [("promoted", claim.ref)]


def test_a_receiver_that_is_gone_is_turned_off_at_once(house: House, hook: Hook) -> None:
    added(house, hook.url)
    held(house.scope, "The frame is oak")
    hook.status = 410
    deliver_waiting()
    assert Webhook.objects.get().status == "off"


def test_what_waits_can_be_skipped_and_what_is_removed_is_told_nothing(house: House, hook: Hook) -> None:
    made = added(house, hook.url)
    path = f"/scope/webhooks/{made['id']}"
    held(house.scope, "The frame is oak")
    assert house.alice("PATCH", path, {"skip": True})[0] == 200
    assert deliver_waiting() == 0
    second = held(house.scope, "The frame is ash")
    secret = house.alice("PATCH", path, {"new_secret": True, "verbs": ["promoted"], "words": True})[1]["secret"]
    assert secret == secret_of(Webhook.objects.get()) != made["secret"]
    assert deliver_waiting() == 1 and told(hook) == [("promoted", second.ref)]
    assert house.alice("DELETE", path)[1]["status"] == "removed"
    assert house.alice("GET", path)[0] == 404 and house.alice("GET", "/scope/webhooks?scope=studio")[1]["items"] == []
    held(house.scope, "The frame is elm")
    assert deliver_waiting() == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "https://[::1]:8000/"}, "url"),
        ({"url": "ftp://example.org/"}, "url"),
        ({"url": "https://example.org:25/"}, "url"),
        ({"url": "https://example.org/", "verbs": []}, "verbs"),
        ({"url": "https://example.org/", "verbs": ["sung"]}, "verbs.0"),
        ({"url": "https://example.org/", "verbs": ["promoted", "promoted"]}, "verbs.1"),
    ],
)
def test_what_is_refused_is_named(house: House, body: dict[str, Any], field: str) -> None:
    status, problem = house.alice("POST", "/scope/webhooks", {"scope": "studio", **body})
    assert (status, problem["errors"][0]["field"]) == (422, field)
    assert not Webhook.objects.exists()


def test_a_repeated_request_makes_one(house: House) -> None:
    body = {"scope": "studio", "url": "https://example.org/hook/token", "verbs": ["promoted"]}
    first = house.alice("POST", "/scope/webhooks", body, **{"Idempotency-Key": "one"})
    assert house.alice("POST", "/scope/webhooks", body, **{"Idempotency-Key": "one"}) == first
    changes = JournalEvent.objects.get(verb="add_webhook").changes.get()
    assert "token" not in str(changes.after) and changes.after["host"] == "https://example.org"


def test_a_stale_version_changes_nothing(house: House) -> None:
    row = add_webhook(house.scope, "https://example.org/", actor=OPERATOR)
    change_webhook(row, actor=OPERATOR, changes={"words": True})
    status, problem = house.alice("PATCH", f"/scope/webhooks/{row.pk}", {"words": False, "version": 1})
    assert (status, problem["type"]) == (409, "stale_version") and Webhook.objects.get().words


def test_an_owner_sees_on_the_page_what_arrived(house: House, hook: Hook) -> None:
    owner = Screen("alice")
    owner.open("/webhooks/studio")
    assert "Nobody is told yet" in owner.page.text
    owner.press("hook-add", url=hook.url, verbs=["promoted"])
    row = Webhook.objects.get()
    assert secret_of(row) in owner.page.text and row.verbs == ["promoted"]
    claim = held(house.scope, "The frame is <b>oak</b>")
    deliver_waiting()
    page = owner.open(f"/webhooks/studio?hook={row.pk}")
    assert claim.ref in page.text and "204" in page.text and "whsec_" not in page.text
    owner.press("hook-off")
    assert Webhook.objects.get().status == "off"
    owner.press("hook-on", skip="yes")
    owner.press("hook-secret")
    assert "whsec_" in owner.page.text
    owner.press("hook-remove")
    assert Webhook.objects.get().status == "removed" and JournalEvent.objects.filter(verb="remove_webhook").exists()
