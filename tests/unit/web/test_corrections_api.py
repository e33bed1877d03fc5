"""Corrections over the API, on a real table with a real journal: previews, two people, presence, stale views."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from support.actors import KEY, LiveActor, live_actor
from support.tables import DEALER, player
from web_fakes import SetHistory, SetLookBack, SetSettled, Socket, person, token_of

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.domain.commands import CloseBetting, OpenBetting
from studio.proof.holds import JournalCustody
from studio.settings import People
from studio.web.app import create_app

TODAY = dt.date(2099, 12, 31)
PEOPLE = People(
    people=(
        person("dora", "dealer", licence_until=TODAY),
        person("sam", "supervisor"),
        person("sue", "supervisor"),
        person("max", "manager"),
        person("aud", "auditor"),
        person("anna", "player"),
    )
)


class Api:
    """A table with a dealt round behind the application."""

    def __init__(self, live: LiveActor, app: FastAPI) -> None:
        self.live = live
        self.app = app
        self.keys = 0

    async def post(self, who: str, path: str, body: dict[str, Any], key: str = "") -> httpx.Response:
        self.keys += 1
        headers = {"Authorization": f"Bearer {token_of(who)}", "Idempotency-Key": key or f"k{self.keys}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.app), base_url="http://studio") as one:
            return await one.post(f"/v1/tables/t1/{path}", json=body, headers=headers)

    async def get(self, who: str, path: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token_of(who)}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.app), base_url="http://studio") as one:
            return await one.get(f"/v1/{path}", headers=headers)

    async def panel(self, who: str = "sam") -> dict[str, Any]:
        found: dict[str, Any] = (await self.get(who, "tables/t1/views/supervisor")).json()["view"]
        return found

    async def send(self, who: str, command: str, key: str = "", **arguments: Any) -> httpx.Response:
        body = {"command": command, "arguments": arguments, "seen_sequence": self.live.actor.sequence}
        return await self.post(who, "commands", body, key)


@asynccontextmanager
async def a_round(folder: Path) -> AsyncIterator[Api]:
    """Anna has nineteen against a nine; the hole card is the last draw."""
    async with live_actor(folder / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(player("anna"), 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C 9D TH")
        app = create_app(
            tables={"t1": live.actor},
            people=PEOPLE,
            wallets={"EUR": live.wallet},
            clock=live.clock,
            history=SetHistory(),
            settled=SetSettled(),
            custody=JournalCustody(live.store),
            look_back=SetLookBack(),
            evidence=SqliteEvidence(live.store.path, Sealer(KEY), ["t1"]),
            health=lambda: {"status": "ok"},
            registry=CollectorRegistry(),
            simulated=True,
            on_painted=lambda _table, _sequence: None,
            static=Path("/nonexistent"),
        )
        yield Api(live, app)


def correction(draw: int, card: str) -> dict[str, Any]:
    changes = [{"change": "card-value", "draw": draw, "card": card}]
    said = {"reason": "misread", "text": "the still shows it"}
    return {"incident": 1, "way_out": "correct", **said, "correction": changes}


async def test_s5_a_correction_is_previewed_per_seat_and_then_made(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.send("sam", "suspend", reason="looks wrong")
        draws = {one["place"]: one["draw"] for one in (await api.panel())["rulings"]["draws"]}
        said = correction(draws["seat1.hand1"], "8D")
        answer = (await api.post("sam", "previews", {"command": "resolve-incident", "arguments": said})).json()
        shown = answer["preview"]
        assert answer["sequence"] == api.live.actor.sequence
        assert (shown["lawful"], shown["needs_second"], shown["code"]) == (True, False, "")
        hand = next(one for one in shown["hands"] if one["seat"] == 1)
        assert (hand["before"]["cards"], hand["after"]["cards"]) == (["TC", "9D"], ["TC", "8D"])
        assert (hand["before"]["total"], hand["after"]["total"]) == ("19", "18")
        assert hand["changed"]
        (money,) = shown["money"]
        assert (money["player"], money["staked_before"], money["staked_after"]) == ("anna", 1000, 1000)
        assert shown["message"] == {"key": "round-corrected", "parameters": {"round": "1"}}
        assert (await api.send("sam", "resolve-incident", **said)).status_code == 200
        public = (await api.get("anna", "tables/t1/views/public")).json()["view"]
        assert public["seats"][0]["hands"][0]["cards"] == ["TC", "8D"]
        assert [one["message"]["key"] for one in public["notices"]] == ["round-corrected"]


async def test_s6_the_previewed_refund_equals_the_stakes_in_the_ledger_and_a_repeat_gets_the_first_answer(
    tmp_path: Path,
) -> None:
    async with a_round(tmp_path) as api:
        body = {"command": "void-round", "arguments": {"reason": "misdeal", "text": "card on the floor"}}
        shown = (await api.post("sam", "previews", body)).json()["preview"]
        assert shown["refund_total"] == api.live.wallet.available("table:t1") == 1000
        assert [(one["player"], one["back_after"]) for one in shown["money"]] == [("anna", 1000)]
        decided = body | {"seen_sequence": api.live.actor.sequence}
        first = await api.post("sam", "commands", decided, key="v")
        again = await api.post("sam", "commands", decided, key="v")
        assert (first.status_code, again.json()) == (200, first.json())
        assert api.live.wallet.available("player:anna") == 5000


async def test_an_unlawful_correction_says_why_and_leaves_the_hands_alone(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.post("anna", "decisions", {"decision": 1, "action": "stand"})
        await api.send("sam", "suspend", reason="looks wrong")
        said = correction(api.live.ordinal - 1, "8D")
        shown = (await api.post("sam", "previews", {"command": "resolve-incident", "arguments": said})).json()
        assert shown["preview"]["lawful"] is False
        assert shown["preview"]["code"] == "rests-on-wrong-value"
        assert not any(one["changed"] for one in shown["preview"]["hands"])
        answer = await api.send("sam", "resolve-incident", **said)
        assert (answer.status_code, answer.json()["code"]) == (409, "rests-on-wrong-value")


async def test_previews_are_for_supervisors_and_hide_the_hole_card(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.send("sam", "suspend", reason="looks wrong")
        body = {"command": "resolve-incident", "arguments": correction(api.live.ordinal, "7H")}
        for who in ("dora", "aud", "anna"):
            assert (await api.post(who, "previews", body)).status_code == 403
        answer = await api.post("max", "previews", body)
        assert answer.json()["preview"]["lawful"]
        assert not any(code in answer.text for code in ("TH", "7H"))


async def test_a_hidden_card_is_in_one_answer_to_its_opener_and_nowhere_else(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        asked: dict[str, Any] = {
            "draw": api.live.ordinal,
            "reason": "dispute",
            "text": "a player says it was flashed",
        }
        assert (await api.send("sam", "open-hidden-card", **asked)).json()["proposal"] == 1
        assert (await api.panel("sue"))["rulings"]["proposals"][0]["words"].startswith("Look at the hidden card")
        approved = await api.send("sue", "approve-proposal", proposal=1)
        assert "card" not in approved.json()
        body = {"command": "open-hidden-card", "arguments": asked, "seen_sequence": api.live.actor.sequence}
        opened = await api.post("sam", "commands", body, key="look")
        assert opened.json()["card"] == "TH"
        repeated = await api.post("sam", "commands", body, key="look")
        assert repeated.json() == {"sequence": opened.json()["sequence"]}
        for who in ("sam", "sue", "aud"):
            assert "TH" not in (await api.get(who, "tables/t1/views/supervisor")).text


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("claim-incident", {"incident": 1}),
        ("approve-proposal", {"proposal": 1}),
        ("void-round", {"reason": "misdeal", "text": "y"}),
        ("open-hidden-card", {"draw": 6, "reason": "x", "text": "y"}),
    ],
)
async def test_s7_a_stale_view_is_refused_with_what_changed(
    tmp_path: Path, command: str, arguments: dict[str, Any]
) -> None:
    async with a_round(tmp_path) as api:
        seen = api.live.actor.sequence
        await api.send("sue", "suspend", reason="looks wrong")
        answer = await api.post(
            "sam", "commands", {"command": command, "arguments": arguments, "seen_sequence": seen}
        )
        assert answer.status_code == 409
        assert answer.json()["code"] == "stale-view"
        assert answer.json()["changed"] == ["anomaly-detected"]
        unsaid = await api.post("sam", "commands", {"command": command, "arguments": arguments})
        assert unsaid.status_code == 422


async def test_s4_a_stop_never_waits_for_a_fresh_view(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        answer = await api.post("sam", "commands", {"command": "suspend", "arguments": {"reason": "now"}})
        assert answer.status_code == 200


async def test_s11_an_auditor_sees_the_panel_and_may_send_nothing(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        assert (await api.get("aud", "tables/t1/views/supervisor")).status_code == 200
        assert (await api.get("aud", "hand-over")).status_code == 200
        commands: dict[str, dict[str, Any]] = {
            "suspend": {"reason": "x"},
            "void-round": {"reason": "x", "text": "y"},
            "claim-incident": {"incident": 1},
            "approve-proposal": {"proposal": 1},
        }
        for command, arguments in commands.items():
            assert (await api.send("aud", command, **arguments)).status_code == 403


async def test_s12_who_has_the_panel_open_and_corrects_is_shown_to_both(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.send("sam", "suspend", reason="looks wrong")
        body = {"command": "resolve-incident", "arguments": correction(api.live.ordinal - 1, "8D")}
        async with Socket(api.app) as sue:
            sue.say({"token": token_of("sue")})
            sue.say({"subscribe": ["tables/t1/supervisor"]})
            await sue.hear()
            await api.post("sam", "previews", body)
            present = (await api.panel())["rulings"]["present"]
            assert present == [
                {"person": "sam", "name": "Sam", "correcting": 1},
                {"person": "sue", "name": "Sue", "correcting": None},
            ]
            await api.live.wait(61)
            assert [one["person"] for one in (await api.panel())["rulings"]["present"]] == ["sue"]
        assert (await api.panel())["rulings"]["present"] == []


async def test_s15_the_hand_over_report_lists_what_is_open(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.send("sam", "suspend", reason="looks wrong")
        await api.send("sam", "claim-incident", incident=1)
        assert (await api.send("sam", "hand-over-incident", incident=1, to="anna", text="x")).status_code == 422
        await api.send("sam", "hand-over-incident", incident=1, to="sue", text="end of shift")
        await api.live.wait(600)
        report = (await api.get("sue", "hand-over")).json()
        (table,) = report["tables"]
        assert (table["table"], table["phase"], table["minutes_at_table"]) == ("t1", "decisions", 10)
        (incident,) = table["incidents"]
        assert (incident["kind"], incident["owner"], incident["offered_to"]) == ("supervisor-stop", "Sam", "sue")
        assert incident["minutes_open"] == 10
        assert (await api.get("dora", "hand-over")).status_code == 403


async def test_a_preview_opens_no_hidden_card_wherever_it_would_lie(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        await api.send("sam", "suspend", reason="looks wrong")
        first = (await api.panel())["rulings"]["draws"][0]["draw"]
        out = [{"change": "out-of-play", "draw": first}]
        said = {"incident": 1, "way_out": "out-of-play", "reason": "misdeal", "text": "boxed", "correction": out}
        answer = await api.post("sam", "previews", {"command": "resolve-incident", "arguments": said})
        assert answer.json()["preview"]["lawful"], answer.text
        hand = next(one for one in answer.json()["preview"]["hands"] if one["seat"] == 1)
        # The card that is the hole card now would be anna's second.
        assert hand["after"]["cards"] == ["9C", "??"]
        assert (hand["after"]["total"], hand["after"]["state"]) == ("", "")
        assert "TH" not in answer.text


async def test_the_last_readings_show_bytes_and_seal_those_of_hidden_cards(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        read = (await api.get("sam", "tables/t1/readings")).json()
        assert [(one["what"], one["card"], one["raw"]) for one in read[:2]] == [
            ("dealer", "??", ""),
            ("seat1.hand1", "9D", ""),
        ]
        assert (await api.get("dora", "tables/t1/readings")).status_code == 403


async def test_a_settled_rounds_draws_and_the_colleagues_are_for_those_who_rule(tmp_path: Path) -> None:
    async with a_round(tmp_path) as api:
        assert (await api.get("sam", "tables/t1/rounds/1/draws")).json()["code"] == "no-such-record"
        assert (await api.get("dora", "tables/t1/rounds/1/draws")).status_code == 403
        people = (await api.get("sam", "supervisors")).json()
        assert [one["id"] for one in people] == ["sam", "sue", "max"]
        assert (await api.get("aud", "supervisors")).status_code == 403
