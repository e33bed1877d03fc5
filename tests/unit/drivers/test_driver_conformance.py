"""Every shipped driver passes the kit's suite, against the independent simulated reader of its protocol."""

from __future__ import annotations

from drivers.kit.conformance import DriverConformance
from drivers.kit.installed import installed_case, peer_names


class TestAngelEye(DriverConformance):
    case = installed_case("angel_eye")


class TestBarcodeLine(DriverConformance):
    case = installed_case("barcode_line")


class TestBeeTek(DriverConformance):
    case = installed_case("bee_tek")


class TestEvdev(DriverConformance):
    case = installed_case("evdev")


class TestSmartshoe(DriverConformance):
    case = installed_case("smartshoe")


class TestSsi(DriverConformance):
    case = installed_case("ssi")


def test_no_shipped_simulated_reader_is_left_out() -> None:
    tried = {each.case.plugin.name for each in DriverConformance.__subclasses__() if each.__module__ == __name__}
    assert tried == set(peer_names())
