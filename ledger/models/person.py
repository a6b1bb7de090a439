"""Who speaks or is spoken of."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Person(models.Model):
    """A speaker of a scope: a guardian, a child, a bot; perhaps a user of this site, perhaps known by a Telegram id.

    `accounts` are those at chat services that the user confirmed themselves, `telegram:501`; they go with the user."""

    scope = models.ForeignKey("ledger.Scope", models.PROTECT, related_name="people")
    name = models.CharField(max_length=200)
    aliases = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    role = models.CharField(max_length=60, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    telegram_id = models.BigIntegerField(null=True, blank=True)
    accounts = ArrayField(models.CharField(max_length=121), default=list, db_default=[], blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "people"
        ordering = ["scope_id", "name"]
        constraints = [models.UniqueConstraint(fields=["scope", "name"], name="person_once_per_scope")]

    def __str__(self) -> str:
        return self.name
