"""The kit: what any driver must pass, as one pytest plug-in, and the trials that the commands run.

See ``docs/how-to/write-a-driver.md``. It needs pytest, which the package does not install for running a studio.
"""

from drivers.kit.conformance import DriverConformance
from drivers.kit.rig import DriverCase, Peer, Rig

__all__ = ["DriverCase", "DriverConformance", "Peer", "Rig"]
