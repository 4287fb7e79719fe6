"""Historical bugs put into a running controller from outside, so that its own text stays free of them.

`--inject J7` runs a simulation whose controllers have the bug; lock step with the tables, or an invariant of the
cluster, is to find it. `BUGS` has them all by id; ids are those of the museum, or a name where it has none.
`REPLICATION` has those of brokers that replicate data, by name: what was acknowledged is to be found lost.
"""

from __future__ import annotations

from . import broker_bugs, loop_bugs, partition_bugs, progress_bugs
from .bug import Bug
from .replication import REPLICATION

BUGS: dict[str, Bug] = {
    bug.id: bug for bug in (*broker_bugs.BUGS, *partition_bugs.BUGS, *loop_bugs.BUGS, *progress_bugs.BUGS)
}


def current(name: str) -> str:
    """Return the id that a bug has now: those with a J had a K before, as properties have."""
    newer = f"J{name[1:]}"
    return newer if name.startswith("K") and newer in BUGS else name


__all__ = ["BUGS", "REPLICATION", "Bug", "current"]
