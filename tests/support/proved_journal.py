"""A signed journal with rounds in it, to be copied, changed and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer, Verifier, load_verifier, new_private_pem
from studio.domain.actions import Action
from studio.domain.commands import CloseBetting, CommitResult, Decide, OpenBetting
from studio.proof.report import Progress, Report
from studio.proof.verify import Keys, verify
from studio.runtime.inbox import Done, ReceiptRequest, Submission
from support.actors import KEY, LiveActor, live_actor
from support.tables import DEALER, player

SIGNING_PEM: Final = new_private_pem()
SIGNER: Final = Signer(SIGNING_PEM)
ANNA: Final = player("anna")


def verifier(folder: Path) -> Verifier:
    path = folder / "signing.pub"
    path.write_bytes(SIGNER.public_pem)
    return load_verifier([path])


def keys(folder: Path) -> Keys:
    return Keys(Sealer(KEY), verifier(folder))


def check(path: Path) -> Report:
    """Verify a journal with all keys."""
    return verify(path, keys(path.parent), Progress(None))


async def play(path: Path, *, rounds: int = 2, leaves_open: bool = False, with_bytes: bool = False) -> None:
    """Play rounds with a hidden hole card, receipts and refusals; the last one perhaps not to its end.

    ``with_bytes``: each card has the bytes of a reader behind it.
    """
    async with live_actor(path, balances={"anna": 50_000, "ben": 50_000}, signer=SIGNER) as live:
        await live.ready()
        for number in range(rounds):
            await _asked_by(live, f"open-{number}")
            await live.bet(ANNA, 1, 1_000)
            await live.bet(player("ben"), 2, 600)
            await live.do(CloseBetting(), DEALER)
            for code in ("TC", "8D", "9C", "9D", "8S", "QH"):
                await live.wait(1)
                await live.card(code, b"frame-of-a-card" * with_bytes)
            if leaves_open and number == rounds - 1:
                return
            await live.do(Decide("anna", 2 * number + 1, Action.STAND, False), ANNA)
            await live.do(Decide("anna", 1, Action.STAND, False), ANNA)
            await live.do(Decide("ben", 2, Action.STAND, False), player("ben"))
            await live.do(CommitResult(), DEALER)
            await live.wait(10)


async def _asked_by(live: LiveActor, key: str) -> None:
    """Open betting as the API does, with a receipt."""
    receipt = ReceiptRequest(key, "f", lambda outcome: (200 if isinstance(outcome, Done) else 409, '{"ok":true}'))
    await live.actor.submit(Submission(OpenBetting(), DEALER, key, receipt=receipt))
