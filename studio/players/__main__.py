"""``python -m studio.players``: several automated players in one process, clients of the public API only.

Tokens come from a file that only its owner can read, never from the command line, where every user of the
machine could see them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
import tomllib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from studio.players.client import ApiClient, NotLetInError
from studio.players.exact import HARD, ask_for_exact_play
from studio.players.place import Habits, Place
from studio.players.player import AutomatedPlayer
from studio.players.strategies import STRATEGIES

_OTHERS: Final = 0o077


class PeopleFileError(ValueError):
    """The players' file cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """One ``[[players]]`` of the file: whose token, which seat, which strategy, which habits.

    ``table`` is empty where the command line names it.
    """

    token: str
    seat: int
    strategy: str
    table: str = ""
    habits: Habits = field(default_factory=Habits)


def read_players(path: Path, *, has_table: bool = True) -> tuple[SeatedPlayer, ...]:
    """Read a players' file: ``[[players]]`` with ``token``, ``seat`` and ``strategy`` (easy, normal or hard).

    ``table`` and the keys of :class:`~studio.players.place.Habits` may be added; ``table`` must be, unless there
    is one for all (``has_table``). Raises :class:`PeopleFileError`.
    """
    try:
        if path.stat().st_mode & _OTHERS:
            message = f"{path}: others can read it, and it holds tokens; run: chmod 600 {path}"
            raise PeopleFileError(message)
        with path.open("rb") as file:
            entries = tomllib.load(file)["players"]
        players = tuple(_seated(**entry) for entry in entries)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        message = f"{path}: no players' file ({error}); it needs [[players]] with token, seat and strategy"
        raise PeopleFileError(message) from error
    for player in players:
        if not player.table and not has_table:
            message = f"{path}: seat {player.seat}: name its table, or one for all with --table"
            raise PeopleFileError(message)
        if player.strategy not in {*STRATEGIES, HARD}:
            message = f"{path}: seat {player.seat}: strategy must be one of {', '.join((*STRATEGIES, HARD))}"
            raise PeopleFileError(message)
    return players


def _seated(*, token: str, seat: int, strategy: str, table: str = "", **habits: Any) -> SeatedPlayer:  # noqa: ANN401 - a file's values
    # TOML has lists, data that does not change has tuples.
    frozen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in habits.items()
    }
    return SeatedPlayer(token, seat, strategy, table, Habits(**frozen))


async def play(url: str, table: str, players: Sequence[SeatedPlayer], *, seed: int, pace: float) -> None:
    """Let all ``players`` play until cancelled, at ``table`` where they have none of their own.

    Raises a group of ``NotLetInError`` when one is refused.
    """
    async with AsyncExitStack() as clients, asyncio.TaskGroup() as tasks:
        for number, player in enumerate(players):
            api = await clients.enter_async_context(ApiClient(url, player.token))
            seated = replace(player, table=player.table or table)
            tasks.create_task(_play_one(api, seated, number, seed=seed, pace=pace))


async def _play_one(api: ApiClient, player: SeatedPlayer, number: int, *, seed: int, pace: float) -> None:
    """Let one player play; the hard one learns the strategy of its table first (A3)."""
    own = STRATEGIES.get(player.strategy)
    strategy = await ask_for_exact_play(api, player.table) if own is None else own
    place = Place(player.table, player.seat, strategy, seed, pace, player.habits, number)
    await AutomatedPlayer(api, place).run()


async def _play_until_stopped(arguments: argparse.Namespace, players: Sequence[SeatedPlayer]) -> None:
    playing = asyncio.ensure_future(
        play(arguments.url, arguments.table, players, seed=arguments.seed, pace=arguments.pace)
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m studio.players", description="Automated players.")
    parser.add_argument("--url", required=True, help="the studio's address, such as http://127.0.0.1:8700")
    parser.add_argument("--table", default="", help="the table of those whose entry names none, such as t1")
    parser.add_argument("--people", required=True, type=Path, help="TOML file of [[players]], mode 0600")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bets and pauses")
    parser.add_argument("--pace", type=float, default=1.0, help="2 thinks twice as quickly")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the automated players until stopped; return the exit status."""
    arguments = _parser().parse_args(argv)
    logging.basicConfig(level=logging.WARNING, format="players: %(message)s")
    try:
        players = read_players(arguments.people, has_table=bool(arguments.table))
        asyncio.run(_play_until_stopped(arguments, players))
    except (PeopleFileError, BaseExceptionGroup) as error:
        cause = _innermost(error)
        if not isinstance(cause, (PeopleFileError, NotLetInError)):
            raise
        logging.getLogger(__name__).error("%s", cause)  # noqa: TRY400 - for its reader, who needs no trace
        return 2
    return 0


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    sys.exit(main())
