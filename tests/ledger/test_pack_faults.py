"""Every kind of fault in a pack is told with its own line, all of them at once, whatever else the file says."""

import copy
import json
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import example, given
from hypothesis import strategies as st

from extraction.chat.tripwire import Tripwire, TripwireError
from extraction.extractors.discussions.triggers import Triggers
from extraction.extractors.documents import RuleSet
from ledger.errors import Invalid
from ledger.packs import SHIPPED, parse
from ledger.packs.places import line_of, lines_of

FILES = sorted(SHIPPED.glob("*.toml"))
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in FILES}
# A pack with something of everything, so that each fault below is the only one.
GOOD = """\
[pack]
name = "x"
version = "1"

[[kinds]]
name = "thing"
layer = "entity"
prefix = "THG"

[stages]
names = ["early", "late"]

[[blocks]]
key = "item.size"
scope = "item"
prefixes = ["size"]
kinds = ["thing"]

[keys]
closed = true

[[keys.list]]
key = "size.width"
value_type = "dimension"
unit = "cm"
stages = ["late"]
block = "item.size"

[[keys.list]]
key = "colour"
value_type = "enum"
values = [
  "red",
  "late",
]
default = "red"
also = ["color"]

[[keys.list]]
key = "late"
value_type = "currency"
unit = "EUR"

[gates]
rules = 0.5

[budgets.project]
thing = 5

[rules.labels]
thing = ["thing", "red"]

[rules.intents]
request = "thing"

[[rules.sentences]]
kind = "thing"
pattern = '''late'''
unless = "red"

[discussion.parts]
bad = "(bad"

[[discussion.triggers]]
id = "no"
sense = "correction"
pattern = "no"

[[tripwire.groups]]
name = "red"
weight = 0.5
patterns = [
  "red",
  "late",
]

[[redline]]
name = "clarification"

[policies.confidence]
threshold = 0.8
kinds = ["thing"]
"""


def faults(text: str) -> list[tuple[int, str]]:
    try:
        parse(text.encode(), file="x.toml")
    except Invalid as error:
        return [(int(at), why) for at, why in re.findall(r"^x\.toml:(\d+): (.*)$", error.message, re.M)]
    return []


def line_with(text: str, words: str) -> int:
    return next(at for at, line in enumerate(text.splitlines(), 1) if words in line)


def test_the_pack_is_good() -> None:
    assert faults(GOOD) == []


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        # A field misspelt in the third of three rows, with names that stand elsewhere too.
        ('unit = "EUR"', 'units = "EUR"', "key 'late': there is no field 'units'"),
        ('default = "red"', 'default = "blue"', "default 'blue' is none of red, late"),
        ('also = ["color"]', 'also = ["size.width"]', "'size.width' stands for key 'size.width' already"),
        ('key = "late"', 'key = "colour"', "key 'colour': stands here twice"),
        ('value_type = "currency"\nunit = "EUR"', 'value_type = "enum"', "an enum needs values"),
        ('default = "red"', 'unit = "cm"', "a value of type enum has no unit"),
        ('unit = "cm"', 'unit = "hands"', "unit 'hands' is not known"),
        ('unit = "EUR"', 'unit = "euro"', "the unit of a currency is its code"),
        ('stages = ["late"]', 'stages = ["later"]', "stage 'later' is not among"),
        ('block = "item.size"', 'block = "item.sizes"', "there is no block 'item.sizes'"),
        ('  "late",\n]\ndefault', "  3,\n]\ndefault", "values must be a list of words"),
        ('prefixes = ["size"]', 'prefixes = "size"', "must be a list of words"),
        ('scope = "item"', 'scope = "room"', "must be one of project, item"),
        ('kinds = ["thing"]\n\n[keys]', 'kinds = ["things"]\n\n[keys]', "there is no kind 'things'"),
        ('layer = "entity"\nprefix', 'layer = "truth"\nprefix', "must be one of memory, entity"),
        ("rules = 0.5", "rulez = 0.5", "[gates]: there is no field 'rulez'"),
        ("thing = 5", "thingy = 5", "there is no kind 'thingy'"),
        ("thing = 5", "thing = -5", "whole number"),
        ('request = "thing"', 'request = "thingz"', "there is no kind 'thingz'"),
        ('request = "thing"', 'order = "thing"', "there is no field 'order'"),
        ('thing = ["thing", "red"]', 'thingy = ["thing", "red"]', "there is no kind 'thingy'"),
        ('thing = ["thing", "red"]', 'thing = ["thing", "red"]\nfact = ["Red"]', "'Red' stands for 'thing' already"),
        ("pattern = '''late'''", "pattern = '''(late'''", "missing"),
        ("pattern = '''late'''", "pattern = '''(?:late)?'''", "matches the empty text"),
        ("pattern = '''late'''", r"pattern = '''(?<!late)late'''", "pattern"),
        ('unless = "red"', 'unless = "x*"', "matches the empty text"),
        ('sense = "correction"', 'sense = "mistake"', "must be one of"),
        ('  "late",\n]\n\n[[redline]]', '  "[late",\n]\n\n[[redline]]', "missing ]"),
        ("weight = 0.5", "weight = 50", "between -20 and 20"),
        ('name = "clarification"', 'name = "silence"', "must be one of temporal_conflict"),
        (
            'sense = "correction"\npattern = "no"',
            'sense = "correction"\npattern = "no <bad>"',
            "with its parts pattern",
        ),
        ("threshold = 0.8", "on = true", "there is no field 'on'"),
        ('version = "1"', 'version = ""', "at most 30 characters"),
        ("closed = true", 'closed = "yes"', "true or false"),
        ("[gates]", "[gate]", "unknown table 'gate'"),
        ('name = "x"', 'name = "core"', "belongs to the pack that every scope has"),
    ],
)
def test_one_fault_is_told_with_its_line(was: str, becomes: str, why: str) -> None:
    assert GOOD.count(was) == 1
    text = GOOD.replace(was, becomes)
    changed = next(
        at for at, (a, b) in enumerate(zip(text.splitlines(), (GOOD + "\n").splitlines(), strict=False), 1) if a != b
    )
    told = faults(text)
    assert [(changed, True)] == [(at, why in reason) for at, reason in told], told


