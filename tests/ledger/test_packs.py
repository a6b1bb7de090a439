"""Packs as data: the documented example is good, and a bad pack is refused with file, line and reason."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from django.core.management import call_command
from pydantic import BaseModel

from ledger.actions.load_pack import load_pack
from ledger.errors import Invalid
from ledger.packs import SHIPPED, parse
from ledger.packs.file import PackFile

HEAD = '[pack]\nname = "x"\nversion = "1"\n'
KIND = '[[kinds]]\nname = "thing"\nlayer = "entity"\nprefix = "THG"\n'
DOCUMENTED = re.search(
    r"```toml\n(.*?)```", (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8"), re.S
)


def test_the_documented_example_is_good(
    transactional_db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert DOCUMENTED
    file = tmp_path / "greenhouse.toml"
    file.write_text(DOCUMENTED[1], encoding="utf-8")
    call_command("packs", "check", str(file))
    assert "greenhouse 1.0.0" in capsys.readouterr().out


@pytest.mark.parametrize("file", sorted(f for f in SHIPPED.glob("*.toml") if "." not in f.stem), ids=lambda f: f.stem)
def test_what_is_shipped_is_good(file: Path) -> None:
    parse(file.read_bytes(), file=file.name)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("name = ", 1, "Invalid value"),
        ('[pack]\nname = "x"\n', 1, "version is missing"),
        ('[pack]\nname = "X Y"\nversion = "1"\n', 2, "lower-case"),
        ("pack = 3\n", 1, "needs [pack]"),
        (HEAD + "[kidns]\n", 4, "unknown table 'kidns'"),
        (HEAD + '[kinds]\nname = "thing"\n', 4, "[[kinds]]"),
        (HEAD + 'kinds = ["thing"]\n', 4, "no field 'kinds'"),
        ('kinds = ["thing"]\n' + HEAD, 1, "must be a table"),
        (HEAD + KIND.replace('"entity"', '"truth"'), 6, "must be one of memory, entity"),
        (HEAD + KIND.replace('"THG"', '"TOOLONG"'), 7, "capital letters"),
        (HEAD + KIND.replace('"THG"', '"TRU"'), 7, "taken"),
        (HEAD + KIND.replace('"thing"', f'"{"t" * 41}"'), 5, "at most 40"),
        (HEAD + KIND + 'anchors = ["user", "god"]\n', 8, "'god'"),
        (HEAD + KIND + 'anchor = ["user"]\n', 8, "no field 'anchor'"),
        (HEAD + KIND + 'many = "yes"\n', 8, "true or false"),
        (HEAD + '[keys]\nclosed = 1\n', 5, "true or false"),
        (HEAD + f'[[keys.list]]\nkey = "{"k" * 201}"\n', 5, "at most 200"),
        (HEAD + '[[keys.list]]\nkey = "a"\nvalue_type = "colour"\n', 6, "'colour'"),
        (HEAD + "[gates]\nrules = 4\n", 5, "between 0 and 1"),
        (HEAD + '[budgets]\ninferred_per_pass = "many"\n', 5, "whole number"),
        (HEAD + "[rules]\nfresh_days = nan\n", 5, "whole number"),
        (HEAD + "[rules]\nfresh_days = 2026-01-30\n", 5, "whole number"),
        (HEAD + '[model]\nguidance = "a\\u0000b"\n', 5, "NUL"),
        (HEAD + '[[rules.sentences]]\nkind = "fact"\npattern = "(a"\n', 6, "missing"),
    ],
)  # fmt: skip
def test_a_bad_pack_is_refused(text: str, line: int, reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse(text.encode(), file="bad.toml")
    message = refused.value.message
    assert reason in message
    assert message.startswith(f"bad.toml:{line}: "), message


def test_a_kind_keeps_its_pack(transactional_db: None) -> None:
    with pytest.raises(Invalid, match="belongs to pack 'core'"):
        load_pack((HEAD + KIND.replace('"thing"', '"decision"')).encode(), file="x.toml")


def fields_of(shape: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every (table, field) that a file may have, such as `("keys.list", "unit")`; names that a pack chooses itself are `*`."""
    while get_origin(shape) in (Annotated, list):
        shape = get_args(shape)[0]
    names, *_ = get_args(shape) or (None,)
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        fields = {field.alias or name: field.annotation for name, field in shape.model_fields.items()}
    elif get_origin(shape) is dict and get_origin(names) is Literal:
        fields = dict.fromkeys(get_args(names), get_args(shape)[1])
    elif get_origin(shape) is dict:
        fields = {"*": get_args(shape)[1]}
    else:
        return
    for name, inner in fields.items():
        here = f"{path}.{name}".lstrip(".")
        inside = list(fields_of(inner, here))
        yield from inside or [(path, name)]


def test_the_page_tells_every_table_and_field() -> None:
    page = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
    sections = re.split(r"^### ", page, flags=re.M)[1:]
    missing = []
    for table, field in fields_of(PackFile):
        # A table with names of the pack's own is written [a.KIND] or [a.NAME] in the page.
        name = re.escape(table).replace(r"\*", "(?:KIND|NAME)")
        about = [text for text in sections if re.search(rf"`\[\[?{name}\]\]?`", text)]
        words = ["`KIND`", "`NAME`", "`WORD`"] if field == "*" else [f"`{field}`"]
        if not any(word in text for text in about for word in words):
            missing.append(f"[{table}] {field}")
    assert not missing


def test_the_page_tells_no_field_that_there_is_not() -> None:
    page = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
    known = {field for _, field in fields_of(PackFile)}
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", page.partition("## The tables")[2], re.M)
    told = {field for row in rows for field in re.findall(r"`([a-z_]+)`", row)}
    assert told and told <= known
