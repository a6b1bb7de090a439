"""Who is to do it: owners of action items as people write them, with a day that is written as a field beside them."""

import re
from dataclasses import dataclass, replace
from typing import Final

from ledger.language.values import parse_value

_WORD: Final = r"@?[A-ZÀ-ÖØ-ÞĀ-Ž\u0370-\u03ff\u0400-\u042f\u0590-\u05ff][\w.'’-]{0,30}@?"
_NAME: Final = rf"(?:@[\w.-]{{1,39}}|[\w.-]{{1,39}}@|{_WORD}(?: (?:{_WORD}|van|von|de|der|den|la|le|bin|al)){{0,3}})"
_JOIN: Final = r"(?:,? (?:and/or|and|und|et|or|y) |, ?| ?& ?| ?/ ?| ?\+ ?| (?=@))"
NAMES: Final = rf"{_NAME}(?:{_JOIN}(?:hopefully |maybe |possibly )?{_NAME}){{0,7}}"
_ONLY_NAMES: Final = re.compile(rf"{NAMES}\Z")
_LEADING: Final = re.compile(
    rf"(?P<names>{NAMES})(?:, (?:maybe|and) others)?,? "
    r"(?:to(?! be [a-z]+e[dn]\b)|will|shall|should|must|needs? to|is going to|(?:is|are) to|agreed to|volunteered to|can|please)\b"
)
# `Cleaning of the hall - JH to ask them`
_BEHIND_TOPIC: Final = re.compile(
    rf"[^\n:–—-]{{2,60}}? (?:[-–—]{{1,2}}|:) (?P<names>{NAMES}) (?:to|will) (?!be\b)[a-z]"
)
# `All members of the board will read it`
_GROUP: Final = re.compile(
    r"(?P<names>(?:[Aa]ll (?:the )?|[Tt]he )?(?:[A-Z][\w-]{1,20} ){0,3}"
    r"(?i:members|chairs?|editors|maintainers|team|committee|board|volunteers|trustees|staff|leads))"
    r" (?:to|will|should|please) (?!be\b)[a-z]"
)
_ADDRESSED: Final = re.compile(
    rf"(?P<names>@[\w-]{{1,39}}|{NAMES}|[a-z][\w-]{{1,30}})[*_]{{0,3}}[ \t]?: (?=\S)"
    rf"|(?P<dashed>@[\w-]{{1,39}}|{NAMES})[*_]{{0,3}}(?:[ \t]+[-–—]{{1,2}}|-)[ \t]+(?=\S)"
)
_TRAILING: Final = re.compile(r"[ \t]*[(\[](?P<names>[^()\[\]\n]{1,120})[)\]][ \t]*[.!]?\Z")
_TRACKER: Final = re.compile(r"[ \t]*\[(?:recorded in |on )[^\[\]\n]{0,400}\][ \t]*\.?\Z")
_HANDLE_FIRST: Final = re.compile(
    r"(?P<names>@[\w.-]{0,38}[^\W_])[*_:]{0,3}[ \t]+\S"
    r"|[(\[][*_]{0,3}(?P<inside>[^()\[\]*\n]{1,60})[*_]{0,3}[)\]][*_]{0,3}:?[ \t]+\S"
)
_LOWER_FIRST: Final = re.compile(
    r"(?P<names>[a-z][\w|`^-]{1,30}(?:(?:,| and|, and|&)? [a-z][\w|`^-]{1,30}){0,3}?) (?:to|will|should)\b"
)
_HANDLE: Final = re.compile(r"@?[a-z][\w|`^-]{1,30}@?")
# `Aaron see if the hall is free`: verbs that are no nouns, so that what stands before them is whoever does it.
_BARE: Final = re.compile(
    rf"(?P<names>{NAMES}) (?:add|arrange|ask|bring|choose|confirm|contact|create|decide|discuss|ensure|explain|explore|find|finish"
    r"|fix|follow up|get|give|go|investigate|invite|join|keep|look|make|meet|notify|prepare|propose|provide|publish|put|reach"
    r"|remind|see|send|set|speak|submit|take|talk|tell|try|verify|write)(?:e?s)?\b"
)
# `… → Ann`, `… -- @ann`: after a dash only a handle or somebody who is known is meant.
_POINTED: Final = re.compile(
    r"[ \t]+(?:(?P<arrow>→|=>|->|⇒)|[-–—]{1,3})[ \t]+(?P<names>[^\n:;.()\[\]]{1,80}?)[ \t]*\.?\Z"
)
# `… Owner: Ann. Due: 5 May`, also on lines of their own below it.
_FIELD: Final = re.compile(
    r"[ \t]*(?:\n[ \t>]*[-*+•]?|[.;,(\[]|[ \t][-–—]{1,2})?[ \t]*[*_]{0,2}"
    r"(?P<field>owners?|assignees?|assigned(?: to)?|responsible|lead|who|verantwortlich|zuständig|responsable|encargad[oa]"
    r"|responsável|responsabile|verantwoordelijk|due(?: date| by)?|deadline|by when|when|fällig|frist|fecha(?: límite)?|plazo"
    r"|échéance|prazo|scadenza|status|priority)"
    r"[*_]{0,2}[ \t]*[:=][*_]{0,2}[ \t]*(?P<value>[^\n;.,()\[\]]{1,80}+)[)\].]?",
    re.I,
)
# `order the seals @ann`; not `talk to @ann`.
_HANDED: Final = re.compile(
    r"(?<!\bto)(?<!\bwith)(?<!\bfrom)(?<!\bfor)(?<!\bask)(?<!\bping)(?<!\bcontact)(?<!\btell)(?<!\bremind)(?<!\bemail)"
    r"(?<!\binvite)"
    r"(?<!\band)(?<!\bor)(?<!\bthank)(?<!\babout)(?<!\bof)(?<!\bas)(?<!\bat)(?<!\bsee)(?<!\bcc)(?<!,)[ \t]+"
    r"(?P<names>@[\w-]{1,39}(?:(?:,| and| &)? @[\w-]{1,39}){0,4})[ \t]*\.?\Z"
)
_ASSIGNED: Final = re.compile(
    r"[ \t]*(?:[-–—;,]{1,2}|[(\[])[ \t]*assigned to:?[ \t]+(?P<names>[^\n;.()\[\]]{1,80}?)[)\]]?\.?\Z", re.I
)
_OWNING: Final = frozenset(
    {
        "owner",
        "owners",
        "assignee",
        "assignees",
        "assigned",
        "assigned to",
        "responsible",
        "lead",
        "who",
        "verantwortlich",
        "zuständig",
        "responsable",
        "encargado",
        "encargada",
        "responsável",
        "responsabile",
        "verantwoordelijk",
    }
)
# `(Ann, due 3 March)`
_DUE_BESIDE: Final = re.compile(r",? (?:due|by|before|until)\b.*\Z")
_BETWEEN: Final = re.compile(r"(?: and/or )|[ ,&/+]+")
_I_WILL: Final = re.compile(r"I(?:'ll| will|’ll| am going to| to)\b")
# A meeting bot's note of who typed the line, and when.
_TYPED_BY: Final = re.compile(r"[ \t]*\([\w|`^.-]{1,30}, \d{1,2}:\d{2}(?::\d{2})?\)\Z")
_TRACKER_ON: Final = re.compile(r"\[on (?P<names>[^\[\]\n]{1,80}?)(?: - due (?P<due>\d{4}-\d\d-\d\d))?\]")
_DUE_DATE: Final = re.compile(
    r"(?<!\bwas )(?<!\bnot )\b(?:now|by|due|before|until|deadline:?|no later than)(?: on)?:? "
    r"(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8},? \d{4}|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
)
# Capitalised words that open sentences or stand in brackets and are nobody's name.
_JOINING: Final = frozenset({"and", "and/or", "or", "maybe", "y", "und", "et"})
_NOBODY: Final = frozenset(
    """i i'm i'll i’ll let's let’s lets goal aim purpose proposal idea plan intention
    discussed agreed noted reported suggested issues we we'll
     it this that these those there they he she you someone somebody everyone everybody anyone all
    the a an no not need needs please discuss add create open close update write follow review check fix move make remove send
    ask investigate file propose prepare publish if when once after before maybe also then and or in on for with from to
    done tbd tba asap wip n/a na none optional draft pending blocked postponed started completed closed overdue today tomorrow
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec pr issue bug url link pdf slides html css js
    continued ongoing new editorial low medium high urgent see note approved accepted resolved deferred""".split()
)


