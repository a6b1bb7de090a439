"""Headings that say what kind of thing follows: `## Decision: …`, `### Conclusion` with a list, `## Decision` of a record."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from extraction.extractors.documents.attendance import heads_people
from extraction.extractors.documents.hits import RuleMatch
from extraction.extractors.documents.labelled import listed_match, owned_items, states
from extraction.extractors.documents.layout import Item, items_in, paragraphs, trim_end, trim_start
from extraction.extractors.documents.nothing import settles_nothing
from extraction.extractors.documents.owners import owner_below, owner_of
from extraction.extractors.documents.page import LabelLine, Page, TitledSection
from extraction.extractors.documents.records import state_of
from extraction.extractors.documents.reported import are_minutes
from extraction.extractors.documents.ruleset import RuleSet
from extraction.extractors.documents.sentences import VERBS
from extraction.extractors.documents.titles import ACTION, FORMS, kind_of_title, words_begin
from extraction.extractors.unlabelled.cues import VERBS as ORDERS
from ledger.language.fold import normalise_label, strip_markup, summary_of
from ledger.language.outline import Heading, wide_ends

_TYPED: Final = re.compile(
    r"\[?(?P<label>[^\W\d_][^:：\]\[()]{0,40}?)\]?(?:\s?#?\d{1,5})?\s*(?:\((?P<about>[^()]{1,60})\))?\s*(?:[:：]|(?<=\])|\s[-–—]+\s)\s*(?=\S)"
)


def heading_match(heading: Heading, page: Page) -> RuleMatch | None:
    """`## Decision: Route 4 is closed`: the words after the label are the statement."""
    words = page.shadow[heading.title_start : heading.title_end]
    match = _TYPED.match(words, words_begin(words))
    if not match:
        return None
    label = normalise_label(match["label"].strip("*_` "))
    kind, about = page.rules.labels.get(label), match["about"] or ""
    if kind is None or label == "ai" or about.casefold() in page.rules.qualifiers:
        return None
    statement = words[match.end() :].rstrip()
    if statement.startswith("(") and words[: match.end()].endswith("]"):
        return None  # a link
    start = heading.title_start + match.end() + len(statement) - len(statement.lstrip("*_` \t"))
    statement = statement.strip("*_` \t")
    if settles_nothing(statement, kind):
        return None
    if kind != "action_item":
        end = start + len(statement)
        body = _body_of_name(statement, heading, page)
        return RuleMatch(
            "heading.typed", "heading", kind, start, body[1] if body else end, topic=about.strip(),
            statement=f"{strip_markup(statement)}: {summary_of(page.text[slice(*body)])}" if body else "",
        )  # fmt: skip
    owner, below = owner_of(statement, about), owner_below(page.shadow, heading.end)
    return RuleMatch(
        "heading.typed",
        "heading",
        kind,
        start,
        start + owner.end,
        assignee=owner.names or below.names,
        due=owner.due or below.due,
    )


# A title with one of these says something by itself; one without only names what the paragraph below it settles.
_SAYS: Final = re.compile(
    r"\b(?:is|are|was|be|will|must|should|shall|can|may|has|have|had|not|no|never|always|only|we|us|i|you|to|it|they|ist|sind|wird"
    r"|werden|wir|nicht|kein\w*|es|son|será|no|se|est|sont|sera|nous|ne|pas)\b|\d|[.!?]\Z",
    re.I,
)
_ORDERS: Final = re.compile(
    rf"(?:{'|'.join(VERBS)}|use|adopt|drop|allow|deny|require|replace|migrate|switch|sell|buy|build)s?\b", re.I
)
MAX_NAME_WORDS: Final = 4


def _body_of_name(title: str, heading: Heading, page: Page) -> tuple[int, int] | None:
    """The first paragraph under `## Decision: Seal material`, which only names what is decided there."""
    if len(title.split()) > MAX_NAME_WORDS or _SAYS.search(title) or _ORDERS.match(title):
        return None
    end = page.edge_after(heading.start)
    first = next(paragraphs(page.shadow, heading.end, end), None)
    items = items_in(page.shadow, heading.end, end) if first else []
    return first if first and not (items and items[0].start <= first[0]) else None


# Headings below it part its items; below a bare `Actions` of a handbook they tell what is done.
_LISTS_ITEMS: Final = re.compile(r"\b(?:items?|points?|to-?dos?|follow)", re.I)


def titled_sections(heads: list[Heading], text: str, shadow: str, rules: RuleSet) -> list[TitledSection]:
    """Sections whose heading is a kind's title. What was proposed is one where a record was accepted and tells no decision."""
    found = list(_titled(heads, shadow, rules))
    if not any(section.form == "accepted" for section in found):
        return found
    others = [section for section in found if section.form != "accepted"]
    decided = any(section.kind == "decision" for section in others)
    if decided or not (state := state_of(text)).word or not state.holds:
        return others
    return [replace(section, form="sections") if section.form == "accepted" else section for section in found]


