"""The port of probes: what the machine under the studio may report of itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from studio.domain.anomalies import AnomalyKind
from studio.domain.instants import Instant


class Condition(NamedTuple):
    """How one thing stands: ``text`` says what is wrong and what to do, empty where all is well.

    ``blocks``: no further round may begin, where the kind leaves that open.
    """

    kind: AnomalyKind
    text: str = ""
    blocks: bool = False


Probe = Callable[[Instant], Condition]
"""Looks at one thing, at this moment; it may wait a little, and runs in a thread."""
