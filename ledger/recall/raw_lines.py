"""Raw text for a pack: what nobody has made a claim of, with who said it and when, and never as if it held."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ledger.language.fold import normalise_statement
from ledger.language.words import WORD, stems
from ledger.models import Evidence
from ledger.reads.claims import Citation
from ledger.recall.snippets import Passage

# Of two lines of one sender that share so much of their words, the second is a repetition.
REPEATED_SHARE = 0.8


def fresh_passages(passages: Sequence[Passage], claimed: Sequence[Citation]) -> list[Passage]:
    """Without what claims mostly say, by their words `claimed`, and without what one sender says again."""
    fresh: list[Passage] = []
    lines: defaultdict[str, list[set[str]]] = defaultdict(list)
    for passage in passages:
        words = stems(WORD.findall(normalise_statement(passage.quote)))
        before = lines[speaker_of(passage)]
        if any(mostly_inside(passage.cited, words) for words in claimed) or any(_repeats(words, one) for one in before):
            continue
        before.append(words)
        fresh.append(passage)
    return fresh


def _repeats(words: set[str], before: set[str]) -> bool:
    return words == before or len(words & before) >= REPEATED_SHARE * len(words | before)


def mostly_inside(passage: Citation, words: Citation) -> bool:
    inside = min(passage.end, words.end) - max(passage.start, words.start)
    return passage.source_id == words.source_id and inside * 2 > passage.end - passage.start


def speaker_of(passage: Passage) -> str:
    """The sender, where the words are the sender's own; else what sort of speaker they are of."""
    own = passage.cited.speaker == passage.source.sender_kind
    return (passage.source.sender if own else "") or passage.cited.speaker


def raw_line(passage: Passage) -> str:
    """`Ann, 2026-03-02: words`."""
    day = passage.source.sent_at or passage.source.created_at
    return f"{speaker_of(passage)}, {day:%Y-%m-%d}: {passage.quote}"


def raw_flags(passage: Passage, refused: Iterable[str]) -> tuple[str, ...]:
    """That nobody countersigned it, whether an agent said it, and the candidates from these words that were refused."""
    said = ["agent_said"] if passage.cited.speaker == "agent" else []
    return ("unreviewed", *said, *(f"rejected {ref}" for ref in refused))


def refused_in(passages: Sequence[Passage]) -> dict[int, list[str]]:
    """By source the refs of rejected candidates whose words a passage holds. One query, none for no passage."""
    found: dict[int, list[str]] = defaultdict(list)
    if not passages:
        return found
    cited = {passage.source.pk: passage.cited for passage in passages}
    rows = Evidence.objects.filter(source__in=cited, claim__status="rejected").exclude(stance="context")
    for source, start, end, ref in rows.order_by("claim_id").values_list("source_id", "start", "end", "claim__ref"):
        if start < cited[source].end and end > cited[source].start and ref not in found[source]:
            found[source].append(ref)
    return found