@dataclass(frozen=True, slots=True)
class Owner:
    """`names` as written (`Ben, JF`), and the part of the text that is left when an owner in brackets before it, or one behind
    it, is taken off."""

    names: str
    end: int
    due: str = ""
    start: int = 0


_EVERYBODY: Final = frozenset({"all", "everyone", "everybody"})
# `W37`, `Q3`
_WEEK: Final = re.compile(r"[A-Z]{1,2}\d{1,4}\Z")


def looks_like_names(text: str) -> bool:
    """True for one to eight names, handles or initials, and nothing else."""
    words = text.strip()
    if len(words) > 120 or not _ONLY_NAMES.match(words) or _WEEK.match(words):
        return False
    # `Ann/all`
    named = set(_parts(words)) - _EVERYBODY
    return bool(named) and _NOBODY.isdisjoint(named)


def is_handle(text: str) -> bool:
    """True for a nickname as chats write it: one word, lower case."""
    return _HANDLE.fullmatch(text.strip()) is not None and text.strip().casefold() not in _NOBODY


def _parts(names: str) -> list[str]:
    parts = (part.strip("@").casefold() for part in _BETWEEN.split(names))
    return [part for part in parts if part not in _JOINING]


def _are_names(text: str, known: frozenset[str]) -> bool:
    if looks_like_names(text):
        return True
    parts = [part.casefold() for part in _BETWEEN.split(text.strip()) if part.casefold() not in _JOINING]
    return bool(parts) and all(part in known or part.startswith("@") for part in parts)


