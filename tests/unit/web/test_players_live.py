"""The players' endpoints on a real table: what a placing comes to, batches, seats, and the history of it all."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from prometheus_client import CollectorRegistry
from support.actors import KEY, LiveActor, live_actor
from support.tables import DEALER, a_setup

from studio.adapters.sealing import Sealer
from studio.adapters.settled_rounds import SqliteSettledRounds
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_history import SqliteHistory
from studio.adapters.sqlite_look_back import SqliteLookBack
from studio.adapters.variants import load_variant
from studio.domain.commands import CloseBetting, CommitResult, OpenBetting
from studio.domain.setup import Limits
from studio.proof.holds import JournalCustody
from studio.settings import Account, People, Person
from studio.web.app import create_app

LIMITS = Limits("EUR", 500, 100_000, 100)


def person(name: str, role: str, account: Account = Account.REAL) -> Person:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return Person(id=name, name=name.title(), roles=(role,), token_sha256=digest, account=account)


class Live:
    """A real table behind the API; a person's token is their name."""

    def __init__(self, actor: LiveActor) -> None:
        self.table = actor
        self.people = People(
            people=(
                *(person(name, "player") for name in ("anna", "ben")),
                person("tia", "player", Account.TRIAL),
                person("ops", "operator"),
            )
        )
        self.app = create_app(
            tables={"t1": actor.actor},
            people=self.people,
            wallets={"EUR": actor.wallet},
            clock=actor.clock,
            look_back=SqliteLookBack(actor.store.path),
            history=SqliteHistory(actor.store.path, {"t1": actor.actor.setup}),
            settled=SqliteSettledRounds(actor.store.path, {"t1": actor.actor.setup.rules}),
            custody=JournalCustody(actor.store),
            evidence=SqliteEvidence(actor.store.path, Sealer(KEY), ["t1"]),
            health=dict,
            registry=CollectorRegistry(),
            simulated=True,
            on_painted=lambda _table, _sequence: None,
        )
        self.keys = 0

    async def ask(self, who: str, path: str, body: object = None) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app)
        self.keys += 1
        headers = {"Authorization": f"Bearer {who}", "Idempotency-Key": f"k{self.keys}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://studio", headers=headers) as client:
            url = f"/v1/tables/t1/{path}"
            return await (client.get(url) if body is None else client.post(url, json=body))

    async def bet(self, who: str, **bet: object) -> Mapping[str, Any]:
        answer = await self.ask(who, "bets", {"bets": [bet]})
        assert answer.status_code == 200, answer.text
        (item,) = answer.json()["items"]
        return dict(item)


@asynccontextmanager
async def live(path: Path, variant: str) -> AsyncIterator[Live]:
    rules = load_variant(variant)
    setup = a_setup(rules, limits=LIMITS)
    balances = {"anna": 5000, "ben": 50_000, "tia": 5000}
    async with live_actor(path / "j", setup=setup, balances=balances) as actor:
        await actor.ready()
        await actor.do(OpenBetting(), DEALER)
        yield Live(actor)


async def test_b4_a_second_seat_is_mirrored_and_shared(tmp_path: Path) -> None:
    async with live(tmp_path, "deluxe") as studio:
        assert await studio.bet("anna", seat=1, amount=2000) == {
            "accepted": True,
            "bets": [{"seat": 1, "amount": 2000}],
            "note": "",
        }
        mirrored = await studio.bet("anna", seat=2, amount=4000)
        assert mirrored["note"] == "shared-between-seats"
        assert mirrored["bets"] == [{"seat": 1, "amount": 500}, {"seat": 2, "amount": 2500}]
        assert (await studio.bet("ben", seat=1, amount=500, kind="behind"))["accepted"]
        assert (await studio.bet("ben", seat=2, amount=500, kind="pair"))["accepted"]
        assert (await studio.bet("anna", seat=1, amount=500, kind="behind"))["code"] == "own-seat"


