"""The table that a scenario is played at: a dealer on duty, a shoe in play, the profile and camera it asks for."""

from __future__ import annotations

from dataclasses import asdict, replace

from studio.adjudication.ready_table import ready_table
from studio.domain.profile import RulingProfile, profile_of
from studio.domain.rules import RuleSet
from studio.domain.setup import CameraSetup
from studio.domain.table import Table
from studio.scenarios.play import DEALER, READER
from studio.scenarios.script import Scenario


def table_of(scenario: Scenario, rules: RuleSet, profile: RulingProfile) -> Table:
    """Return the table as the scenario begins; raise ``ValueError`` for a setting that no profile has.

    Its shoe has been dealt from before: a card too many is told by its copies alone, the reserve is no matter.
    """
    given = {**asdict(profile), "round_reserve": 0, **scenario.settings}
    table = ready_table(rules, DEALER, READER.id, is_new=scenario.new_shoe)
    camera = CameraSetup("camera") if scenario.camera else None
    return table._replace(setup=replace(table.setup, profile=profile_of(given), camera=camera))
