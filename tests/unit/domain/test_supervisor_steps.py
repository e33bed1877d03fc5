"""Every anomaly tells the supervisor what to do about it, and what holds until then (consoles.md S1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.tables import SUPERVISOR, PlayedTable

from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level
from studio.domain.anomaly_words import FRENCH
from studio.domain.commands import Suspend
from studio.domain.projections import supervisor_view
from studio.domain.supervisor_steps import STEPS, otherwise
from studio.domain.table import new_incident

MOST_LETTERS = 56
TODAY = "2026-03-01"


@pytest.mark.parametrize("kind", AnomalyKind)
def test_every_kind_has_an_action_and_a_consequence_in_words_that_fit_the_list(kind: AnomalyKind) -> None:
    step = STEPS[kind]
    for words in step:
        assert words[0].isupper()
        assert not words.endswith(".")
        assert len(words) <= MOST_LETTERS
    assert step.do != step.french


@pytest.mark.parametrize("kind", AnomalyKind)
def test_nobody_sends_the_supervisor_to_the_supervisor(kind: AnomalyKind) -> None:
    step = STEPS[kind]
    assert step.do != CATALOGUE[kind].next_step
    assert step.french != FRENCH[kind].next_step
    assert "supervis" not in f"{step.do} {step.french}".lower()


def test_dealer_and_supervisor_read_their_own_part() -> None:
    played = PlayedTable().ready().round(1).cards("TC")
    played.do(Suspend("a quarrel"), SUPERVISOR)
    view = supervisor_view(played.table, played.now, TODAY)
    (dealers,), (supervisors,) = view.dealer.incidents, view.incidents
    assert (dealers.next_step, dealers.otherwise) == ("Wait for the supervisor", "")
    assert supervisors.next_step == "Finish what the table was stopped for, then go on"
    assert supervisors.otherwise == "The table stands still"


def test_a_warning_that_became_a_hold_says_that_the_table_stands() -> None:
    warning = new_incident(1, AnomalyKind.CUT_CARD_POSITION, None, "", Level.WARN)
    assert otherwise(warning) == "Play goes on"
    assert otherwise(replace(warning, level=Level.HOLD)) == "The table stands still"
