"""The enricher's second half (T9): where a model is configured, it is asked once a turn what is still missing. It only adds; what
holds, what was asked for and what somebody dismissed is not said again, in whatever words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

from extraction.extractors.documents import Hit, Span
from extraction.extractors.enricher.extractor import CONFIDENCE, asking_kind, filled_keys
from extraction.extractors.findings import Findings, Note, Reading
from extraction.extractors.model.asking import ask
from extraction.extractors.model.base import AskingExtractor
from extraction.extractors.model.claims import check_op, noted, places_of, scope_meant
from extraction.extractors.model.ops import FactOp
from extraction.extractors.model.prompt import Task, most_quote, not_sent, question_of
from extraction.extractors.model.quotes import QuoteMatch, find
from extraction.extractors.model.server import Server
from extraction.extractors.model.snapshot import Snapshot, snapshot_of
from extraction.extractors.model.spending import Book
from extraction.extractors.model.values import Unsupported
from ledger.language.fold import strip_markup
from ledger.language.words import stems, terms
from ledger.models import Claim, Kind, Scope, SourceKind
from ledger.reads.packs import kinds

MAX_ADDED: Final = 4
MAX_ANSWER_TOKENS: Final = 1_500
LONGEST_STATEMENT: Final = 250
# So many earlier suggestions and questions are told and compared.
MAX_EARLIER: Final = 100
# Of all roots of two statements so many are shared where one only says the other in other words.
SAME_WORDS: Final = 0.6
SUGGESTED: Final = "suggested by a model; nobody has said it"


class EnricherModel(AskingExtractor):
    """Reads turns in which a user says something. Runs beside the rules, so that a server which fails takes nothing from them."""

    name = "enricher_model"
    stage = "enricher"
    threshold = 0.25
    kinds = frozenset({SourceKind.TURN})

    def rules(self) -> str:
        return template()

    def ask_about(self, reading: Reading, server: Server, book: Book) -> Findings:
        asked_for = kinds_suggested(reading)
        if not (asked_for and said_by_user(reading)):
            return Findings(model=server.model, stats={"calls": 0})
        snapshot, earlier = snapshot_of(reading), earlier_claims(reading, asked_for)
        task = Task(template(), REQUEST, "SUGGESTED BEFORE", [claim.statement[:LONGEST_STATEMENT] for claim in earlier])
        question = question_of(reading, snapshot, asked_for, most_text=settings.COUNTERSIGN_MODEL_TEXT, task=task)
        asked = ask(question, server, book, most_answer=MAX_ANSWER_TOKENS)
        filled = filled_keys([reading.scope, *snapshot.items.values()], [op.key for op in asked.answer.ops])
        additions = Additions(reading, snapshot, {one.name: one for one in asked_for}, earlier, filled, question.window)
        for op in asked.answer.ops:
            additions.add(op)
        return Findings(
            hits=additions.hits,
            notes=additions.notes,
            raw_answer=asked.raw,
            model=asked.model,
            tokens=book.tokens,
            calls=book.calls,
            partial="; ".join(filter(None, (not_sent(question, reading.source.text), asked.partial))),
            stats={"calls": book.calls, "ops_in": len(asked.answer.ops)},
        )


REQUEST: Final = "Say what is still missing after sections S1…, as one JSON object of FactOps."


@cache
def template() -> str:
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8")


def kinds_suggested(reading: Reading) -> list[Kind]:
    """What questions are called in the blocks of the packs, and the kinds of the packs' own suggestions."""
    packs = reading.packs
    named = {*packs.question_kinds, *(row["kind"] for row in packs.rows("enricher"))}
    return [kind for name, kind in sorted(kinds().items()) if name in named]


def said_by_user(reading: Reading) -> bool:
    text = reading.source.text
    said = (text[one.start : one.end].strip() for one in reading.sections if one.speaker == "user")
    return any(words not in ("", "(none)") for words in said)


def earlier_claims(reading: Reading, asked_for: Sequence[Kind]) -> list[Claim]:
    """The latest of these kinds in the project and its items, whatever became of them: what was dismissed among them. One query."""
    places = [reading.scope, *Scope.objects.filter(parent=reading.scope)]
    rows = Claim.objects.filter(scope__in=places, kind__in=asked_for).only(
        "ref", "scope_id", "kind_id", "key", "statement"
    )
    return list(rows.order_by("-pk")[:MAX_EARLIER])


@dataclass(slots=True)
class Additions:
    """What of an answer is new: a hit each, and a note with its reason for everything else."""

    reading: Reading
    snapshot: Snapshot
    kinds: Mapping[str, Kind]
    earlier: Sequence[Claim]
    filled: Collection[tuple[int, str]]
    window: tuple[int, int]
    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def add(self, op: FactOp) -> None:
        found = find(op, self.reading.source.text, self.reading.sections, self.window)
        try:
            self.hits.append(self._hit(op, found))
        except Unsupported as error:
            self.notes.append(Note(str(error), noted(op, found)))

    def _hit(self, op: FactOp, found: QuoteMatch) -> Hit:
        """Raises `Unsupported` with the reason why it is not added."""
        if op.op != "ADD":
            raise Unsupported("it may only add")
        if len(self.hits) == MAX_ADDED:
            raise Unsupported(f"beyond the {MAX_ADDED} that a turn may add")
        check_op(op, found, most_quote(self.reading.packs), self.kinds)
        span = next(filter(self._is_users, places_of(found, self.reading.source.text)), None)
        if span is None:
            raise Unsupported("no user's words brought it to mind")
        place = scope_meant(op, self.reading, self.snapshot)
        hit = self._worded(op, span, place)
        self._refuse_known(hit, place)
        return hit

    def _is_users(self, span: Span) -> bool:
        return self.reading.sections[span.section_index].speaker == "user"

    def _worded(self, op: FactOp, span: Span, place: Scope) -> Hit:
        """A question for a key is put as the pack puts it."""
        packs = self.reading.packs
        spec = packs.keys.get(op.key) if op.kind in packs.question_kinds else None
        words = (spec and spec.question) or " ".join(strip_markup(op.statement).split())
        if not words or len(words) > LONGEST_STATEMENT:
            raise Unsupported(f"a sentence of at most {LONGEST_STATEMENT} characters is needed")
        return Hit(
            rule="enricher.model",
            rule_class="model",
            explicit=False,
            kind=asking_kind(packs, place) if spec else op.kind,
            statement=words,
            spans=(span,),
            confidence=min(CONFIDENCE, op.confidence),
            anchored=True,
            key=spec.key if spec else "",
            needs_review=True,
            summary="; ".join(filter(None, (SUGGESTED, op.reason))),
            scope_id=0 if place.pk == self.reading.scope.pk else place.pk,
        )

    def _refuse_known(self, hit: Hit, place: Scope) -> None:
        """Raises `Unsupported` for a key that is filled or was asked for, and for what was suggested in like words."""
        if (place.pk, hit.key) in self.filled:
            raise Unsupported(f"{hit.key} is known")
        for claim in self.earlier:
            same_key = hit.key and (claim.key, claim.scope_id) == (hit.key, place.pk)
            if same_key or like_words(claim.statement, hit.statement):
                raise Unsupported(f"{claim.ref} said it before")
        if any(like_words(one.statement, hit.statement) and one.scope_id == hit.scope_id for one in self.hits):
            raise Unsupported("it says it twice")


def like_words(one: str, other: str) -> bool:
    """Whether two statements share most of what they are about."""
    roots, others = stems(terms(one)), stems(terms(other))
    return bool(roots) and len(roots & others) >= SAME_WORDS * len(roots | others)
