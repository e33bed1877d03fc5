"""Every numbered clause has its line on the page of rules, and a test that names it, to which the line links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_pages import page

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
_NOT_PLAYED = {"a3"}
"""Told in the rules as what this version has not."""
_LINES = {
    clause.lower(): text
    for clause, text in re.findall(
        r"^- \*\*([A-Z]\d+a?)\*\* (.+(?:\n  .+)*)", page("reference/rules.md").text, re.MULTILINE
    )
}
_NAMED = re.compile(r"def (test_\w+)")


def _naming(clause: str) -> set[str]:
    """Return the names of the test files that have a test with the clause in its name."""
    return {
        path.name
        for path in _TESTS.rglob("test_*.py")
        if any(clause in name.split("_") for name in _NAMED.findall(path.read_text(encoding="utf-8")))
    }


@pytest.mark.parametrize("clause", _CLAUSES)
def test_clause_is_named_by_a_test_that_the_rules_link_to(clause: str) -> None:
    linked = set(re.findall(r"\[(test_\w+\.py)\]", _LINES[clause]))
    assert linked, f"the line of {clause} links to no test"
    assert linked <= _naming(clause)


def test_the_rules_have_every_clause_and_no_other() -> None:
    assert set(_LINES) == {*_CLAUSES, *_NOT_PLAYED}
