"""Every verb as one row: where its function stands, from which status to which it leads, who may do it and who may take it
back, and how the doors offer it.

The journal, the API, the screens, the admin and undo read these rows. A row names its function instead of importing it, so
that the functions can ask the row in their turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

from ledger.errors import BadTransition
from ledger.rules.permissions import Right
from ledger.rules.states import IN_QUEUE, RETIRED, UNDECIDED_OR_LIVE, Status

if TYPE_CHECKING:
    from ledger.models import CatalogLink, Claim, Conflict

# What a purge leaves of the origin of a claim whose only words it took (law 1).
REDACTED = {"redacted": True}


def _always(row: Any) -> str:
    return ""


def _once_held(claim: Claim) -> str:
    return "" if claim.promoted_at else "never held: reopen it instead"


def _doubted(claim: Claim) -> str:
    return "" if claim.disputed or claim.needs_recheck else "is neither disputed nor waiting for a recheck"


def _memory(claim: Claim) -> str:
    return "" if claim.layer == "memory" else "is no active memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbRow:
    """`module` below `ledger.actions` holds the function of the verb's own name; without one, another verb writes the event.

    What it asks: `right`, and `undo` for taking it back (None: it has no undo); a row whose status is among `origins`, else
    `otherwise` says why not, and of which `unless` has nothing to say; it leads to `target`, or leaves the status alone. What
    `revives` a claim needs its words.

    How doors offer it: below `path` of the API with the sentence `about`; as the button `label` with its `hint`, and with
    `done` once it is; for several at once in the API where `many`, in the admin's `lists` under `listed`. `takes` names what
    its function takes beside the row, version and reason."""

    module: str = ""
    right: Right = Right.REVIEW
    undo: Right | None = None
    origins: tuple[str, ...] = ()
    target: str = ""
    unless: Callable[[Any], str] = _always
    otherwise: str = ""
    revives: bool = False
    takes: tuple[str, ...] = ()
    path: str = ""
    about: str = ""
    many: bool = False
    lists: tuple[str, ...] = ()
    listed: str = ""
    label: str = ""
    hint: str = ""
    done: str = ""


PLAIN = VerbRow()


class Verb(StrEnum):
    """The verbs under the names that the journal keeps for good."""

    row: VerbRow

    def __new__(cls, name: str, row: VerbRow = PLAIN) -> Verb:
        verb = str.__new__(cls, name)
        verb._value_ = name
        verb.row = row
        return verb

    # Into the queue
    PROPOSE = "propose", VerbRow(module="propose", right=Right.PROPOSE, undo=Right.REVIEW, done="proposed")
    SEE_AGAIN = "see_again", VerbRow(right=Right.PROPOSE)
    ADMIT = "admit", VerbRow(module="admit", right=Right.PROPOSE, undo=Right.REVIEW)
    CONFIRM = "confirm", VerbRow(module="confirm", right=Right.PROPOSE, undo=Right.REVIEW, origins=UNDECIDED_OR_LIVE)
    FLAG = "flag", VerbRow(module="confirm", right=Right.PROPOSE, undo=Right.REVIEW, origins=UNDECIDED_OR_LIVE)
    WAKE = (
        "wake",
        VerbRow(
            module="decide", right=Right.PROPOSE, undo=Right.REVIEW, origins=(Status.DEFERRED,), target=Status.PENDING,
        ),
    )  # fmt: skip
    EXPIRE = (
        "expire",
        VerbRow(module="decide", right=Right.PROPOSE, undo=Right.REVIEW, origins=IN_QUEUE, target=Status.EXPIRED),
    )

    # About what waits
    EDIT = (
        "edit",
        VerbRow(
            module="edit", undo=Right.REVIEW, origins=IN_QUEUE, target=Status.PENDING, revives=True,
            takes=("changes",), label="Edit", done="edited",
        ),
    )  # fmt: skip
    PROMOTE = (
        "promote",
        VerbRow(
            module="promote", undo=Right.REVIEW, origins=IN_QUEUE, target=Status.ACTIVE, revives=True,
            takes=("on_conflict", "into", "changes"), many=True, lists=("candidate",), listed="Promote",
            label="Promote", done="promoted",
        ),
    )  # fmt: skip
    APPROVE = "approve", VerbRow(undo=Right.REVIEW, done="approved. Another person must countersign.")
    REJECT = (
        "reject",
        VerbRow(
            module="decide", undo=Right.REVIEW, origins=IN_QUEUE, target=Status.REJECTED,
            path="candidates", about="Say no. It is remembered: the same is not proposed again.",
            many=True, lists=("candidate",), listed="Reject", label="Reject", done="rejected",
        ),
    )  # fmt: skip
    DEFER = (
        "defer",
        VerbRow(
            module="decide", undo=Right.REVIEW, origins=IN_QUEUE, target=Status.DEFERRED, takes=("until",),
            many=True, lists=("candidate",), listed="Defer", label="Defer", done="deferred",
        ),
    )  # fmt: skip
    REOPEN = (
        "reopen",
        VerbRow(
            module="decide", undo=Right.REVIEW,
            origins=(Status.REJECTED, Status.EXPIRED, Status.MERGED, Status.DEFERRED), target=Status.PENDING,
            revives=True, path="candidates", about="Back into the queue: what was rejected, expired, merged or deferred.",
            many=True, lists=("candidate",), listed="Take back to the queue",
            label="Back to the queue", hint="It waits for a decision again.", done="back in the queue",
        ),
    )  # fmt: skip
    MERGE = (
        "merge",
        VerbRow(
            module="merge", undo=Right.REVIEW, origins=UNDECIDED_OR_LIVE, target=Status.MERGED, takes=("into",),
            many=True, label="Merge", done="merged",
        ),
    )  # fmt: skip

    KEEP_APART = (
        "keep_apart",
        VerbRow(
            module="keep_apart", undo=Right.REVIEW, origins=UNDECIDED_OR_LIVE, takes=("other",),
            label="Keep apart", done="kept apart",
        ),
    )  # fmt: skip
    HAND_OVER = (
        "hand_over",
        VerbRow(
            module="hand_over", undo=Right.REVIEW, origins=IN_QUEUE, takes=("to",), label="Hand over", done="handed over",
        ),
    )  # fmt: skip

    # About what holds, or held
    ARCHIVE = (
        "archive",
        VerbRow(
            module="decide", undo=Right.REVIEW, origins=(Status.ACTIVE,), target=Status.ARCHIVED,
            path="entities", about="Retire what no longer matters.",
            many=True, lists=("entity",), listed="Archive", label="Archive",
            hint="It was right and no longer matters. It leaves context and search; it can be restored.", done="archived",
        ),
    )  # fmt: skip
    WITHDRAW = (
        "withdraw",
        VerbRow(
            module="decide", undo=Right.REVIEW, origins=(Status.ACTIVE,), target=Status.WITHDRAWN,
            path="entities", about="Take back what should not have been made.",
            many=True, lists=("candidate", "entity"), listed="Withdraw", label="Withdraw",
            hint="It should never have held. It can be restored.", done="withdrawn",
        ),
    )  # fmt: skip
    RESTORE = (
        "restore",
        VerbRow(
            module="decide", undo=Right.REVIEW, origins=RETIRED, target=Status.ACTIVE, revives=True, unless=_once_held,
            path="entities", about="Let what was retired hold again.",
            many=True, lists=("entity",), listed="Restore", label="Restore", hint="It holds again.", done="restored",
        ),
    )  # fmt: skip
    RECHECK = (
        "recheck",
        VerbRow(
            module="dispute", undo=Right.REVIEW, origins=(Status.ACTIVE,), unless=_doubted,
            otherwise="only what holds can be rechecked",
            path="entities", about="A person looked again, and it still holds.",
            many=True, lists=("entity",), listed="Confirm after a recheck", label="Looked again: it holds",
            hint="Its marks “disputed” and “needs recheck” go; the objections stay in its history.", done="rechecked",
        ),
    )  # fmt: skip
    GRADUATE = (
        "graduate",
        VerbRow(
            module="graduate", undo=Right.REVIEW, origins=(Status.ACTIVE,), unless=_memory,
            otherwise="only an active memory graduates", takes=("kind",), label="Propose as an entity",
            hint="A candidate with its words waits in the queue; this memory holds until that one is promoted,"
            " then stays as a pointer to it.",
            done="proposed as an entity",
        ),
    )  # fmt: skip
    SUPERSEDE = (
        "supersede",
        VerbRow(
            module="supersede", undo=Right.REVIEW, origins=(Status.ACTIVE,), target=Status.SUPERSEDED,
            takes=("by", "draft"), label="Supersede", done="superseded",
        ),
    )  # fmt: skip
    DISPUTE = (
        "dispute",
        VerbRow(
            module="dispute", right=Right.OBSERVE, undo=Right.OBSERVE, origins=(Status.ACTIVE,),
            otherwise="only what holds can be disputed", takes=("source", "quote", "start", "end"), label="Dispute",
            done="disputed",
        ),
    )  # fmt: skip

    # About an item's fields: a value typed over what facts say, and given up again (T11)
    OVERRIDE = "override", VerbRow(module="override", undo=Right.REVIEW, done="typed over")
    RELEASE = "release", VerbRow(module="override", undo=Right.REVIEW, done="given up")

    # About conflicts and trusted state
    RESOLVE = (
        "resolve",
        VerbRow(
            module="conflict", undo=Right.REVIEW, origins=("open",), target="resolved", takes=("winner",),
            done="holds, the conflict is resolved",
        ),
    )  # fmt: skip
    DISMISS = (
        "dismiss",
        VerbRow(
            module="conflict", undo=Right.REVIEW, origins=("open",), target="dismissed", done="conflict dismissed"
        ),
    )  # fmt: skip
    CURATE = "curate", VerbRow(module="curate", right=Right.CURATE, done="trusted")
    RETRACT = "retract", VerbRow(module="curate", right=Right.CURATE, done="retracted")

    # About everything else
    UNDO = "undo", VerbRow(module="undo", done="undone")
    INGEST = "ingest", VerbRow(module="ingest", right=Right.INGEST, done="sent in")
    PURGE = "purge", VerbRow(module="purge", right=Right.ADMINISTER)
    ERASE = "erase", VerbRow(module="erase", right=Right.ADMINISTER)
    ASK_ERASE = "ask_erase", VerbRow(right=Right.ADMINISTER)
    CREATE_SCOPE = "create_scope", VerbRow(module="scope", right=Right.ADMINISTER)
    UPDATE_SCOPE = "update_scope", VerbRow(module="scope", right=Right.ADMINISTER)
    # By a newer version of the program: what it knows a claim again by is made anew.
    REKEY = "rekey", VerbRow(right=Right.ADMINISTER)
    SET_PRIOR = "set_prior", VerbRow(module="prior", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    SET_MEMBER = "set_member", VerbRow(module="scope", right=Right.ADMINISTER)
    REMOVE_MEMBER = "remove_member", VerbRow(module="scope", right=Right.ADMINISTER)
    ADD_PERSON = "add_person", VerbRow(module="scope", right=Right.ADMINISTER)
    # About who is told; the machine turns off what fails for days.
    ADD_WEBHOOK = "add_webhook", VerbRow(module="webhook", right=Right.ADMINISTER)
    CHANGE_WEBHOOK = "change_webhook", VerbRow(module="webhook", right=Right.ADMINISTER)
    REMOVE_WEBHOOK = "remove_webhook", VerbRow(module="webhook", right=Right.ADMINISTER)
    STOP_WEBHOOK = "stop_webhook", VerbRow(right=Right.OBSERVE)
    # About calendars that are read from elsewhere
    OPEN_FEED = "open_feed", VerbRow(module="feed", right=Right.ADMINISTER)
    END_FEED = "end_feed", VerbRow(module="feed", right=Right.ADMINISTER)
    # About chats elsewhere that are read and answered; the machine follows a group that got another id (O13).
    LINK_CHAT = "link_chat", VerbRow(module="chat_link", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    END_CHAT_LINK = "end_chat_link", VerbRow(module="chat_link", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    MOVE_CHAT_LINK = "move_chat_link", VerbRow(module="chat_link", right=Right.OBSERVE)
    # Whose account at a chat service is whose: shown by the person themselves, ended by them or an owner.
    CONFIRM_ACCOUNT = "confirm_account", VerbRow(module="chat_account", right=Right.READ, undo=Right.ADMINISTER)
    END_ACCOUNT = "end_account", VerbRow(module="chat_account", right=Right.READ, undo=Right.ADMINISTER)
    # About the catalogue
    ADD_CATALOG_ITEM = "add_catalog_item", VerbRow(module="catalogue", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    CHANGE_CATALOG_ITEM = (
        "change_catalog_item",
        VerbRow(module="catalogue", right=Right.ADMINISTER, undo=Right.ADMINISTER),
    )
    WITHDRAW_CATALOG_ITEM = (
        "withdraw_catalog_item",
        VerbRow(module="catalogue", right=Right.ADMINISTER, undo=Right.ADMINISTER),
    )
    ADD_SYNONYM = "add_synonym", VerbRow(module="catalogue", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    REMOVE_SYNONYM = "remove_synonym", VerbRow(module="catalogue", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    IMPORT_PRICES = "import_prices", VerbRow(module="prices", right=Right.ADMINISTER, undo=Right.ADMINISTER)
    SUGGEST_LINKS = "suggest_links", VerbRow(module="catalog_links", right=Right.PROPOSE, undo=Right.ADMINISTER)
    CONFIRM_LINK = (
        "confirm_link",
        VerbRow(
            module="catalog_links", right=Right.ADMINISTER, undo=Right.ADMINISTER,
            origins=("suggested", "rejected", "withdrawn"), target="confirmed", done="linked",
        ),
    )  # fmt: skip
    REJECT_LINK = (
        "reject_link",
        VerbRow(
            module="catalog_links", right=Right.ADMINISTER, undo=Right.ADMINISTER, origins=("suggested", "confirmed"),
            target="rejected", done="not linked",
        ),
    )  # fmt: skip
    # What the observer says: kept once for each matter of a thread, by the machine or whoever may propose.
    NOTIFY = "notify", VerbRow(module="notify", right=Right.PROPOSE)
    # What people press under it: nothing but the event is kept (O17).
    ASK_WHY = "ask_why", VerbRow(right=Right.READ, done="asked about")
    FIND_RIGHT = "find_right", VerbRow(right=Right.OBSERVE, done="was right")
    FIND_WRONG = "find_wrong", VerbRow(right=Right.OBSERVE, done="should not have been said")
    TOKEN_CREATE = "token_create", VerbRow(right=Right.ADMINISTER)
    TOKEN_REVOKE = "token_revoke", VerbRow(right=Right.ADMINISTER)

    def function(self) -> Callable[..., Any]:
        """What carries it out, as `ledger.actions` has it."""
        found: Callable[..., Any] = import_string(f"ledger.actions.{self.row.module}.{self}")
        return found


def done_word(verb: str) -> str:
    """What a verb has made of a row, in a word or two: `promoted`."""
    return (Verb(verb).row.done if verb in Verb else "") or verb


def hindrance(verb: Verb, row: Claim | Conflict | CatalogLink, *, called: str = "it") -> str:
    """Why the verb leads nowhere from the row as it stands; empty where it does. Verbs and their previews both ask this."""
    asked = verb.row
    if asked.revives and getattr(row, "proposed", None) == REDACTED:
        return f"a purge took the words of {called}: {verb} leads nowhere"
    if row.status not in asked.origins:
        return f"{called} is {row.status}: {asked.otherwise or f'{verb} leads nowhere from there'}"
    why = asked.unless(row)
    return f"{called} {why}" if why else ""


def next_status(verb: Verb, row: Claim | Conflict | CatalogLink) -> str:
    """The status that the verb leads to. Raises `BadTransition`, naming state and verb, where it leads nowhere."""
    called = getattr(row, "ref", "") or f"{row._meta.model_name} {row.pk}"
    if why := hindrance(verb, row, called=called):
        raise BadTransition(why, state=row.status, verb=verb)
    return verb.row.target or row.status
