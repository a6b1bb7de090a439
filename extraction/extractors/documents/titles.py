"""What kind of thing a title names: `Decisions`, `3. Action items (2)`, `Decision and rationale`, `Key decisions from today`."""

import re
from os.path import commonprefix
from typing import Final

from extraction.extractors.documents.labels import SYMBOL
from extraction.extractors.documents.ruleset import RuleSet
from ledger.language.fold import normalise_label

ACTION: Final = "action_item"
# What may stand under a title besides a section's prose and plain lists.
FORMS: Final = ("items_only", "mixed", "tasks", "open_boxes", "accepted")
_NUMBERED: Final = re.compile(r"(?:(?:\d{1,3}(?:\.\d{1,3}){0,5}[.):]?|[A-Z][.)]|[ivxIVX]{1,5}[.)])[ \t]+)?")
_MARKED: Final = re.compile(rf"(?:[ \t*_`]|{SYMBOL}\ufe0f?|(?i:(?:agenda )?(?:topic|item)s?):[ \t])*")
# `Conclusion 2`, `Resolution (Ann Lee)`, `Action items (3)`; not `Decision (draft)`.
_COUNTED: Final = re.compile(r"[ \t]+(?:#?\d{1,3}|\((?P<about>[^()]{1,40})\))[*_ :]*\Z")
_JOINED: Final = re.compile(r"\s*(?:/|&|,|\b(?:and|or|und|oder|y|et|ou|e|en)\b)\s*")


def words_begin(title: str) -> int:
    """Where its words begin, behind marks and a number."""
    marks = _MARKED.match(title).end()  # type: ignore[union-attr]
    return _NUMBERED.match(title, marks).end()  # type: ignore[union-attr]


def kind_of_title(title: str, rules: RuleSet) -> tuple[str, str] | None:
    """The kind that a title names, and the form of what stands under it."""
    bare = title[words_begin(title) :].rstrip("*_` ").rstrip(":： ")
    counted = _COUNTED.search(bare)
    if counted and (counted["about"] or "").casefold().strip() not in rules.qualifiers:
        bare = bare[: counted.start()]
    words = normalise_label(bare.strip("*_` ").rstrip(":： ")).replace("(s)", "s")
    if len(words) > 60:
        return None
    return _named(words, rules) or _jointly_named(words, rules) or _qualified(words, rules)


# `Other actions`, `Key decisions from today`, `Next steps until the next meeting`; what is old names no list.
_WHICH: Final = re.compile(
    r"(?:(?:all|other|additional|further|more|new|remaining|key|main|major|important|general|our|my|the|resulting|immediate"
    r"|upcoming|specific|concrete|meeting|today['’]?s|this (?:week|month|meeting)['’]?s|(?:summary|list|overview|record) of"
    r"|(?:zusammenfassung|liste|übersicht) (?:der|von)|(?:resumen|lista|listado|relación) de"
    r"|(?:résumé|liste|relevé|récapitulatif) des"
    r"|(?:resumo|lista) d[ae]s?|(?:riepilogo|elenco) del(?:le|i)|(?:samenvatting|lijst|overzicht) van"
    r"|offene|neue|weitere|nuevas|nuevos"
    r"|principales|nouvelles|autres|novas|nuove|nieuwe|openstaande)[ ])+"
)
_FOR_WHOM: Final = re.compile(
    r" (?:summary|list|resulting|recorded|captured|identified|assigned|asignad[oa]s|pendientes|tomad[oa]s|adoptad[oa]s|prises"
    r"|assignées|atribuídas|tomadas|prese|assegnate|genomen|zugewiesen|(?:for|from|of|by|before|until|in|at|during)"
    r" (?:(?:the|our) )?(?:today|tomorrow|now|this|next|coming|upcoming|following|meeting|call|session|everyone|all)\b"
    r"(?!.*\b(?:approval|review|discussion|vote)\b).*)\Z"
)


def _qualified(words: str, rules: RuleSet) -> tuple[str, str] | None:
    """The kind and form of a list's title with words around it that say which, or for whom."""
    which = _WHICH.match(words)
    rest = _FOR_WHOM.sub("", words[which.end() if which else 0 :])
    listed = rest != words and rest.endswith(("s", "en", "ni"))
    named = _named(rest, rules) or _jointly_named(rest, rules) if listed else None
    return named if named and named[0] in ("decision", ACTION) and named[1] != "sections" else None


def _jointly_named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    """`Decision and rationale` is one section of a record, as `Decision` is; `Conclusion/Decision` heads a list of them."""
    parts = [part for part in _JOINED.split(words) if part]
    if not 2 <= len(parts) <= 3:
        return None
    named = [_named(part, rules) or _nearly_named(part, rules) for part in parts]
    kinds = {name[0] for name in named if name}
    unnamed = [part for part, name in zip(parts, named, strict=True) if not name]
    if kinds == {"decision", ACTION} and not unnamed:
        return ACTION, "mixed"
    if len(kinds) != 1 or not rules.heading_beside.issuperset(unnamed):
        return None
    return kinds.pop(), "reasoned" if unnamed else "lists"


def _named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    for kind, forms in rules.headings.items():
        if words in forms.sections:
            return kind, "either" if words in forms.lists else "sections"
        if words in forms.lists:
            return kind, "lists"
        for form in FORMS:
            if words in getattr(forms, form):
                return kind, form
    return None


def _nearly_named(words: str, rules: RuleSet) -> tuple[str, str] | None:
    """One slip of the keyboard in a long word: a letter missing, doubled or wrong (`Concluson`)."""
    if len(words) < 8:
        return None
    titles = ((kind, known) for kind, forms in rules.headings.items() for known in forms.lists)
    return next(((kind, "lists") for kind, known in titles if known[:3] == words[:3] and _one_slip(words, known)), None)


def _one_slip(a: str, b: str) -> bool:
    at = len(commonprefix([a, b]))
    return a[at + 1 :] in (b[at + 1 :], b[at:]) or a[at:] == b[at + 1 :]
