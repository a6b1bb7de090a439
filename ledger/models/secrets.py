"""Rows whose words may hold a password, a key or a card's number: they read masked, whoever reads them."""

from collections.abc import Collection
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Value

from ledger.rules.secrets import masked


class HoldsSecrets(models.Model):
    """`secrets` are `[start, end, kind]` in code points of the source. The column named by `WORDS` is masked when a row is loaded
    (its offsets stay true: a mask is as long as what it hides); `raw_words` are the words to the byte, for what compares or
    cites them, and for readers in scopes that keep them."""

    WORDS: ClassVar[str]

    secrets = models.JSONField(default=list, db_default=Value([], models.JSONField()), blank=True, editable=False)

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **how: Any) -> Self:
        row = super().from_db(db, field_names, values, **how)
        if cls.WORDS in row.__dict__ and row.secrets:
            row.hide_secrets()
        return row

    def hide_secrets(self) -> None:
        raw = self.raw_words
        self.__dict__["raw"] = raw
        setattr(self, self.WORDS, masked(raw, self.secrets, start=self.words_begin))

    @property
    def raw_words(self) -> str:
        return str(self.__dict__.get("raw", getattr(self, self.WORDS)))

    @property
    def words_begin(self) -> int:
        """Where in the source its words begin."""
        return 0