def test_a_kind_of_the_core_pack_is_not_defined_again() -> None:
    text = GOOD + '[[kinds]]\nlayer = "entity"\nname = "decision"\nprefix = "DEC"\n'
    assert faults(text) == [(line_with(text, '"decision"'), "kind 'decision' belongs to pack 'core'")]


def test_all_faults_are_told_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace('unit = "cm"', "unit = 3").replace('unit = "EUR"', "unit = 3").replace("rules = 0.5", "rules = 5")
    )
    text = text.replace("'''late'''", "'''(late'''").replace("[[redline]]", "[[redlines]]")
    lines = [line for line, _ in faults(text)]
    assert len(lines) == 5 and lines == sorted(lines)
    assert lines[0] == line_with(text, "unit = 3") and lines[-1] == line_with(text, "[[redlines]]")


def test_the_command_tells_all_faults_of_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, worse = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "worse.toml"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text(GOOD.replace('unit = "EUR"', "units = 3").replace("rules = 0.5", "rules = 5"), encoding="utf-8")
    worse.write_bytes(b'[pack]\nname = "\xff"\n')
    with pytest.raises(CommandError) as refused:
        call_command("packs", "check", str(good), str(bad), str(worse), str(tmp_path / "none.toml"))
    told = str(refused.value).splitlines()
    assert len(told) == 4 and told[0].startswith(f"{bad}:{line_with(GOOD, 'unit = "EUR"')}: ")
    assert told[1].startswith(f"{bad}:{line_with(GOOD, 'rules = 0.5')}: ")
    assert told[2].startswith(f"{worse}:2: not UTF-8") and "No such file" in told[3]
    assert "x 1" in capsys.readouterr().out


# Places


def paths_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield from paths_of(inner, (*path, name))


@pytest.mark.parametrize("name", TEXTS)
def test_every_place_of_a_shipped_pack_is_known(name: str) -> None:
    text = TEXTS[name]
    lines = lines_of(text)
    assert set(lines) == set(paths_of(tomllib.loads(text)))
    for path, line in lines.items():
        if isinstance(path[-1], str) and path[-1] in ("name", "key", "pattern", "version"):
            assert text.splitlines()[line - 1].startswith(path[-1] + " = ")


