"""Addresses that are told of decisions, and what became of each message."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0022_erased_ids'),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('host', models.CharField(max_length=300)),
                ('verbs', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20))),
                ('words', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('on', 'On'), ('off', 'Off'), ('removed', 'Removed')], default='on', max_length=10)),
                ('key', models.CharField(max_length=64)),
                ('key_number', models.PositiveIntegerField(default=1)),
                ('version', models.PositiveIntegerField(default=1)),
                ('made_by', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('next_seal', models.BigIntegerField()),
                ('next_part', models.BigIntegerField(default=0)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('retry_at', models.DateTimeField(blank=True, null=True)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('scope', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='ledger.scope')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.CharField(max_length=60)),
                ('type', models.CharField(max_length=20)),
                ('ref', models.CharField(max_length=40)),
                ('at', models.DateTimeField()),
                ('attempt', models.PositiveIntegerField()),
                ('ms', models.PositiveIntegerField()),
                ('delivered', models.BooleanField()),
                ('status', models.PositiveIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.journalevent')),
                ('webhook', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='ledger.webhook')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['on', 'off', 'removed'])), name='webhook_status_known'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['webhook', '-id'], name='delivery_by_webhook'),
        ),
    ]
