"""The port of players' money: reserve before the core decides, so that it only sees *reserved* or *insufficient*.

The journal moves the money itself, in the transaction of the event; a reservation only keeps two tables from
promising the same unit twice in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reservation:
    """A promise of ``amount`` minor units of an account until it is released."""

    number: int
    account: str
    amount: int


class Wallet(Protocol):
    """Balances of players."""

    def available(self, account: str) -> int:
        """Return the balance less what is reserved; 0 for an account that does not exist."""
        ...

    def reserve(self, account: str, amount: int) -> Reservation | None:
        """Reserve an amount, or return ``None`` when the account cannot cover it."""
        ...

    def release(self, reservation: Reservation) -> None:
        """End a reservation, after its event is written or refused. Releasing twice does nothing."""
        ...
