"""The position of a log's reader between two batches."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.traces import Quarantined


@dataclass(slots=True)
class Cursor:
    """A place in front of a batch, and what its order is checked against.

    `start` is the offset at which the check began, `at` the index of the next batch, `expected` the offset that is due
    and `epoch` the leader epoch so far, each None where it is not known. `damage` are the unreadable ranges behind it.
    """

    start: int
    at: int
    expected: int | None
    epoch: int | None
    damage: list[Quarantined]
