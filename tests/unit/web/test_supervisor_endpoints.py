"""The supervisor's statistics: for supervisors alone, and what the cards of the rounds say."""

from __future__ import annotations

import pytest
from web_fakes import BY_ROLE, Studio

from studio.domain.cards import parse_card
from studio.ports.settled import SettledHand, SettledRound

URL = "/v1/tables/t1/statistics"
ROUND = SettledRound(
    7,
    tuple(map(parse_card, ("6S", "TD", "9H"))),
    ((parse_card("8C"), parse_card("8S")),),
    (SettledHand(tuple(map(parse_card, ("8C", "8S", "4D")))),),
)


@pytest.mark.parametrize("role", BY_ROLE)
async def test_only_supervisors_read_the_statistics(role: str) -> None:
    studio = Studio()
    answer = await studio.get(BY_ROLE[role], URL)
    if role == "supervisor":
        assert answer.status_code == 200
        assert studio.settled.asked == [("t1", 500)]
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert studio.settled.asked == []


async def test_nobody_reads_them_without_a_token() -> None:
    studio = Studio()
    assert (await studio.get(None, URL)).status_code == 401
    assert studio.settled.asked == []


async def test_the_statistics_are_told_in_full() -> None:
    studio = Studio()
    studio.settled.found = (ROUND,)
    told = (await studio.get("sup", f"{URL}?rounds=20")).json()
    assert studio.settled.asked == [("t1", 20)]
    assert told["table"] == "t1"
    found = told["statistics"]
    assert (found["rounds"], found["first_round"], found["last_round"]) == (1, 7, 7)
    lines = {line["what"]: line for line in found["lines"]}
    pair = lines["pairs-mixed"]
    assert (pair["trials"], pair["observed"]) == (1, 0)
    assert pair["expected"] == pytest.approx(16 / 415)
    assert pair["at_most"] == pytest.approx(1 - 16 / 415)
    assert (pair["at_least"], pair["two_sided"]) == (1.0, 1.0)
    assert lines["pairs-coloured"]["observed"] == 1
    assert lines["dealer-bust-with-3-cards"]["observed"] == 1
    assert lines["hands-won"]["observed"] == 1
    assert found["least"] == pytest.approx(
        min(1.0, len(lines) * min(line["two_sided"] for line in found["lines"]))
    )


@pytest.mark.parametrize("query", ["rounds=0", "rounds=2001", "rounds=many", "round=5"])
async def test_nonsense_is_refused(query: str) -> None:
    studio = Studio()
    answer = await studio.get("sup", f"{URL}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert studio.settled.asked == []


async def test_an_unknown_table_is_not_found() -> None:
    answer = await Studio().get("sup", "/v1/tables/t9/statistics")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-table")
