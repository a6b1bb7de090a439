"""`up --model local`: what it says where something is missing, and what the other processes are told."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from config.embedded import model
from config.embedded.binaries import Unavailable


def test_missing_packages_and_weights_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(model, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match="uv sync --group model"):
        model.weights()
    monkeypatch.setattr(model, "find_spec", lambda name: SimpleNamespace())
    monkeypatch.setattr(model, "package_folders", lambda name: [tmp_path])
    with pytest.raises(Unavailable, match="No weights"):
        model.weights()
    monkeypatch.setenv("COUNTERSIGN_LOCAL_MODEL", str(tmp_path / "own.gguf"))
    with pytest.raises(Unavailable, match="names no file"):
        model.weights()
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    assert model.weights() == tmp_path / "own.gguf"
    monkeypatch.delenv("COUNTERSIGN_LOCAL_MODEL")
    assert model.weights() == tmp_path / "own.gguf"


def test_the_others_ask_it_on_loopback(tmp_path: Path) -> None:
    told = model.settings_for(tmp_path / "own.gguf", 4711)
    assert (told["OPENAI_BASE_URL"], told["COUNTERSIGN_MODEL"]) == ("http://127.0.0.1:4711/v1", "own")
