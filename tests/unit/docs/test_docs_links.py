"""Links lead somewhere, the index knows every page, names exist, and nothing is said that has no place here."""

from __future__ import annotations

import re

import pytest
from doc_pages import CODE, DOCS, ROOT, Page, all_pages, page

PAGES = all_pages()
WALK = page("explanation/life-of-a-card.md")
FORBIDDEN = re.compile(
    r"p[y]pi|npm[j]s|python[h]osted|registry\.|/w[o]rk/|/tmp/|/root/|/home/|localhost|\bTO[D]O\b|\bFI[X]ME\b",
    re.IGNORECASE,
)
SUFFIXES = (".py", ".ts", ".tsx")


def id_of(one: Page) -> str:
    return str(one.path.relative_to(DOCS))


@pytest.mark.parametrize("one", PAGES, ids=id_of)
def test_every_link_leads_to_something_in_the_project(one: Page) -> None:
    targets = [target for target in one.links() if not target.startswith("#")]
    assert [target for target in targets if "://" in target] == []
    assert [target for target in targets if not (one.path.parent / target.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("one", PAGES, ids=id_of)
def test_every_page_has_one_title_and_no_forbidden_word(one: Page) -> None:
    assert re.findall(r"^# ", one.prose(), re.MULTILINE) == ["# "]
    assert FORBIDDEN.findall(one.text) == []


def test_the_index_leads_to_every_page() -> None:
    indexes = {"README.md", "decisions/README.md"}
    linked = {
        (one.path.parent / target).resolve() for one in PAGES if id_of(one) in indexes for target in one.links()
    }
    assert {one.path for one in PAGES} - {DOCS / "README.md"} <= linked


def test_every_file_that_the_walk_names_exists() -> None:
    named = [name for name in CODE.findall(WALK.prose()) if "/" in name and name.endswith(SUFFIXES)]
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_function_and_class_that_the_walk_names_is_in_a_file_that_it_names() -> None:
    names = CODE.findall(WALK.prose())
    files = [ROOT / name for name in names if "/" in name and name.endswith(SUFFIXES)]
    words = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in files)))
    identifiers = [part for name in names if re.fullmatch(r"[A-Za-z_][\w.]*", name) for part in name.split(".")]
    # Words of the wire and of the database are in no file as names.
    assert {one for one in identifiers if one not in words} <= {"COMMIT", "studio_byte_to_paint_seconds"}


@pytest.mark.parametrize("one", PAGES, ids=id_of)
def test_names_of_sources_in_links_are_the_names_of_their_targets(one: Page) -> None:
    for label, target in re.findall(r"\[`?([^\]`]+)`?\]\(([^)\s]+\.(?:py|tsx?|toml|json))\)", one.prose()):
        assert target.endswith(label.removeprefix("../"))
