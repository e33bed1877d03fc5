"""A record as files: JSON with its hash, and a PDF that states the same hash.

The hash is SHA-256 over the canonical JSON of the record: keys sorted, no spaces, UTF-8. Both files are the same
bytes each time until something is added to the record.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from studio.evidence.pdf import render_pdf
from studio.evidence.records import Record

FORMAT = "studio-incident-record-2"


@dataclass(frozen=True, slots=True)
class Document:
    """A record's files; ``sha256`` is the record's hash, ``pdf_sha256`` that of the bytes of ``pdf``, in hex."""

    json: str
    pdf: bytes
    sha256: str
    pdf_sha256: str


def canonical(value: object) -> str:
    """Return the one JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def document(record: Record) -> Document:
    """Return a record's files."""
    fields = asdict(record)
    sha256 = hashlib.sha256(canonical(fields).encode()).hexdigest()
    pdf = render_pdf(record, sha256)
    pdf_sha256 = hashlib.sha256(pdf).hexdigest()
    text = json.dumps(
        {"format": FORMAT, "sha256": sha256, "pdf_sha256": pdf_sha256, "record": fields},
        sort_keys=True,
        indent=1,
        ensure_ascii=False,
    )
    return Document(text, pdf, sha256, pdf_sha256)
