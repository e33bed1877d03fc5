"""The examples work: the API's against a live table, settings and commands of the how-to pages as shown."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shlex
import socket
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from doc_pages import Fence, page

from drivers.smartshoe.mapping import Decoder
from drivers.smartshoe.plugin import SmartshoePlugin
from studio.app import run_studio, table_setup
from studio.domain.cards import parse_card
from studio.domain.instants import Instant
from studio.ports.devices import EventKind
from studio.settings import SecondReaderSettings, load_people, load_settings

DEPLOY = page("how-to/deploy.md")
TOKENS = {"DEALER": "token-of-ada", "SUPERVISOR": "token-of-sam", "PLAYER": "token-of-pam"}
PEOPLE = """\
[[people]]
id = "ada"
name = "Ada"
roles = ["dealer"]
licence_until = 9999-12-31
token_sha256 = "{DEALER}"

[[people]]
id = "sam"
name = "Sam"
roles = ["supervisor"]
token_sha256 = "{SUPERVISOR}"

[[people]]
id = "pam"
name = "Pam"
roles = ["player"]
opening_balance = 100000
token_sha256 = "{PLAYER}"
"""
SETTINGS = """\
[studio]
mode = "simulation"

[[tables]]
id = "t1"
name = "Table 1"
reader = { driver = "smartshoe", device = "shoe-1", settings = { port = "PORT" } }
"""


class Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


@contextlib.asynccontextmanager
async def live_table(folder: Path) -> AsyncIterator[str]:
    """Run a studio with one table whose reader is not plugged in; yield its address."""
    hashes = {name: hashlib.sha256(token.encode()).hexdigest() for name, token in TOKENS.items()}
    (folder / "people.toml").write_text(PEOPLE.format(**hashes), encoding="utf-8")
    (folder / "studio.toml").write_text(SETTINGS.replace("PORT", str(folder / "no-shoe")), encoding="utf-8")
    async with run_studio(load_settings(folder / "studio.toml")) as studio:
        config = uvicorn.Config(studio.application, log_config=None, timeout_graceful_shutdown=1)
        server = Server(config)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            studio.application.state.feed.stop()
            server.should_exit = True
            await serving


async def run(example: Fence, url: str) -> object:
    """Do what an example says, at the test's own server; return the answer."""
    text = example.text.replace("127.0.0.1:8700", url.removeprefix("http://"))
    if example.language == "python":
        environment = {**os.environ, **TOKENS}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", text, env=environment, stdout=asyncio.subprocess.PIPE
        )
        said, _ = await process.communicate()
        return said.decode().strip()
    for name, token in TOKENS.items():
        text = text.replace(f"${name}", token)
    program, *words = shlex.split(text.replace("\\\n", ""))
    assert program == "curl"
    headers, method, body, address = httpx.Headers(), "GET", None, ""
    while words:
        match words.pop(0):
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            case "-X":
                method = words.pop(0)
            case "-d":
                body = words.pop(0)
            case other:
                address = other
    async with httpx.AsyncClient(trust_env=False) as client:
        return (await client.request(method, address, headers=headers, content=body)).json()


def has(answer: object, shown: object) -> bool:
    """Tell whether an answer is what the page shows; a time needs only be one."""
    match shown, answer:
        case dict(), dict():
            return shown.keys() == answer.keys() and all(
                isinstance(answer[key], int) if key.endswith("_ns") else has(answer[key], value)
                for key, value in shown.items()
            )
        case list(), list():
            return len(shown) == len(answer) and all(map(has, answer, shown))
        case _:
            return answer == shown


async def test_the_apis_examples_give_the_answers_shown(tmp_path: Path) -> None:
    blocks = page("reference/api.md").fences("sh", "python", "json")
    examples, answers = blocks[::2], blocks[1::2]
    assert {one.language for one in answers} == {"json"}
    assert len(examples) == len(answers) > 10
    async with live_table(tmp_path) as url:
        for example, shown in zip(examples, answers, strict=True):
            answer = await run(example, url)
            assert has(answer, json.loads(shown.text)), f"{example.text}\n{answer}"


def test_the_settings_and_people_shown_load(tmp_path: Path) -> None:
    settings_text, _, people_text = (fence.text for fence in DEPLOY.fences("toml"))
    (tmp_path / "studio.toml").write_text(settings_text, encoding="utf-8")
    (tmp_path / "people.toml").write_text(people_text, encoding="utf-8")

    settings = load_settings(tmp_path / "studio.toml")
    people = load_people(settings.studio.people)

    (table,) = settings.tables
    assert table_setup(table, settings.studio.mode).rules.variant == "deluxe"
    assert SmartshoePlugin().check(table.reader.device, table.reader.settings).serial == "A1B2C302"
    assert [person.id for person in people.people] == ["ada", "sam"]


async def test_the_four_games_shown_run_on_one_server(tmp_path: Path) -> None:
    _, shown, _ = (fence.text for fence in DEPLOY.fences("toml"))
    (tmp_path / "people.toml").write_text("people = []\n", encoding="utf-8")
    (tmp_path / "studio.toml").write_text(shown.replace("/run/studio", str(tmp_path)), encoding="utf-8")
    async with run_studio(load_settings(tmp_path / "studio.toml")) as studio:
        setups = {name: actor.setup for name, actor in studio.tables.items()}
    games = [(one.rules.variant, one.rules.shuffling.value) for one in setups.values()]
    assert games == [
        ("deluxe", "shoe"),
        ("infinite", "shoe"),
        ("european", "virtual"),
        ("european", "shoe"),
        ("continuous", "continuous"),
    ]
    assert [name for name, one in setups.items() if one.opens_itself] == ["t2", "t3", "t5"]
    assert [name for name, one in setups.items() if one.commits_itself] == ["t3"]
    assert {one.limits.currency for one in setups.values()} == {"EUR", "XXX"}


def test_the_readers_settings_shown_are_the_drivers() -> None:
    shown, beside = page("how-to/attach-a-real-shoe.md").fences("toml")
    reader = tomllib.loads(shown.text)["tables"]["reader"]
    second = SecondReaderSettings(**tomllib.loads(beside.text)["tables"]["second_reader"])
    assert SmartshoePlugin().check(reader["device"], reader["settings"]).port.startswith("/dev/serial/by-id/")
    assert SmartshoePlugin().check(second.device, second.settings).port.startswith("/dev/serial/by-id/")


def run_python(words: list[str], *arguments: str) -> str:
    assert words[:2] == ["python3", "-c"]
    command = [sys.executable, "-c", words[2], *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - from our page


def test_the_command_for_a_token_prints_it_and_its_hash() -> None:
    shown, _ = DEPLOY.fences("sh")
    token, digest = run_python(shlex.split(shown.text)).split()
    assert hashlib.sha256(token.encode()).hexdigest() == digest
    assert len(token) == 32


async def test_the_command_that_registers_a_pack_is_taken(tmp_path: Path) -> None:
    _, shown = DEPLOY.fences("sh")
    async with live_table(tmp_path) as url:
        assert await run(shown, url) == {"sequence": 3}


def test_the_bytes_of_the_walk_are_the_card_that_it_follows() -> None:
    (shown,) = page("explanation/life-of-a-card.md").fences("")
    (event,) = Decoder("shoe-1").feed(bytes.fromhex(shown.text.strip()), Instant(0, 0))
    assert (event.kind, event.card, event.ordinal) == (EventKind.CARD, parse_card("8S"), 8)