def _titled(heads: list[Heading], shadow: str, rules: RuleSet) -> Iterator[TitledSection]:
    """A record's section reaches to the next heading as wide as its own, the others' body to the next heading of any width."""
    record, ends = _is_record(heads), wide_ends(heads, len(shadow))
    next_starts = [*(heading.start for heading in heads[1:]), len(shadow)]
    actions_end = 0
    for heading, next_any, next_wide in zip(heads, next_starts, ends, strict=False):
        named = kind_of_title(heading.title, rules)
        if named:
            body = _form(named[1], record, shadow, heading.end, next_any, is_wide=next_any == next_wide)
            concludes = named[0] == "decision" and "decisions" not in heading.title.casefold()
            end = next_wide if body in ("sections", "accepted") else next_any
            yield TitledSection(named[0], body, heading.end, end, concludes)
            parts_actions = named[0] == ACTION and _LISTS_ITEMS.search(heading.title) is not None
            actions_end = next_wide if parts_actions else actions_end
        elif heading.start < actions_end and not heads_people(heading):
            yield TitledSection(ACTION, "items_only", heading.end, next_any, owner=heading.title)


def _form(form: str, record: bool, shadow: str, start: int, end: int, *, is_wide: bool) -> str:
    """`lists` or `sections`, where the title's words allow both: as the record's shape, the headings below it and the text say.
    `is_wide` where no narrower heading stands below."""
    if form in (*FORMS, "sections"):
        return form
    if (record and form != "lists") or (form == "either" and not is_wide):
        return "sections"
    reads_on = form == "either" or record
    return "sections" if reads_on and _starts_in_prose(shadow, start, end) else "lists"


def section_matches(section: TitledSection, page: Page) -> list[RuleMatch]:
    """The hits under a titled heading. A label line of another kind, or one that stands out (`RESOLUTION: …`), speaks for
    itself, and its item is left to it."""
    shadow = page.shadow
    end = trim_end(shadow, section.start, section.end)
    start = _after_attributes(shadow, trim_start(shadow, section.start, section.end), end)
    if start >= end:
        return []
    if section.form == "sections":
        return _record_matches(section, start, page)
    if section.kind == ACTION and (owners := _owners_within(section, start, end, page)):
        return _owned_lists(section, owners, start, end, page)
    if section.form in ("mixed", "tasks"):
        return _sorted_items(section, start, end, page)
    return _listed_matches(section, start, end, page)


def _listed_matches(section: TitledSection, start: int, end: int, page: Page) -> list[RuleMatch]:
    """The items of the list in `start:end`, and the paragraphs above it that conclude something."""
    rule = "heading.conclusion" if section.kind == "decision" else "heading.listed"
    items = items_in(page.shadow, page.shadow.rfind("\n", 0, start) + 1, end, loose=True)
    found = []
    if section.form == "lists":
        prose = _conclusions_in_prose(section, start, items[0].start if items else end, bool(items), page)
        found = [RuleMatch(rule, "heading", section.kind, first, last) for first, last in prose]
    own = [(item, owner) for item, owner in owned_items(items, section.kind, page) if _is_own(item, section, page)]
    found += [listed_match(rule, "heading", section.kind, item, page, in_label=owner) for item, owner in own]
    if section.concludes and own and own[-1][0] is items[-1]:
        found[-1] = _with_remarks(found[-1], end, page)
    return found


