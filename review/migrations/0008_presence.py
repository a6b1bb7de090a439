"""Who has which card open just now."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('ledger', '0027_teamwork'),
        ('review', '0007_sessions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('until', models.DateTimeField()),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ledger.claim')),
            ],
        ),
    ]
