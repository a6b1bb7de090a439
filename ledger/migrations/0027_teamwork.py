"""Candidates that are passed on to a colleague, and pairs of claims that somebody told apart."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0026_credit'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Handover',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.CharField(max_length=200)),
                ('by', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('current', 'Current'), ('withdrawn', 'Withdrawn')], default='current', max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='handovers', to='ledger.claim')),
                ('user', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('status', 'current')), fields=['user', 'claim'], name='handed_to')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['current', 'withdrawn'])), name='handover_status_known'), models.UniqueConstraint(condition=models.Q(('status', 'current')), fields=('claim',), name='candidate_with_one_person')],
            },
        ),
        migrations.CreateModel(
            name='KeptApart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.CharField(max_length=200)),
                ('status', models.CharField(choices=[('current', 'Current'), ('withdrawn', 'Withdrawn')], default='current', max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('first', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.claim')),
                ('scope', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.scope')),
                ('second', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.claim')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['current', 'withdrawn'])), name='kept_apart_status_known'), models.CheckConstraint(condition=models.Q(('first__lt', models.F('second'))), name='kept_apart_older_first'), models.UniqueConstraint(condition=models.Q(('status', 'current')), fields=('first', 'second'), name='kept_apart_once')],
            },
        ),
    ]
