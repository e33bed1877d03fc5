"""The pages name what there is: every package, every event that moves money, every number that the code cites."""

from __future__ import annotations

import ast
import re

import pytest
from doc_pages import CODE, ROOT, page

from studio.adapters.codec import NAMES
from studio.domain import money

ARCHITECTURE = page("explanation/architecture.md")
PACKAGES = sorted(
    str(path.relative_to(ROOT))
    for parent in ("studio", "drivers")
    for path in (ROOT / parent).iterdir()
    if path.is_dir() and path.name != "__pycache__"
)
SOURCES = [
    path
    for parent in ("studio", "drivers", "hardware_sim", "tests")
    for path in (ROOT / parent).rglob("*")
    if path.suffix in {".py", ".ts", ".tsx"} and not {"node_modules", "static"} & set(path.parts)
]


def cited_of_the_consoles() -> set[str]:
    """Return the numbers that sources cite of ``consoles.md``."""
    cited: set[str] = set()
    for path in SOURCES:
        for after in re.findall(r"consoles\.md ([^).]*)", path.read_text(encoding="utf-8")):
            cited.update(re.findall(r"\b[DST]\d+\b", after))
    return cited


@pytest.mark.parametrize("package", [*PACKAGES, "hardware_sim"])
def test_the_architecture_names_each_package(package: str) -> None:
    assert package in CODE.findall(ARCHITECTURE.text)


def test_the_architecture_draws_the_layers_that_are_enforced() -> None:
    (layers,) = re.findall(r'^layers = (\["__main__".*\])$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert " > ".join(ast.literal_eval(layers)) in ARCHITECTURE.text


def test_every_event_that_moves_money_is_on_the_page_of_money() -> None:
    tree = ast.parse((ROOT / "studio" / "domain" / "money.py").read_text(encoding="utf-8"))
    (names,) = [
        {alias.name for alias in node.names}
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "studio.domain.events"
    ]
    moving = {NAMES[getattr(money, name)].name for name in names - {"Event"}}
    told = {
        name
        for row in page("explanation/money.md").rows("## From an event to money")
        for name in CODE.findall(row[0])
    }
    assert told == moving


def test_every_number_of_the_consoles_that_sources_cite_has_its_row() -> None:
    cited = cited_of_the_consoles()
    assert len(cited) > 10
    assert cited <= {row[0] for row in page("reference/consoles.md").rows()}


def test_every_principle_that_sources_cite_is_in_the_architecture() -> None:
    cited = {
        int(number)
        for path in SOURCES
        for after in re.findall(r"system\.md,?\s+principles? ([\d, and]+)", path.read_text(encoding="utf-8"))
        for number in re.findall(r"\d+", after)
    }
    numbered = {int(number) for number in re.findall(r"^(\d+)\. \*\*", ARCHITECTURE.text, re.MULTILINE)}
    assert cited
    assert cited <= numbered
