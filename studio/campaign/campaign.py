"""A campaign: every variant at both rates, with a camera and without one, in seeded runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from studio.campaign.core import CAMERA, READER
from studio.campaign.game import Game
from studio.campaign.tally import Tally
from studio.domain.profile import RulingProfile
from studio.domain.rules import RuleSet, Shuffling
from studio.domain.setup import CameraSetup, Limits, TableSetup

RATES: Final = {"realistic": 0.03, "high": 1.0}
"""Faults a round, by the name of the rate."""
_NO_RELIEF_MINUTES: Final = 2**40
_DEEP, _SHALLOW = 60, 280


class Run(NamedTuple):
    """One table of a campaign: ``rounds`` of a variant at a rate, with a camera or without."""

    variant: str
    rate: str
    has_camera: bool
    rounds: int
    seed: int


def runs(variants: Iterable[str], rates: Iterable[str], rounds: int, seed: int) -> Iterator[Run]:
    """Yield the runs of a campaign of at least ``rounds`` in all."""
    every = [(variant, rate, camera) for variant in variants for rate in rates for camera in (True, False)]
    each = -(-rounds // len(every))
    for number, (variant, rate, camera) in enumerate(every):
        yield Run(variant, rate, camera, each, seed * 1000 + number)


def play_run(run: Run, rules: RuleSet, tell: Callable[[int], None]) -> Tally:
    """Play one run; ``tell`` is told each round. A round that fails begins a new table, so that others go on."""
    tally = Tally()
    game, tables = open_game(run, rules, tally), 1
    for number in range(run.rounds):
        try:
            game.play_round()
        except Exception as error:  # noqa: BLE001 - whatever the core raises is a finding
            tally.failed += 1
            game.report(f"{type(error).__name__}: {error}")
            game, tables = open_game(run, rules, tally, tables), tables + 1
        tell(number + 1)
    return tally


def open_game(run: Run, rules: RuleSet, tally: Tally, number: int = 0, kind: type[Game] = Game) -> Game:
    """Return the ``number``-th table of a run, open; half of all deal deep into the shoe, where copies run out."""
    if rules.shuffling is Shuffling.VIRTUAL:
        # A virtual shoe has no reader that could err; the same rules are played from a real one.
        rules = replace(rules, shuffling=Shuffling.SHOE)
    deep = (run.seed + run.has_camera) % 2 == 0
    setup = TableSetup(
        table="campaign",
        name="Campaign",
        rules=rules,
        limits=Limits("XXX", 100, 1_000_000, 2),
        reader=READER.id,
        simulated=True,
        cut_position=min(_DEEP if deep else _SHALLOW, rules.decks * 52 - 100),
        profile=RulingProfile(rotation_minutes=_NO_RELIEF_MINUTES),
        camera=CameraSetup(CAMERA.id) if run.has_camera else None,
    )
    camera = "camera" if run.has_camera else "no camera"
    game = kind(setup, run.seed + 1_000_000 * number, RATES[run.rate], tally, f"{run.rate} {camera}")
    game.open()
    return game