def typed_by_end(text: str) -> int:
    """Where `text` stops before a meeting bot's `(nick, 14:02:11)`."""
    typed = _TYPED_BY.search(text, max(0, len(text) - 60)) if text.endswith(")") else None
    return typed.start() if typed else len(text)


def owner_of(text: str, in_label: str = "", *, known: frozenset[str] = frozenset(), speaker: str = "") -> Owner:
    """The owner of the action `text`, from its label (`AI(BS):`), its end (`… (Rob)`) or its start (`Rob to …`).

    `known` are the nicknames, case folded, that speak in the same text: only they count without a capital letter.
    `speaker` owns what begins with "I will".
    """
    behind = _in_brackets(text, _by_tracker(text, _behind(text, known)), known)
    first = _leading_names(text[: behind.end], known)
    names = in_label or behind.names or first
    addressee = _ADDRESSEE.match(text, 0, behind.end) if first and first == names else None
    speaks = _I_WILL.match(text)
    return replace(
        behind,
        names=_tidy(names or (speaker if speaks else "")),
        start=addressee.end() if addressee else 0,
    )


def _behind(text: str, known: frozenset[str]) -> Owner:
    """Whoever stands in fields or behind an arrow at the end of the words, and the day that the words name."""
    fielded = _fielded(text, known)
    return Owner(fielded.names, min(typed_by_end(text), fielded.end), fielded.due or _written_date(text))


def _by_tracker(text: str, owner: Owner) -> Owner:
    """What a tracker's note behind the words says: `[on Ann - due 2026-05-05]`."""
    tracked = _TRACKER.search(text, max(0, owner.end - 450), owner.end)
    if not tracked:
        return owner
    on = _TRACKER_ON.search(tracked[0])
    return Owner(on["names"], tracked.start(), on["due"] or owner.due) if on else replace(owner, end=tracked.start())


def _in_brackets(text: str, owner: Owner, known: frozenset[str]) -> Owner:
    """Whoever stands in brackets at the end of the words. A day beside them that only `due_of` can tell stays with the words."""
    trailing = _TRAILING.search(text, max(0, owner.end - 130), owner.end)
    inside = _DUE_BESIDE.sub("", trailing["names"]) if trailing else ""
    if not trailing or trailing.start() == 0 or not _are_names(inside, known) or _leads(text):
        return owner
    is_told = owner.due or inside == trailing["names"]
    return replace(owner, names=owner.names or inside, end=trailing.start() if is_told else owner.end)


# `(@ann) write it`, `[Ann] write it`, `@ann: write it`; not `@ann to write it`, which is a sentence.
_ADDRESSEE: Final = re.compile(
    r"[*_]{0,3}(?:[(\[][^()\[\]\n]{1,60}[)\]]|@[\w.-]{1,39})[*_]{0,3}:?[ \t]+"
    r"(?!(?:to|will|shall|should|must|can|needs?|is|are)\b)(?=\w)"
)


def _fielded(text: str, known: frozenset[str]) -> Owner:
    """The owner, the due day and the end of the words before them where they stand in fields, or behind an arrow."""
    owner = _last_fields(text)
    span = (max(0, owner.end - 130), owner.end)
    pointed = _ASSIGNED.search(text, *span) or _POINTED.search(text, *span) or _HANDED.search(text, *span)
    if owner.names or not pointed or pointed.start() == 0 or not _is_meant(pointed, known):
        return owner
    return replace(owner, names=pointed["names"], end=pointed.start())


