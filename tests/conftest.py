"""What every test may rely on."""

from __future__ import annotations

import pytest
import structlog
from hypothesis import settings

# No test passes or fails on a time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _logs_go_where_this_test_writes() -> None:
    """A test that ran the command line has bound the logs to its own captured stream; the next must not use it."""
    structlog.reset_defaults()
