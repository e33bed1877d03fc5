"""A round script: who bets what, the cards as they leave the shoe, what is decided. Validated, not played."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Amount = Annotated[int, Field(ge=0, le=2**53)]
SideBets = dict[Literal["pair", "bust", "lucky3", "poker3"], Amount]


class ScriptError(ValueError):
    """A script that cannot be played; the text says where it is wrong."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BehindEntry(_Part):
    """A bet behind a seat; ``balance`` is what is left after the initial bets, ample when absent."""

    player: str
    bet: Amount = 0
    balance: Amount | None = None
    follow_double: bool = False
    follow_split: bool = False
    side: SideBets = {}


class SeatEntry(_Part):
    """A position with its main bet."""

    seat: int
    player: str
    bet: Amount
    balance: Amount | None = None
    side: SideBets = {}
    behind: tuple[BehindEntry, ...] = ()


class SideOnlyEntry(_Part):
    """A player with side bets and no main bet."""

    player: str
    seat: int = 1
    side: SideBets
    balance: Amount | None = None


class ActionEntry(_Part):
    """One action; ``by`` is a player other than the seat's. ``expect`` rejected: it must change nothing."""

    seat: int
    act: Literal[
        "hit", "stand", "double", "split", "surrender", "insurance", "no_insurance", "timeout", "disconnect"
    ]
    hand: int | None = None
    by: str | None = None
    expect: Literal["rejected"] | None = None


class Request(_Part):
    """One placing."""

    seat: int
    amount: Amount


class PreEntry(_Part):
    """A bet placed before the deal by a player who holds ``seats``, and what it must lead to."""

    player: str
    balance: Amount
    seats: tuple[int, ...]
    request: Request
    expect_bets: dict[str, Amount] | None = None
    expect_balance: int | None = None


class RoundScript(BaseModel):
    """A whole round; keys that only describe it (``title``, ``why`` …) are allowed and ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = ""
    variant: str
    seats: tuple[SeatEntry, ...] = ()
    side_only: tuple[SideOnlyEntry, ...] = ()
    burn: bool = False
    shoe: tuple[str, ...] = ()
    actions: tuple[ActionEntry, ...] = ()
    pre: PreEntry | None = None

    @model_validator(mode="before")
    @classmethod
    def _player_means_by(cls, data: Any) -> Any:  # noqa: ANN401 - whatever the file holds
        """Let an action name its player by either key."""
        if isinstance(data, dict) and isinstance(data.get("actions"), list):
            actions = [
                {("by" if key == "player" else key): value for key, value in one.items()}
                if isinstance(one, dict)
                else one
                for one in data["actions"]
            ]
            return {**data, "actions": actions}
        return data


def parse_script(data: object) -> RoundScript:
    """Return the script in ``data``; raise :class:`ScriptError` naming every wrong key."""
    try:
        return RoundScript.model_validate(data)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
        raise ScriptError(wrong) from error
