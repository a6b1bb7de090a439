"""Django's `migrate`, which first brings over what an early release left behind."""

from typing import Any

from django.core.management.commands import migrate

from config.upgrade import bring_over


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        bring_over(self.stderr.write)
        return super().handle(*args, **options)
