"""The shared vectors of ``barcode_line``."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import check, fed, vectors_of

from drivers.barcode_line.plugin import BarcodeLinePlugin

VECTORS = vectors_of("barcode_line")


def test_all_vectors_are_run() -> None:
    assert len(VECTORS) == 14
    assert {key for vector in VECTORS for key in vector} <= {
        "protocol", "name", "chunks", "expect", "settings", "gap_ms", "note",
    }  # fmt: skip


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_bytes_give_the_events_of_the_vector(vector: dict[str, Any]) -> None:
    parser = BarcodeLinePlugin().decoder("reader-1", vector.get("settings", {}))
    check(fed(parser, vector), vector)
    assert parser.data_to_send() == b""
