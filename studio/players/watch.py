"""``python -m studio.players.watch``: clients that only look at a table, as many as are wanted.

What they are sent they read and forget: a load on the feed, as spectators are. The token comes from a file.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

from studio.players.client import ApiClient, NotLetInError


async def watch(url: str, table: str, token: str, clients: int) -> None:
    """Let ``clients`` look at a table until cancelled; raise a group of ``NotLetInError`` when one is refused."""
    async with AsyncExitStack() as opened, asyncio.TaskGroup() as tasks:
        for _ in range(clients):
            api = await opened.enter_async_context(ApiClient(url, token))
            tasks.create_task(_look(api, table))


async def _look(api: ApiClient, table: str) -> None:
    async with aclosing(api.updates(f"tables/{table}/public")) as updates:
        async for _ in updates:
            pass


async def _watch_until_stopped(given: argparse.Namespace, token: str) -> None:
    watching = asyncio.ensure_future(watch(given.url, given.table, token, given.clients))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, watching.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await watching


def main(arguments: Sequence[str] | None = None) -> int:
    """Look until stopped; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m studio.players.watch", description="Clients that only look.")
    parser.add_argument("--url", required=True, help="the studio's address, such as http://127.0.0.1:8700")
    parser.add_argument("--table", required=True, help="the table's id, such as t1")
    parser.add_argument(
        "--token-file", type=Path, required=True, help="file with the token of somebody who may look"
    )
    parser.add_argument("--clients", type=int, default=1, help="how many clients look")
    given = parser.parse_args(arguments)
    try:
        token = given.token_file.read_text(encoding="ascii").strip()
    except OSError as error:
        sys.stderr.write(f"watch: {given.token_file}: {error.strerror}; give a file with the token alone\n")
        return 2
    status = 0
    try:
        asyncio.run(_watch_until_stopped(given, token))
    except* NotLetInError as refused:
        sys.stderr.write(f"watch: {refused.exceptions[0]}\n")
        status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
