"""Reads from a controller's own log beside an event trace the requests that it refused for their broker epoch.

A driver that writes its trace down wrongly makes a right refusal look wrong: the controller's line has the epoch that
really came. Lines begin with their time in milliseconds, as in `recorded/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fencepost.traces import events as trace
from fencepost.traces.errors import TraceError
from fencepost.traces.storage import read_text

STALE = "STALE_BROKER_EPOCH"
CONTROLLER_LOGS = ("controller.log", "controller.log.gz")
"""The names under which a controller's own log lies beside what was recorded of it."""
APART = 1_000
"""Milliseconds that may lie between the trace's line and the controller's."""

_LINE = re.compile(
    r"(\d+) .*\b(\w+): event failed with StaleBrokerEpochException\b.*"
    r"Expected broker epoch (-?\d+), but got broker epoch (-?\d+)"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line of the controller: when it refused what, and which epoch was due and which came."""

    t_ms: int
    operation: str
    expected: int
    came: int


class Refusals:
    """The refusals that a controller logged; each speaks of one request."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        found = (_LINE.search(line) for line in lines)
        self._left = [Refusal(int(m[1]), m[2], int(m[3]), int(m[4])) for m in found if m is not None]

    def really_sent(self, event: trace.AllocateProducerIds) -> int | None:
        """Return the broker epoch that came, where the controller says that it was not the one of the trace."""
        if event.error != STALE:
            return None
        operation = event.request[0].lower() + event.request[1:]
        fits = [
            one
            for one in self._left
            if one.operation == operation
            and one.expected == event.broker_epoch != one.came
            and abs(one.t_ms - event.t_ms) <= APART
        ]
        if not fits:
            return None
        nearest = min(fits, key=lambda one: abs(one.t_ms - event.t_ms))
        self._left.remove(nearest)
        return nearest.came


def refusals_beside(path: Path) -> Refusals:
    """Read the controller's log in the folder of a trace; none without one that can be read."""
    for name in CONTROLLER_LOGS:
        file = path.parent / name
        try:
            text = read_text(str(file), "replace")
        except TraceError:
            continue
        return Refusals(text.splitlines())
    return Refusals()
