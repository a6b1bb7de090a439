"""What a scope does with passwords, keys and card numbers: its own setting, else the nearest one above it, else `mask`."""

from collections.abc import Iterable

from ledger.models import GLOBAL, Scope, SecretsSetting, Source
from ledger.reads.scopes import ancestor_paths


def secrets_setting(path: str) -> str:
    """`keep`, `mask` or `refuse`; one query."""
    rows = Scope.objects.filter(path__in=ancestor_paths(path)).exclude(secrets="")
    told = dict(rows.values_list("path", "secrets"))
    nearest = sorted(told, key=lambda one: (one != GLOBAL, len(one)))
    return told[nearest[-1]] if nearest else SecretsSetting.MASK


def show_kept(sources: Iterable[Source]) -> None:
    """Unmask the texts of scopes that keep secrets, for people at the source. No query where no text holds one."""
    hiding = [source for source in sources if source.secrets]
    kept = {path: secrets_setting(path) == SecretsSetting.KEEP for path in {one.scope.path for one in hiding}}
    for source in hiding:
        source.text = source.raw_words if kept[source.scope.path] else source.text
