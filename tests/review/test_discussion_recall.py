"""An agent at a task: the extracted state first, by reference, the talk second; and which decision its plan breaks (D11, D12)."""

import json

from extraction.extractors.registry import for_scope
from extraction.runs.pipeline import work_off
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.promote import promote
from ledger.models import Claim, Scope
from tests.review.door import OPERATOR, House

TALK = [
    ("agent", "bot", "I put the minutes of the council into the chat."),
    ("user", "Nadia", "No, that's wrong. The minutes of the council must never go into the chat."),
    ("agent", "bot", "Shall I store the minutes of the council in the card?"),
    ("user", "Nadia", "Yes, go ahead"),
    ("user", "Piet", "The minutes of the council are four pages long this time."),
]


def discuss(scope: Scope) -> dict[str, str]:
    Scope.objects.filter(pk=scope.pk).update(packs=["discussion"])
    scope.refresh_from_db()
    items = [
        Incoming(text=text, kind="message", sender=sender, sender_kind=by, conversation="T1", external_id=f"m{at}")
        for at, (by, sender, text) in enumerate(TALK)
    ]
    ingest(items, scope=scope, actor=OPERATOR, extractors=for_scope(scope))
    work_off()
    for claim in Claim.objects.filter(scope=scope, status="pending"):
        promote(claim, actor=OPERATOR, on_conflict="coexist")
    return {claim.kind_id: claim.ref for claim in Claim.objects.filter(scope=scope)}


def test_the_state_comes_first_by_reference_and_the_talk_second(house: House) -> None:
    refs = discuss(house.scope)
    asked = {"scope": "studio", "query": "Where do the minutes of the council go?"}
    status, context = house.agent("POST", "/context", asked)
    assert status == 200
    told = [item["ref"] or item["shelf"] for item in context["items"]]
    talk = [at for at, item in enumerate(context["items"]) if item["ref"] not in refs.values()]
    state = [told.index(ref) for ref in refs.values()]
    assert talk and max(state) < min(talk), told
    assert all(ref in context["markdown"] for ref in refs.values())


def test_a_plan_against_a_correction_names_the_constraint(house: House) -> None:
    refs = discuss(house.scope)
    plan = {"scope": "studio", "text": "I will put the minutes of the council into the chat."}
    status, checked = house.agent("POST", "/check", plan)
    assert status == 200
    assert refs["constraint"] in [row["ref"] for row in checked["contradicts"]], checked
    fine = {"scope": "studio", "text": "I will store the minutes of the council in the card."}
    assert house.agent("POST", "/check", fine)[1]["contradicts"] == []


def test_the_files_of_the_discussion_at_the_api(house: House) -> None:
    refs = discuss(house.scope)
    headers = {"Authorization": f"Bearer {house.vera.token}"}
    files = {}
    for what, name in (("tasks", "tasks.json"), ("decisions", "decisions.json"), ("patterns", "patterns.jsonl")):
        path = f"/api/v1/scope/export?scope=studio&format={what}"
        response = house.vera.client.get(path, headers=headers)
        assert response.status_code == 200 and f'filename="{name}"' in response["Content-Disposition"]
        files[what] = b"".join(response.streaming_content).decode()
    assert json.loads(files["tasks"])["T1"]["extracted_state"]["decisions"] == sorted(refs.values())
    assert {row["id"] for row in json.loads(files["decisions"])} == set(refs.values())
    assert [json.loads(line)["type"] for line in files["patterns"].splitlines()] == ["correction", "confirmation"]
