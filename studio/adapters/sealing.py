"""Sealing: authenticated encryption of what must stay secret on disk, under a key outside of the database.

AES-256-GCM with a random nonce; the place a value belongs to (table, sequence, field) is authenticated with it, so
a sealed value cannot be moved to another row. Lengths are padded, since a reader's frame for a ten may be longer
than for an ace. It knows nothing of events and of where sealed bytes are kept.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_LENGTH_BYTES: Final = 4
_BLOCK_BYTES: Final = 32
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Sealer:
    """Seals values under a key of 32 bytes; opens what was sealed under it or under a retired one."""

    def __init__(self, key: bytes, *retired: bytes) -> None:
        for one in (key, *retired):
            if len(one) != KEY_BYTES:
                message = f"a sealing key has {KEY_BYTES} bytes, not {len(one)}"
                raise ValueError(message)
        self._cipher, *self._retired = map(AESGCM, (key, *retired))

    def seal(self, clear: bytes, place: str) -> bytes:
        """Return nonce, ciphertext and tag in one; ``place`` must be given again to open it."""
        padding = -(_LENGTH_BYTES + len(clear)) % _BLOCK_BYTES
        padded = len(clear).to_bytes(_LENGTH_BYTES, "big") + clear + bytes(padding)
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, padded, place.encode())

    def open(self, sealed: bytes, place: str) -> bytes:
        """Return what was sealed; raise ``ValueError`` if it was changed, moved, or sealed under another key."""
        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        for cipher in (self._cipher, *self._retired):
            # What was sealed says under which key: under any other it does not authenticate.
            with suppress(InvalidTag, ValueError):
                padded = cipher.decrypt(nonce, ciphertext, place.encode())
                length = int.from_bytes(padded[:_LENGTH_BYTES], "big")
                return padded[_LENGTH_BYTES : _LENGTH_BYTES + length]
        message = f"the seal of {place} does not open: it was changed or moved, or this is another key"
        raise ValueError(message)


def load_key(path: Path, *, create: bool = False) -> bytes:
    """Return the key in a file of 32 bytes that only its owner may read.

    ``create`` makes a new key where there is none: for simulated tables only, since a lost key means lost cards.
    Raises ``ValueError`` where the file is absent, readable by others, or no key.
    """
    if create and not path.exists():
        write_private(path, os.urandom(KEY_BYTES))
    key = read_private(path, "sealing key", "create it with 32 random bytes, mode 0600")
    if len(key) != KEY_BYTES:
        message = f"the sealing key {path} has {len(key)} bytes and should have {KEY_BYTES}: it is no key"
        raise ValueError(message)
    return key


def read_private(path: Path, what: str, advice: str) -> bytes:
    """Return a secret file's bytes; raise ``ValueError`` where it is absent, or open to others than its owner."""
    try:
        secret = path.read_bytes()
        mode = path.stat().st_mode
    except OSError as error:
        message = f"the {what} {path} cannot be read ({error.strerror}): {advice}"
        raise ValueError(message) from error
    if mode & _OTHERS:
        message = f"the {what} {path} may be read by others: run chmod 600 {path}"
        raise ValueError(message)
    return secret


def write_private(path: Path, secret: bytes) -> None:
    """Write a secret file that was not there, for its owner alone; on return it is on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
