"""Ruling profiles as files: a TOML file in, a validated profile out, with its detached Ed25519 signature.

A profile's file holds the settings and, once approved, who approved it, when and under which reference. Beside it
lies ``FILE.sig``: the signature of the file's bytes, 128 hex digits. The key that signs is the approver's, not the
studio's; the studio knows its public half from the settings.
"""

from __future__ import annotations

import datetime as dt
import os
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from studio.domain.profile import Approval, RulingProfile, profile_of

_FOLDER: Final = files("studio") / "profiles"
_SUFFIX: Final = ".toml"
_APPROVAL: Final = ("approved_by", "approved_on", "reference")
_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """A profile as it was read; ``approval.key`` is empty unless its signature was checked."""

    profile: RulingProfile
    approval: Approval
    data: bytes
    signature: bytes | None


def profile_names() -> tuple[str, ...]:
    """Return the names of the profiles that come with the package, sorted."""
    names = (file.name.removesuffix(_SUFFIX) for file in _FOLDER.iterdir() if file.name.endswith(_SUFFIX))
    return tuple(sorted(names))


def read_profile(name_or_path: str | Path, folder: Path = Path()) -> ProfileFile:
    """Return a profile of the package by its name, or of a file by its path (``….toml``, seen from ``folder``).

    Raises ``ValueError`` naming the file and everything that is wrong in it.
    """
    file, beside = _find(name_or_path, folder)
    try:
        data = file.read_bytes()
        fields = tomllib.loads(data.decode())
    except OSError as error:
        message = f"profile {file} cannot be read ({error.strerror}); shipped are {', '.join(profile_names())}"
        raise ValueError(message) from error
    except ValueError as error:
        message = f"profile {file} is not TOML: {error}"
        raise ValueError(message) from error
    try:
        approval = Approval(*(_text(fields.pop(name, "")) for name in _APPROVAL))
        return ProfileFile(profile_of(fields), approval, data, _signature(beside))
    except ValueError as error:
        message = f"profile {file}: {error}"
        raise ValueError(message) from error


def _find(name_or_path: str | Path, folder: Path) -> tuple[Traversable, Path | None]:
    if str(name_or_path).endswith(_SUFFIX):
        path = folder / name_or_path
        return path, path.with_name(f"{path.name}.sig")
    return _FOLDER / f"{name_or_path}{_SUFFIX}", None


def _text(value: object) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    if not isinstance(value, str):
        message = f"{value!r} is no text: who approved it, when and why are texts"
        raise ValueError(message)  # noqa: TRY004 - what was read is wrong, not the call
    return value


def _signature(path: Path | None) -> bytes | None:
    if path is None or not path.exists():
        return None
    try:
        return bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError as error:
        message = f"its signature {path} is no hex text: sign the profile again"
        raise ValueError(message) from error


def check_profile(read: ProfileFile, public_key: str) -> Approval:
    """Return the approval with the key that proves it; raise ``ValueError`` where the signature does not."""
    if read.signature is None:
        message = f"profile {read.profile.name} is not signed: run studio profile sign FILE"
        raise ValueError(message)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(read.signature, read.data)
    except InvalidSignature:
        message = f"the signature of profile {read.profile.name} is not this key's, or the file was changed since"
        raise ValueError(message) from None
    except ValueError as error:
        message = "the public key of a profile is 64 hex digits: studio profile sign prints it"
        raise ValueError(message) from error
    approval = read.approval
    return Approval(approval.approved_by, approval.approved_on, approval.reference, public_key.lower())


def sign_profile(path: Path, key: Ed25519PrivateKey, approval: Approval) -> str:
    """Write who approved the profile into its file and the signature beside it; return the public key in hex.

    Raises ``ValueError`` for a file that is no profile, ``OSError`` where it cannot be written.
    """
    read_profile(path)
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(_APPROVAL)]
    values = (approval.approved_by, approval.approved_on, approval.reference)
    lines = [f"{name} = {_toml(value)}" for name, value in zip(_APPROVAL, values, strict=True)]
    path.write_text("\n".join([*lines, *kept]) + "\n", encoding="utf-8")
    signature = key.sign(path.read_bytes())
    path.with_name(f"{path.name}.sig").write_text(signature.hex() + "\n", encoding="ascii")
    return public_hex(key)


def _toml(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return a key's public half: 64 hex digits."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def load_signing_key(path: Path) -> Ed25519PrivateKey:
    """Read an approver's private key (PEM, mode 0600); raise ``ValueError`` with a sentence."""
    try:
        if path.stat().st_mode & _OTHERS:
            message = f"the key {path} may be read by others: run chmod 600 {path}"
            raise ValueError(message)
        key: Any = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        message = f"the key {path} cannot be read ({error.strerror}): make one with studio profile key {path}"
        raise ValueError(message) from error
    except TypeError as error:
        message = f"the key {path} is encrypted: decrypt it first"
        raise ValueError(message) from error
    if not isinstance(key, Ed25519PrivateKey):
        message = f"the key {path} is no Ed25519 key"
        raise ValueError(message)  # noqa: TRY004 - what was read is wrong, not the call
    return key


def write_signing_key(path: Path) -> str:
    """Make an approver's key where there is none, and return its public half in hex; raise ``OSError``."""
    key = Ed25519PrivateKey.generate()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public_hex(key)