def _sorted_items(section: TitledSection, start: int, end: int, page: Page) -> list[RuleMatch]:
    """`Actions and decisions`, `Takeaways`: an item that is owned, or tells to do something, is an action; of the others each is
    what was decided where the title says that, too."""
    if section.form == "tasks" and not are_minutes(page):
        return []
    items = items_in(page.shadow, page.shadow.rfind("\n", 0, start) + 1, end, loose=True)
    owned = [(item, owner) for item, owner in owned_items(items, ACTION, page) if _is_own(item, section, page)]
    found = [listed_match("heading.listed", "heading", ACTION, item, page, in_label=owner) for item, owner in owned]
    tells = [bool(match.assignee) or _TELLS_TO.match(page.shadow, match.start, match.end) for match in found]
    others = [
        RuleMatch("heading.conclusion", "heading", "decision", item.content, item.end)
        for (item, _), told in zip(owned, tells, strict=True)
        if not told and section.form == "mixed" and states(item, "decision", page, under_heading=True)
    ]
    return [*[match for match, told in zip(found, tells, strict=True) if told], *others]


# Orders: `Write to them`, `Actualizar el modelo`; and what is to be done: `se va a revisar`, `hay que`.
_TELLS_TO: Final = re.compile(
    rf"[\W_]*(?:(?i:to )?(?i:{'|'.join(ORDERS)})\b(?![:'’])"
    r"|(?!(?:Other|Over|Under|After|Never|Either|Rather|Further|Whether|However|Server|User)s?\b)[A-ZÁÉÍÓÚ][a-záéíóúñ]{2,20}(?:ar|er|ir)(?:lo|la)?\b"
    r"|[^.\n]{0,200}?(?i:\bse van? a|\bvamos a|\bhay que|\b(?:lo|la|los|las) hac(?:e|en|emos)\b))"
)


# `**Ann**` or `@ann:` alone on a line: what stands below it, up to the next such line, is theirs.
_NAMED_LINE: Final = re.compile(
    r"^[ \t]*(?:(?P<mark>\*\*|__)(?P<bold>[^*_:\n]{1,80}):?(?P=mark):?|(?P<handle>@[\w.-]{1,39}):?)[ \t]*$", re.M
)


def _owners_within(section: TitledSection, start: int, end: int, page: Page) -> list[tuple[int, int, str]]:
    """Where the lists of single people begin: below lines that name them, else all below a title that does."""
    owners = list(_named_lines(start, end, page))
    if owners or not section.owner:
        return owners
    return [(start, start, section.owner if names_known(section.owner, page) else "")]


def _named_lines(start: int, end: int, page: Page) -> Iterator[tuple[int, int, str]]:
    """Start and end of each line of `start:end` in bold type, and the name where it is that of somebody who is known."""
    for line in _NAMED_LINE.finditer(page.shadow, start, end):
        names = line["bold"] or line["handle"]
        yield line.start(), line.end(), names if names_known(names, page) else ""


def names_known(names: str, page: Page) -> bool:
    return names.startswith("@") or not page.known.isdisjoint(names.casefold().split())


def _owned_lists(
    section: TitledSection, owners: list[tuple[int, int, str]], start: int, end: int, page: Page
) -> list[RuleMatch]:
    """The actions of a section by whose name they stand under; those above the first name are nobody's."""
    edges = [(start, start, ""), *owners, (end, end, "")]
    found: list[RuleMatch] = []
    for (_, first, owner), (last, _, _) in pairwise(edges):
        items = items_in(page.shadow, first, last, loose=True)
        own = [item for item in items if _is_own(item, section, page)]
        found += [listed_match("heading.listed", "heading", section.kind, item, page, in_label=owner) for item in own]
    return found


def _record_matches(section: TitledSection, start: int, page: Page) -> list[RuleMatch]:
    # Code belongs to a record's section, so that its edges are the source's, not the masked text's.
    end = trim_end(page.text, start, section.end)
    start = _after_attributes(page.text, trim_start(page.text, section.start, end), end)
    if settles_nothing(page.shadow[start:end], section.kind, under_heading=True):
        return []
    return [RuleMatch("heading.record", "heading", section.kind, start, end)]


def _is_own(item: Item, section: TitledSection, page: Page) -> bool:
    """Whether the section's title speaks for an item that says something."""
    concludes = section.kind == "decision"
    if page.in_table(item.content, item.end) or (section.form == "open_boxes" and not item.boxed):
        return False
    return states(item, section.kind, page, under_heading=concludes) and not _spoken_for(
        item.content, item.end, section, page
    )


