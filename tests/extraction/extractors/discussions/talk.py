"""A thread as the tests write it: `Nadia: …` by a user, `bot: …` by the agent."""

from extraction.extractors.discussions import ReadUtterance, ThreadFindings, discuss, hear, shipped, utterances
from ledger.rules.sections import sections_of
from tests.extraction.reading import read

AGENTS = ("bot", "agent")


def listen(lines: list[str], *, replies: dict[int, int] | None = None) -> list[ReadUtterance]:
    """Each line `sender: words` as one message; `replies` says which message a message names."""
    heard: list[ReadUtterance] = []
    for at, line in enumerate(lines):
        sender, _, text = line.partition(": ")
        speaker = "agent" if sender in AGENTS else "user"
        answered = (replies or {}).get(at)
        said = utterances(
            at + 1, text, sections_of(text, kind="message", sender_kind=speaker), sender=sender, sent_at=None,
            external_id=f"m{at}", reply_to=f"m{answered}" if answered is not None else "",
            spelling=shipped().spelling,
        )  # fmt: skip
        norms = [hit for hit in read(text, kind="message", sender_kind=speaker) if hit.explicit]
        heard += [hear(one, text, shipped(), norms) for one in said]
    return heard


def talk(*lines: str, replies: dict[int, int] | None = None) -> list[ThreadFindings]:
    """What each message finds when it arrives."""
    heard = listen(list(lines), replies=replies)
    return [discuss(heard[: at + 1], at, shipped()) for at in range(len(heard))]


def last(*lines: str, replies: dict[int, int] | None = None) -> ThreadFindings:
    """What the last message finds."""
    return talk(*lines, replies=replies)[-1]
