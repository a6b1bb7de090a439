"""Sessions with their user beside them. Those of before end: everybody signs in once more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0006_sign_ins"), ("sessions", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("user_id", models.IntegerField(db_index=True, null=True)),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.RunSQL("DELETE FROM django_session", migrations.RunSQL.noop),
    ]
