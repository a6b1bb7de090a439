"""Rules over classes of words. A rule is a shape, which is a regular expression over the names of classes, and a function
that says what such a shape means.

    "month (comma|of)? year"         a name matches one word (or meaning) of that class; blanks count for nothing
    "unit:week"                      only words of that variant of the class
    "number[1-59]"                   only numbers in that range
    "{first Clock} to {end Clock}"   names what the function is to get

A function is called with what its parameters name: the value of the first such word in the shape, of all in order where the
parameter is a list (`durations` for `Duration`), or the `Symbol` itself where that is the parameter's type. It returns None
or raises ValueError, OverflowError or LookupError where the words mean nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, Final, get_args, get_origin

from ledger.language.times.lexicon import char_of, chars_of
from ledger.language.times.reference import Meaning, ReferenceTime


@dataclass(slots=True)
class Symbol:
    """One token, or what a rule made of several. `char` stands for its class in the string that shapes run over."""

    char: str
    start: int
    end: int
    value: Any = None


@dataclass(frozen=True, slots=True)
class Reclassified:
    """What a rule found to be a word of another class."""

    name: str
    value: Any = None


Interpretation = Callable[..., Meaning | Reclassified | None]
_NAME: Final = re.compile(r"\{(\w+) |([A-Za-z_]+(?::[a-z_]+)?)(?:\[(\d+)-(\d+)\])?|(\})|\s+")


def _compiled(shape: str) -> re.Pattern[str]:
    return re.compile(_NAME.sub(_translated, shape))


def _translated(found: re.Match[str]) -> str:
    group, name, low, high, closing = found.groups()
    if group:
        return f"(?P<{group}>"
    if name:
        chars = chars_of(name, range(int(low), int(high) + 1) if low else None)
        if not chars:
            raise LookupError(f"no class of words is called {name}")
        return f"[{chars}]"
    return ")" if closing else ""


_GROUP: Final = re.compile(r"(\(\?<?[=!]|\(\?P<\w+>|\()([^()]*)\)([?*]?)\+*")


def _needed(pattern: str) -> frozenset[str]:
    """Characters of which one must be in a text for the pattern to match: those of its rarest class that is not optional."""
    while "(" in pattern:
        pattern = _GROUP.sub(_as_one_class, pattern)
    return frozenset(sorted(re.findall(r"\[(\w+)\](?![?*])", pattern), key=len)[0])


def _as_one_class(group: re.Match[str]) -> str:
    opening, content, optional = group.groups()
    looks_around = opening.endswith(("=", "!"))
    return "" if looks_around or optional else f"[{''.join(re.findall(r'\w', content))}]"


class Argument:
    """A parameter of an interpretation: the part of a shape that it names, by group or by class, and what it wants of it."""

    def __init__(self, parameter: Parameter, groups: Mapping[str, int]) -> None:
        self.name = parameter.name
        self.as_list = get_origin(parameter.annotation) is list
        self.as_symbols = Symbol in (parameter.annotation, *get_args(parameter.annotation))
        self.group = groups.get(self.name, 0)
        name = self.name.removesuffix("s") if self.as_list else self.name
        # `month` is a class of words, `day_range` the meaning `DayRange`.
        self.chars = chars_of(name) or chars_of(name.title().replace("_", ""))

    def values(self, found: re.Match[str], symbols: list[Symbol]) -> list[Any]:
        """All that the parameter names."""
        first, stop = found.span(self.group)
        named = [one for one in symbols[first:stop] if self.group or one.char in self.chars]
        return named if self.as_symbols else [one.value for one in named]


class Rule:
    """A shape, and what it means."""

    def __init__(self, shape: str, interpretation: Interpretation) -> None:
        self.pattern = _compiled(shape)
        self.needed = _needed(self.pattern.pattern)
        self.interpretation = interpretation
        parameters = signature(interpretation).parameters
        self.needs_reference = "ref" in parameters
        settled = {"ref", *getattr(interpretation, "keywords", ())}
        self.arguments = [
            Argument(parameter, self.pattern.groupindex)
            for name, parameter in parameters.items()
            if name not in settled
        ]

    def replacements(self, line: str, symbols: list[Symbol], ref: ReferenceTime) -> Iterator[tuple[slice, Symbol]]:
        """Each place where the rule holds, and what stands there then."""
        for found in self.pattern.finditer(line):
            place = slice(*found.span())
            if made := self.interpreted(found, symbols, ref):
                yield place, symbol_of(made, symbols[place.start].start, symbols[place.stop - 1].end)

    def interpreted(
        self, found: re.Match[str], symbols: list[Symbol], ref: ReferenceTime
    ) -> Meaning | Reclassified | None:
        """What the words mean, if anything."""
        given: dict[str, Any] = {"ref": ref} if self.needs_reference else {}
        for argument in self.arguments:
            values = argument.values(found, symbols)
            if argument.as_list or values:
                given[argument.name] = values if argument.as_list else values[0]
        try:
            return self.interpretation(**given)
        except (LookupError, OverflowError, ValueError):
            # No such clock, no such day, or out of the calendar.
            return None


def symbol_of(made: Meaning | Reclassified, start: int, end: int) -> Symbol:
    """What stands for a meaning in the shape."""
    if isinstance(made, Reclassified):
        return Symbol(char_of(made.name, made.value), start, end, made.value)
    name = type(made).__name__
    return Symbol(char_of(f"{name}:{made.variant}" if made.variant else name), start, end, made)


def rules(shapes: Mapping[str, Interpretation]) -> list[Rule]:
    """Rules in the order in which they run."""
    return [Rule(shape, interpretation) for shape, interpretation in shapes.items()]


def reduce(symbols: list[Symbol], cascade: Iterable[Rule], ref: ReferenceTime) -> None:
    """Let every rule run once, in order, over the whole text; `symbols` is changed in place."""
    line = "".join(symbol.char for symbol in symbols)
    present = set(line)
    for rule in cascade:
        if rule.needed.isdisjoint(present) or not rule.pattern.search(line):
            continue
        for place, symbol in reversed(list(rule.replacements(line, symbols, ref))):
            symbols[place] = [symbol]
        line = "".join(symbol.char for symbol in symbols)
        present = set(line)
