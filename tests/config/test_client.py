"""The API's description is one that a client can be made from: it is valid, and a client made from it works."""

import importlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from config.api import WITHOUT_KEY
from ledger.models import Channel, Layer, OutcomeType, Role, RunStatus, SourceKind, Speaker, Status, Tier
from tests import whole

DOCUMENT = Path("docs/openapi.json")
DESCRIBED = json.loads(DOCUMENT.read_text())
OPERATIONS = {
    operation["operationId"]: (method, operation)
    for methods in DESCRIBED["paths"].values()
    for method, operation in methods.items()
}


def test_the_document_is_valid() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(DESCRIBED).iter_errors()] == []


@pytest.mark.parametrize(
    "shape, field, words",
    [
        ("CandidateShape", "status", Status.values), ("EntityShape", "layer", Layer.values),
        ("SourceShape", "kind", SourceKind.values), ("EvidenceShape", "speaker", Speaker.values),
        ("RunShape", "status", RunStatus.values), ("ScopeShape", "tier", Tier.values), ("MemberIn", "role", Role.values),
        ("OutcomeIn", "type", OutcomeType.values), ("ExposureShape", "channel", Channel.values),
    ],
)  # fmt: skip
def test_words_of_a_closed_list_are_told(shape: str, field: str, words: list[str]) -> None:
    told = DESCRIBED["components"]["schemas"][shape]["properties"][field]
    assert told["enum"] == words


def test_operations_have_short_names_of_their_own_and_problems_for_errors() -> None:
    names = Counter(
        operation["operationId"] for methods in DESCRIBED["paths"].values() for operation in methods.values()
    )
    assert [name for name, count in names.items() if count > 1 or not name.isidentifier() or len(name) > 30] == []
    answers = [operation["responses"]["default"] for _, operation in OPERATIONS.values()]
    assert {one["$ref"] for one in answers} == {"#/components/responses/Problem"}
    problem = DESCRIBED["components"]["responses"]["Problem"]["content"]
    assert list(problem) == ["application/problem+json"]


def test_lists_say_of_what_they_are() -> None:
    schemas = DESCRIBED["components"]["schemas"]
    lists = {name: one["properties"]["items"] for name, one in schemas.items() if "items" in one.get("properties", {})}
    assert lists and [name for name, told in lists.items() if told["type"] == "array" and not told["items"]] == []


def test_writes_take_a_key() -> None:
    key = {"$ref": "#/components/parameters/IdempotencyKey"}
    keyed = {name for name, (_, operation) in OPERATIONS.items() if key in operation["parameters"]}
    assert keyed == {name for name, (method, _) in OPERATIONS.items() if method != "get"} - WITHOUT_KEY
    assert OPERATIONS.keys() >= WITHOUT_KEY


@pytest.mark.parametrize("name", [name for name, (method, _) in OPERATIONS.items() if method == "patch"])
def test_what_changes_a_row_has_no_defaults(name: str) -> None:
    """A generated client sends them: a changed name would reset the time zone."""
    body = OPERATIONS[name][1]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    fields = DESCRIBED["components"]["schemas"][body.rpartition("/")[2]]["properties"]
    assert [field for field, told in fields.items() if "default" in told] == []


@pytest.fixture
def client(up_instance: whole.Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client made from the document, as the reviewer."""
    made = [
        sys.executable, "-m", "openapi_python_client", "generate", "--path", str(DOCUMENT), "--output-path",
        str(tmp_path / "made_client"), "--meta", "none", "--fail-on-warning",
    ]  # fmt: skip
    done = subprocess.run(made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module("made_client.client").AuthenticatedClient(
        base_url=up_instance.url, token=up_instance.said["reviewer_token"]
    )


def test_a_generated_client_works(client: Any) -> None:
    """From a new scope to what holds in it, and back."""

    def call(module: str, **asked: Any) -> Any:
        answer = importlib.import_module(f"made_client.api.{module}").sync_detailed(client=client, **asked)
        assert answer.status_code.is_success, answer.content
        return answer.parsed

    models = importlib.import_module("made_client.models")
    scope = "generated"
    made = call(
        "scopes.post_scope", body=models.ScopeIn(scope=scope, tier=models.ScopeInTier.PROJECT, timezone="Europe/Berlin")
    )
    call("scopes.patch_scope", scope=scope, body=models.ScopeChanges(name="By a client", version=made.version))
    changed = call("scopes.get_scope", scope=scope)
    assert (changed.name, changed.timezone) == ("By a client", "Europe/Berlin")
    body = models.ProposeIn(scope=scope, kind="decision", statement="The hull is aluminium")
    first = call("candidates.propose_candidate", body=body, idempotency_key="once")
    again = call("candidates.propose_candidate", body=body, idempotency_key="once")
    assert first.candidate.ref == again.candidate.ref
    listed = call("candidates.list_candidates", scope=scope)
    assert [one.ref for one in listed.items] == [first.candidate.ref]
    promoted = call("candidates.promote_candidate", id=first.candidate.ref, body=models.PromoteIn())
    assert promoted.entity.status == "active"
    pack = call("recall.get_context", scope=scope, query="hull")
    assert first.candidate.ref in [item.ref for item in pack.items]
    checked = call("recall.post_check", body=models.CheckIn(scope=scope, text="The hull is aluminium."))
    assert checked.verdict == "allowed"
    event = call("journal.list_journal", scope=scope, verb="promote").items[0]
    undone = call("journal.undo_event", id=str(event.id), body=models.UndoIn(reason="tried"))
    assert undone.event.undoes == event.id