HARD = '''\
a.b."c d" = 1 # [not.a.table]
[ x . 'y.z' ]
t = """
[no]
k = "\\"" 2"""""
u = \'\'\'it's '' here\'\'\'\'\'
d = 1979-05-27 07:32:00
n = [ # one
  [1, 2], { p = 1, q.r = [ {s = "]}"} ] }, # two
  """multi
line""",
  true ]
[[rows]]
[[rows.in]]
k = 1
[[rows.in]]
[rows.in.sub]
k = 2
[[rows]]
[[rows.in]]
k = 3
[x]
after = 1
'''


def test_places_in_a_hard_file() -> None:
    for text in (HARD, HARD.replace("\n", "\r\n")):
        lines = lines_of(text)
        assert set(lines) == set(paths_of(tomllib.loads(text)))
        told = {path: lines[path] for path in lines if path[-1] in ("k", "s", "after", 3, "d", "x")}
        assert told == {
            ("x", "y.z", "d"): 7, ("x", "y.z", "n", 1, "q", "r", 0, "s"): 9, ("x", "y.z", "n", 3): 12,
            ("rows", 0, "in", 0, "k"): 15, ("rows", 0, "in", 1, "sub", "k"): 18, ("rows", 1, "in", 0, "k"): 21,
            ("x",): 22, ("x", "after"): 23,
        }  # fmt: skip
        assert line_of(lines, ("rows", 0, "in", 1, "sub", "none")) == 17 and line_of(lines, ("none",)) == 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-9, 9, width=16) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


def written(value: Any) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(k)} = {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(one) for one in value) + "]"
    return "[]" if value is None else quoted(value)


def quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_places_of_any_values(values: dict[str, Any]) -> None:
    text = "\n".join(f"{quoted(name)} = {written(value)}" for name, value in values.items())
    lines = lines_of(text)
    content = tomllib.loads(text)
    assert set(lines) == set(paths_of(content))
    for at, name in enumerate(content, 1):
        assert all(line == at for path, line in lines.items() if path[0] == name)


# Mutations


def assert_runs(contents: list[dict[str, Any]]) -> None:
    """What is good can be run: nothing of it fails when it is compiled."""
    RuleSet.from_packs(contents)
    Triggers.from_packs(contents)
    try:
        Tripwire.from_packs(contents)
    except TripwireError as error:
        # A pair may name a group of another pack, so that only all of a scope's packs together tell.
        assert "there is no group" in str(error)


@given(
    st.sampled_from(sorted(TEXTS)), st.integers(0, 2**32), st.sampled_from("cut swap double letter value join".split())
)
# A group's heading once more in the middle of the vocabulary: more faults than are told.
@example("household", 7948, "double")
def test_a_mutated_pack_is_good_or_names_a_line_of_itself(name: str, seed: int, how: str) -> None:
    lines = TEXTS[name].splitlines()
    chance = random.Random(seed)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match how:
        case "cut":
            del lines[at]
        case "swap":
            lines[at], lines[other] = lines[other], lines[at]
        case "double":
            lines.insert(other, lines[at])
        case "letter" if lines[at]:
            place = chance.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + chance.choice("x=[]\"'{}#,.1 ") + lines[at][place + 1 :]
        case "value":
            value = chance.choice(["3", '""', "[]", "{}", "nan", "[[1]]", '["\\u0000"]'])
            lines[at] = lines[at].partition("= ")[0] + "= " + value
        case "join":
            lines[at] = " ".join(lines[at : at + 2])
    text = "\n".join(lines)
    try:
        content, _ = parse(text.encode(), file="x.toml")
    except Invalid as error:
        told = error.message.splitlines()
        assert told and all(re.match(r"x\.toml:\d+: \S", line) for line in told), told
        assert all(1 <= int(line.split(":")[1]) <= max(1, len(lines)) for line in told)
        return
    assert_runs([tomllib.loads(TEXTS["core"]), content])


@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 2**32), VALUES)
def test_any_value_in_any_place_is_good_or_refused(name: str, seed: int, value: Any) -> None:
    from ledger.packs import core_kinds, merge
    from ledger.packs.checking import problems

    content = copy.deepcopy(tomllib.loads(TEXTS[name]))
    places = list(paths_of(content))
    path = places[random.Random(seed).randrange(len(places))]
    inner: Any = content
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    if not problems(content, frozenset() if name == "core" else core_kinds()):
        assert merge([(name, "", content)]).names == (name,)
        assert_runs([content])
