"""Waves on the screens: progress, figures, what was held back, and reading them again (P3, P11, P12)."""

import pytest
from django.test import Client

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.models import Claim, Run, Scope, Wave
from tests.people import People, make_people, make_scope

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(transactional_db: None) -> People:
    return make_people(make_scope("yard"))


@pytest.fixture
def client(people: People) -> Client:
    from django.contrib.auth.models import User

    client = Client(raise_request_exception=True)
    client.force_login(User.objects.get(username="bob"))
    return client


def wave_of(people: People, *texts: str, label: str = "<b>January</b>") -> Wave:
    scope: Scope = people.scope
    wave = Wave(scope=scope, label=label, by="bob")
    items = [Incoming(text=text, kind="message", sender_kind="user", sender="Ada") for text in texts]
    ingest(items, scope=scope, actor=people.bob, extractors=for_scope(scope), wave=wave)
    return wave


def body(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined, no-any-return]


def test_a_wave_tells_how_far_it_is_and_what_came_of_it(people: People, client: Client) -> None:
    held = "\n\n".join(f"I prefer colour number {n} for the door." for n in range(60))
    wave = wave_of(people, "Decision: Keep the blue door\n", "Decision: keep the blue door!\n", held)
    empty = body(client.get("/waves"))
    assert "0 of 3" in empty and "&lt;b&gt;January" in empty and "<b>January" not in empty
    page = body(client.get(f"/waves/{wave.pk}"))
    assert "0 of 3 runs done" in page and 'hx-trigger="every 3s"' in page and "report.json" in page
    piece = client.get(f"/waves/{wave.pk}", headers={"HX-Request": "true"})
    tag = piece.headers["ETag"]
    assert "<html" not in body(piece)
    again = {"HX-Request": "true", "If-None-Match": tag}
    assert client.get(f"/waves/{wave.pk}", headers=again).status_code == 304
    work_off()
    assert client.get(f"/waves/{wave.pk}", headers=again).status_code == 200
    page = body(client.get(f"/waves/{wave.pk}"))
    assert "3 of 3 runs done" in page and 'hx-trigger="every' not in page
    assert "… says this already" in page and "beyond the … inferred ones of a pass" in page
    run = Run.objects.get(source__text=held)
    number = run.hits.filter(fate="held_back").order_by("number")[0].number
    answer = client.post(f"/waves/{wave.pk}/admit", {"hits": [f"{run.pk}-{number}", "x-1", "999999-1"]}, follow=True)
    assert "1 admitted to the queue" in body(answer)
    assert Claim.objects.filter(run=run).count() == 51
    assert "Select what to admit" in body(client.post(f"/waves/{wave.pk}/admit", {}, follow=True))


def test_read_again_stands_beside_and_says_when_there_is_nothing_to_read(people: People, client: Client) -> None:
    wave = wave_of(people, "Decision: Keep the blue door\n")
    work_off()
    assert "read by this version already" in body(client.post(f"/waves/{wave.pk}/read", {}, follow=True))
    assert "1 run queued" in body(client.post(f"/waves/{wave.pk}/read", {"force": "yes"}, follow=True))
    work_off()
    assert Run.objects.filter(forced=True, status="succeeded").count() == 1 and Claim.objects.count() == 1
    claim, forced = Claim.objects.get(), Run.objects.get(forced=True)
    page = body(client.get(f"/runs/{forced.pk}"))
    assert f"{claim.ref} says this already" in page and f'href="/candidates/{claim.ref}"' in page
    first = body(client.get(f"/runs/{claim.run_id}"))
    assert "Keep the blue door" in first and claim.extractor_version in first
    assert f"<code>{claim.extractor_version}</code>" in body(client.get(f"/candidates/{claim.ref}"))
    source = body(client.get(f"/sources/{forced.source_id}"))
    assert "needed" in source and "By rule" in source


def test_what_is_out_of_sight_is_not_there(people: People, client: Client) -> None:
    other = make_scope("kitchen")
    wave = Wave.objects.create(scope=other, label="secret soup")
    assert client.get(f"/waves/{wave.pk}").status_code == 404
    assert "secret soup" not in body(client.get("/waves"))
    assert client.get("/waves/99999999999999999999").status_code == 404
    assert client.get("/waves?cursor=nonsense").status_code == 422
