"""The words and buttons of a post, made when it is sent: so it says what stands then, and holds nobody's words before."""

from collections.abc import Sequence
from datetime import UTC
from typing import Final

from config.chats.decisions import ALL
from config.chats.door import ChatButton, NotPosted, OutgoingMessage
from ledger.models import ChatPost, ChatPostKind, Claim, Notice
from ledger.reads.chats import compared_claims
from ledger.reads.claims import Citation, evidence_of
from ledger.reads.pending import actions_of
from ledger.reads.rivals import previews
from ledger.rules.reconcile import PromotionOutcome
from ledger.rules.states import IN_QUEUE
from ledger.verbs import done_word

MAX_CHOICES: Final = 3
MAX_LABEL: Final = 30
MAX_LINE: Final = 240
_STATUS_WORDS: Final = {"active": "✓ Confirmed", "rejected": "✗ Rejected", "merged": "✓ Confirmed"}


def words_of(post: ChatPost) -> OutgoingMessage:
    """Raises `NotPosted` where nothing is left to say."""
    return _WORDS[ChatPostKind(post.kind)](post)


def _notice(post: ChatPost) -> OutgoingMessage:
    notice = _notice_of(post)
    return OutgoingMessage(notice.text, _notice_buttons(notice), post.answers)


def _notice_of(post: ChatPost) -> Notice:
    if post.notice is None or not post.notice.text:
        raise NotPosted("its words were purged", again=False)
    return post.notice


def _claim_of(post: ChatPost) -> Claim:
    if post.claim is None:
        raise NotPosted("it is about nothing", again=False)
    return post.claim


def _notice_buttons(notice: Notice) -> Sequence[Sequence[ChatButton]]:
    """What the notice compared and nobody has decided can be chosen; under it the three answers."""
    waiting = [claim for claim in compared_claims(notice.refs) if claim.status in IN_QUEUE][:MAX_CHOICES]
    choices = [ChatButton(_label(claim), f"resolve:{notice.pk}:{claim.ref}") for claim in waiting]
    if len(choices) > 1:
        choices.append(ChatButton("Both" if len(choices) == 2 else "All", f"resolve:{notice.pk}:{ALL}"))
    answers = [
        ChatButton(label, f"{name}:{notice.pk}")
        for label, name in (("Why?", "why_notice"), ("It was right", "right"), ("Not needed", "wrong"))
    ]
    return [*([choices] if choices else []), answers]


def _label(claim: Claim) -> str:
    """Whom it would be, else what."""
    words = " ".join((claim.assignee or claim.summary or claim.statement).split())
    return words if len(words) <= MAX_LABEL else words[: MAX_LABEL - 1].rstrip() + "…"


def _pending(post: ChatPost) -> OutgoingMessage:
    claim = _claim_of(post)
    [action] = actions_of([claim])
    lines = [action.summary, f"Would be written: {action.writes}"]
    if claim.expires_at is not None:
        lines.append(f"Until {claim.expires_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC")
    return OutgoingMessage(
        "\n".join(lines), [_decisions(claim), [ChatButton("Why?", f"why_claim:{claim.ref}")]], post.answers
    )


def _decisions(claim: Claim) -> list[ChatButton]:
    """What replaces something that holds asks whether both are to stand."""
    about = f"{claim.ref}:{claim.version}"
    preview = previews([claim]).get(claim.pk)
    if preview is None:
        return []
    confirms = [ChatButton("Confirm", f"promote:{about}")]
    if preview.outcome is PromotionOutcome.SUPERSEDES:
        confirms = [
            ChatButton("Replace", f"promote:{about}:supersede"),
            ChatButton("Keep both", f"promote:{about}:coexist"),
        ]
    return [*confirms, ChatButton("Reject", f"reject:{about}")]


def _chain(post: ChatPost) -> OutgoingMessage:
    """The rule, and each claim that it compared with the words it rests on."""
    claims = compared_claims(post.notice.refs) if post.notice else [_claim_of(post)]
    quotes = evidence_of([claim.pk for claim in claims])
    first = [f"Rule: {post.notice.rule.replace('_', ' ')}"] if post.notice else []
    lines = [line for claim in claims for line in _links(claim, quotes[claim.pk])]
    return OutgoingMessage("\n".join([*first, *lines]) or "Nothing is known of that any more.", answers=post.answers)


def _links(claim: Claim, quotes: Sequence[Citation]) -> list[str]:
    said = [f"  “{_cut(one.quote)}” {one.sender}".rstrip() for one in quotes[:2] if one.quote]
    return [f"{claim.ref} ({claim.status}): {_cut(claim.summary or claim.statement)}", *said]


def _cut(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= MAX_LINE else plain[: MAX_LINE - 1].rstrip() + "…"


def _decided(post: ChatPost) -> OutgoingMessage:
    claim = _claim_of(post)
    done = _STATUS_WORDS.get(claim.status, done_word(claim.status).capitalize())
    return OutgoingMessage(f"{done} by {post.by}: {_cut(claim.summary or claim.statement)}", edits=post.edits)


_WORDS: Final = {
    ChatPostKind.NOTICE: _notice,
    ChatPostKind.PENDING: _pending,
    ChatPostKind.CHAIN: _chain,
    ChatPostKind.DECIDED: _decided,
}
