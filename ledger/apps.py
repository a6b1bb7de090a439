from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        # What a fresh or flushed database needs before the first verb: grants, packs, the global scope.
        from ledger.seed import seed

        post_migrate.connect(seed, sender=self, dispatch_uid="ledger.seed")
