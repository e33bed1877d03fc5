"""``python -m support.slow_disk``: the command ``studio`` on a disk that takes its time.

Here a sync returns in less than a millisecond, too little for a crash to fall between an answer and its commit. On
this disk a server that acknowledges, answers or shows before it has committed is found out.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from studio.__main__ import main
from studio.adapters.sqlite_writer import GroupWriter

SYNC_SECONDS = 0.01


def slow_down() -> None:
    """Make every group of entries wait before it is committed; in the writer's thread, as a disk does."""
    write_group = GroupWriter._write_group

    def write_slowly(self: GroupWriter, jobs: Any) -> None:
        time.sleep(SYNC_SECONDS)
        write_group(self, jobs)

    GroupWriter._write_group = write_slowly  # type: ignore[method-assign]


if __name__ == "__main__":
    slow_down()
    sys.exit(main())