async def test_b5_a_trial_account_bets_behind_and_does_not_sit(tmp_path: Path) -> None:
    async with live(tmp_path, "deluxe") as studio:
        refused = await studio.ask("tia", "seats", {"seat": 1, "action": "take"})
        assert (refused.status_code, refused.json()["code"]) == (409, "trial-account")
        assert (await studio.bet("tia", seat=1, amount=500))["code"] == "trial-account"
        assert (await studio.bet("ops", player="tia", seat=1, amount=500))["code"] == "trial-account"
        taken = await studio.ask("anna", "seats", {"seat": 1, "action": "take"})
        assert taken.status_code == 200
        assert (await studio.bet("tia", seat=1, amount=500, kind="behind"))["accepted"]
        left = await studio.ask("anna", "seats", {"seat": 1, "action": "leave"})
        assert left.status_code == 200


async def test_a_batch_at_seats_answers_each_hand_and_the_rest_wait(tmp_path: Path) -> None:
    async with live(tmp_path, "deluxe") as studio:
        await studio.bet("anna", seat=1, amount=1000)
        await studio.bet("ben", seat=2, amount=1000)
        await studio.table.do(CloseBetting(), DEALER)
        await studio.table.cards("TC TD 9C 9H 8D TH")
        items = [{"player": who, "action": "stand"} for who in ("anna", "ben")]
        first = await studio.ask("ops", "decisions", {"decision": 1, "items": items})
        assert [item["accepted"] for item in first.json()["items"]] == [True, False]
        assert first.json()["items"][1]["code"] == "decision-late"
        second = await studio.ask("ben", "decisions", {"decision": 2, "action": "stand"})
        assert second.status_code == 200
        await studio.table.do(CommitResult(), DEALER)
        (played,) = (await studio.ask("ben", "history")).json()["rounds"]
        assert (played["ended"], played["dealer"]) == ("settled", ["9C", "TH"])
        assert [(bet["cards"], bet["result"]) for bet in played["bets"]] == [(["TD", "8D"], "lost")]
        assert (await studio.ask("ops", "history?player=ben")).json()["rounds"] == [played]


async def test_i1_a_shared_hand_takes_single_answers_and_batches_alike(tmp_path: Path) -> None:
    async with live(tmp_path, "infinite") as studio:
        await studio.bet("anna", seat=1, amount=1000)
        await studio.bet("ben", seat=1, amount=1000)
        await studio.bet("ben", seat=1, amount=500, kind="pair")
        await studio.table.do(CloseBetting(), DEALER)
        await studio.table.cards("5C 9C 6D TH")
        other = await studio.ask("ben", "decisions", {"decision": 2, "action": "stand"})
        assert (other.status_code, other.json()["code"]) == (409, "not-asked")
        assert (await studio.ask("ben", "decisions", {"decision": 1, "action": "stand"})).status_code == 200
        again = await studio.ask("ben", "decisions", {"decision": 1, "action": "hit"})
        assert (again.status_code, again.json()["code"]) == (409, "already-answered")
        items = [{"player": who, "action": "double"} for who in ("ben", "anna", "nobody")]
        batch = await studio.ask("ops", "decisions", {"decision": 1, "items": items})
        assert [item.get("code") for item in batch.json()["items"]] == ["already-answered", None, "not-your-hand"]
        (open_round,) = (await studio.ask("anna", "history")).json()["rounds"]
        assert (open_round["ended"], open_round["dealer"]) == ("open", ["9C"])
        await studio.table.cards("KS")
        await studio.table.do(CommitResult(), DEALER)
        (played,) = (await studio.ask("anna", "history")).json()["rounds"]
        (bet,) = played["bets"]
        assert (bet["cards"], bet["stake"], bet["net"]) == (["5C", "6D", "KS"], 2000, 2000)
        assert [entry["amount"] for entry in played["entries"]] == [-1000, -1000, 2000, 2000]
        (bens,) = (await studio.ask("ben", "history")).json()["rounds"]
        assert [(bet["kind"], bet["cards"]) for bet in bens["bets"]] == [
            ("main", ["5C", "6D"]),
            ("pair", ["5C", "6D"]),
        ]
