"""A table's rules over the web: a page for people, the parameters for programs (rules.md E2, case C27)."""

from __future__ import annotations

import hashlib
import json

import pytest
from web_fakes import RULES, Studio

from studio.odds.figures import figures_of
from studio.rule_sheet.html import STYLE_SHEET


@pytest.mark.parametrize(
    ("query", "says"), [("", "the rules"), ("?lang=en", "the rules"), ("?lang=fr", "les règles")]
)
async def test_the_rules_of_a_table_are_a_page_for_everybody(query: str, says: str) -> None:
    answer = await Studio().get(None, f"/rules/t1{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert says in answer.text
    assert RULES.hash in answer.text
    assert "1,000.00 EUR" in answer.text


async def test_the_pages_style_sheet_is_served() -> None:
    studio = Studio()
    assert 'href="/rule-sheet.css"' in (await studio.get(None, "/rules/t1")).text
    answer = await studio.get(None, "/rule-sheet.css")
    assert (answer.status_code, answer.text) == (200, STYLE_SHEET.read_text(encoding="utf-8"))
    assert answer.headers["content-type"].startswith("text/css")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/rules/t1?lang=de", 422, "malformed"),
        ("/rules/t1?lang=", 422, "malformed"),
        ("/rules/t9", 404, "unknown-table"),
        ("/rules/", 404, "not-found"),
    ],
)
async def test_other_languages_and_tables_are_refused(path: str, status: int, code: str) -> None:
    answer = await Studio().get(None, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_refused_language_says_which_there_are() -> None:
    assert "'en' or 'fr'" in (await Studio().get(None, "/rules/t1?lang=de")).json()["text"]


async def test_programs_get_the_parameters_and_can_check_the_hash() -> None:
    answer = (await Studio().get("pam", "/v1/tables/t1/rules.json")).json()
    canonical = json.dumps(answer["parameters"], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest() == answer["hash"] == RULES.hash
    assert answer["line"] == RULES.line
    assert answer["limits"] == {"currency": "EUR", "minimum": 500, "maximum": 100_000, "increment": 100}
    assert answer["sheets"] == {"en": "/rules/t1?lang=en", "fr": "/rules/t1?lang=fr"}


@pytest.mark.parametrize(
    ("person", "path", "status"),
    [(None, "t1", 401), ("pam", "t9", 404), ("dea", "t1", 200), ("ops", "t1", 200)],
)
async def test_the_parameters_are_for_everybody_signed_in(person: str | None, path: str, status: int) -> None:
    assert (await Studio().get(person, f"/v1/tables/{path}/rules.json")).status_code == status


async def test_programs_get_the_strategy_for_the_rules_of_the_table() -> None:
    answer = (await Studio().get("pam", "/v1/tables/t1/strategy.json")).json()
    figures = figures_of(RULES)
    assert answer["hash"] == RULES.hash
    assert answer["strategy"] == figures.strategy.as_json()
    assert answer["follow_split"] == {pair: dict(cells) for pair, cells in figures.follow_split.items()}


@pytest.mark.parametrize(("person", "path", "status"), [(None, "t1", 401), ("pam", "t9", 404), ("dea", "t1", 200)])
async def test_the_strategy_is_for_everybody_signed_in(person: str | None, path: str, status: int) -> None:
    assert (await Studio().get(person, f"/v1/tables/{path}/strategy.json")).status_code == status


@pytest.mark.parametrize(("lang", "says"), [("en", "Calculated from these rules"), ("fr", "Calculé d")])
async def test_a_page_shows_the_calculated_return_and_draws_the_strategy(lang: str, says: str) -> None:
    page = (await Studio().get(None, f"/rules/t1?lang={lang}")).text
    assert says in page
    assert f"{figures_of(RULES).rtp.composition_dependent.per_initial_bet:.4f}" in page
    assert '<svg class="strategy"' in page
