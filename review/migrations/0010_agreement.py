"""Samples that two reviewers judge without seeing each other's answers."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0027_teamwork'),
        ('review', '0009_mentions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementSample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claims', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField())),
                ('made_by', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('scope', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ledger.scope')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='BlindAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claim', models.BigIntegerField()),
                ('verdict', models.CharField(choices=[('promote', 'promote as it stands'), ('edit', 'promote after an edit'), ('reject', 'reject')], max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('sample', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='review.agreementsample')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='agreementsample',
            constraint=models.CheckConstraint(condition=models.Q(('first', models.F('second')), _negated=True), name='sample_read_by_two'),
        ),
        migrations.AddConstraint(
            model_name='blindanswer',
            constraint=models.UniqueConstraint(fields=('sample', 'user', 'claim'), name='judged_once_by_each'),
        ),
        migrations.AddConstraint(
            model_name='blindanswer',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['promote', 'edit', 'reject'])), name='verdict_known'),
        ),
    ]
