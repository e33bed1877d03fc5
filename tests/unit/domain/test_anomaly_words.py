"""Every anomaly and every way out has words in both languages."""

from __future__ import annotations

import pytest

from studio.domain.anomalies import CATALOGUE, AnomalyKind, WayOut
from studio.domain.anomaly_words import FRENCH, FRENCH_WAYS


@pytest.mark.parametrize("kind", AnomalyKind)
def test_every_kind_says_what_happened_and_what_to_do_in_english_and_french(kind: AnomalyKind) -> None:
    rule, french = CATALOGUE[kind], FRENCH[kind]
    for words in (rule.cause, rule.next_step, french.cause, french.next_step):
        assert words
        assert words[0].isupper()
        assert not words.endswith(".")
    assert (rule.cause, rule.next_step) != (french.cause, french.next_step)


def test_every_way_out_has_a_french_name_of_its_own() -> None:
    assert set(FRENCH_WAYS) == set(WayOut)
    assert len(set(FRENCH_WAYS.values())) == len(WayOut)
