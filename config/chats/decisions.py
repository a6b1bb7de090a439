"""What people do in a chat by buttons and commands: each is a verb of the ledger, done by the person's own account (O13)."""

from collections.abc import Callable
from typing import Final

from config.chats.door import ButtonPress, ChatAuthor, ChatDoor, ChatText
from ledger.actions.answer_notice import answer_notice
from ledger.actions.approve import asks_for_two
from ledger.actions.chat_account import make_code
from ledger.actions.chat_link import end_chat_link, link_chat
from ledger.actions.chat_post import queue_post
from ledger.actions.decide import reject
from ledger.actions.promote import promote
from ledger.actor import Actor, system
from ledger.errors import Forbidden, NotFound, SecondPersonNeeded
from ledger.models import ChatLink, ChatPostKind, Claim, Notice, Person, Scope
from ledger.reads.chats import compared_claims, last_notice_post, post_of
from ledger.reads.claims import claim_at
from ledger.reads.pending import pending_claims
from ledger.reads.scopes import people_of, require_sight, row_id
from ledger.rules.permissions import USER_GRANTS, Access
from ledger.rules.states import IN_QUEUE
from ledger.verbs import done_word
from review.access import roles_of

MAX_PENDING: Final = 5
# In place of a ref: all that a notice compared may hold.
ALL: Final = "all"
NOTHING_KNOWN: Final = "This chat is linked to nothing. An owner links it: /link SCOPE"


def person_of(door: ChatDoor, scope: Scope, author: ChatAuthor) -> Person | None:
    """Whoever confirmed that the account is theirs; else whom an owner named, unless they confirmed another one."""
    people, account = list(people_of(scope)), f"{door.name}:{author.id}"
    confirmed = (one for one in people if account in one.accounts)
    named = (one for one in people if door.is_person(one, author) and not _has_another(one, door))
    return next(confirmed, None) or next(named, None)


def _has_another(person: Person, door: ChatDoor) -> bool:
    return any(account.startswith(f"{door.name}:") for account in person.accounts)


def actor_of(door: ChatDoor, person: Person | None, scope: Scope) -> Actor | None:
    """The user that a person is, with the user's roles in that scope and no right anywhere else: owners name their scope's people.
    None for nobody, or a person without a user."""
    user = person.user if person is not None else None
    if user is None or not user.is_active:
        return None
    access = Access(roles=roles_of(user.pk), grants=USER_GRANTS, token_scopes=(scope.path,))
    return Actor("human", user.get_username(), door.name, user_id=user.pk, access=access)


def require_actor(door: ChatDoor, scope: Scope, author: ChatAuthor) -> Actor:
    """Raises `Forbidden`, which tells what is missing."""
    actor = actor_of(door, person_of(door, scope, author), scope)
    if actor is None:
        raise Forbidden(f"Account {author.id} is no person with a user here. An owner of the scope can change that.")
    return actor


def press(door: ChatDoor, pressed: ButtonPress, link: ChatLink | None) -> str:
    """`data` is what a button of ours says: a word, and what it is about."""
    name, *words = pressed.data.split(":")
    if link is None or (name, len(words)) not in _BUTTONS:
        raise NotFound("Nothing is known of this button.")
    return _BUTTONS[name, len(words)](door, pressed, link, *words)


def ask_why(notice: Notice, link: ChatLink, actor: Actor, answers: str) -> None:
    """Counted, and answered with what was compared (O17)."""
    answer_notice(notice, "why", actor=actor)
    queue_post(link, ChatPostKind.CHAIN, notice=notice, answers=answers)


def who_asks(door: ChatDoor, link: ChatLink, author: ChatAuthor) -> Actor:
    """Their own account, or the chat's: whoever reads a notice may ask why it is there."""
    return actor_of(door, person_of(door, link.scope, author), link.scope) or system(door.name, door.name)


def _promote(
    door: ChatDoor, pressed: ButtonPress, link: ChatLink, ref: str, version: str, on_conflict: str = ""
) -> str:
    actor = require_actor(door, link.scope, pressed.author)
    claim = claim_at(ref, actor.access)
    _refuse_two(claim)
    event = promote(claim, actor=actor, expected_version=row_id(version), on_conflict=on_conflict or None)
    return _decided(link, claim, event.verb, actor, pressed)


def _refuse_two(claim: Claim) -> None:
    """What takes two people is decided where each of them has signed in: a chat's account is an owner's word for theirs."""
    if asks_for_two(claim):
        raise SecondPersonNeeded(f"{claim.ref} takes two people. Decide it where you sign in.")


def _reject(door: ChatDoor, pressed: ButtonPress, link: ChatLink, ref: str, version: str) -> str:
    actor = require_actor(door, link.scope, pressed.author)
    claim = claim_at(ref, actor.access)
    event = reject(claim, actor=actor, expected_version=row_id(version))
    return _decided(link, claim, event.verb, actor, pressed)


def _decided(link: ChatLink, claim: Claim, verb: str, actor: Actor, pressed: ButtonPress) -> str:
    queue_post(link, ChatPostKind.DECIDED, claim=claim, edits=pressed.message, by=actor.name)
    return f"{claim.ref} {done_word(verb)}"


