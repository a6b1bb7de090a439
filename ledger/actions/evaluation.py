"""Keep what was measured against labelled texts. A log of its own, outside the journal."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from ledger.actor import Actor
from ledger.errors import Forbidden
from ledger.models import Evaluation
from ledger.rules.columns import check_text

KEPT: Final = (
    "rows", "gold", "hits", "gold_found", "hits_right", "exact", "owners", "owners_right", "values", "values_right", "unlabelled",
    "alarmed", "false_on_unlabelled", "false_on_open", "precision", "recall", "f1", "exact_share", "seconds", "texts_per_s",
    "us_per_char", "by_kind", "by_rule",
)  # fmt: skip


def keep_evaluation(lines: Sequence[Mapping[str, Any]], *, version: str, actor: Actor) -> list[Evaluation]:
    """One row for each measure of each file; all of one call share a batch. Lists of worst cases hold words of the texts and are
    left out. Only the command line may: raises `Forbidden` for any other door."""
    if actor.door != "command":
        raise Forbidden("evaluations are kept at the command line")
    batch = uuid.uuid4()
    rows = []
    for line in lines:
        check_text("file", line["file"], most=200)
        check_text("measure", line["measure"], most=40)
        figures = {name: line[name] for name in KEPT if name in line}
        rows.append(
            Evaluation(
                gold=line["file"],
                measure=line["measure"],
                version=version[:80],
                batch=batch,
                by=actor.name,
                figures=figures,
            )
        )
    with transaction.atomic():
        return Evaluation.objects.bulk_create(rows)
