"""Scopes whose people sign in with a second factor; the few there are stand in an index of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0028_chats")]

    operations = [
        migrations.AddField("scope", "second_factor", models.BooleanField(db_default=False, default=False)),
        migrations.AddIndex(
            "scope",
            models.Index(condition=models.Q(second_factor=True), fields=["path"], name="scope_second_factor"),
        ),
    ]
