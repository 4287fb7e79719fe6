"""Historical bugs put into a running cluster from outside, so that its own text stays free of them.

Each replaces a rule of the controller or of a broker by what Kafka once did, while a run goes on. `BUGS` has them by
their ids in the museum. Some break a promise that every run watches, the others differ from the tables in lock step.
"""

from __future__ import annotations

from fencepost.reference.simulator.patching import Injection

from . import broker_bugs, controller_bugs, fencing_bugs

BUGS: dict[str, Injection] = {one.name: one for one in (*fencing_bugs.BUGS, *controller_bugs.BUGS, *broker_bugs.BUGS)}
"""All bugs by id."""

__all__ = ["BUGS"]
