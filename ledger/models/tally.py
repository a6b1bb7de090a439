"""What came into the queue and what left it, by hour: counted once from the sealed journal, so that no page counts it again."""

from django.db import models


class Tally(models.Model):
    """One scope in one hour (UTC). Derived: dropped and counted anew at will, by taking the mark back to 0."""

    scope = models.ForeignKey("ledger.Scope", models.CASCADE, related_name="+", db_index=False)
    hour = models.DateTimeField()
    came = models.PositiveIntegerField(default=0)
    went = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        ordering = ["hour"]
        constraints = [models.UniqueConstraint(fields=["hour", "scope"], name="tally_once_an_hour")]

    def __str__(self) -> str:
        return f"{self.came} came and {self.went} went in the hour of {self.hour:%H:%M}"


class TallyMark(models.Model):
    """Up to which number of the seal everything is counted: one row."""

    number = models.BigIntegerField()

    def __str__(self) -> str:
        return f"counted up to {self.number}"
