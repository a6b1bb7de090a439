"""Secrets of one data folder, made once and kept in its `secrets.json` (mode 0600)."""

import json
import secrets
from pathlib import Path

from config.embedded import folder

NAMES = ("django_key", "password", "agent_token", "reviewer_token")


def load(data_dir: Path) -> dict[str, str]:
    """All secrets of the folder; those it does not hold yet are made now. Safe when processes race for it."""
    path = data_dir / "secrets.json"
    known = read(path)
    if all(name in known for name in NAMES):
        return known
    folder.private(data_dir)
    with folder.locked(data_dir / "secrets.lock"):
        known = read(path)
        made = {name: known.get(name) or make(name) for name in NAMES}
        folder.write_private(path, json.dumps(known | made, indent=2))
    return known | made


def read(path: Path) -> dict[str, str]:
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return {str(name): str(value) for name, value in content.items()}


def make(name: str) -> str:
    if name == "django_key":
        return secrets.token_urlsafe(50)
    if name.endswith("_token"):
        return "cs_" + secrets.token_urlsafe(32)
    return secrets.token_urlsafe(18)


def django_key(data_dir: Path) -> str:
    return load(data_dir)["django_key"]
