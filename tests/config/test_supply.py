"""What a deployment is made of, by command."""

import io
import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import supply


def test_every_pinned_package_has_its_licence() -> None:
    out = io.StringIO()
    call_command("supply", "--json", stdout=out)
    found = {one["name"]: one for one in json.loads(out.getvalue())["packages"]}
    assert found["django"]["licence"] == "BSD-3-Clause" and "pytest" not in found
    assert [name for name, one in found.items() if one["licence"] == supply.UNKNOWN] == []


def test_the_bill_of_materials_names_hash_and_licence(tmp_path: Path) -> None:
    call_command("supply", "--sbom", str(tmp_path / "sbom.json"), stdout=io.StringIO(), stderr=io.StringIO())
    bill = json.loads((tmp_path / "sbom.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    django = next(one for one in bill["components"] if one["name"] == "django")
    assert django["licenses"] == [{"license": {"name": "BSD-3-Clause"}}] and "sha256" in json.dumps(
        django
    ).lower().replace("-", "")


def test_what_could_not_be_looked_up_is_no_clean_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        supply.subprocess, "run", lambda *args, **more: CompletedProcess(args, 1, "", "amqp could not be audited")
    )
    with pytest.raises(CommandError, match="amqp could not be audited"):
        call_command("supply", "--audit", stdout=io.StringIO(), stderr=io.StringIO())
