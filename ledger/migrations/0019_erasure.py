"""Erasure of a person or a source, and the wishes that wait for a second owner."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0018_catalogue'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('target', models.CharField(max_length=300)),
                ('by', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('done', 'Done')], default='waiting', max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('scope', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erasures', to='ledger.scope')),
                ('user', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'done'])), name='erasure_status_known'), models.UniqueConstraint(condition=models.Q(('status', 'waiting')), fields=('scope', 'target'), name='erasure_asked_once')],
            },
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), migrations.RunSQL.noop),
    ]
