"""What is logged: no words of sources, no values of variables, no secrets; and who asked."""

import io
import logging
import logging.config
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import HttpResponse
from django.test import Client

from config import logging as ours
from config.embedded import folder, process
from config.middleware import NothingStoredMiddleware
from extraction.intake.take import source_in
from ledger.actor import operator
from ledger.errors import Invalid
from ledger.models import Scope
from tests import services
from tests.people import make_scope, tell

CANARY = "zyxomorph"


@pytest.fixture(params=["json", "console"])
def written(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COUNTERSIGN_LOG", request.param)
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    options = ours.configure()["formatters"]["line"]
    handler.setFormatter(options["()"](**{name: value for name, value in options.items() if name != "()"}))
    logger = logging.getLogger("tests.written")
    logger.addHandler(handler)
    yield logger, out
    logger.removeHandler(handler)


def deep(text: str, depth: int = 3) -> None:
    if depth:
        deep(text, depth - 1)
    raise ValueError("it broke")


def test_a_traceback_shows_no_variables(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, out = written
    try:
        deep(f"{CANARY} said something")
    except ValueError:
        logger.exception("failed")
    assert "it broke" in out.getvalue() and "deep" in out.getvalue()
    assert CANARY not in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_an_error_of_the_database_quotes_no_row(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, out = written
    scope = make_scope("lab")
    with pytest.raises(IntegrityError), transaction.atomic():
        try:
            Scope.objects.create(path="x", name=f"first\n\n{CANARY}\nlast", tier="nowhere", parent=scope)
        except IntegrityError:
            logger.exception("failed")
            raise
    assert "scope_tier_known" in out.getvalue() and CANARY not in out.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "sent Authorization: Bearer zyxomorph-1234 to it", "token cs_zyxomorph1234567890 refused", "password=zyxomorph99",
        "postgresql://owner:zyxomorph@host/db", "1 error: input_value='zyxomorph said', input_type=str",
    ],
)  # fmt: skip
def test_secrets_and_inputs_are_masked(written: tuple[logging.Logger, io.StringIO], line: str) -> None:
    logger, out = written
    logger.warning("%s", line)
    assert out.getvalue() and CANARY not in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_database_server_logs_no_statements() -> None:
    source = tell(make_scope("lab"), operator("x"), f"{CANARY} text")
    with pytest.raises(Exception), transaction.atomic(), connection.cursor() as cursor:  # noqa: B017, PT011
        cursor.execute("UPDATE ledger_source SET text = %s WHERE id = %s", [f"other {CANARY}", source.pk])
    log = services.DATA_DIR / "log" / "postgres.log"
    assert "is refused" in log.read_text() and CANARY not in log.read_text()


def test_files_of_ours_are_their_owners(tmp_path: Path) -> None:
    (tmp_path / "old.log").touch(mode=0o644)
    for name in ("old.log", "new.log"):
        with folder.append_private(tmp_path / name) as log:
            process.spawn(["sh", "-c", f"touch {tmp_path}/made"], log=log).wait()
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o600


def test_nothing_is_kept_where_somebody_is_signed_in(rf: Any) -> None:
    def answer(tagged: bool = False, **more: Any) -> str | None:
        request = rf.get("/", **more)
        request.COOKIES = more.get("cookies", {})
        made = HttpResponse(headers={"ETag": '"1"'} if tagged else {})
        found: str | None = NothingStoredMiddleware(lambda _: made)(request).get("Cache-Control")
        return found

    assert answer() is None
    assert answer(cookies={"sessionid": "x"}) == "no-store"
    assert answer(headers={"Authorization": "Bearer x"}) == "no-store"
    assert answer(True, cookies={"sessionid": "x"}) == "private, no-cache"


@pytest.mark.django_db
def test_the_api_and_the_pages_say_so() -> None:
    client = Client(headers={"Authorization": "Bearer cs_nobody"})
    assert client.get("/api/v1/scopes").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", ["sent_at", "edited_at", "wait", "extract"])
@pytest.mark.parametrize("value", [0, "0", 1.5, "1700000000", "maybe"])
def test_numbers_are_no_times_and_null_is_no_number(name: str, value: object) -> None:
    body = {"scope": "lab", "text": "hello"}
    source_in(body | {"sent_at": None, "title": None})
    wrong = None if name in ("wait", "extract") else value
    with pytest.raises(Invalid):
        source_in(body | {name: wrong})
