"""What an extractor found of labelled texts, kept so that one sees whether it gets better."""

from django.db import models


class Evaluation(models.Model):
    """One measure of one file of labelled texts, as `manage.py evaluate --keep` found it. A log: never changed, and it holds
    counts, names of kinds and of rules, but no words of the texts. `batch` is shared by what one command measured."""

    gold = models.CharField(max_length=200)
    measure = models.CharField(max_length=40)
    version = models.CharField(max_length=80)
    batch = models.UUIDField()
    by = models.CharField(max_length=200)
    figures = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["gold", "measure", "-id"], name="evaluation_over_time")]

    def __str__(self) -> str:
        return f"{self.measure} of {self.gold}"
