"""How a real model quotes: `OPENAI_BASE_URL=… uv run python -m tests.extraction.extractors.model.bench`.

Each text of `texts.py`, of each kind in turn, goes through ingest, the model and consolidation. Printed by kind of source: the
share of quotes found at the offsets given, elsewhere, after normalising, in several places, or nowhere. `--seconds N` ends it
between two texts.
"""

import os
import sys
import time
from collections import Counter
from itertools import zip_longest

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from extraction.extractors.model.quotes import KINDS
    from extraction.extractors.registry import for_scope
    from extraction.runs.pipeline import work_off
    from ledger.actions.ingest import Incoming, ingest
    from ledger.actions.load_pack import load_pack
    from ledger.actions.scope import create_scope
    from ledger.actor import operator
    from ledger.models import Run
    from tests.extraction.extractors.model.texts import everything

    ada = operator("Ada")
    load_pack(b'[pack]\nname = "bench"\nversion = "1"\nextractors = ["model"]\n', file="bench.toml")
    scope = create_scope(f"bench-{int(time.time())}", tier="project", packs=["bench"], actor=ada)
    sums: dict[str, Counter[str]] = {}
    until = time.monotonic() + (float(sys.argv[2]) if sys.argv[1:2] == ["--seconds"] else 1e9)
    for at, row in enumerate(zip_longest(*everything().values())):
        for name, one in zip(everything(), row, strict=True):
            if one is None or time.monotonic() > until:
                continue
            kind, text, sections = one
            spoken = "document" if kind == "document" else "user"
            thread = "fair" if kind == "message" else ""
            told = Incoming(
                text=text, kind=kind, sender_kind=spoken, sections=sections, conversation=thread, external_id=f"{name} {at}"
            )  # fmt: skip
            only = [one for one in for_scope(scope) if one.name == "model"]
            run = ingest([told], scope=scope, actor=ada, extractors=only)[0].runs[0]
            started = time.monotonic()
            work_off([run.pk])
            run = Run.objects.get(pk=run.pk)
            figures = sums.setdefault(name, Counter())
            figures.update(
                {"texts": 1, run.status: 1, "seconds": round(time.monotonic() - started), "tokens": run.tokens}
            )
            figures.update({key: number for key, number in run.stats.items() if isinstance(number, int)})
            print(name, at, run.status, run.error[:160], dict(run.stats), file=sys.stderr, flush=True)
            for hit in run.hits.all():
                print("   ", hit.fate, hit.why, "|", (hit.hit or {}).get("quote", "")[:80], file=sys.stderr, flush=True)
            for claim in run.claims.all():
                print(
                    "    +",
                    claim.kind_id,
                    claim.key,
                    claim.value,
                    "|",
                    claim.statement[:80],
                    file=sys.stderr,
                    flush=True,
                )
    sums["all"] = sum(sums.values(), Counter())
    print("| source | texts | failed | ops | " + " | ".join(KINDS) + " | candidates | tokens | s |")
    print("|" + "---|" * (len(KINDS) + 7))
    for name, row in sums.items():
        quotes = sum(row[f"quotes_{kind}"] for kind in KINDS) or 1
        shares = " | ".join(f"{row[f'quotes_{kind}'] / quotes:.2f}" for kind in KINDS)
        failed = row["texts"] - row["succeeded"]
        written = row["written"]
        print(
            f"| {name} | {row['texts']} | {failed} | {row['ops_in']} | {shares} | {written} | {row['tokens']} | {row['seconds']} |"
        )


if __name__ == "__main__":
    main()
