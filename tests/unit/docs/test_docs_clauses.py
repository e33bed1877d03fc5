"""Every numbered clause of the rules has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[2]
_CLAUSES = (
    *(f"c{number}" for number in range(1, 6)),
    *(f"s{number}" for number in range(1, 10)),
    *(f"r{number}" for number in range(1, 17)),
    "r2a",
    *(f"i{number}" for number in range(1, 6)),
    *(f"b{number}" for number in range(11)),
    *(f"p{number}" for number in range(1, 6)),
    *(f"m{number}" for number in range(1, 8)),
    *(f"a{number}" for number in (1, 2, 4)),
    "e1",
    "e2",
)
_NAMED = re.compile(r"def (test_\w+)")


def _names() -> set[str]:
    found: set[str] = set()
    for path in _TESTS.rglob("test_*.py"):
        for name in _NAMED.findall(path.read_text(encoding="utf-8")):
            found.update(name.split("_"))
    return found


@pytest.mark.parametrize("clause", _CLAUSES)
def test_clause_is_named_by_a_test(clause: str) -> None:
    assert clause in _names(), f"no test has {clause} in its name"
