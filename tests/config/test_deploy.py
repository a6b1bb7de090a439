"""The files under deploy/ name what is there: settings, folders, and the same commands in containers and units."""

import re
import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.beat import Scheduler

from config import database
from config.celery import app

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
# Of the databases alone.
NOT_OURS = {"COUNTERSIGN_DB_PASSWORD", "COUNTERSIGN_REPLICATION_PASSWORD"}
EXAMPLE = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "countersign.env.example").read_text(), re.MULTILINE))
FILES = [one for one in DEPLOY.rglob("*") if one.is_file()]


def test_every_setting_is_one() -> None:
    known = "".join(one.read_text() for one in (ROOT / "config").rglob("*.py"))
    named = {name for one in FILES for name in re.findall(r"COUNTERSIGN_[A-Z_]+", one.read_text())}
    assert {name for name in named - NOT_OURS if name not in known} == set()


def test_the_image_holds_every_room() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+) ", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert all((ROOT / name).exists() for name in copied)
    rooms = {one.name for one in ROOT.iterdir() if (one / "__init__.py").exists()} - {"tests"}
    assert rooms | {"templates"} <= set(copied)


@pytest.mark.parametrize(("service", "unit"), [("worker", "worker@"), ("beat", "beat")])
def test_containers_and_units_run_the_same(service: str, unit: str) -> None:
    words = COMPOSE["services"][service]["command"]
    [line] = re.findall(
        r"^ExecStart=\S+/(.*)$", (DEPLOY / f"systemd/countersign-{unit}.service").read_text(), re.MULTILINE
    )
    joined = {word for word in shlex.split(line.replace("=", " ")) if "%" not in word} - {"--hostname"}
    assert joined == {word for word in words if word}


def test_every_file_that_is_mounted_is_there() -> None:
    mounts = [
        mount for one in COMPOSE["services"].values() for mount in one.get("volumes", []) if mount.startswith("./")
    ]
    assert len(mounts) == 3 and all((DEPLOY / mount.split(":")[0]).is_file() for mount in mounts)
    services = [one for one in COMPOSE["services"].values() if one.get("image") == "countersign"]
    assert all(
        one["env_file"] == "countersign.env" and (DEPLOY / "countersign.env.example").exists() for one in services
    )


def test_an_address_of_two_servers_is_read() -> None:
    read = database.parse(EXAMPLE["DATABASE_URL"])
    assert (read["HOST"], read["PORT"]) == ("db1,db2", "5432,5432")
    assert read["OPTIONS"]["target_session_attrs"] == "read-write"


def test_health_checks_ask_by_a_name_that_is_served() -> None:
    """Any other one is answered 400: the door held both web nodes for ill, and answered 503 to everybody."""
    door = re.findall(r"^\s*Host (\S+)$", (DEPLOY / "Caddyfile").read_text(), re.MULTILINE)
    probe = re.findall(r"http://([^:/]+)", COMPOSE["services"]["web1"]["healthcheck"]["test"][-1])
    assert len(door) == len(probe) == 1 and {*door, *probe} <= set(EXAMPLE["COUNTERSIGN_HOSTS"].split(","))


def test_the_scheduler_goes_on_where_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    seal = Scheduler(app).schedule["seal"]
    set_back = datetime.now(UTC) - timedelta(hours=10)
    monkeypatch.setattr(type(app), "now", lambda self: set_back)
    assert seal.schedule.remaining_estimate(seal.last_run_at) <= timedelta(seconds=5)
