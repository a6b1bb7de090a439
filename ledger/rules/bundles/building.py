"""A text put together piece by piece, its sections noted on the way, so that nobody has to parse it again."""

from ledger.rules.sections import SectionSpan


class Builder:
    """Pieces in their order. Each section is the range from one `section` call to the next; together they tile the text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._open: tuple[str, str, tuple[str, ...], int] | None = None
        self._sections: list[SectionSpan] = []

    def section(self, name: str, speaker: str, path: tuple[str, ...] = ()) -> None:
        """What is written from here on stands in this section."""
        self._close()
        self._open = (name, speaker, path, self._length)

    def write(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def built(self) -> tuple[str, tuple[SectionSpan, ...]]:
        self._close()
        self._open = None
        return "".join(self._pieces), tuple(self._sections)

    def _close(self) -> None:
        if self._open is None:
            return
        name, speaker, path, start = self._open
        if self._length > start:
            self._sections.append(SectionSpan(name, speaker, path, start, self._length))
