"""Decision records: numbered without gaps, each with its sections, each in the index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_pages import DOCS, page

FOLDER = DOCS / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
SECTIONS = ["Context", "Decision", "Consequences", "Alternatives", "Enforced by"]


def sections_of(text: str) -> list[str]:
    return re.findall(r"^## (.+)$", text, re.MULTILINE)


def test_they_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_each_has_its_number_a_title_and_every_section_filled(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(rf"# {path.name[:4]} \w", text)
    assert sections_of(text) == SECTIONS
    assert [part for part in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:] if len(part.strip()) < 20] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_what_enforces_it_is_named_and_is_there(path: Path) -> None:
    enforced = path.read_text(encoding="utf-8").rpartition("## Enforced by")[2]
    targets = re.findall(r"\]\(([^)]+)\)", enforced)
    assert targets
    assert all((FOLDER / target).exists() for target in targets)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_the_functions_that_it_names_exist(path: Path) -> None:
    enforced = path.read_text(encoding="utf-8").rpartition("## Enforced by")[2]
    linked = [FOLDER / target for target in re.findall(r"\]\(([^)]+\.(?:py|toml))\)", enforced)]
    code = "\n".join(one.read_text(encoding="utf-8") for one in linked)
    names = [part for name in re.findall(r"`([A-Za-z_][\w.]*)`", enforced) for part in name.split(".")]
    assert [name for name in names if name not in code] == []


def test_the_template_has_the_same_sections() -> None:
    assert sections_of(page("decisions/template.md").text) == SECTIONS


def test_the_index_gives_each_its_title() -> None:
    titles = [
        f"- [{path.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')}]({path.name})"
        for path in RECORDS
    ]
    lines = page("decisions/README.md").text.splitlines()
    assert [line for line in lines if line.startswith("- ")] == titles
