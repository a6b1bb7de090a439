"""The architecture page says what the folders and the import contracts say."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]


def test_the_layers_are_those_of_the_contract() -> None:
    (layers,) = (contract["layers"] for contract in CONTRACTS if contract["type"] == "layers")
    drawn = re.search(r"`(\w+) → \{(\w+), (\w+)\} → (\w+)`", PAGE)
    assert drawn is not None
    assert [drawn[1], f"{drawn[2]} | {drawn[3]}", drawn[4]] == layers


def test_every_room_drawn_exists_and_every_room_is_drawn() -> None:
    drawing = PAGE.split("```")[1]
    drawn: dict[str, set[str]] = {}
    room = ""
    for line in drawing.strip().splitlines():
        names = re.match(r"( *)((?:[\w.]+/? )*[\w.]+/?)(?:  |$)", line)
        assert names is not None, line
        if not names[1]:
            room = names[2].strip("/ ")
            drawn[room] = set()
        else:
            drawn[room] |= {name.strip("/") for name in names[2].split()}
    for room, parts in drawn.items():
        assert (ROOT / room).is_dir(), room
        for part in parts:
            assert (ROOT / room / part).exists(), f"{room}/{part}"
    for room in ("ledger", "extraction", "review"):
        folders = {one.name for one in (ROOT / room).iterdir() if (one / "__init__.py").exists()}
        assert folders - drawn[room] <= {"management", "migrations", "templatetags", "models"}, room


def test_every_file_named_exists() -> None:
    for path in re.findall(r"`((?:ledger|extraction|review|config)/[\w/.*]+)`", PAGE):
        assert list(ROOT.glob(path.rstrip("/"))), path


def test_every_named_setting_is_named() -> None:
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    callables = set(re.findall(r'^(COUNTERSIGN_\w+) = "[\w.]+\.\w+"', settings, re.M)) | {"COUNTERSIGN_WAKE"}
    assert callables <= set(re.findall(r"`(COUNTERSIGN_\w+)`", PAGE))
