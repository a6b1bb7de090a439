"""The roles that serve."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_journal_and_purge")]
    operations = [migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop)]
