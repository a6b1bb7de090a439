"""Addresses at which a scope's calendar can be read."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0023_webhooks'),
    ]

    operations = [
        migrations.CreateModel(
            name='CalendarFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('prefix', models.CharField(max_length=12)),
                ('status', models.CharField(choices=[('on', 'On'), ('ended', 'Ended')], default='on', max_length=10)),
                ('made_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('last_read_at', models.DateTimeField(blank=True, null=True)),
                ('scope', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='feeds', to='ledger.scope')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['on', 'ended'])), name='feed_status_known')],
            },
        ),
    ]
