"""Manifests: the hash of each file of a backup or an export, signed where a key is at hand.

Beside ``NAME`` lies ``NAME.manifest.json``. With it every byte of a file counts, those of no row too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from studio.adapters.codec import canonical
from studio.adapters.signing import Signer, Verifier
from studio.proof.report import Broken, Report

_SUFFIX: Final = ".manifest.json"
_FORMAT: Final = "studio-manifest-1"
_CHUNK: Final = 1 << 20


def manifest_path(path: Path) -> Path:
    """Return where the manifest of a file or folder lies."""
    return path.with_name(path.name + _SUFFIX)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def write_manifest(path: Path, files: Iterable[Path], about: dict[str, Any], signer: Signer | None) -> Path:
    """Write the manifest of ``path`` over some files in its folder; return where it is."""
    hashes = {str(file.relative_to(path.parent)): hash_file(file) for file in files}
    stated = {"format": _FORMAT, "files": hashes, **about}
    signature = (
        {"key_id": signer.key_id, "signature": signer.sign(canonical(stated).encode()).hex()} if signer else {}
    )
    found = manifest_path(path)
    found.write_text(
        json.dumps({"stated": stated, **signature}, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    return found


def check_manifest(path: Path, verifier: Verifier | None, report: Report) -> Iterator[Broken]:
    """Yield every file that is not as its manifest says; nothing where there is no manifest."""
    place = manifest_path(path)
    if not place.exists():
        return
    try:
        manifest = json.loads(place.read_text(encoding="utf-8"))
        stated = manifest["stated"]
        if verifier is not None and "signature" in manifest:
            statement = canonical(stated).encode()
            verifier.check(manifest["key_id"], statement, bytes.fromhex(manifest["signature"]))
        elif verifier is not None:
            report.notes.append(f"{place.name} is not signed")
        for name, wanted in stated["files"].items():
            if hash_file(path.parent / name) != wanted:
                yield Broken("file", name, f"a byte of it is not as {place.name} says")
            report.checked["files"] += 1
    except (ValueError, KeyError, TypeError, OSError) as error:
        yield Broken("manifest", place.name, f"{error!r}")
