"""What a sentence is about where it does not say so itself: its speaker, or the heading above it. Pure.

`I am a vegetarian` says another thing in another mouth; `must be painted white` and `approved` say nothing without the title
they stand under; `We use oak for the shelves` says it all.
"""

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Final

from ledger.language.fold import fold, strip_markup

MAX_SUBJECT: Final = 200
# English, German, Spanish, Portuguese, Italian, French, Dutch: the closed classes in which a speaker speaks of one's own.
_FIRST_PERSON: Final = re.compile(
    r"(?:(?:yes|yeah|no|ok|okay|well|so|and|but|also|ja|nein|und|si|y|oui|sim)[,\s]{1,3}){0,2}"
    r"(?:i(?:'(?:m|ve|ll|d))?|my|mine|for me|as for me|ich|mein\w{0,2}|fur mich|yo|soy|estoy|tengo|mi|mis|eu|sou|tenho"
    r"|meu|meus|minha|minhas|io|mio|mia|je|j'\w+|ma|mes|moi|ik|mijn)(?![\w'.:/)])"
)
# What a clause opens with that has left its subject to the title above: a verb that needs one, a participle, a pronoun.
_WITHOUT_SUBJECT: Final = re.compile(
    r"(?:(?:must|should|shall|will|can|may|cannot|could|would|is|are|was|were|has|have|had|does|to be|not|no|never|only|always"
    r"|it|this|that|these|those|they|muss|mussen|soll|sollen|darf|durfen|kann|wird|werden|ist|sind|nicht|kein\w{0,2}|nur|es|das|dies\w{0,2}"
    r"|debe|deben|sera|es|esta|estan|se|solo|nunca|doit|doivent|est|sera|sont|ne|deve|devem|devono|e|moet|moeten|is|zijn|wordt"
    r")(?![\w'])|[^\W\d_]{2,20}(?:ed|ado|ada|ados|adas|ido|ida|idos|idas)(?![\w'])|(?:ge[^\W\d_]{2,20}(?:t|en))(?![\w']))"
)
# What is known by its number: `Issue 12`, `Item 3`, `#412`, `OPS-9`; not `Week 12`, not `Section 3`.
_NUMBERED: Final = re.compile(
    r"(?:^|\W)(?:(?:issue|item|ticket|task|pr|bug|case|motion|question|proposal|request|story|topic|point|punkt|thema|antrag|punto"
    r"|tema|sujet)\W{0,3}(?:n[ro]?\W{0,2})?\d|#\d|[a-z]{2,10}-\d{1,6}(?!\d|-\d))"
)
MAX_BARE_WORDS: Final = 3
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_LABELLED: Final = re.compile(r"\[?([^\W\d_][^:：\[\]]{0,40}?)\]?\s*[:：]")
# Titles of parts that every text may have: they order a page and name nothing that it is about.
_PARTS: Final = frozenset(
    "abstract action actions activity agenda all announcement announcements appendix archive assumption assumptions "
    "attendees attendance background body call changelog change changes charter comment comments committee conclusion "
    "conclusions condition conditions configuration consequence consequences constraint constraints content contents "
    "context core current data date day decision decisions description detail details discussion discussions document "
    "draft end entry example examples executive fact facts faq feature features figure figures final finding findings "
    "follow followup from general goal goals group highlight highlights history idea ideas info information intro "
    "introduction issue issues item items key known last latest limit limits limitation limitations link links list "
    "log main meeting meetings memo minute minutes misc miscellaneous monthly motivation new news next note notes "
    "objective objectives open other others outcome outcomes outline overview page parameter parameters part "
    "participants planning plan point points preamble present problem progress proposal proposals proposed protocol "
    "purpose question questions rationale readme recap record reference references related release report requirement "
    "requirements resolution resolutions result results retro review risk risks roadmap rule rules scope section "
    "session settings solution spec specification specifications specs sprint stand standup start state statement "
    "status step steps summary sync table task tasks team technical term terms text title tldr todo todos today topic "
    "topics transcript uncategorized update updates up value values version week weekly work yesterday monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august september october "
    "november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun the of and for in "
    "on to with at our as we by or anhang anwesend aufgaben beschluss beschlusse besprechung diskussion einleitung "
    "entscheidung entscheidungen ergebnis ergebnisse hinweise notizen offene fragen protokoll punkte sitzung "
    "sonstiges tagesordnung thema themen ubersicht zusammenfassung der die das und acta acuerdo acuerdos asistentes "
    "conclusiones contexto decisiones discusion notas orden del dia puntos resumen reunion temas compte rendu "
    "contexte ordre du jour remarques resume sujets anexo ata conclusoes decisoes pauta resumo reuniao".split()
)


def speaks_of_itself(opening: str) -> bool:
    """Whether the speaker is what a statement is about, by its `opening_of`: the first person is its subject."""
    return _FIRST_PERSON.match(opening) is not None