def _conclusions_in_prose(
    section: TitledSection, start: int, end: int, before_list: bool, page: Page
) -> Iterator[tuple[int, int]]:
    """The paragraphs of `start:end` that conclude something; a last one that only introduces the list below does not."""
    last_end = trim_end(page.shadow, start, end)
    for first, last in paragraphs(page.shadow, start, end):
        words = page.shadow[first:last]
        if words.startswith("|") or page.in_table(first, last) or _heads_table(words, last, page):
            continue  # the rows of a table speak for themselves
        introduces = before_list and last >= last_end and words.rstrip("*_ ").endswith(":")
        if introduces and not (section.kind == "decision" and _AGREES.match(words)):
            continue
        if not _spoken_for(first, last, section, page) and not settles_nothing(words, section.kind, under_heading=True):
            yield first, last


def _heads_table(words: str, end: int, page: Page) -> bool:
    """Whether they are a line in bold type that a table stands below."""
    below = trim_start(page.shadow, end, min(end + 8, len(page.shadow)))
    return words.startswith("**") and words.rstrip(": ").endswith("**") and page.in_table(below, below + 1)


# `Consensus for all four changes:` concludes something beside the list below it; `Agreed on the following:` does not.
_AGREES: Final = re.compile(
    r"(?![^\n]*\b(?:following|these|those|below|that)\b)[^\n]*\b(?:consensus|agree\w*|approv\w+|accept\w*|adopt\w*|resolv\w+)"
    r"\b(?:[ \t]+\w+){2,}[*_ \t]*:[*_ \t]*\Z",
    re.I,
)
_RULED_OFF: Final = re.compile(r"^[ \t]*(?:([-*_])(?:[ \t]*\1){2,}[ \t]*$|\||<(?:hr|table|details)\b)", re.I | re.M)
# `(break)`
_ASIDE: Final = re.compile(r"\s*[*_]*\([^()\n]{1,20}\)[*_]*\Z")
MAX_REMARKS: Final = 1_500


def _with_remarks(match: RuleMatch, end: int, page: Page) -> RuleMatch:
    """The last conclusion with what was written below it before the next heading: doubts, additions, what came of it later.
    They stand in its quote, for whoever decides on it; its statement is its own words. Pages of talk are no remark."""
    shadow = page.shadow
    ruled = _RULED_OFF.search(shadow, match.end, end)
    labelled = next(page.labels_between(match.end, end), None)
    stop = min(ruled.start() if ruled else end, labelled.line_start if labelled else end)
    last = trim_end(shadow, match.end, stop)
    if not match.end < last <= match.end + MAX_REMARKS or _ASIDE.match(shadow, match.end, last):
        return match
    return replace(match, end=last, statement=summary_of(shadow[match.start : match.end]))


def first_words(section: TitledSection, page: Page) -> Iterator[LabelLine]:
    """Label lines under a titled heading that are only the first words of an item there (`- Consensus on part 2: …`)."""
    if section.form != "sections":
        lines = page.labels_between(section.start, section.end)
        yield from (line for line in lines if line.kind == section.kind and not _speaks_for_itself(line))


def _speaks_for_itself(line: LabelLine) -> bool:
    """A label with words of its own behind it (`- Action: …` under Actions), and no more of a sentence before the colon
    than an owner of an action (`consensus for the middle column: …`)."""
    return line.emphatic or line.kind == "action_item" or not line.owner


def _spoken_for(start: int, end: int, section: TitledSection, page: Page) -> bool:
    return any(
        line.line_end > start and (line.kind != section.kind or _speaks_for_itself(line))
        for line in page.labels_between(start - 300, end)
    )


def _is_record(heads: list[Heading]) -> bool:
    """A decision record has its own shape: a status or a context before the decision, or consequences after it."""
    return not _RECORD_TITLES.isdisjoint(heading.title.casefold().strip(" :") for heading in heads)


_RECORD_TITLES: Final = frozenset(
    ("status", "context", "consequences", "considered options", "context and problem statement", "abstract")
)


def _starts_in_prose(shadow: str, start: int, end: int) -> bool:
    items = items_in(shadow, start, end)
    return not items or bool(shadow[start : items[0].start].strip())


_ATTRIBUTES: Final = re.compile(r"(?:\{:[^}]{0,297}\}\s*)*")


def _after_attributes(shadow: str, start: int, end: int) -> int:
    """Past the attribute line some Markdown dialects put under a heading (`{: #section2}`)."""
    found = _ATTRIBUTES.match(shadow, start, end)
    return found.end() if found else start
