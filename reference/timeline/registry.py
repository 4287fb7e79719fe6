"""The list of snapshots that all collections of a controller share; an epoch is a metadata offset."""

from __future__ import annotations

from typing import Any, Protocol

LATEST = 2**63 - 1
"""The epoch that reads what is there now."""


class Revertable(Protocol):
    """A collection that can take back what was done to it since a snapshot."""

    def revert(self, deltas: list[Snapshot], target: int) -> None:
        """Take back what was changed after the snapshot at `target`; `deltas` are its own and all later ones."""

    def reset(self) -> None:
        """Become empty."""


class Snapshot:
    """A point to go back to: for each collection, what was overwritten or removed since, as it then was.

    `deltas` is keyed by the number that the registry gave to the collection.
    """

    __slots__ = ("deltas", "epoch")

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.deltas: dict[int, dict[Any, Any]] = {}


class SnapshotRegistry:
    """Snapshots in the order of their epochs, and the collections that they belong to.

    >>> from fencepost.reference.timeline import TimelineMap
    >>> registry = SnapshotRegistry()
    >>> map = TimelineMap(registry)
    >>> map["leader"] = 1
    >>> registry.create(100)
    >>> map["leader"] = 2
    >>> map["leader"], map.at("leader", 100)
    (2, 1)
    >>> registry.revert_to(100)
    >>> map["leader"]
    1
    """

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self._revertables: dict[int, Revertable] = {}
        self._numbers = 0

    def register(self, revertable: Revertable) -> int:
        """Return the number of a new collection, which is reverted and reset with all others from now on."""
        self._numbers += 1
        self._revertables[self._numbers] = revertable
        return self._numbers

    @property
    def latest_epoch(self) -> int:
        """The epoch of the newest snapshot, −1 without one."""
        return self.snapshots[-1].epoch if self.snapshots else -1

    def has(self, epoch: int) -> bool:
        """Whether there is a snapshot of exactly this epoch."""
        return any(snapshot.epoch == epoch for snapshot in self.snapshots)

    def epochs(self) -> list[int]:
        """Return the epochs of all snapshots, oldest first."""
        return [snapshot.epoch for snapshot in self.snapshots]

    def create(self, epoch: int) -> None:
        """Begin a snapshot, unless the newest one has this epoch; raises ValueError for one older than the newest."""
        if epoch < self.latest_epoch:
            raise ValueError(f"a snapshot at {epoch} would be older than the newest, which is at {self.latest_epoch}")
        if epoch > self.latest_epoch or not self.snapshots:
            self.snapshots.append(Snapshot(epoch))

    def revert_to(self, epoch: int) -> None:
        """Take every collection back to the snapshot of an epoch, which stays; raises ValueError without one."""
        index = next((i for i, one in enumerate(self.snapshots) if one.epoch == epoch), None)
        if index is None:
            raise ValueError(f"there is no snapshot at {epoch}; there are {self.epochs()}")
        deltas = self.snapshots[index:]
        for revertable in list(self._revertables.values()):
            revertable.revert(deltas, epoch)
        self.snapshots = [*self.snapshots[:index], Snapshot(epoch)]

    def delete_up_to(self, epoch: int) -> None:
        """Forget the snapshots older than an epoch; what they kept can no longer be read or gone back to."""
        if self.snapshots and self.snapshots[0].epoch < epoch:
            self.snapshots = [snapshot for snapshot in self.snapshots if snapshot.epoch >= epoch]

    def reset(self) -> None:
        """Forget all snapshots and empty all collections."""
        self.snapshots = []
        for revertable in list(self._revertables.values()):
            revertable.reset()
