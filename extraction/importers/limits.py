"""How much an importer takes on, and a stream that counts what is really read from it."""

import io
import zipfile
from typing import IO, TYPE_CHECKING

from ledger.actions.ingest import MAX_TEXT

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# One text, one record of a larger file, one file that has to be read whole.
MAX_BYTES = 4 * MAX_TEXT
MAX_ENTRIES = 200_000
MAX_UNPACKED = 8 * 1024**3
# Text packs to a tenth, seldom to a fiftieth; a bomb packs to a thousandth.
MAX_RATIO = 200
SLACK_BYTES = 1024 * 1024
HEAD = 64 * 1024


class TooMuch(ValueError):
    """More than is taken on."""


class Budget:
    """Bytes that one archive may still unpack to, counted as they are read, whatever its directory says."""

    def __init__(self, most: int = MAX_UNPACKED) -> None:
        self.left = most

    def spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooMuch(f"the archive unpacks to more than {MAX_UNPACKED // 1024**3} GiB")


class Counted(io.RawIOBase):
    """An archive's member: stops with `TooMuch` when it yields far more bytes than it is packed in."""

    def __init__(self, stream: IO[bytes], packed: int, budget: Budget) -> None:
        self._stream, self._budget = stream, budget
        self._left = MAX_RATIO * max(packed, 1) + SLACK_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            got = self._stream.read(len(view))
        except Exception as error:  # noqa: BLE001 - a damaged archive makes the unpackers raise nearly anything
            raise zipfile.BadZipFile(f"cannot be unpacked: {error}") from None
        self._left -= len(got)
        if self._left < 0:
            raise TooMuch("it unpacks to far more than a text does")
        self._budget.spend(len(got))
        view[: len(got)] = got
        return len(got)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