def _resolve(door: ChatDoor, pressed: ButtonPress, link: ChatLink, notice_id: str, chosen: str) -> str:
    """Of what a notice compared and nobody has decided, one holds and the others do not; or all of it does."""
    actor = require_actor(door, link.scope, pressed.author)
    notice = _notice(link, notice_id)
    waiting = [claim for claim in compared_claims(notice.refs) if claim.status in IN_QUEUE]
    kept = [claim for claim in waiting if chosen in (claim.ref, ALL)]
    if not kept:
        raise NotFound("That was decided already.")
    for claim in waiting:
        if claim not in kept:
            reject(claim, actor=actor, reason=f"resolved: {chosen}")
    for claim in kept:
        _refuse_two(claim)
        promote(claim, actor=actor, on_conflict="coexist" if chosen == ALL else "supersede", reason="resolved")
    return _decided(link, kept[0], "promote", actor, pressed)


def _why_notice(door: ChatDoor, pressed: ButtonPress, link: ChatLink, notice_id: str) -> str:
    ask_why(_notice(link, notice_id), link, who_asks(door, link, pressed.author), pressed.message)
    return ""


def _why_claim(door: ChatDoor, pressed: ButtonPress, link: ChatLink, ref: str) -> str:
    claim = claim_at(ref, require_actor(door, link.scope, pressed.author).access)
    queue_post(link, ChatPostKind.CHAIN, claim=claim, answers=pressed.message)
    return ""


def _right(door: ChatDoor, pressed: ButtonPress, link: ChatLink, notice_id: str) -> str:
    answer_notice(_notice(link, notice_id), "right", actor=require_actor(door, link.scope, pressed.author))
    return "Noted: it was right."


def _wrong(door: ChatDoor, pressed: ButtonPress, link: ChatLink, notice_id: str) -> str:
    answer_notice(_notice(link, notice_id), "wrong", actor=require_actor(door, link.scope, pressed.author))
    return "Noted: it was not needed."


# By the word of a button and how many things it names.
_BUTTONS: Final[dict[tuple[str, int], Callable[..., str]]] = {
    ("promote", 2): _promote, ("promote", 3): _promote, ("reject", 2): _reject, ("resolve", 2): _resolve,
    ("why_notice", 1): _why_notice, ("why_claim", 1): _why_claim, ("right", 1): _right, ("wrong", 1): _wrong,
}  # fmt: skip


def _notice(link: ChatLink, notice_id: str) -> Notice:
    row = Notice.objects.filter(pk=row_id(notice_id), scope=link.scope).select_related("scope").first()
    if row is None:
        raise NotFound("No such notice is known here.")
    return row


def _pending(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    """What waits here, each with its buttons."""
    if link is None:
        return NOTHING_KNOWN
    actor = require_actor(door, link.scope, asked.author)
    require_sight(link.scope, actor.access, "nothing waits here")
    claims = list(pending_claims().filter(scope=link.scope)[: MAX_PENDING + 1])
    for claim in claims[:MAX_PENDING]:
        queue_post(link, ChatPostKind.PENDING, claim=claim, answers=asked.message)
    if not claims:
        return "Nothing waits to be confirmed."
    return "" if len(claims) <= MAX_PENDING else f"These {MAX_PENDING} expire first; more wait."


def _why(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    """Of what it answers, of a ref, or of the last notice."""
    if link is None:
        return NOTHING_KNOWN
    if words:
        claim = claim_at(words, require_actor(door, link.scope, asked.author).access)
        queue_post(link, ChatPostKind.CHAIN, claim=claim, answers=asked.message)
        return ""
    post = post_of(link, asked.answers) or last_notice_post(link)
    if post is None or post.notice is None:
        return "Nothing was said here that could be explained."
    ask_why(post.notice, link, who_asks(door, link, asked.author), asked.message)
    return ""


def _link(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    """By an owner of the scope, whose person there names this account."""
    if link is not None:
        return f"This chat is linked to {link.scope.path} already."
    # Whoever may not know of a scope hears the same of it as of none.
    scope = Scope.objects.filter(path=words.strip()).first()
    person = person_of(door, scope, asked.author) if scope is not None else None
    if scope is None or person is None:
        return f"Account {asked.author.id} is no person of such a scope. An owner can change that."
    actor = require_actor(door, scope, asked.author)
    link_chat(
        scope, actor=actor, door=door.name, bot=door.bot, chat=asked.chat, conversation=door.conversation(asked.chat)
    )  # fmt: skip
    return f"From now on what is said here is kept in {scope.path}."


def _unlink(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    if link is None:
        return NOTHING_KNOWN
    end_chat_link(link, actor=require_actor(door, link.scope, asked.author))
    return "What is said here is not kept any more."


def _code(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    """For whoever shows, where they are signed in, that this account is theirs."""
    if not door.is_private(asked):
        return "Others read along here. Ask me for a code in a chat of the two of us."
    code = make_code(door.name, asked.author.id)
    return (
        f"{code[:5]}-{code[5:]} is yours for ten minutes. Type it where you are signed in, under Chats of your scope."
    )


def _start(door: ChatDoor, asked: ChatText, link: ChatLink | None, words: str) -> str:
    where = f"This chat is linked to {link.scope.path}." if link else NOTHING_KNOWN
    return f"{where} Your account is {asked.author.id}. /pending shows what waits, /why what was said and why."


COMMANDS: Final[dict[str, Callable[[ChatDoor, ChatText, ChatLink | None, str], str]]] = {
    "pending": _pending, "why": _why, "link": _link, "unlink": _unlink, "code": _code, "start": _start, "help": _start,
}  # fmt: skip