def leaves_subject_out(opening: str) -> bool:
    """Whether a statement needs the title above it to say something, by its `opening_of`: `closed on mondays`, `approved`."""
    return len(opening.split()) <= MAX_BARE_WORDS or _WITHOUT_SUBJECT.match(opening) is not None


def named_by(title: str, labels: Collection[str] = ()) -> str:
    """A title without its markup, where it names what stands under it; else empty. `labels` are words that name kinds of
    statements."""
    words = strip_markup(title)
    plain = fold(words).strip(" :*_")
    label = _LABELLED.match(plain)
    if plain in labels or (label and label[1].strip() in labels):
        return ""
    # `Crane 7` and `Hall B` have a name; `Week 12` and `2026-02-03` have none.
    is_name = _NUMBERED.search(plain) or not _PARTS.issuperset(_WORDS.findall(plain))
    return words if is_name else ""


# A line that stands over what follows it without being a heading: in bold type or capitals alone on its line, called a topic, or
# the item of a list under which it stands.
_ITEM_LINE: Final = re.compile(
    r"[ \t]*(?:(?P<mark>\*\*|__)(?P<bold>[^*_\n]{2,80}?):?(?P=mark):?"
    r"|(?i:(?:agenda )?(?:item|topic|subject|issue|point|top|thema|punkt|tema|punto|sujet|objet|assunto|onderwerp))"
    r"(?: ?\d{1,3})?[ ]?[:.–-][ \t]*(?P<topic>[^\n]{2,80}?)|(?P<caps>[A-ZÀ-Þ][A-ZÀ-Þ0-9 &/-]{2,60}))[ \t]*"
)
_LIST_LINE: Final = re.compile(r"(?P<margin>[ \t]*)(?:\d{1,3}[.)]|[-*+•])[ \t]+(?P<item>[^\n:.!?]{2,80}?)[:.]?[ \t]*")
MAX_LINES_BELOW: Final = 12


def item_over(text: str, start: int, at: int) -> str:
    """What the nearest line above `at`, not before `start`, names as its item; empty where none does."""
    first = text.rfind("\n", 0, at) + 1
    lines = text[max(start, first - 4_000) : first].split("\n")[:-1]
    margin, touching = _margin(text[first : first + 200]), True
    near = lines[::-1][:MAX_LINES_BELOW]
    for line, above in pairwise([*near, ""]):
        touching = touching and bool(line.strip())
        if named := _ITEM_LINE.fullmatch(line):
            return (named["bold"] or named["topic"] or named["caps"]).strip()
        if listed := _LIST_LINE.fullmatch(line):
            numbered, alone = line[:1].isdigit(), touching or not above.strip()
            if len(listed["margin"]) < margin or (numbered and alone):
                return listed["item"].strip()
            if numbered:
                return ""  # a list that has ended
    return ""


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def joined(names: Iterable[str]) -> str:
    """What the titles above a statement name, outermost first, as its subject."""
    return " / ".join(filter(None, names))[:MAX_SUBJECT].strip()


def with_subject(statement: str, *about: str) -> str:
    """`Crane A: max load: 500 kg`: the statement below what it is about, as far as it does not say so itself."""
    said = statement.casefold()
    return ": ".join([*dict.fromkeys(one for one in about if one and one.casefold() not in said), statement])


_NAME: Final = re.compile(r"[^\W_]+(?:[-.'][^\W_]+)*")


def names_another(said: str, subject: str, statement: str = "") -> bool:
    """Whether a sentence says that it is about something else than `subject`: `Crane B: max load 300 kg` and `the Paris office` are
    not about `Crane A` and `Berlin office`. A label that is part of the `statement` itself names no subject."""
    own = _words_of(subject)
    if not own:
        return False
    label, colon, _ = said.partition(":")
    if colon and _labels_another(_words_of(label), own, statement):
        return True
    if own <= _words_of(said):
        return False
    words = _NAME.findall(said)
    beside = [
        (words[at], words[at + step]) for at in range(len(words)) for step in (-1, 1) if 0 <= at + step < len(words)
    ]
    return any(fold(word) in own and _is_a_name(name) and fold(name) not in own for word, name in beside)


def _labels_another(label: frozenset[str], own: frozenset[str], statement: str) -> bool:
    return 0 < len(label) <= MAX_BARE_WORDS and label.isdisjoint(own) and not label <= _words_of(statement)


def _words_of(text: str) -> frozenset[str]:
    return frozenset(map(fold, _NAME.findall(text)))


def _is_a_name(word: str) -> bool:
    return word[0].isupper() and fold(word) not in _ARTICLES or word.isdigit()


_ARTICLES: Final = frozenset("the a an our this that der die das el la los las le les".split())
