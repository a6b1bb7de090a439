"""A stream that only the holder of a key file can read: AES-256-GCM over blocks of 64 KiB, in the manner of STREAM.

Each block's nonce is its number and whether it is the last, so that none can be changed, moved, left out or cut off
unnoticed; each file has a key of its own, made of the key file and a salt.
"""

import base64
import binascii
import io
import os
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from config.embedded import folder

MAGIC = b"countersign sealed backup 1\n"
BLOCK, TAG, SALT, KEY = 64 * 1024, 16, 16, 32


class BadBackup(Exception):
    """The file cannot be read; the text says why."""


def make_key(path: Path) -> None:
    """A new key file, readable by its owner alone. Raises `FileExistsError` rather than replace one."""
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    folder.write_private(path, base64.b64encode(os.urandom(KEY)).decode() + "\n")


def read_key(path: Path) -> bytes:
    """Raises `BadBackup` where the file holds no key."""
    try:
        key = base64.b64decode(path.read_bytes().strip(), validate=True)
    except (OSError, binascii.Error) as error:
        raise BadBackup(f"{path} cannot be read as a key: {error}") from None
    if len(key) != KEY:
        raise BadBackup(f"{path} is no key: make one with `manage.py backup --new-key {path}`")
    return key


def _cipher(key: bytes, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=KEY, salt=salt, info=MAGIC).derive(key))


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class Sealer:
    """What is written goes sealed into `out`; only `finish` makes it whole."""

    def __init__(self, out: BinaryIO, key: bytes) -> None:
        salt = os.urandom(SALT)
        self.out, self.cipher, self.number, self.rest = out, _cipher(key, salt), 0, bytearray()
        out.write(MAGIC + salt)

    def write(self, data: bytes) -> int:
        self.rest += data
        while len(self.rest) > BLOCK:
            self._put(bytes(self.rest[:BLOCK]), last=False)
            del self.rest[:BLOCK]
        return len(data)

    def finish(self) -> None:
        self._put(bytes(self.rest), last=True)

    def _put(self, block: bytes, *, last: bool) -> None:
        self.out.write(self.cipher.encrypt(_nonce(self.number, last=last), block, None))
        self.number += 1


class Opener(io.RawIOBase):
    """Reads what a `Sealer` wrote. Raises `BadBackup` where the key is another one, or a byte is."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        if file.read(len(MAGIC)) != MAGIC:
            raise BadBackup("this file is not sealed: leave the key out")
        self.file, self.cipher, self.number, self.plain = file, _cipher(key, file.read(SALT)), 0, b""
        self.ahead = file.read(BLOCK + TAG)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        if not self.plain and self.ahead:
            self.plain = self._next()
        given = self.plain[: view.nbytes]
        view[: len(given)] = given
        self.plain = self.plain[len(given) :]
        return len(given)

    def _next(self) -> bytes:
        block, self.ahead = self.ahead, self.file.read(BLOCK + TAG)
        try:
            plain = self.cipher.decrypt(_nonce(self.number, last=not self.ahead), block, None)
        except InvalidTag:
            raise BadBackup("this is not its key, or the file was changed or cut off") from None
        self.number += 1
        return plain
