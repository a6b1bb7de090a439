"""Who took part in a meeting, as its minutes list them: `Present: Ann Lee, Bo`, bullets or a table under `Attendees`, nicknames,
initials; and the forms in which the text speaks of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import Final

from extraction.extractors.documents.owners import looks_like_names
from extraction.extractors.documents.patterns import any_of, places_of
from ledger.language.outline import Heading, at_lines

# Words that head a list of people, in any of the languages that the labels know.
_PEOPLE: Final = any_of(
    r"""present, presence, attend(?:ees?|ing|ance|ed(?: by)?|ants?), participa(?:nts?|ting), roll ?-?call, apologies,
    regrets, absent(?:ees)?, excused, guests?, observers?, members, quorum, who(?: i|['’])s here, who(?: wa|['’])s
    (?:here|there), on the call, in the room, anwesen(?:d|de|heit), teilnehm(?:er|ende|erinnen)(?:[:*/_]?innen)?,
    teilgenommen, entschuldigt, abwesend, gäste, asist(?:entes|encia|en|ieron), presentes, participantes, ausentes,
    invitad[oa]s, excusados, présent(?:e?s|[·.-]?e[·.-]?s|\(e\)s), présences?, participant(?:e?s|[·.]e[·.]s), absente?s,
    excusé(?:e?s|[·.]e[·.]?s),
    invité(?:e?s|[·.]e[·.]s), participantes, convidad[oa]s, presenti, partecipanti, assenti, aanwezig(?:en)?,
    afwezig(?:en)?, deelnemers, 出席者, 参加者, 出席, 与会者, 参会人员, 参加人员, 참석자, 출석"""
)
# Words that name one person who does something in the meeting.
_ROLE: Final = any_of(
    r"""chairs?(?:person|man|woman)?, co-?chairs?(?:person|man|woman)?, minutes?[ -]?(?:takers?|scribe|by|taken by),
    notes?[ -]?(?:takers?|scribe|by|taken by), action items?[ -]?(?:takers?|scribe|by|taken by), scribe[sd]?(?: by)?,
    scribenicks?, facilitators?, facilitated by, hosts?, moderators?, secretary, recorders?, recorded by, presenters?,
    team, others?, leads?, leitung, vorsitz, moderation, protokoll(?:führung|ant(?:in)?)?, schriftführ(?:er|ung|erin),
    acta, secretari[oa], modera, preside, presidenta?, secrétaire, animat(?:eur|rice), président, notulist, voorzitter,
    verbale, segretari[oa]"""
)
_ASIDE: Final = r"(?:[ \t]*\([^()\n]{0,60}\))?"
# `**Members present (please add yourself):** Ann, Bo`
_LABEL: Final = re.compile(
    rf"^(?P<head>[ \t>]*+(?:[-*+•][ \t]+)?[*_]{{0,3}}(?:\[)?(?:[^\W\d_]+[ \t]){{0,3}}?(?:{_PEOPLE}|{_ROLE})(?:[ \t](?:present"
    rf"|members"
    rf"|by|are|were|waren|sind))?{_ASIDE}(?:[*_]{{0,3}}[ \t]?[:：][*_]{{0,3}}|[ \t][-–—][ \t]|(?<=were) |(?<=waren) "
    rf"|[+*_]{{1,3}}(?=[ \t]*$)|(?=[ \t]*\n[ \t]*[-*+•]))[*_]{{0,3}})"
    r"(?P<same>[^\n]*)",
    re.I | re.M,
)
_TITLE: Final = re.compile(rf"\W*(?:[^\W\d_]+ ){{0,4}}(?:{_PEOPLE})\b(?: [^\W\d_]+){{0,3}}{_ASIDE}\W*\Z", re.I)
# `*[MT]: Marco Tiloca`, `MT = Marco Tiloca`, as minutes explain the initials that they use.
_EXPLAINED: Final = re.compile(
    r"^[ \t]*[-*+•]?[ \t]*\[?(?P<short>[A-Z]{2,4})\]?[ \t]*(?:[:=]"
    r"|[-–—](?=[ \t]))[ \t]*(?P<name>[A-Z][^\W\d_]+(?: [A-Z][\w.'’-]*){1,3})"
    r"[ \t]*(?:[(,][^\n]{0,60})?$",
    re.M,
)
_MARKER: Final = re.compile(r"[ \t>]*(?:(?:[-*+•‣◦▪–—]|\(?\d{1,3}[.)])[ \t]+)?(?:\\?\[[ xX]?\\?\][ \t]*)?")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{1,80})\](?:\([^()\n]{0,200}\)|\[[^\[\]\n]{0,80}\])?")
_ROLES_IN: Final = re.compile(r"\A[^\W\d_][\w ]{1,30}[:：][ \t]+")
_BETWEEN: Final = re.compile(r"[ \t]*(?:[,;、，；·•/&+]|\band\b|\bund\b|\by\b|\bet\b|\be\b|\ben\b)[ \t]*", re.I)
_BRACKETED: Final = re.compile(r"[(\[](?P<inside>[^()\[\]\n]{1,60})[)\]]")
# What stands behind a name and is none: `Ann Lee - Acme`, `Ann Lee: Acme`.
_BEHIND: Final = re.compile(r"(?:[ \t]+[-–—|@]+[ \t]?|[ \t]?[:：=][ \t]|[ \t]{3,}|\t).*\Z")
_WORD: Final = r"[A-ZÀ-ÖØ-ÞĀ-Ž\u0370-\u03ff\u0400-\u042f][\w.'’-]{0,30}"
_PARTICLE: Final = r"(?:van|von|de|der|den|la|le|bin|al|di|da|dos|do|del|ter|zu|el)"
_NAME: Final = re.compile(rf"{_WORD}(?: (?:{_WORD}|{_PARTICLE})){{0,4}}\Z")
_NICK: Final = re.compile(r"@?[\w][\w|`^.-]{1,30}\Z")
_INITIALS: Final = re.compile(r"[A-Z][A-Za-z]{0,2}[A-Z]\Z")
_NO_NAMES: Final = frozenset(
    """name names affiliation company organisation organization role email github handle nick irc present attendee attendees
    participant participants member members guest guests none nobody all everyone everybody others other team tbd tba n/a na regrets
    apologies absent chair chairs scribe yes no x the a an please add yourself your here quorum date time agenda notes minutes
    meeting
    anwesend entschuldigt alle niemand todos nadie ninguno tous personne aucun you we i it
    they he she who board rfc tc wg sc ec er sie wir il elle nous él ella""".split()
)
# Capitals that name things of meetings and of work, not people.
_NO_INITIALS: Final = frozenset(
    "AI AP PR CI CD QA IT UI UX ID OS DB TC SC WG EC OK API RFC TSC TAC TOC CPC SIG PMC ED FYI TBD TODO US EU UK NA".split()
)
MAX_PEOPLE: Final = 400
MAX_LIST: Final = 8_000
MAX_LISTS: Final = 60


_TOKEN: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Attendance:
    """The forms in which a text may speak of the people that it lists: `names` (full, first and last names, case folded; a text
    writes them with a capital), `nicks` (case folded) and `initials`."""

    names: frozenset[str] = frozenset()
    nicks: frozenset[str] = frozenset()
    initials: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names or self.nicks)

    def knows(self, written: str) -> bool:
        """Whether a name as written is somebody's."""
        plain = " ".join(written.strip(" @*_`[].").split())
        folded = plain.casefold()
        if folded in _NO_NAMES:
            return False
        if plain in self.initials or folded in self.nicks:
            return True
        return (plain[:1].isupper() or written.startswith("@")) and folded in self.names

    @cached_property
    def parts_of_names(self) -> frozenset[str]:
        return frozenset(_TOKEN.findall(" ".join(self.names | self.nicks | self.initials).casefold()))

    def words_in(self, plain: str) -> list[int]:
        """Where a word that is a part of anybody's name stands in a text in lower case, and its end: most sentences hold none."""
        parts = self.parts_of_names | {part.replace("ss", "ß") for part in self.parts_of_names}
        present = parts.intersection(_TOKEN.findall(plain))
        places = [at for part in present for at in places_of(part, plain) if _is_word(plain, at, at + len(part))]
        return [*sorted(places), len(plain)]

    def places_in(self, words: str) -> Iterator[int]:
        """Where a part of somebody's name stands, the `@` before it included."""
        for token in _TOKEN.finditer(words):
            if token[0].casefold() in self.parts_of_names:
                yield token.start() - words.startswith("@", max(0, token.start() - 1))

    @classmethod
    def joined(cls, people: Iterable["Attendance"]) -> "Attendance":
        rows = [(one.names, one.nicks, one.initials) for one in people] or [(frozenset(),) * 3]
        return cls(*(frozenset(chain.from_iterable(forms)) for forms in zip(*rows, strict=True)))


