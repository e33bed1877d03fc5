"""The sub-command ``rules``."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from studio.__main__ import main
from studio.adapters.variants import load_variant, variant_names
from studio.rule_sheet.command import RulesCommand


def test_it_prints_the_sheet_of_a_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "european"]) == 0
    assert capsys.readouterr().out.startswith("European Blackjack: the rules\n")


def test_it_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "continuous", "--lang", "fr"]) == 0
    assert "Double-mise" in capsys.readouterr().out


def test_it_reads_any_variant_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    shipped = (Path(__file__).parents[3] / "studio" / "variants" / "deluxe.toml").read_text(encoding="utf-8")
    file.write_text(shipped.replace("dealer_hits_soft_17 = false", "dealer_hits_soft_17 = true"), encoding="utf-8")
    assert main(["rules", str(file)]) == 0
    assert "draws on a soft 17" in capsys.readouterr().out


def test_an_unknown_variant_is_an_error_that_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "nowhere"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "continuous, deluxe, european, infinite" in shown.err


def test_an_unknown_language_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["rules", "deluxe", "--lang", "de"])
    assert "'en', 'fr'" in capsys.readouterr().err


@pytest.mark.parametrize(("columns", "widest"), [("60", 60), ("300", 100)])
def test_it_fits_the_terminal(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    command = RulesCommand(load_variant, variant_names())
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args(["infinite"])) == 0
    prose = [line for line in capsys.readouterr().out.split("\n") if line.startswith("- ")]
    assert widest - 12 <= max(map(len, prose)) <= widest
