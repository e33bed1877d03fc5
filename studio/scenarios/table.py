"""The table that a scenario begins at: a dealer on duty, and the shoe, profile and camera that it asks for."""

from __future__ import annotations

from dataclasses import asdict, replace

from studio.adjudication.ready_table import ready_table
from studio.domain.profile import RulingProfile, profile_of
from studio.domain.rules import RuleSet
from studio.domain.setup import CameraSetup
from studio.domain.table import Table
from studio.scenarios.script import Scenario, Start
from studio.scenarios.stage import DEALER, READER


def table_of(scenario: Scenario, rules: RuleSet, profile: RulingProfile) -> Table:
    """Return the table as the scenario begins; raise ``ValueError`` for a setting that no profile has.

    Its shoe has been dealt from before, and no reserve is asked of it. Without a shoe it has no dealer either.
    """
    given = {**asdict(profile), "round_reserve": 0, **scenario.settings}
    is_empty = scenario.start is Start.NO_SHOE
    table = ready_table(rules, DEALER, READER.id, is_new=scenario.start is Start.NEW_SHOE)
    camera = CameraSetup("camera") if scenario.camera else None
    setup = replace(table.setup, profile=profile_of(given), camera=camera, shoe_control=is_empty)
    table = table._replace(setup=setup)
    if is_empty:
        return table._replace(shoe=None, shoes=0, dealer=None)
    return table._replace(opened=scenario.start is not Start.UNOPENED)
