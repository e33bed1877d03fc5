"""The pytest plug-in: a driver's tests may inherit the suite from anywhere.

``pytest --pyargs drivers.kit.suite --driver NAME`` runs the suite for an installed driver without a line of test:
its plug-in is found by the entry-point group ``studio.card_sources``, a peer by ``studio.simulated_readers``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase

pytest.register_assert_rewrite("drivers.kit.conformance")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--driver``."""
    parser.addoption(
        "--driver",
        default=None,
        metavar="NAME",
        help="the installed driver that `--pyargs drivers.kit.suite` tries; its peer is found by entry point",
    )


@pytest.fixture(scope="session")
def installed_driver(request: pytest.FixtureRequest) -> DriverCase:
    """Return the case of the driver named by ``--driver``."""
    from drivers.kit.installed import installed_case  # noqa: PLC0415 - pytest loads this module in every run

    name = request.config.getoption("--driver")
    if name is None:
        pytest.fail("say which driver: pytest --pyargs drivers.kit.suite --driver NAME")
    return installed_case(str(name))
