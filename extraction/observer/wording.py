"""What the observer says: one line in the seed's manner, in the language of the chat, never longer than its kind may be (O9)."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from extraction.observer.findings import Finding
from extraction.observer.known import words_of
from extraction.observer.settings import CLARIFICATION, MISSING, RESOURCE, TEMPORAL, RedlineSettings

# Small words by which a line is told to be in a language.
_SMALL: Final = {
    "en": "the is are you and to i can we it for at on who my of with this not have i'll what be in do get u",
    "es": "el la los las que de y en a yo no es un una por para con lo me te se si hoy mi como ya voy del al quien puedo",
    "de": "der die das ist und ich nicht du wir zu ein eine mit auf um von im heute morgen wer kann hab bin ja auch den dem noch",
    "fr": "le les des du est et je tu il elle on nous vous pas que qui pour avec dans au aux une ce c'est j'ai oui demain chez moi",
}
_LANGUAGE_OF: Final = {
    language: frozenset(words.split()) for language, words in _SMALL.items()
}  # fmt: skip
_DAYS: Final = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
}
_AND: Final = {"en": " and ", "es": " y ", "de": " und ", "fr": " et "}
_LENGTH: Final = {TEMPORAL: "conflict", RESOURCE: "conflict", MISSING: "conflict", CLARIFICATION: "clarification"}

_TEXTS: Final = {
    ("en", TEMPORAL): "⚠️ {people} has {what} {day} {known_at}, but this says {said} at {said_at}. Which is it?",
    ("es", TEMPORAL): "⚠️ {people} tiene {what} {day} {known_at}, pero aquí dice {said} a las {said_at}. ¿Cuál vale?",
    ("de", TEMPORAL): "⚠️ {people} hat {day} {known_at} {what}, hier steht {said} um {said_at}. Was gilt?",
    ("fr", TEMPORAL): "⚠️ {people} a {what} {day} à {known_at}, mais ici on lit {said} à {said_at}. Lequel vaut ?",
    ("en", RESOURCE): "🚨 {who} both have {what} on {day}. Who's doing it?",
    ("es", RESOURCE): "🚨 {who} dicen que van: {what}, {day}. ¿Quién va?",
    ("de", RESOURCE): "🚨 {who} übernehmen beide: {what}, {day}. Wer macht es?",
    ("fr", RESOURCE): "🚨 {who} s'en chargent tous les deux : {what}, {day}. Qui y va ?",
    ("en", "thing"): "🚨 {who} both need the {what} on {day} around {said_at}. Who gets it?",
    ("es", "thing"): "🚨 {who} necesitan {what} el {day} hacia las {said_at}. ¿Quién?",
    ("de", "thing"): "🚨 {who} brauchen beide am {day} gegen {said_at}: {what}. Wer bekommt es?",
    ("fr", "thing"): "🚨 {who} ont besoin de la même chose {day} vers {said_at} : {what}. Qui l'a ?",
    ("en", MISSING): "⏳ Nobody has {what} for {people} yet, {day} {said_at}. Who?",
    ("es", MISSING): "⏳ Falta quién: {what}, {people}, {day} {said_at}. ¿Quién va?",
    ("de", MISSING): "⏳ Noch niemand für {people}: {what}, {day} {said_at}. Wer macht es?",
    ("fr", MISSING): "⏳ Personne encore pour {people} : {what}, {day} {said_at}. Qui s'en charge ?",
    ("en", CLARIFICATION): "⏳ {said_at} for {what} on {day}? It is usually at {known_at}. Different this time?",
    ("es", CLARIFICATION): "⏳ ¿{what} el {day} a las {said_at}? Suele ser a las {known_at}. ¿Esta vez es distinto?",
    ("de", CLARIFICATION): "⏳ {what} am {day} um {said_at}? Sonst ist es um {known_at}. Diesmal anders?",
    ("fr", CLARIFICATION): "⏳ {what} {day} à {said_at} ? D'habitude c'est à {known_at}. Différent cette fois ?",
}
_UNNAMED: Final = {
    "en": ("that", "them", "it"), "es": ("eso", "los peques", "eso"), "de": ("das", "sie", "es"),
    "fr": ("cela", "eux", "cela"),
}  # fmt: skip
_MAX_QUOTED: Final = 60


def language_of(texts: Iterable[str]) -> str:
    """The language that most of the small words belong to; English where nothing tells."""
    count = Counter(
        language
        for text in texts
        for word in words_of(text)
        for language, small in _LANGUAGE_OF.items()
        if word in small
    )
    return max(_SMALL, key=lambda language: count[language])


def notice_text(found: Finding, *, language: str, zone: ZoneInfo, settings: RedlineSettings) -> str:
    """One line. Names and titles are shortened before the question at its end is."""
    most = settings.lengths[_LENGTH[found.rule]]
    template = _TEXTS[language, "thing" if found.thing else found.rule]
    that, them, it = _UNNAMED[language]
    room = most
    while True:
        names = {
            "people": _joined(sorted(found.people), language, room) or them,
            "who": _joined(found.who, language, room),
            "what": _cut(found.what, min(room, _MAX_QUOTED)) or it,
            "said": _cut(found.said, min(room, _MAX_QUOTED)) or that,
            "day": _DAYS[language].split()[found.day.weekday()],
            "known_at": _clock(found.known_at, zone),
            "said_at": _clock(found.said_at, zone),
        }
        text = " ".join(template.format_map(names).split())
        if len(text) <= most:
            return text
        room //= 2


def _joined(names: Iterable[str], language: str, room: int) -> str:
    return _cut(_AND[language].join(dict.fromkeys(names)), room)


def _cut(words: str, most: int) -> str:
    plain = " ".join(words.replace("_", " ").split())
    return plain if len(plain) <= most else plain[: max(0, most - 1)].rstrip() + "…"


def _clock(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%H:%M}" if moment is not None else ""
