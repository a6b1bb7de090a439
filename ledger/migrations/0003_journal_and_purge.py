"""The sealer, the verifier and the purge."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_laws")]
    operations = [migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop)]