def _last_fields(text: str) -> Owner:
    """What the fields at the end of the words say, and where the words end before them."""
    end, names, due = len(text), "", ""
    fields = [field for field in _FIELD.finditer(text) if field.start() > 0]
    while fields and fields[-1].end() == end:
        field = fields.pop()
        end, value = field.start(), field["value"].strip(" *_")
        if field["field"].lower() in _OWNING:
            names = value if looks_like_names(value) or is_handle(value) else names
        else:
            due = _written_date(f"due {value}") or due
    return Owner(names, end, due)


def _is_meant(pointed: re.Match[str], known: frozenset[str]) -> bool:
    names = pointed["names"].strip("*_ ")
    if pointed.re is _ASSIGNED or names.startswith("@"):
        return _are_names(names, known)
    # Behind a hyphen only whoever is known, behind a dash what is written as a name is.
    dashed = known.issuperset(_parts(names)) or _DASHED_NAME.match(pointed[0]) is not None
    return _are_names(names, known) and bool(pointed["arrow"] or dashed)


_DASHED_NAME: Final = re.compile(r"[ \t]+(?:[–—]|---?)[ \t]+[A-ZÀ-Þ][a-zà-ÿ’'-]+(?: [A-ZÀ-Þ][a-zà-ÿ’'-]+)?[ \t]*\.?\Z")


def without_due(names: str) -> str:
    """`Ann, due 3 March` without the day."""
    return _DUE_BESIDE.sub("", names)


def _leads(text: str) -> bool:
    """Whether whoever does it stands before it: `Ann to ask the works (ACME)`."""
    leading = _LEADING.match(text)
    return leading is not None and looks_like_names(leading["names"])


def _leading_names(text: str, known: frozenset[str]) -> str:
    text = _BOLD_NAME.sub(r"\2", text.lstrip(" \t"))
    text = _ANSWER.sub("", _LINKED_HANDLE.sub(r"\1", text.lstrip("*_ \t")))
    leading = _BEHIND_TOPIC.match(text) or _LEADING.match(text) or _ADDRESSED.match(text) or _BARE.match(text)
    first = next(filter(None, leading.groups())) if leading else ""
    if (looks_like_names(first) or is_handle(first)) and not text.startswith("Will need to"):
        return first
    if handle := _HANDLE_FIRST.match(text) or _LOWER_FIRST.match(text):
        names = next(filter(None, handle.groups()))
        return names if _are_names(names, known) else ""
    group = _GROUP.match(text)
    return group["names"] if group else ""


# `**Ann** to write`
_BOLD_NAME: Final = re.compile(r"\A([*_]{2})([^*_\n]{1,80})\1(?= [a-z])")
# `Yes, Ann will write`
_ANSWER: Final = re.compile(r"\A(?:yes|yeah|yep|ok|okay|ja|sí|oui|sim)[,.!:]?[ \t]+(?=[@A-ZÀ-Þ])", re.I)
# `[@ann](https://…) to write`
_LINKED_HANDLE: Final = re.compile(r"\A\[(@[\w.-]{1,39})\]\([^()\s]{1,200}\)")


def owner_below(shadow: str, end: int) -> Owner:
    """The owner and the day in fields on the lines below a task that ends at `end`; `end` of it where they stop."""
    stop, blank = end, _BLANK.match(shadow, end)
    at = blank.end() if blank else end
    while field := _FIELD.match(shadow, at):
        at = stop = field.end()
    return _fielded(f"…{shadow[end:stop]}", frozenset()) if stop > end else Owner("", 0)


_BLANK: Final = re.compile(r"[ \t]*\n(?=[ \t]*\n[ \t]*[*_]{0,2}[A-Za-z])")

_SPEAKING: Final = re.compile(
    r"^[ \t]*(?:>[ \t]*)?(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?[ \t]+)?(?:<[@+]?([\w|`^-]{2,30})>|\*{0,2}([\w|`^-]{2,30}):)",
    re.M,
)


def speaking_in(shadow: str) -> frozenset[str]:
    """The nicknames that begin lines of a transcript, case folded."""
    return frozenset((name[1] or name[2]).casefold() for name in _SPEAKING.finditer(shadow)) - _NOBODY


def _written_date(text: str) -> str:
    found = _DUE_DATE.search(text)
    if not found:
        return ""
    try:
        return str(parse_value(found[1], "date")[1])
    except ValueError:
        return ""


def _tidy(names: str) -> str:
    return " ".join(names.replace("@", "").split()).strip(" ,;:")
