"""The studio's keys as files: the sealing key, the signing key, and what is kept of those before them.

``studio.key`` seals; ``studio-ID.key`` beside it sealed before and still opens. ``signing.key`` signs;
``signing-ID.pub`` are the public halves of it and of those before it, whose private halves are gone. A key's id
comes from the key itself. It knows nothing of what is sealed or signed.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, NamedTuple

from studio.adapters.sealing import KEY_BYTES, Sealer, load_key, read_private, write_private
from studio.adapters.signing import Signer, load_verifier, new_private_pem

_ID_DIGITS: Final = 16
_NEW: Final = ".new"


class KeyFile(NamedTuple):
    """A key as it is listed."""

    use: str
    id: str
    path: Path
    current: bool


def load_sealer(path: Path, *, create: bool = False) -> Sealer:
    """Return a sealer with the key at ``path`` and the retired ones beside it; raises like :func:`load_key`."""
    current = load_key(path, create=create)
    return Sealer(current, *map(load_key, _retired(path)))


def load_signer(path: Path, *, create: bool = False) -> Signer:
    """Return the signer with the key at ``path``; ``create`` makes one where there is none: for simulated tables.

    Raises ``ValueError`` where the file is absent, readable by others, or no Ed25519 key.
    """
    if create and not path.exists():
        new_signing(path)
    pem = read_private(path, "signing key", "make one with: studio keys new signing")
    try:
        return Signer(pem)
    except ValueError as error:
        message = f"the signing key {path}: {error}"
        raise ValueError(message) from error


def public_files(path: Path) -> tuple[Path, ...]:
    """Return the files of the public halves that lie beside a signing key, sorted."""
    return tuple(sorted(path.parent.glob(f"{path.stem}-*.pub")))


def new_sealing(path: Path) -> KeyFile:
    """Make a sealing key; raise ``ValueError`` where there is one: :func:`rotate_sealing` replaces it."""
    _refuse_existing(path)
    write_private(path, os.urandom(KEY_BYTES))
    return KeyFile("sealing", _sealing_id(load_key(path)), path, True)


def new_signing(path: Path) -> KeyFile:
    """Make a signing key and the file of its public half; raise ``ValueError`` where there is one."""
    _refuse_existing(path)
    write_private(path, new_private_pem())
    return _publish(path)


def rotate_sealing(path: Path) -> KeyFile:
    """Put a new sealing key in the place of the present one, which stays beside it to open what it sealed."""
    present = load_key(path)
    retired = path.with_name(f"{path.stem}-{_sealing_id(present)}{path.suffix}")
    if not retired.exists():
        write_private(retired, present)
    _replace(path, os.urandom(KEY_BYTES))
    return KeyFile("sealing", _sealing_id(load_key(path)), path, True)


def rotate_signing(path: Path) -> KeyFile:
    """Put a new signing key in the place of the present one, of which only the public half is kept."""
    load_signer(path)
    _publish(path)
    _replace(path, new_private_pem())
    return _publish(path)


def list_keys(sealing: Path, signing: Path) -> tuple[KeyFile, ...]:
    """Return every key that is there; raise ``ValueError`` for a file that is none."""
    found: list[KeyFile] = []
    if sealing.exists():
        found.append(KeyFile("sealing", _sealing_id(load_key(sealing)), sealing, True))
    found += (KeyFile("sealing", _sealing_id(load_key(path)), path, False) for path in _retired(sealing))
    present = load_signer(signing).key_id if signing.exists() else ""
    for path in public_files(signing):
        (key_id,) = load_verifier([path]).key_ids
        found.append(KeyFile("signing", key_id, path, key_id == present))
    return tuple(found)


def _retired(path: Path) -> tuple[Path, ...]:
    """Return the files of retired sealing keys, newest first: what is read most was sealed last."""
    found = (one for one in path.parent.glob(f"{path.stem}-*{path.suffix}") if one != path)
    return tuple(sorted(found, key=lambda one: one.stat().st_mtime_ns, reverse=True))


def _sealing_id(key: bytes) -> str:
    return hashlib.sha256(b"studio sealing key:" + key).hexdigest()[:_ID_DIGITS]


def _publish(path: Path) -> KeyFile:
    signer = load_signer(path)
    public = path.with_name(f"{path.stem}-{signer.key_id}.pub")
    public.write_bytes(signer.public_pem)
    return KeyFile("signing", signer.key_id, public, True)


def _replace(path: Path, secret: bytes) -> None:
    fresh = path.with_name(path.name + _NEW)
    fresh.unlink(missing_ok=True)
    write_private(fresh, secret)
    fresh.replace(path)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        message = f"{path} is there already: rotate it with studio keys rotate, or give another path"
        raise ValueError(message)
