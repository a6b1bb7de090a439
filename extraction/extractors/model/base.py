"""What every extractor has in common that asks a model: which reader of a source it is, where it may ask, and what it spends."""

import hashlib
from abc import abstractmethod
from typing import ClassVar

from django.conf import settings

from extraction.extractors.findings import Extractor, Findings, Reading, ReadingFailed
from extraction.extractors.model.server import Server, configured, refusal
from extraction.extractors.model.spending import Book, limits_of
from ledger.models import Scope
from ledger.packs import PackSet


class AskingExtractor(Extractor):
    """Reads by asking the configured model. Its `rules` are what the model is told whatever the source."""

    number: ClassVar[str] = "1.0.0"
    # It costs money and time, so a dry run leaves it out.
    asks_outside = True

    @abstractmethod
    def rules(self) -> str: ...

    @abstractmethod
    def ask_about(self, reading: Reading, server: Server, book: Book) -> Findings:
        """What the model says of a source, checked. Each call is reserved in `book`."""

    @property
    def version(self) -> str:
        """Another model or other rules are another reader of the same source (law 7)."""
        asked = hashlib.sha256(f"{settings.COUNTERSIGN_MODEL}\n{self.rules()}".encode()).hexdigest()
        return f"{self.number}+{asked[:8]}"

    def refusal(self, scope: Scope, packs: PackSet) -> str:
        """Why no model may be asked about texts of this scope now; empty where one may."""
        return refusal(scope, packs)

    def read(self, reading: Reading) -> Findings:
        why, server = refusal(reading.scope, reading.packs), configured()
        if why or server is None:
            raise ReadingFailed(why, again=False)
        book = Book(reading, limits_of(reading.packs), server.host, server.model)
        return self.ask_about(reading, server, book)
