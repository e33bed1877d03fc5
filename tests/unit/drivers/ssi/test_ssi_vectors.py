"""The shared vectors of ``ssi``."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import check, fed, vectors_of

from drivers.ssi.plugin import SsiPlugin

VECTORS = vectors_of("ssi")


def test_all_vectors_are_run() -> None:
    assert len(VECTORS) == 5
    assert {key for vector in VECTORS for key in vector} <= {
        "protocol", "name", "chunks", "expect", "replies", "errors",
    }  # fmt: skip


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_bytes_give_the_events_answers_and_errors_of_the_vector(vector: dict[str, Any]) -> None:
    decoder = SsiPlugin().decoder("reader-1", vector.get("settings", {}))
    check(fed(decoder, vector), vector)
    sent = decoder.data_to_send()
    if "replies" in vector:
        assert sent == b"".join(bytes.fromhex(reply) for reply in vector["replies"])
    assert decoder.errors == vector.get("errors", {})
