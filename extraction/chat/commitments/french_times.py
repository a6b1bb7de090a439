"""Days and clocks in French chat: `demain à midi`, `samedi de 9h à 11h`, `vers seize heures trente`, `mardi prochain`."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from ledger.language.fold import fold_in_place

_SPELLED = (
    "une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt"
).split()
_HOURS = {word: number for number, word in enumerate(_SPELLED, start=1)} | {"midi": 12, "minuit": 0}
_MINUTES = {"et quart": 15, "et demie": 30, "et demi": 30, "quinze": 15, "trente": 30, "moins le quart": -15}
_LAST_AFTER_NOON = 7
_DAYS = {
    "hier": -1,
    "aujourd'hui": 0,
    "aujourd’hui": 0,
    "ce": 0,
    "cet": 0,
    "demain": 1,
    "apres-demain": 2,
    "apres demain": 2,
}
_WEEKDAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
_HOUR = rf"(?P<hour>\d{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_CLOCK = re.compile(
    rf"(?<![\w:.,€-])(?<!\bdans )(?<!pendant )(?<!il y a ){_HOUR}(?:(?<=midi)|(?<=minuit)|\s?h(?:eures?)?(?!\w*[a-z]))"
    rf"(?:\s?(?P<minute>[0-5]\d|{'|'.join(_MINUTES)}))?(?!\w)(?!\s(?:de|par) \w)"
)
_DAY = re.compile(
    rf"(?<!\w)(?:(?P<near>hier|aujourd['’]hui|apres[- ]demain|demain|cet?(?= (?:soir|matin|midi|apres[- ]?midi|aprem)))"
    rf"|(?P<weekday>{'|'.join(_WEEKDAYS)})(?P<next> prochain| d'apres)?|le (?P<number>[1-9]|[12]\d|3[01])(?= (?:a|de|des|"
    rf"vers)\b|\W*$))(?!\w)"
)
# Words that only French has, those of its days among them, and the small words of its neighbours.
_FRENCH = re.compile(
    r"\b(?:aux?|je|j['’]\w+|elle|nous|vous|est|c['’]est|pour|avec|dans|chez|qui|pas|des|cet|cette|une|toi|suis|peux|peut|"
    r"[dlnst]['’](?!s\b|t\b|re\b|ll\b)\w+|qu['’]\w+|oui|mais|ce soir|soir|matin|midi|aprem|heures?|demain|aujourd['’]hui|"
    rf"{'|'.join(_WEEKDAYS)})\b"
)
_OTHERS = re.compile(
    r"\b(?:the|to|and|of|is|it|you|i|at|for|that|we|can|will|my|der|die|das|und|ich|um|ist|mit|bis|el|los|las|para|que|y|por|con|"
    r"del|al|hoy|lo|un)\b"
)


def is_french(text: str) -> bool:
    folded = fold_in_place(text)
    return len(_FRENCH.findall(folded)) > len(_OTHERS.findall(folded))


def french_times(text: str, today: date) -> Iterator[tuple[tuple[int, int], tuple[date, ...], tuple[str, ...]]]:
    """Where each stands, with its days and clocks."""
    folded = fold_in_place(text)
    for found in _DAY.finditer(folded):
        if day := _day(found, today):
            yield found.span(), (day,), ()
    for found in _CLOCK.finditer(folded):
        if clock := _clock(found):
            yield found.span(), (), (clock,)


def _day(found: re.Match[str], today: date) -> date | None:
    if near := found["near"]:
        return today + timedelta(days=_DAYS[near])
    if name := found["weekday"]:
        ahead = (_WEEKDAYS.index(name) - today.weekday()) % 7
        return today + timedelta(days=ahead + 7 * bool(found["next"] and ahead < 1))
    week = (today + timedelta(days=ahead) for ahead in range(31))
    return next((day for day in week if day.day == int(found["number"])), None)


def _clock(found: re.Match[str]) -> str:
    """Spelled hours up to seven are after noon, as people say them; those in figures are of twenty-four."""
    said = found["hour"]
    hour = _HOURS[said] + 12 * (1 <= _HOURS[said] <= _LAST_AFTER_NOON) if said in _HOURS else int(said)
    minute = _MINUTES.get(found["minute"] or "", int(found["minute"] or 0) if (found["minute"] or "0").isdigit() else 0)
    total = 60 * hour + minute
    return f"{total // 60:02}:{total % 60:02}" if 0 <= total < 24 * 60 else ""
