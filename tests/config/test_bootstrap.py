"""`python3 manage.py …` on a machine without uv: it finds or makes an environment, or says in one line what is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

from config import bootstrap

ROOT = Path(__file__).resolve().parents[2]


class Replaced(Exception):
    """The process would have become another one."""


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No uv on the path, nothing made yet."""
    private = tmp_path / ".uv"
    monkeypatch.setattr(bootstrap, "PRIVATE", private)
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "PLACES", (private / "bin" / "uv", private / "packages" / "bin" / "uv"))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    for name in (bootstrap.ENTERED, "UV_PYTHON"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    return tmp_path


def replacing(monkeypatch: pytest.MonkeyPatch) -> None:
    def execv(path: str, arguments: list[str]) -> None:
        raise Replaced(path, arguments)

    monkeypatch.setattr(bootstrap.os, "execv", execv)


def stand_in(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    place.chmod(0o755)


def test_the_entrance_is_read_by_a_python_that_has_nothing() -> None:
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); import manage"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("place", ["bin", "packages/bin"])
def test_a_uv_that_an_earlier_run_brought_runs_the_same_command(
    bare: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    uv = bare / ".uv" / place / "uv"
    stand_in(uv)
    replacing(monkeypatch)
    with pytest.raises(Replaced) as replaced:
        bootstrap.enter(["up", "--port", "0"])
    path, arguments = replaced.value.args
    assert path == str(uv)
    assert arguments[1:3] == ["run", "--project"]
    assert arguments[4:] == [str(ROOT / "manage.py"), "up", "--port", "0"]
    assert bootstrap.os.environ["UV_PYTHON"] == sys.executable


def test_without_uv_and_pip_one_line_says_what_is_missing(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "works", lambda *command: False)
    with pytest.raises(SystemExit) as end:
        bootstrap.enter(["up"])
    assert "uv is missing" in str(end.value)
    assert "\n" not in str(end.value)
    assert capfd.readouterr().err.count("\n") == 1
    assert not (bare / ".uv").exists()


def test_an_old_python_is_named_and_brings_nothing(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 11, 2))
    monkeypatch.setattr(bootstrap.sys, "version", "3.11.2 (main)")
    with pytest.raises(SystemExit) as end:
        bootstrap.enter(["up"])
    assert str(end.value).startswith("Python 3.12 or newer is needed, or uv")
    assert str(end.value).endswith("this is Python 3.11.2.")


def test_it_does_not_go_round_in_circles(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(bootstrap.ENTERED, "1")
    with pytest.raises(SystemExit, match="lacks what the project needs"):
        bootstrap.enter(["up"])
