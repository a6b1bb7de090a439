"""A domain as data: packs, and the kinds of claim they define."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Pack(models.Model):
    """One version of one pack: the TOML file's content, addressed by its hash, so that a run can name what it ran with."""

    name = models.CharField(max_length=60)
    version = models.CharField(max_length=30)
    digest = models.CharField(max_length=64)
    content = models.JSONField()
    loaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "-id"]
        constraints = [models.UniqueConstraint(fields=["name", "digest"], name="pack_version_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class Kind(models.Model):
    """What a claim can be, as the packs in force define it; the database's laws read it from here."""

    name = models.CharField(max_length=40, primary_key=True)
    pack = models.CharField(max_length=60)
    layer = models.CharField(max_length=10)
    prefix = models.CharField(max_length=5)
    # Whose words may anchor it; empty: anybody's. Law 8 holds for every kind that names some.
    anchors = ArrayField(models.CharField(max_length=10), default=list)
    # A kind marked many has no slot: any number of its claims can hold at once.
    many = models.BooleanField(default=False)
    value_type = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
