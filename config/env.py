"""Typed reads of environment variables, so that a wrong value is refused by name when the process starts."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FLAGS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("", "0", "false", "no", "off"), False)


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, default: bool = False) -> bool:
    value = os.environ.get(name, str(default))
    try:
        return FLAGS[value.lower()]
    except KeyError:
        raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}") from None


def number(name: str, default: int) -> int:
    value = os.environ.get(name) or str(default)
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from None


def one_of(name: str, *choices: str) -> str:
    """The first where nothing is given."""
    value = os.environ.get(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(filter(None, choices))}, not {value!r}")
    return value


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    return Path(os.environ.get(name) or default).expanduser().resolve()
