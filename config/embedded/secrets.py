"""Secrets of one data folder, made once and kept in its `secrets.json` (mode 0600)."""

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from config.embedded import folder


def _api_token() -> str:
    return "cs_" + secrets.token_urlsafe(32)


MAKERS: dict[str, Callable[[], str]] = {
    "django_key": partial(secrets.token_urlsafe, 50),
    "password": partial(secrets.token_urlsafe, 18),
    "agent_token": _api_token,
    "reviewer_token": _api_token,
}


def load(data_dir: Path) -> dict[str, str]:
    """All secrets of the folder; those it does not hold yet are made now. Safe when processes race for it."""
    path = data_dir / "secrets.json"
    known = read(path)
    if known.keys() >= MAKERS.keys():
        return known
    folder.private(data_dir)
    with folder.locked(data_dir / "secrets.lock"):
        known = {name: make() for name, make in MAKERS.items()} | read(path)
        folder.write_private(path, json.dumps(known, indent=2))
    return known


def read(path: Path) -> dict[str, str]:
    with suppress(FileNotFoundError):
        return {name: str(value) for name, value in json.loads(path.read_text()).items() if value}
    return {}


def django_key(data_dir: Path) -> str:
    return load(data_dir)["django_key"]