def _is_word(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


NOBODY: Final = Attendance()


def attendance_of(shadow: str, heads: Sequence[Heading]) -> Attendance:
    """The people that a text lists as present or absent, or names as chair or scribe."""
    lists = islice(chain(_under_headings(shadow, heads), _behind_labels(shadow), _in_tables(shadow)), MAX_LISTS)
    names = chain.from_iterable(islice(_names_in(shadow[start:end]), MAX_PEOPLE) for start, end in lists)
    people = Attendance.joined(map(_forms_of, names))
    return Attendance.joined([people, *_explained(shadow)]) if people else NOBODY


def _explained(shadow: str) -> Iterator[Attendance]:
    for found in islice(at_lines(_EXPLAINED, shadow), MAX_PEOPLE):
        yield Attendance(initials=frozenset({found["short"]}))
        yield _forms_of(found["name"])


# Whoever says, asks or offers something is somebody: `Ann noted that …`, `Bo and Cy volunteered`.
_ACTS: Final = re.compile(
    r"(?P<names>[A-Z][\w’'-]{1,30}(?: [A-Z][\w’'-]{1,30})?(?:(?:,| and|, and| &) [A-Z][\w’'-]{1,30}(?: [A-Z][\w’'-]{1,30})?){0,4})"
    r"[ \n](?:also |then |has |have )?(?:said|says|ask(?:ed|s)|not(?:ed|es)|mention(?:ed|s)|explain(?:ed|s)|suggest(?:ed|s)"
    r"|report(?:ed|s)"
    r"|th(?:inks|ought)|agree[sd]|volunteer(?:s|ed)?|offer(?:s|ed)|promise[sd]|joined|replie[sd]|raise[sd]|propose[sd]"
    r"|present(?:ed|s)"
    r"|shared|w(?:ants|anted|ondered|onders)|apologi[sz]ed|recommend(?:ed|s)|stated|commented|clarified|confirmed|feels|felt"
    r"|described"
    r"|introduced|reminded|thanked|spoke|sagt(?:e)?|fragt(?:e)?|berichtet(?:e)?|erklärt(?:e)?|dijo|preguntó|explicó|propuso"
    r"|a (?:dit"
    r"|demandé|expliqué|proposé))\b"
)
# What stands before them: nothing on their line, the end of a clause, a word that opens one.
_OPENS_CLAUSE: Final = re.compile(r"(?:^[ \t>]*(?:[-*+•][ \t]+)?|[.;:,(][ \t\n]+|\b(?:and|but|that)[ \t])\Z", re.M)
MAX_MARGIN: Final = 30


def those_who_speak(shadow: str) -> Attendance:
    """The people that a text says to have said, asked or offered something."""
    names = filter(_names_somebody, chain.from_iterable(map(_BETWEEN.split, islice(_acting(shadow), MAX_PEOPLE))))
    return replace(Attendance.joined(map(_forms_of, names)), initials=frozenset())


def _acting(shadow: str) -> Iterator[str]:
    """Those who act, found by the capital that they begin with, and only then by what stands before."""
    found = _ACTS.search(shadow)
    while found:
        opens = _OPENS_CLAUSE.search(shadow, max(0, found.start() - MAX_MARGIN), found.start()) is not None
        if opens:
            yield found["names"]
        found = _ACTS.search(shadow, found.end() if opens else found.start() + 1)


def _names_somebody(name: str) -> bool:
    return looks_like_names(name) and not name.isupper() and _NOT_PEOPLE.isdisjoint(name.casefold().split())


_NOT_PEOPLE: Final = frozenset(
    """find need needs seek recruit identify looking get ask thank invite group team committee board council members member
    people others some many most participants discussion proposal status goal plan idea aim purpose motion intention hope
    question
    answer decision resolution agenda who what which one but also please chair secretary project projects community users user staff
    attendees everyone several both each another nobody none developers maintainers authors editors
    teams clients companies comments feedback report article paper document draft text spec""".split()
)


def heads_people(head: Heading) -> bool:
    """Whether a list of people stands below a heading."""
    return len(head.title) <= MAX_TITLE and _TITLE.match(head.title) is not None


def _under_headings(shadow: str, heads: Sequence[Heading]) -> Iterator[tuple[int, int]]:
    level = 0
    for at, head in enumerate(heads):
        titled = heads_people(head)
        # `### Guests` below `## Attendees`.
        level = head.level if titled else level if level and head.level > level and _PART.match(head.title) else 0
        if level:
            end = heads[at + 1].start if at + 1 < len(heads) else len(shadow)
            yield head.end, min(end, head.end + MAX_LIST)


MAX_TITLE: Final = 80
_PART: Final = re.compile(
    r"\W*(?:\w+ ){0,3}(?:team|guests?|members?|others?|core|voting|staff|board|observers?|remote(?:ly)?|maintainers|alumni"
    r"|invited|online"
    r"|on-?site|in person|virtual(?:ly)?|council|committee|representatives?|reps)\b[^\n]{0,30}\Z",
    re.I,
)


def _behind_labels(shadow: str) -> Iterator[tuple[int, int]]:
    """What stands behind a label on its line and on those that go on with it; or, behind a bare one, the block below."""
    for label in at_lines(_LABEL, shadow):
        bare = not label["same"].strip(" \t*_")
        below = _BLOCK_BELOW.match(shadow, label.end()) if bare else _GOES_ON.match(shadow, label.end())
        yield label.start("same"), min(below.end() if below else label.end(), label.end() + MAX_LIST)


def _in_tables(shadow: str) -> Iterator[tuple[int, int]]:
    """The rows below a head that names people."""
    for table in at_lines(_TABLE, shadow) if "|" in shadow else ():
        yield table.span("rows")


_TABLE: Final = re.compile(
    rf"^[ \t]*\|?[ \t*_]*(?:[^\W\d_]+ ){{0,2}}(?:{_PEOPLE})[ \t*_]*\|"
    r"[^\n]*\n[ \t]*\|?[ \t:|-]*--[ \t:|-]*\n(?P<rows>(?:[^\n|]*\|[^\n]*(?:\n|\Z))++)",
    re.I | re.M,
)
# A list's lines, blank ones between them at most one by one; or the lines of one paragraph.
_BLOCK_BELOW: Final = re.compile(
    r"(?:[ \t]*\n){1,3}(?:(?:[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t][^\n]*(?:\n[ \t]*(?=\n[ \t]*[-*+•\d]))?(?:\n|\Z))++"
    r"|(?:[ \t]*\|[^\n]*(?:\n|\Z))++|(?:[ \t]*[^\s#][^\n:]{0,200}(?:\n|\Z))++)"
)
_GOES_ON: Final = re.compile(r"(?:(?<=,)[ \t]*\n[^\n:]{1,200}|\n[ \t]+(?![-*+•#\d])[^\n:]{1,200})*+")


def _names_in(words: str) -> Iterator[str]:
    """Each person of a list as written, with the nickname or initials in brackets behind it."""
    lines = [_LINK.sub(r"\1", line[_MARKER.match(line).end() :]).strip() for line in words.split("\n")]  # type: ignore[union-attr]
    lines = [line for line in lines if line and not _RULE.match(line)]
    # Where each line is a person, what follows a comma is where they come from.
    alone = len(lines) >= MIN_LINES and sum(line.count(",") <= 2 for line in lines) > len(lines) * 0.7
    for line in lines:
        if line.startswith("|"):
            yield from _in_cells(line)
            continue
        line = _ROLES_IN.sub("", line.strip("\"'*_ "))
        parts = _split(line)
        yield from parts[:1] if alone else parts


MIN_LINES: Final = 3
_RULE: Final = re.compile(r"[-=~|:+ \t]+\Z")


def _split(line: str) -> list[str]:
    """The people of one line; commas in brackets part nobody."""
    held = _BRACKETED.sub(lambda found: found[0].replace(",", ";"), line)
    return [part for part in _BETWEEN.split(held) if part] if "(" not in held else _split_outside(held)


def _split_outside(line: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for mark in _STOPS.finditer(line):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(mark[0], 0)
        if depth == 0 and mark[0] not in "()[]":
            parts.append(line[start : mark.start()])
            start = mark.end()
    return [part.strip() for part in (*parts, line[start:]) if part.strip()]


_STOPS: Final = re.compile(r"[()\[\]]|[,;、，；&]|[ \t](?:and|und|y|et)[ \t]")


def _in_cells(line: str) -> Iterator[str]:
    """The first two cells of a row: a name and a nickname, in either order."""
    cells = [cell.strip(" *_") for cell in line.strip("| ").split("|")]
    yield from cells[:1]
    if len(cells) > 1 and cells[1].startswith("@"):
        yield cells[1]


def _forms_of(written: str) -> Attendance:
    """How a text may call somebody listed as `Ann Marie Lee (@aml)`: `Ann Marie Lee`, `Ann`, `Lee`, `aml`, `AML`, `AL`."""
    nicks = {found[1].casefold() for found in _HANDLE.finditer(written)}
    initials = {found["inside"] for found in _BRACKETED.finditer(written) if _INITIALS.match(found["inside"])}
    name = " ".join(_BEHIND.sub("", _BRACKETED.sub(" ", written)).strip(" \t*_`\"'.,;:").split())
    names: set[str] = set()
    if name.casefold() in _NO_NAMES:
        return NOBODY
    if _NAME.match(name):
        words = [word for word in name.split() if word[0].isupper()]
        if len(words) > 1:
            initials |= {"".join(word[0] for word in words), words[0][0] + words[-1][0]}
        ends = {word for word in (name, words[0], words[-1]) if len(word) > 1 and word not in _SHORT_WORDS}
        names = {word.casefold() for word in ends}
    elif _NICK.match(name):
        nicks.add(name.lstrip("@").casefold())
    return Attendance(frozenset(names), frozenset(nicks), frozenset(initials - _NO_INITIALS))


_HANDLE: Final = re.compile(r"@([\w.-]{2,39})")
_SHORT_WORDS: Final = frozenset(
    "A An The Dr Dr. Mr Mr. Mrs Mrs. Ms Ms. Prof Prof. Frau Herr Sr. Sra. Jr Jr. II III".split()
)
