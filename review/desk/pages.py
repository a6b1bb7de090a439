"""Pages and actions by name, as the search offers them, each with the words that people may call it by."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class NamedPage:
    name: str
    url: str
    words: str
    sort: str = "page"
    staff: bool = False


PAGES: Final = (
    NamedPage("Queue", "/?order=best", "home candidates review decide waiting inbox"),
    NamedPage("What holds", "/entities", "entities claims promoted countersigned facts decisions"),
    NamedPage("Trusted values", "/state", "state curated keys"),
    NamedPage("Conflicts", "/conflicts", "contradictions disagree resolve"),
    NamedPage("Sources", "/sources", "texts messages documents said evidence"),
    NamedPage("Scopes", "/scopes", "projects places members people packs settings"),
    NamedPage("Insights", "/insights", "figures statistics charts numbers precision"),
    NamedPage("Journal", "/journal", "history events log audit decisions verify"),
    NamedPage("Runs", "/runs", "extraction reading failed retry"),
    NamedPage("Waves", "/waves", "batches imports uploads"),
    NamedPage("Snoozed", "/?status=deferred", "deferred put off later", "view"),
    NamedPage("Expired", "/?status=expired", "too late old", "view"),
    NamedPage("Rejected", "/?status=rejected", "turned down no", "view"),
    NamedPage("What contradicts or is of high risk", "/?risk=high", "danger risky", "view"),
    NamedPage("Make a token", "/tokens", "tokens api agent key access", "action"),
    NamedPage("Be told of what waits", "/digests", "digests mail email webhook notify reminder", "action"),
    NamedPage("Open a new scope", "/scopes#new", "create project add", "action"),
    NamedPage("Write down a trusted value", "/state#curate", "curate add set type", "action"),
    NamedPage("Help, and what the words mean", "/help", "keys shortcuts glossary words manual", "page"),
    NamedPage("Turn single keys on or off", "/help#keys", "keyboard shortcuts accessibility", "action"),
    NamedPage("The API, described", "/api/v1/docs", "api documentation openapi endpoints", "page"),
    NamedPage("Administration", "/admin/", "admin tables", "page", staff=True),
    NamedPage(
        "Add a user", "/admin/auth/user/onboard/", "colleague onboard invite account person", "action", staff=True
    ),
)


def pages_named(q: str, *, staff: bool) -> list[NamedPage]:
    """Those that have a word beginning with each of the question's words; without a question all, in their order."""
    asked = q.casefold().split()
    return [page for page in PAGES if (staff or not page.staff) and _answers(page, asked)]


def _answers(page: NamedPage, asked: list[str]) -> bool:
    known = f"{page.name} {page.words}".casefold().split()
    return all(any(word.startswith(part) for word in known) for part in asked)
