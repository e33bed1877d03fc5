"""The suite for an installed driver: ``pytest --pyargs drivers.kit.suite --driver NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drivers.kit.conformance import DriverConformance

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase


class TestInstalledDriver(DriverConformance):
    """All of :class:`DriverConformance`, for the driver named on the command line."""

    @pytest.fixture(autouse=True)
    def _named(self, installed_driver: DriverCase) -> None:
        type(self).case = installed_driver
