"""The kit: what any driver must pass, as one pytest plug-in, and the trials that the commands run.

See ``docs/how-to/write-a-driver.md``. The suite, ``drivers.kit.conformance``, needs pytest (the extra ``kit``),
which a studio that deals does not have: nothing that the commands load imports it.
"""

from drivers.kit.rig import DriverCase, Peer, Rig

__all__ = ["DriverCase", "Peer", "Rig"]
