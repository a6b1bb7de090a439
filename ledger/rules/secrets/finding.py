"""Where secrets stand in a text. The one module that knows the packages: the tokens of providers come from detect-secrets, the
check digits of social numbers from python-stdnum; `tables` holds what they lack, our own tokens first.

Every pattern runs under RE2, so that none can hang. One automaton over all of them looks at each text once (5 µs for a message);
only what it names is looked for one by one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

import re2

from ledger.rules.secrets import tables

# Detectors of the package that guess by entropy or by a word alone, and addresses, which are no secrets.
LEFT_OUT = {"KeywordDetector", "Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "PrivateKeyDetector",
            "ArtifactoryDetector", "MailchimpDetector"}  # fmt: skip
MAX_MEMORY = 32 * 1024 * 1024
# Of one text; what has more is a dump, whose rest is masked as one.
MAX_SPANS = 2_000

DIGITS = re.compile(r"\D")
GOES_ON = re.compile(r"[-./]\w")
# Runs of one case, or of digits.
CASES = re.compile(r"[a-z]+|[A-Z]+|\d+")
NUMBERS = {"card", "social number"}
PLACEHOLDER = re.compile(
    r"(?i)^[<{\[$%]|[*…]{3}|\{\{|x{4}|\.{3}|your[-_ ]|example|placeholder|changeme|redacted|environ|getenv|process\.env|://|█|^(?:/|\./|~)"
)
CARD = re.compile(tables.CARDS)
TRAILING = ".,;:!?)]}…"


class SecretSpan(NamedTuple):
    """`text[start:end]` in code points, half-open; what it is in a word or two."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Rule:
    kind: str
    pattern: Any
    check: Callable[[str], bool]


def find_secrets(text: str) -> list[SecretSpan]:
    """All of them in the order of the text; those that overlap are one."""
    together, rules = compiled()
    # Half characters, which no UTF-8 knows: what holds them is refused later on, by name.
    text = text.encode("utf-8", "replace").decode()
    named = together.Match(text)
    if not named:
        return []
    found = sorted(span for at in sorted(named) for span in _spans(rules[at], text))
    joined: list[SecretSpan] = []
    for span in found:
        if joined and span.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, span.end))
        elif len(joined) < MAX_SPANS:
            joined.append(span)
        else:
            joined[-1] = joined[-1]._replace(end=found[-1].end)
            break
    return joined


def _spans(rule: Rule, text: str) -> Iterator[SecretSpan]:
    for match in rule.pattern.finditer(text):
        # A group holds the secret where it stands behind a word that says so; else it only groups alternatives.
        group = 1 if rule.pattern.groups and match.start(1) > match.start() else 0
        secret, start = match.group(group), match.start(group)
        if rule.kind in ("password", "key"):
            secret = secret.rstrip(TRAILING)
        end = start + len(secret)
        if stands_alone(text, start, end, number=rule.kind in NUMBERS) and rule.check(secret):
            yield SecretSpan(start, end, rule.kind)


def stands_alone(text: str, start: int, end: int, *, number: bool) -> bool:
    """Whether it is no piece of a longer word; of a number also none that goes on behind a hyphen, a dot or a slash."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if number and (GOES_ON.fullmatch(before[::-1]) or GOES_ON.fullmatch(after)):
        return False
    joins_before = before[-1:].isalnum() and text[start].isalnum()
    return not joins_before and not (after[:1].isalnum() and text[end - 1].isalnum())


def is_token(secret: str) -> bool:
    """No name of the same form: those have neither digits nor capitals within."""
    return any(map(str.isdigit, secret)) or not (secret.islower() or secret.isupper())


def is_random(secret: str) -> bool:
    """Letters and digits that are mixed as nobody writes them."""
    changes = len(CASES.findall(secret))
    return changes >= 6 and len({*secret}) >= 8 and not PLACEHOLDER.search(secret)


def is_password(secret: str) -> bool:
    """No plain word, date or time: something is in it that words have not."""
    if PLACEHOLDER.search(secret):
        return False
    if secret.isdigit():
        return len(secret) >= 6
    return any(map(str.isalpha, secret)) and not secret.replace("-", "").replace("'", "").replace("/", "").isalpha()


def is_strong(secret: str) -> bool:
    """Where no sign says that it is one: small letters and digits, and something else."""
    kinds = (str.islower, str.isdigit, lambda one: not one.isalpha() and not one.isdigit() or one.isupper())
    return is_password(secret) and all(any(map(kind, secret)) for kind in kinds)


def is_card(secret: str) -> bool:
    luhn = import_module("stdnum.luhn")
    digits = DIGITS.sub("", secret)
    return bool(CARD.fullmatch(digits)) and len({*digits}) > 1 and bool(luhn.is_valid(digits))


def is_valid_number(module: Any, secret: str) -> bool:
    return bool(module.is_valid(secret.replace(" ", "")))


CHECKS: dict[str, Callable[[str], bool]] = {
    "": lambda secret: True, "token": is_token, "random": is_random, "password": is_password, "strong": is_strong, "card": is_card,
}  # fmt: skip


@cache
def compiled() -> tuple[Any, Sequence[Rule]]:
    """One automaton over all rules, whose answer is the places of those that match."""
    options = re2.Options()
    options.max_mem, options.log_errors = MAX_MEMORY, False
    together, rules = re2.Set.SearchSet(options), []
    for kind, pattern, check in [*_own_rules(), *_package_rules()]:
        together.Add(pattern)
        rules.append(Rule(kind, re2.compile(pattern, options), check))
    together.Compile()
    return together, rules


def _own_rules() -> Iterator[tuple[str, str, Callable[[str], bool]]]:
    for kind, pattern, check in tables.RULES:
        yield kind, pattern, CHECKS[check]
    for number, module, words in tables.SOCIAL_NUMBERS:
        before = rf"(?i:\b(?:{words})\b)\D{{0,25}}?" if words else ""
        yield "social number", rf"{before}\b({number})\b", partial(is_valid_number, import_module(f"stdnum.{module}"))
    for pattern in tables.UNCHECKED_NUMBERS:
        yield "social number", pattern, CHECKS[""]


def _package_rules() -> Iterator[tuple[str, str, Callable[[str], bool]]]:
    """The regexes of the package's detectors, as far as RE2 can read them: what looks behind is not wanted here."""
    plugins = import_module("detect_secrets.plugins")
    base = import_module("detect_secrets.plugins.base").RegexBasedDetector
    options = re2.Options()
    options.log_errors = False
    for place in iter_modules(plugins.__path__, f"{plugins.__name__}."):
        for name, detector in vars(import_module(place.name)).items():
            known = isinstance(detector, type) and issubclass(detector, base) and detector is not base
            if not known or name in LEFT_OUT or detector.__module__ != place.name:
                continue
            for regex in detector.denylist:
                pattern = regex.pattern.replace(r"(?!\w)", r"\b")
                pattern = f"(?i:{pattern})" if regex.flags & re.IGNORECASE else pattern
                try:
                    re2.compile(pattern, options)
                except re2.error:
                    continue
                yield ("password" if name == "BasicAuthDetector" else "token"), pattern, is_token
